"""Utility margins: each player chooses once, and a table says what it comes to, in eighths.

Value: 1/8, by move 1 and reply 1: the greatest of the rows' least.
"""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("both have chosen",)
ROWS = COLUMNS = 1
LAYOUT = Layout(plays=number(), row=number(), column=number())
PLAYS, ROW, COLUMN = LAYOUT.offsets
TABLE = (2, -4, 7, 4, 1, 6, -1, 8, 0)
ACTIONS = MAX_LEGAL = 3
MAX_PLIES = 2


def start(state: State, seed: int) -> None:
    state[PLAYS] = 0


def to_move(state: State) -> int:
    return state[PLAYS] % 2


def legal(state: State, actions: Buffer) -> int:
    if state[PLAYS] == 2:
        return 0
    for i in range(3):
        actions[i] = i
    return 3


def play(state: State, action: int) -> None:
    if state[PLAYS] == 0:
        state[ROW] = action
    else:
        state[COLUMN] = action
    state[PLAYS] += 1


def ended(state: State) -> int:
    return 1 if state[PLAYS] == 2 else 0


def score(state: State, player: int) -> float:
    worth = TABLE[3 * state[ROW] + state[COLUMN]] / 8.0
    return worth if player == 0 else -worth
