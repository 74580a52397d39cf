"""Dots-and-Boxes on the boxes, each edge with both its boxes: EdgeQuad44 of the Dotsformer paper (2, appendix A).

For each of a box's edges, right, upper, left and lower, eleven planes:

    0      1 where the edge is drawn
    1-5    1 where the box to the left of it, or above, has none, one, two, three, four drawn edges
    6-10   the same of the box to the right of it, or below

The paper adds a layer of boxes around the board whose own edges count as drawn: such a box has three drawn edges, and
four when the edge that it shares with the board is drawn too.
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dots import (
    EDGE_FEATURES,
    Places,
    box_places,
    boxes_beside_edges,
    describe_edge,
    drawn_around,
    edges_around_boxes,
    turned_sides,
)

GAME = game_module("dots_and_boxes")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
HEIGHT, WIDTH = ROWS, COLUMNS = GAME.ROWS, GAME.COLUMNS
BESIDE, AROUND = boxes_beside_edges(ROWS, COLUMNS), edges_around_boxes(ROWS, COLUMNS)
EACH = 11
PLANE_NAMES = tuple(
    f"{edge} edge, {what}"
    for edge, before, behind in (
        ("right", "left", "right"),
        ("upper", "above", "below"),
        ("left", "left", "right"),
        ("lower", "above", "below"),
    )
    for what in ("drawn", *(f"{n} drawn {where}" for where in (before, behind) for n in range(5)))
)
BOXES = (ROWS, COLUMNS)
POLICY_PLANES = 4
FEATURE_NAMES = EDGE_FEATURES
FEATURES = len(FEATURE_NAMES)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    for pair in range(lane, 4 * ROWS * COLUMNS, spmd.LANES):
        box = pair // 4
        side = pair % 4
        edge = AROUND[box, side]
        plane = first + EACH * side
        out[box, plane] = float(state[edge])
        for direction in range(2):
            neighbour = BESIDE[edge, direction]
            drawn = drawn_around(state, neighbour, AROUND) if neighbour >= 0 else 3 + state[edge]
            for count in range(5):
                out[box, plane + 1 + 5 * direction + count] = 1.0 if count == drawn else 0.0


def describe(state: Any, action: int, out: Any) -> None:
    describe_edge(action, ROWS, COLUMNS, out)


def places() -> Places:
    return box_places(ROWS, COLUMNS)


def move(symmetry: Any) -> Move:
    """Sides change places; a side that now looks the other way (upper for lower) has its two boxes exchanged."""
    planes: list[int] = []
    for side, goes_to in enumerate(turned_sides(symmetry, ROWS, COLUMNS)):
        before, behind = (6, 1) if turned_over(symmetry, side) else (1, 6)
        steps = (0, *range(before, before + 5), *range(behind, behind + 5))
        planes += [EACH * goes_to + step for step in steps]
    return Move(symmetry.cells, tuple(planes), symmetry.actions)


def turned_over(symmetry: Any, side: int) -> bool:
    """Whether what was left of, or above, such an edge comes to lie right of it, or below."""
    to_the_right_or_down = turned_sides(symmetry, ROWS, COLUMNS)[0 if side in (0, 2) else 3]
    return to_the_right_or_down in (1, 2)
