"""What an encoding file need not write itself: `encode` made from its `show`, and the plainest `slot` and `describe`.

These are plain functions in need of a few names, declared below; `encoding.py` puts those of one encoding into a copy
of each function, which is then linked like any other.
"""

from typing import Any

import numpy as np

from zerogrid.core import spmd

to_move: Any  # the game's
show: Any  # the file's
prepare: Any
HISTORY: int
CELLS: int  # of the planes
BASE: int  # planes of one position

GRID_ROWS: int  # of the game's board, and where its actions lie on it
GRID_COLUMNS: int
FORM: int
TABLE: Any
DIGITS: int
CELL, PAIR, RIAP, LOOKED_UP, UNKNOWN = range(5)


def encode(states: Any, rows: Any, known: int, lane: int, scratch: Any, out: Any) -> None:
    """All planes of all positions, for encodings that show each cell by itself.

    The lanes write neighbouring numbers. Cell and plane are stepped along, not divided out: with LANES a multiple of
    BASE a lane stays on its plane, and what depends on the plane alone is decided once.
    """
    me = to_move(states[rows[0]])
    for step in range(HISTORY):
        first = step * BASE
        cell = lane // BASE
        plane = lane % BASE
        if step < known:
            state = states[rows[step]]
            while cell < CELLS:
                out[cell, first + plane] = show(state, me, cell, plane)
                cell += spmd.LANES // BASE
                plane += spmd.LANES % BASE
                if plane >= BASE:
                    plane -= BASE
                    cell += 1
        else:
            while cell < CELLS:
                out[cell, first + plane] = 0.0
                cell += spmd.LANES // BASE
                plane += spmd.LANES % BASE
                if plane >= BASE:
                    plane -= BASE
                    cell += 1


def encode_prepared(states: Any, rows: Any, known: int, lane: int, scratch: Any, out: Any) -> None:
    """The same for encodings that look at each position as a whole first, and note what they find in scratch."""
    me = to_move(states[rows[0]])
    for step in range(HISTORY):
        first = step * BASE
        cell = lane // BASE
        plane = lane % BASE
        if step < known:
            state = states[rows[step]]
            spmd.sync()  # nobody reads the notes on the position before any more
            prepare(state, me, lane, scratch)
            spmd.sync()
            while cell < CELLS:
                out[cell, first + plane] = show(state, me, cell, plane, scratch)
                cell += spmd.LANES // BASE
                plane += spmd.LANES % BASE
                if plane >= BASE:
                    plane -= BASE
                    cell += 1
        else:
            while cell < CELLS:
                out[cell, first + plane] = 0.0
                cell += spmd.LANES // BASE
                plane += spmd.LANES % BASE
                if plane >= BASE:
                    plane -= BASE
                    cell += 1


def slot(state: Any, action: int) -> int:
    """The action itself."""
    return action


def describe(state: Any, action: int, out: Any) -> None:
    """From row and column, to row and column, each from 0 to 1; put, moved, nowhere: one of these; then 1, for listed.

    Where nothing is known of an action's cells, the binary digits of its number, lowest first; then 1.
    """
    if FORM == UNKNOWN:
        for digit in range(DIGITS):
            out[digit] = float((action >> digit) & 1)
        out[DIGITS] = 1.0
        return
    start = action
    target = action
    if FORM == CELL:
        if action >= GRID_ROWS * GRID_COLUMNS:
            start = -1
            target = -1
    elif FORM == LOOKED_UP:
        start = int(TABLE[action, 0])
        target = int(TABLE[action, 1])
    elif FORM == PAIR:
        start = action % (GRID_ROWS * GRID_COLUMNS)
        target = action // (GRID_ROWS * GRID_COLUMNS)
    else:
        start = action // (GRID_ROWS * GRID_COLUMNS)
        target = action % (GRID_ROWS * GRID_COLUMNS)
    place(start, target, out)
    out[4] = 1.0 if target >= 0 and start == target else 0.0
    out[5] = 1.0 if target >= 0 and start != target else 0.0
    out[6] = 1.0 if target < 0 else 0.0
    out[7] = 1.0


def place(start: int, target: int, out: Any) -> None:
    """Two cells as four numbers from 0 to 1; a cell that is none stands in the corner."""
    a = max(start, 0)
    b = max(target, 0)
    out[0] = (a // GRID_COLUMNS) / max(GRID_ROWS - 1, 1)
    out[1] = (a % GRID_COLUMNS) / max(GRID_COLUMNS - 1, 1)
    out[2] = (b // GRID_COLUMNS) / max(GRID_ROWS - 1, 1)
    out[3] = (b % GRID_COLUMNS) / max(GRID_COLUMNS - 1, 1)


NO_TABLE = np.zeros((1, 2), np.int16)
