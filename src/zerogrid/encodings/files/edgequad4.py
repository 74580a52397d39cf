"""Dots-and-Boxes on the boxes: EdgeQuad4 of the Dotsformer paper (2, appendix A).

    0-3   a box's right, upper, left and lower edge, 1 where drawn

Who has how many boxes is not shown, as in the paper.
"""

from typing import Any

from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
    box_places,
    describe_edge,
    edges_around_boxes,
    paint_sides,
    turned_sides,
)

GAME = game_module("dots_and_boxes")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
HEIGHT, WIDTH = ROWS, COLUMNS = GAME.ROWS, GAME.COLUMNS
AROUND = edges_around_boxes(ROWS, COLUMNS)
PLANE_NAMES = ("right edge", "upper edge", "left edge", "lower edge")
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 4
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    paint_sides(state, lane, out, first, AROUND)


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def places() -> Places:
    return box_places(ROWS, COLUMNS)


def move(symmetry: Any) -> Move:
    return Move(symmetry.cells, turned_sides(symmetry, ROWS, COLUMNS), symmetry.actions)
