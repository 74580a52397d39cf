"""Pawn Dama on one plane, as the public code of the paper (1) shows it; the board is turned for the mover (dama.py).

    0   + own pawns, - the enemy's; 1 for one that has never moved, else 2
"""

from typing import Any

from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.dama import (
    KINDS,
    MOVE_FEATURES,
    Places,
    describe_move,
    ends,
    kind_of,
    mirror_move,
    move_places,
    pawn,
)

GAME = game_module("pawn_dama")
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
POLICY = setting("policy", "full", choices=("full", "compact"), help="slots: the paper's from-to pairs, or 4 a square")
COMPACT = POLICY == "compact"
HEIGHT, WIDTH = ROWS, COLUMNS = GAME.ROWS, GAME.COLUMNS
CELLS, TURN = GAME.CELLS, GAME.TURN
MARKED = GAME.NEW > 0
PLANE_NAMES = ("pawns",)
SLOTS = KINDS * CELLS if COMPACT else CELLS * CELLS
POLICY_PLANES = KINDS
FEATURE_NAMES = MOVE_FEATURES
FEATURES = len(FEATURE_NAMES)


def show(state: Any, me: int, cell: int, plane: int) -> float:
    return pawn(state, cell, me, ROWS, COLUMNS, MARKED)


def slot(state: Any, action: int) -> int:
    start, target = ends(action, state[TURN], CELLS)
    if COMPACT:
        return kind_of(start, target, COLUMNS) * CELLS + start
    return start + target * CELLS


def describe(state: Any, action: int, out: Any) -> None:
    describe_move(action, state[TURN], ROWS, COLUMNS, out)


def move(symmetry: Any) -> Move:
    return mirror_move(symmetry, len(PLANE_NAMES), COMPACT)


def places() -> Places:
    return move_places(ROWS, COLUMNS, COMPACT)
