"""Breakthrough on two planes; the board is turned half round for Black, so that the mover always walks to higher rows.

    0   own pawns          1   enemy pawns

Whose turn it is makes no difference to a turned board, so no plane says it. A slot is one of White's moves; each of
Black's is one of them turned, and has its slot.
"""

from typing import Any

from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting

GAME = game_module("breakthrough")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
ROWS, COLUMNS, CELLS, HALF = GAME.ROWS, GAME.COLUMNS, GAME.CELLS, GAME.HALF
FROM, TO = GAME.FROM, GAME.TO
HEIGHT, WIDTH = ROWS, COLUMNS
PLANE_NAMES = ("own pawns", "enemy pawns")
SLOTS = HALF
POLICY_PLANES = 3
FEATURE_NAMES = ("from row", "from column", "to row", "to column", "capture", "listed")
FEATURES = len(FEATURE_NAMES)


def show(state: Any, me: int, cell: int, plane: int) -> float:
    there = state[CELLS - 1 - cell] if me == 1 else state[cell]
    return 1.0 if there == 1 + (me ^ plane) else 0.0


def slot(state: Any, action: int) -> int:
    return action % HALF


def describe(state: Any, action: int, out: Any) -> None:
    """From and to on the turned board, each row and column from 0 to 1; whether it captures; 1, for listed."""
    start = FROM[action % HALF]
    target = TO[action % HALF]
    out[0] = (start // COLUMNS) / (ROWS - 1)
    out[1] = (start % COLUMNS) / (COLUMNS - 1)
    out[2] = (target // COLUMNS) / (ROWS - 1)
    out[3] = (target % COLUMNS) / (COLUMNS - 1)
    out[4] = 1.0 if state[TO[action]] != 0 else 0.0
    out[5] = 1.0


def move(symmetry: Any) -> Move:
    """White's moves stay White's under the identity and the mirror."""
    return Move(symmetry.cells, (0, 1), symmetry.actions[:HALF])


def places() -> tuple[tuple[int, ...], ...]:
    """A move's logit lies at its first cell, on the map of its way: to the left, straight, to the right."""
    moves = GAME.MOVES[:HALF]
    return tuple(((target - start - COLUMNS + 1) * CELLS + start,) for start, target in moves)
