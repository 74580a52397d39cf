"""A trap: move 0 leaves the opponent twenty replies, of which one wins for it and nineteen lose; move 1 draws at once.

Value: 0, by move 1. Averages speak for move 0 (18 / 20), for a long time; only the proof that it loses warns of it.
"""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("drawn at once", "the trap was used", "the trap was missed")
ROWS = COLUMNS = 1
LAYOUT = Layout(turn=number(), end=number())
TURN, END = LAYOUT.offsets
REPLIES = 20
ACTIONS = MAX_LEGAL = REPLIES
MAX_PLIES = 2


def start(state: State, seed: int) -> None:
    state[TURN] = 0


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if state[END] != 0:
        return 0
    count = 2 if state[TURN] == 0 else REPLIES
    for i in range(count):
        actions[i] = i
    return count


def play(state: State, action: int) -> None:
    if state[TURN] == 0:
        state[END] = action
    else:
        state[END] = 2 if action == REPLIES - 1 else 3
    state[TURN] = 1


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    if state[END] == 1:
        return 0.0
    trapped = state[END] == 2
    return 1.0 if trapped == (player == 1) else -1.0
