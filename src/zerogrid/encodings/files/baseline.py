"""Dots-and-Boxes on the grid of dots, edges and boxes: the four planes of the Dotsformer paper (2, section 4.1).

    0   dots and boxes     2   drawn edges
    1   edges              3   own boxes minus the enemy's, times 0.25, everywhere
"""

from typing import Any

from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
    describe_edge,
    edges_in_cells,
    grid_move,
    grid_places,
    paint_base,
)

GAME = game_module("dots_and_boxes")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
ROWS, COLUMNS, SCORES = GAME.ROWS, GAME.COLUMNS, GAME.SCORES
HEIGHT, WIDTH = 2 * ROWS + 1, 2 * COLUMNS + 1
EDGE_IN = edges_in_cells(ROWS, COLUMNS)
PLANE_NAMES = ("dots and boxes", "edges", "drawn edges", "score difference")
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 1
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    paint_base(state, me, lane, out, first, EDGE_IN, SCORES)


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def move(symmetry: Any) -> Move:
    return grid_move(symmetry, ROWS, COLUMNS, len(PLANE_NAMES))


def places() -> Places:
    return grid_places(ROWS, COLUMNS)
