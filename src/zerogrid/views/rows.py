"""Rows of pieces, for drawing: those that were made, and the cells that would make one.

Cells are numbers: 0 empty, 1 and 2 the pieces of the first and the second player.
"""

from collections.abc import Sequence

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


Run = tuple[int, ...]


def rows_through(board: Sequence[int], rows: int, columns: int, cell: int, least: int, most: int) -> list[Run]:
    """The straight runs of equal pieces that a cell is part of, from `least` to `most` long."""
    found = []
    for down, right in DIRECTIONS:
        run = [cell]
        for way in (1, -1):
            r, c = cell // columns + way * down, cell % columns + way * right
            while 0 <= r < rows and 0 <= c < columns and board[r * columns + c] == board[cell]:
                run.append(r * columns + c)
                r, c = r + way * down, c + way * right
        if least <= len(run) <= most:
            found.append(tuple(sorted(run)))
    return found


def all_rows(board: Sequence[int], rows: int, columns: int, least: int, most: int) -> list[Run]:
    """Every row on the board, once."""
    pieces = [cell for cell in range(rows * columns) if board[cell]]
    return sorted({run for cell in pieces for run in rows_through(board, rows, columns, cell, least, most)})


def threats(board: Sequence[int], rows: int, columns: int, least: int, most: int) -> dict[int, tuple[int, ...]]:
    """The empty cells where a piece would complete a row, and for whom: players 0, 1 or both."""
    found: dict[int, tuple[int, ...]] = {}
    trial = list(board)
    for cell in range(rows * columns):
        if board[cell]:
            continue
        for player in (0, 1):
            trial[cell] = player + 1
            if rows_through(trial, rows, columns, cell, least, most):
                found[cell] = (*found.get(cell, ()), player)
        trial[cell] = 0
    return found
