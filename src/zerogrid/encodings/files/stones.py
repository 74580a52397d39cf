"""Four planes for games of placing stones: the SigmaGo paper's (3), and what fits its kin.

    0   own stones                  2   the stone placed last
    1   enemy stones                3   all ones when the player to move is the first player
"""

from typing import Any

from zerogrid.core.encoding import game_module
from zerogrid.core.rules import setting

GAME = game_module("gomoku", "tictactoe")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
BOARD, LAST = GAME.BOARD, GAME.LAST
HEIGHT, WIDTH = GAME.ROWS, GAME.COLUMNS
PLANE_NAMES = ("own stones", "enemy stones", "last stone", "first player to move")


def show(state: Any, me: int, cell: int, plane: int) -> float:
    if plane < 2:
        return 1.0 if state[BOARD + cell] == 1 + (me ^ plane) else 0.0
    if plane == 2:
        return 1.0 if state[LAST] == cell else 0.0
    return 1.0 - me
