"""What an encoding file need not write itself: `encode` from its `paint`, `paint` from its `show`, `slot`, `describe`.

These are plain functions in need of a few names, declared below; `completed` puts those of one encoding into a copy of
a function, which is then linked like any other.

The lanes of a block write numbers that lie side by side, cell by cell. A lane stays on its planes, and what depends on
the plane alone is decided once; on the CPU, with one lane, the inner loop unrolls.
"""

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from zerogrid.core import spmd

to_move: Any = None  # the game's
show: Any = None  # the file's
HISTORY: int = 1
CELLS: int = 1  # of the planes
BASE: int = 1  # planes of one position
SHARED: int = 1  # lanes that share a cell: the greatest power of two that divides BASE

NO_TABLE = np.zeros((1, 2), np.int16)
GRID_ROWS: int = 1  # of the game's board, and how its actions lie on it
GRID_COLUMNS: int = 1
FORM: int = 0
TABLE: Any = NO_TABLE
DIGITS: int = 1
CELL, PAIR, RIAP, LOOKED_UP, UNKNOWN = range(5)


def encode(states: Any, rows: Any, known: int, lane: int, scratch: Any, out: Any) -> None:
    """The planes of each position, one behind the other; zeros for those that do not exist."""
    me = to_move(states[rows[0]])
    for step in range(HISTORY):
        if step < known:
            if HISTORY > 1:
                spmd.sync()  # nobody reads the notes on the position before any more
            paint(states[rows[step]], me, lane, scratch, out, step * BASE)
        else:
            blank(step * BASE, lane, out)


def paint(state: Any, me: int, lane: int, scratch: Any, out: Any, first: int) -> None:
    """The planes of one position, from `first` on."""
    together = min(SHARED, spmd.LANES)
    for cell in range(lane // together, CELLS, spmd.LANES // together):
        for plane in range(lane % together, BASE, together):
            out[cell, first + plane] = show(state, me, cell, plane)


def blank(first: int, lane: int, out: Any) -> None:
    """Zeros for a position that does not exist."""
    together = min(SHARED, spmd.LANES)
    for cell in range(lane // together, CELLS, spmd.LANES // together):
        for plane in range(lane % together, BASE, together):
            out[cell, first + plane] = 0.0


def slot(state: Any, action: int) -> int:
    """The action itself."""
    return action


def start_of(action: int) -> int:
    """The cell that an action goes from, or -1 for none."""
    if FORM == LOOKED_UP:
        return int(TABLE[action, 0])
    if FORM == PAIR:
        return action % (GRID_ROWS * GRID_COLUMNS)
    if FORM == RIAP:
        return action // (GRID_ROWS * GRID_COLUMNS)
    return action if action < GRID_ROWS * GRID_COLUMNS else -1


def target_of(action: int) -> int:
    """The cell that an action goes to, or -1 for none."""
    if FORM == LOOKED_UP:
        return int(TABLE[action, 1])
    if FORM == PAIR:
        return action // (GRID_ROWS * GRID_COLUMNS)
    if FORM == RIAP:
        return action % (GRID_ROWS * GRID_COLUMNS)
    return action if action < GRID_ROWS * GRID_COLUMNS else -1


def describe(state: Any, action: int, out: Any) -> None:
    """From row and column, to row and column, each from 0 to 1; put, moved, nowhere: one of these; then 1, for listed.

    Where nothing is known of an action's cells, the binary digits of its number, lowest first; then 1.
    """
    if FORM == UNKNOWN:
        for digit in range(DIGITS):
            out[digit] = float((action >> digit) & 1)
        out[DIGITS] = 1.0
        return
    start = start_of(action)
    target = target_of(action)
    stand(start, out, 0)
    stand(target, out, 2)
    out[4] = 1.0 if target >= 0 and start == target else 0.0
    out[5] = 1.0 if target >= 0 and start != target else 0.0
    out[6] = 1.0 if target < 0 else 0.0
    out[7] = 1.0


def stand(cell: int, out: Any, first: int) -> None:
    """A cell's row and column as two numbers from 0 to 1; a cell that is none stands in the corner."""
    spot = max(cell, 0)
    out[first] = (spot // GRID_COLUMNS) / max(GRID_ROWS - 1, 1)
    out[first + 1] = (spot % GRID_COLUMNS) / max(GRID_COLUMNS - 1, 1)


def completed(function: Any, names: Mapping[str, Any]) -> FunctionType:
    """A copy of one of these functions with the names that it lacks."""
    return FunctionType(function.__code__, {**globals(), **names}, function.__name__)
