"""What the encodings of Dots-and-Boxes share: where things lie, and the detection of chains and loops.

    + 0 + 1 +     The grid has a cell for each dot, edge and box: 2 rows + 1 by 2 columns + 1 cells. Edges and boxes
    6 a 7 b 8     are numbered as in the game (games/dots_and_boxes.py). Edges come first in a state.
    + 2 + 3 +
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core import spmd
from zerogrid.core.encoding import Move
from zerogrid.core.symmetry import board_maps, cells_under

Table = npt.NDArray[np.int16]
Places = tuple[tuple[int, ...], ...]
EDGE_FEATURES = ("from row", "from column", "to row", "to column", "horizontal", "vertical", "listed")
SIDES = ((0, 1), (-1, 0), (0, -1), (1, 0))  # right, up, left, down, as (down, right) steps


# --- linked ---------------------------------------------------------------------------------------------------------
# `edge_in`, `beside` and `around` are the tables made below: constants of an encoding file, handed on.


def paint_base(state: Any, me: int, lane: int, out: Any, first: int, edge_in: Any, scores: int) -> None:
    """The four planes of the baseline; a lane writes all four of its cells."""
    difference = 0.25 * (state[scores + me] - state[scores + 1 - me])
    for cell in range(lane, len(edge_in), spmd.LANES):
        edge = edge_in[cell]
        out[cell, first] = 1.0 if edge < 0 else 0.0
        out[cell, first + 1] = 1.0 if edge >= 0 else 0.0
        out[cell, first + 2] = 1.0 if edge >= 0 and state[edge] != 0 else 0.0
        out[cell, first + 3] = difference


def drawn_around(state: Any, box: int, around: Any) -> int:
    """How many edges of a box are drawn."""
    return int(state[around[box, 0]] + state[around[box, 1]] + state[around[box, 2]] + state[around[box, 3]])


def paint_sides(state: Any, lane: int, out: Any, first: int, around: Any) -> None:
    """A plane for each side of a box, 1 where it is drawn: right, up, left, down."""
    for box in range(lane, len(around), spmd.LANES):
        for side in range(4):
            out[box, first + side] = 1.0 if state[around[box, side]] != 0 else 0.0


def count_drawn(state: Any, lane: int, counts: Any, around: Any) -> None:
    """Note how many edges of each box are drawn; a barrier must follow before the notes are read."""
    for box in range(lane, len(around), spmd.LANES):
        counts[box] = drawn_around(state, box, around)


def structure_of(state: Any, edge: int, counts: Any, beside: Any, around: Any) -> tuple[int, int]:
    """The chain or loop that a free edge belongs to: its smallest edge, and how many free edges it has.

    Detection (section 4.1) goes on through neighbouring boxes with exactly two drawn edges. Such a box joins just two
    free edges and an edge has two boxes at most, so a structure is a line or a ring: walk it in both directions.
    """
    first = edge
    length = 1
    for direction in range(2):
        here = edge
        box = int(beside[edge, direction])
        while box >= 0 and counts[box] == 2:
            for side in range(4):
                other = int(around[box, side])
                if state[other] == 0 and other != here:
                    here = other
                    break
            if here == edge:
                return first, length  # a loop, and round it
            length += 1
            first = min(first, here)
            box = int(beside[here, 0] + beside[here, 1]) - box  # the other one
    return first, length


def beside_three(edge: int, counts: Any, beside: Any) -> bool:
    """Whether a box beside an edge has three drawn edges."""
    for direction in range(2):
        box = int(beside[edge, direction])
        if box >= 0 and counts[box] == 3:
            return True
    return False


def describe_edge(edge: int, rows: int, columns: int, out: Any) -> None:
    """The middle of an edge from 0 to 1, as from and to; horizontal or vertical; 1, for listed."""
    horizontal = (rows + 1) * columns
    if edge < horizontal:
        y = 2 * (edge // columns)
        x = 2 * (edge % columns) + 1
    else:
        y = 2 * ((edge - horizontal) // (columns + 1)) + 1
        x = 2 * ((edge - horizontal) % (columns + 1))
    out[0] = y / (2 * rows)
    out[1] = x / (2 * columns)
    out[2] = y / (2 * rows)
    out[3] = x / (2 * columns)
    out[4] = 1.0 if edge < horizontal else 0.0
    out[5] = 0.0 if edge < horizontal else 1.0
    out[6] = 1.0


# --- tables ---------------------------------------------------------------------------------------------------------


def edges_in_cells(rows: int, columns: int) -> Table:
    """The edge in each cell of the grid, -1 for dots and boxes."""
    table = np.full((2 * rows + 1, 2 * columns + 1), -1, np.int16)
    horizontal = (rows + 1) * columns
    table[0::2, 1::2] = np.arange(horizontal).reshape(rows + 1, columns)
    table[1::2, 0::2] = horizontal + np.arange(rows * (columns + 1)).reshape(rows, columns + 1)
    return table.ravel()


def edges_around_boxes(rows: int, columns: int) -> Table:
    """The edges of each box: right, up, left, down."""
    grid = edges_in_cells(rows, columns).reshape(2 * rows + 1, 2 * columns + 1)
    sides = [grid[1 + y : 2 * rows + 1 + y : 2, 1 + x : 2 * columns + 1 + x : 2] for y, x in SIDES]
    return np.stack(sides, -1).reshape(-1, 4)


def boxes_beside_edges(rows: int, columns: int) -> Table:
    """The boxes above and below, or left and right of each edge; -1 where there is none."""
    around = edges_around_boxes(rows, columns)
    table = np.full((around.max() + 1, 2), -1, np.int16)
    for box, (right, up, left, down) in enumerate(around):
        table[right, 0] = table[down, 0] = table[left, 1] = table[up, 1] = box
    return table


# --- ordinary Python ------------------------------------------------------------------------------------------------


def grid_places(rows: int, columns: int) -> Places:
    """An edge's logit lies in its own cell of the grid."""
    cells = {int(edge): cell for cell, edge in enumerate(edges_in_cells(rows, columns)) if edge >= 0}
    return tuple((cells[edge],) for edge in range(len(cells)))


def box_places(rows: int, columns: int) -> Places:
    """Each box has a logit for each of its sides, on four maps; an edge has the mean of its boxes'."""
    found: dict[int, list[int]] = {}
    for side in (3, 1, 0, 2):
        for box, edges in enumerate(edges_around_boxes(rows, columns)):
            found.setdefault(int(edges[side]), []).append(side * rows * columns + box)
    return tuple(tuple(found[edge]) for edge in range(len(found)))


def grid_move(symmetry: Any, rows: int, columns: int, planes: int) -> Move:
    """A symmetry on the grid; planes keep their meaning."""
    height, width = 2 * rows + 1, 2 * columns + 1
    cells = cells_under(height, width, dict(board_maps(height, width))[symmetry.name])
    return Move(cells, tuple(range(planes)), symmetry.actions)


def turned_sides(symmetry: Any, rows: int, columns: int) -> tuple[int, ...]:
    """Where a symmetry puts each side of a box."""
    place = dict(board_maps(rows, columns))[symmetry.name]
    y, x = place(0, 0)
    steps = [(place(*side)[0] - y, place(*side)[1] - x) for side in SIDES]
    return tuple(SIDES.index(step) for step in steps)
