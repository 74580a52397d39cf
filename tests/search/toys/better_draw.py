"""A draw is better than a loss: of three moves the middle one draws, the others let the opponent win.

Value: 0.
"""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("both have moved",)
ROWS = COLUMNS = 1
LAYOUT = Layout(plays=number(), first=number(), second=number())
PLAYS, FIRST, SECOND = LAYOUT.offsets
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
        state[FIRST] = action
    else:
        state[SECOND] = action
    state[PLAYS] += 1


def ended(state: State) -> int:
    return 1 if state[PLAYS] == 2 else 0


def score(state: State, player: int) -> float:
    if state[FIRST] == 1:
        return 0.0
    lost = state[SECOND] == 2
    return 1.0 if lost == (player == 1) else -1.0
