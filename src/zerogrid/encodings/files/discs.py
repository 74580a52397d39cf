"""Four planes for games of discs, Connect Four and Othello, and if asked a fifth of where the player could place one.

    0   own discs          2   the disc placed last (none after a pass)                  4   legal squares
    1   enemy discs        3   all ones when the player to move is the first player
"""

from typing import Any

from zerogrid.core.encoding import game_module
from zerogrid.core.rules import setting

GAME = game_module("connect_four", "othello")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
LEGAL = setting("legal", False, help="a plane of the squares where the player to move can place a disc")
BOARD, LAST = GAME.BOARD, GAME.LAST
ROWS, COLUMNS, CELLS = GAME.ROWS, GAME.COLUMNS, GAME.CELLS
HEIGHT, WIDTH = ROWS, COLUMNS
PLANE_NAMES = ("own discs", "enemy discs", "last disc", "first player to move", "legal")[: 5 if LEGAL else 4]
DISCS_FALL = hasattr(GAME, "HEIGHTS")
HEIGHTS = GAME.HEIGHTS if DISCS_FALL else 0


def show(state: Any, me: int, cell: int, plane: int) -> float:
    if plane < 2:
        return 1.0 if state[BOARD + cell] == 1 + (me ^ plane) else 0.0
    if plane == 2:
        return 1.0 if cell == newest(state) else 0.0
    if plane == 3:
        return 1.0 - me
    return 1.0 if placeable(state, cell, me + 1) else 0.0


if DISCS_FALL:  # an action is a column

    def newest(state: Any) -> int:
        column = state[LAST]
        if column < 0:
            return -1
        return int((ROWS - state[HEIGHTS + column]) * COLUMNS + column)

    def placeable(state: Any, cell: int, mine: int) -> bool:
        return bool(cell // COLUMNS == ROWS - 1 - state[HEIGHTS + cell % COLUMNS])

    def places() -> tuple[tuple[int, ...], ...]:
        """A column's logit is the mean over its squares."""
        return tuple(tuple(range(column, CELLS, COLUMNS)) for column in range(COLUMNS))

    POLICY_PLANES = 1
    FEATURE_NAMES = ("row", "column", "listed")
    FEATURES = len(FEATURE_NAMES)

    def describe(state: Any, action: int, out: Any) -> None:
        """Where the disc comes to lie, row and column from 0 to 1; 1, for listed."""
        out[0] = (ROWS - 1 - state[HEIGHTS + action]) / max(ROWS - 1, 1)
        out[1] = action / max(COLUMNS - 1, 1)
        out[2] = 1.0

else:

    def newest(state: Any) -> int:
        return int(state[LAST])

    def placeable(state: Any, cell: int, mine: int) -> bool:
        """Whether a disc there would enclose others: a line of the other side's from there to one of one's own."""
        if state[cell] != 0:
            return False
        for direction in range(9):
            down = direction // 3 - 1
            right = direction % 3 - 1
            row = cell // COLUMNS + down
            column = cell % COLUMNS + right
            crossed = 0
            while 0 <= row < ROWS and 0 <= column < COLUMNS and state[row * COLUMNS + column] == 3 - mine:
                crossed += 1
                row += down
                column += right
            if crossed > 0 and 0 <= row < ROWS and 0 <= column < COLUMNS and state[row * COLUMNS + column] == mine:
                return True
        return False
