"""Sets of cells as the bits of an integer: cell c is bit c, of at most 63.

The sign bit stays free: Numba tells LLVM that signed arithmetic never overflows, so code that relied on it would be
miscompiled. LLVM turns the first two functions into one instruction each.
"""

import types

import numpy as np
import numpy.typing as npt

from zerogrid.solvers import facts


def count(cells: int) -> int:
    """How many cells are in the set."""
    cells = cells - ((cells >> 1) & 0x5555555555555555)
    cells = (cells & 0x3333333333333333) + ((cells >> 2) & 0x3333333333333333)
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((cells * 0x0101010101010101) >> 56) & 0x7F


def lowest(cells: int) -> int:
    """The lowest cell of a set that is not empty."""
    return count(~cells & (cells - 1))


def left_right(cells: int) -> int:
    """The mirror image of a board, left and right exchanged."""
    image = 0
    for column in range(facts.COLUMNS):
        image |= ((cells >> column) & facts.FIRST_COLUMN) << (facts.COLUMNS - 1 - column)
    return image


def up_down(cells: int) -> int:
    """The mirror image of a board, top and bottom exchanged."""
    image = 0
    for row in range(facts.ROWS):
        image |= ((cells >> (row * facts.COLUMNS)) & facts.FIRST_ROW) << ((facts.ROWS - 1 - row) * facts.COLUMNS)
    return image


def transposed(cells: int) -> int:
    """A square board with rows and columns exchanged: every diagonal moves as a whole."""
    image = 0
    for i in range(len(facts.DIAGONALS)):
        by = (i - facts.ROWS + 1) * (facts.COLUMNS - 1)
        moved = cells & facts.DIAGONALS[i]
        image |= moved << by if by >= 0 else moved >> -by
    return image


# --- outside compiled code ------------------------------------------------------------------------------------------


def bits_of(cells: npt.NDArray[np.bool_]) -> int:
    """The set of the cells that are True."""
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")


def board_facts(rows: int, columns: int) -> types.SimpleNamespace:
    """The facts of a board that the functions above need."""
    cells = rows * columns
    diagonals = (
        sum(1 << cell for cell in range(cells) if cell % columns - cell // columns == k)
        for k in range(1 - rows, columns)
    )
    return types.SimpleNamespace(
        ROWS=rows,
        COLUMNS=columns,
        CELLS=cells,
        ALL=(1 << cells) - 1,
        FIRST_ROW=(1 << columns) - 1,
        FIRST_COLUMN=sum(1 << (row * columns) for row in range(rows)),
        DIAGONALS=tuple(diagonals) if rows == columns else (0,),
        IMAGES_OF_BOARD=8 if rows == columns else 4,
    )
