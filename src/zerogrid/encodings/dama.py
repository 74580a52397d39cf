"""What the encodings of Pawn Dama share: the board as the mover sees it, and two ways to number the moves.

For the second player the board is turned half round, so that the mover always walks up, to higher rows.

    full       slot from + to * cells of the turned board, the paper's N^4
    compact    slot kind * cells + from; kinds: one step, two steps, capture to the lower column, to the higher
"""

from typing import Any

from zerogrid.core.encoding import Move

Places = tuple[tuple[int, ...], ...]
KINDS = 4
MOVE_FEATURES = ("from row", "from column", "to row", "to column", "step", "double step", "capture", "listed")


# --- linked ---------------------------------------------------------------------------------------------------------


def pawn(state: Any, cell: int, me: int, rows: int, columns: int, marked: bool) -> float:
    """What stands on a cell of the turned board: + own, - the enemy's; 1 for a pawn that has never moved, else 2.

    Where the rules do not mark pawns that have never moved, those on their two home rows are taken to be such.
    """
    there = state[rows * columns - 1 - cell] if me == 1 else state[cell]
    if there == 0:
        return 0.0
    mine = (there - 1) % 2 == me
    row = cell // columns
    fresh = there > 2
    if not marked:
        fresh = row < 2 if mine else row >= rows - 2
    value = 1.0 if fresh else 2.0
    return value if mine else -value


def ends(action: int, me: int, cells: int) -> tuple[int, int]:
    """From and to of an action on the turned board."""
    start = action % cells
    target = action // cells
    if me == 1:
        return cells - 1 - start, cells - 1 - target
    return start, target


def kind_of(start: int, target: int, columns: int) -> int:
    """Which of the four kinds a move of the turned board is."""
    way = target - start
    if way == columns:
        return 0
    if way == 2 * columns:
        return 1
    return 2 if way < columns else 3


def describe_move(action: int, me: int, rows: int, columns: int, out: Any) -> None:
    """From and to, each row and column from 0 to 1; step, double step, capture: one of these; 1, for listed."""
    start, target = ends(action, me, rows * columns)
    kind = kind_of(start, target, columns)
    out[0] = (start // columns) / (rows - 1)
    out[1] = (start % columns) / max(columns - 1, 1)
    out[2] = (target // columns) / (rows - 1)
    out[3] = (target % columns) / max(columns - 1, 1)
    out[4] = 1.0 if kind == 0 else 0.0
    out[5] = 1.0 if kind == 1 else 0.0
    out[6] = 1.0 if kind > 1 else 0.0
    out[7] = 1.0


# --- ordinary Python ------------------------------------------------------------------------------------------------


def mirror_move(symmetry: Any, planes: int, compact: bool) -> Move:
    """The identity and the mirror: a mirrored capture goes to the other side."""
    cells, same = symmetry.cells, symmetry.cells == tuple(range(len(symmetry.cells)))
    kinds = (0, 1, 2, 3) if same else (0, 1, 3, 2)
    if compact:
        slots = tuple(kind * len(cells) + cell for kind in kinds for cell in cells)
    else:
        slots = tuple(start + target * len(cells) for target in cells for start in cells)
    return Move(cells, tuple(range(planes)), slots)


def move_places(rows: int, columns: int, compact: bool) -> Places:
    """A move's logit lies at its first cell, on the map of its kind; what no pawn can do has no place."""
    cells = rows * columns
    table: list[tuple[int, ...]] = [()] * (KINDS * cells if compact else cells * cells)
    for start in range(cells):
        y, x = divmod(start, columns)
        for kind, (up, right) in enumerate(((1, 0), (2, 0), (1, -1), (1, 1))):
            if y + up < rows and 0 <= x + right < columns:
                spot, target = kind * cells + start, start + up * columns + right
                table[spot if compact else start + target * cells] = (spot,)
    return tuple(table)
