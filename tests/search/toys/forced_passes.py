"""Forced passes: the second player can only pass; the first needs a sum of 4 from two choices of 0 to 2.

Value: 1 for the first player, and only by 2 and 2.
"""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("four moves were made",)
ROWS = COLUMNS = 1
LAYOUT = Layout(turn=number(), plays=number(), total=number())
TURN, PLAYS, TOTAL = LAYOUT.offsets
ACTIONS = 4  # 3: pass
MAX_LEGAL = 3
MAX_PLIES = 4


def start(state: State, seed: int) -> None:
    state[TURN] = 0


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if state[PLAYS] == 4:
        return 0
    if state[TURN] == 1:
        actions[0] = 3
        return 1
    for i in range(3):
        actions[i] = i
    return 3


def play(state: State, action: int) -> None:
    if action < 3:
        state[TOTAL] += action
    state[PLAYS] += 1
    state[TURN] = 1 - state[TURN]


def ended(state: State) -> int:
    return 1 if state[PLAYS] == 4 else 0


def score(state: State, player: int) -> float:
    won = state[TOTAL] == 4
    return 1.0 if won == (player == 0) else -1.0
