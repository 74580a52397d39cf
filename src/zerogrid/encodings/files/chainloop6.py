"""Dots-and-Boxes with chains and loops in two planes: ChainLoop6 of the Dotsformer paper (2, section 4.1).

    0-3   as in baseline.py
    4     free edges that are a structure by themselves, beside a box with three drawn edges
    5     free edges of structures of more than two edges: how many edges the structure has
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
    beside_three,
    boxes_beside_edges,
    count_drawn,
    describe_edge,
    edges_around_boxes,
    edges_in_cells,
    grid_move,
    grid_places,
    paint_base,
    structure_of,
)

GAME = game_module("dots_and_boxes")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
ROWS, COLUMNS, SCORES = GAME.ROWS, GAME.COLUMNS, GAME.SCORES
HEIGHT, WIDTH = 2 * ROWS + 1, 2 * COLUMNS + 1
EDGE_IN = edges_in_cells(ROWS, COLUMNS)
BESIDE, AROUND = boxes_beside_edges(ROWS, COLUMNS), edges_around_boxes(ROWS, COLUMNS)
PLANE_NAMES = ("dots and boxes", "edges", "drawn edges", "score difference", "alone, to be taken", "length over two")
SCRATCH = ROWS * COLUMNS  # how many edges of each box are drawn
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 1
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    paint_base(state, me, lane, out, first, EDGE_IN, SCORES)
    count_drawn(state, lane, scratch, AROUND)
    spmd.sync()
    for cell in range(lane, HEIGHT * WIDTH, spmd.LANES):
        alone = 0.0
        length = 0.0
        edge = EDGE_IN[cell]
        if edge >= 0 and state[edge] == 0:
            _, edges = structure_of(state, edge, scratch, BESIDE, AROUND)
            if edges > 2:
                length = float(edges)
            elif edges == 1 and beside_three(edge, scratch, BESIDE):
                alone = 1.0
        out[cell, first + 4] = alone
        out[cell, first + 5] = length


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def move(symmetry: Any) -> Move:
    return grid_move(symmetry, ROWS, COLUMNS, len(PLANE_NAMES))


def places() -> Places:
    return grid_places(ROWS, COLUMNS)
