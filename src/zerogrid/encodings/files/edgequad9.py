"""Dots-and-Boxes on the boxes, with the number of drawn edges: EdgeQuad9 of the Dotsformer paper (2, appendix A).

    0-3   a box's right, upper, left and lower edge, 1 where drawn
    4-8   1 where the box has none, one, two, three, four drawn edges
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
    box_places,
    describe_edge,
    drawn_around,
    edges_around_boxes,
    paint_sides,
    turned_sides,
)

GAME = game_module("dots_and_boxes")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
HEIGHT, WIDTH = ROWS, COLUMNS = GAME.ROWS, GAME.COLUMNS
AROUND = edges_around_boxes(ROWS, COLUMNS)
PLANE_NAMES = ("right edge", "upper edge", "left edge", "lower edge") + tuple(f"{n} edges drawn" for n in range(5))
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 4
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    paint_sides(state, lane, out, first, AROUND)
    for box in range(lane, ROWS * COLUMNS, spmd.LANES):
        drawn = drawn_around(state, box, AROUND)
        for count in range(5):
            out[box, first + 4 + count] = 1.0 if count == drawn else 0.0


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def places() -> Places:
    return box_places(ROWS, COLUMNS)


def move(symmetry: Any) -> Move:
    return Move(symmetry.cells, (*turned_sides(symmetry, ROWS, COLUMNS), *range(4, 9)), symmetry.actions)
