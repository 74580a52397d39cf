"""Dots-and-Boxes with a plane for each chain and loop: ChainLoop64 of the Dotsformer paper (2, section 4.1).

    0-3    as in baseline.py
    4-63   the free edges of one structure each: first those of several edges, then single edges, each kind in the order
           of their smallest edges. More than sixty (possible on boards with more than sixty edges) are not shown.
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
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
ROWS, COLUMNS, SCORES, EDGES = GAME.ROWS, GAME.COLUMNS, GAME.SCORES, GAME.EDGES
HEIGHT, WIDTH = 2 * ROWS + 1, 2 * COLUMNS + 1
EDGE_IN = edges_in_cells(ROWS, COLUMNS)
BESIDE, AROUND = boxes_beside_edges(ROWS, COLUMNS), edges_around_boxes(ROWS, COLUMNS)
BEFORE, STRUCTURES = 4, 60
PLANE_NAMES = ("dots and boxes", "edges", "drawn edges", "score difference") + tuple(
    f"structure {number}" for number in range(STRUCTURES)
)
UNORDERED = (BEFORE, BEFORE + STRUCTURES)
START = ROWS * COLUMNS  # behind the drawn edges of each box, three notes on each edge
LENGTH, NUMBER, SCRATCH = START + EDGES, START + 2 * EDGES, START + 3 * EDGES
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 1
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    paint_base(state, me, lane, out, first, EDGE_IN, SCORES)
    count_drawn(state, lane, scratch, AROUND)
    spmd.sync()
    for edge in range(lane, EDGES, spmd.LANES):
        if state[edge] == 0:
            start, length = structure_of(state, edge, scratch, BESIDE, AROUND)
            scratch[START + edge] = start
            scratch[LENGTH + edge] = length
    spmd.sync()
    if lane == 0:
        number_structures(state, scratch)
    spmd.sync()
    for cell in range(HEIGHT * WIDTH):
        edge = EDGE_IN[cell]
        mine = scratch[NUMBER + edge] if edge >= 0 and state[edge] == 0 else -1
        for number in range(lane, STRUCTURES, spmd.LANES):
            out[cell, first + BEFORE + number] = 1.0 if number == mine else 0.0


def number_structures(state: Any, scratch: Any) -> None:
    """Those of several edges first; a structure gets its number at its smallest edge, and hands it to the others."""
    count = 0
    for single in (False, True):
        for edge in range(EDGES):
            if state[edge] == 0 and (scratch[LENGTH + edge] == 1) == single:
                start = scratch[START + edge]
                if start == edge:
                    scratch[NUMBER + edge] = count
                    count += 1
                else:
                    scratch[NUMBER + edge] = scratch[NUMBER + start]


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def move(symmetry: Any) -> Move:
    return grid_move(symmetry, ROWS, COLUMNS, len(PLANE_NAMES))


def places() -> Places:
    return grid_places(ROWS, COLUMNS)
