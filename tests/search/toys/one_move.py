"""A single legal move, all the way: nothing to choose, and the first player loses after five moves."""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("five moves were made",)
ROWS = COLUMNS = 1
LAYOUT = Layout(plays=number())
ACTIONS = 3
MAX_LEGAL = 1
MAX_PLIES = 5


def start(state: State, seed: int) -> None:
    state[0] = 0


def to_move(state: State) -> int:
    return state[0] % 2


def legal(state: State, actions: Buffer) -> int:
    actions[0] = 1
    return 0 if state[0] == 5 else 1


def play(state: State, action: int) -> None:
    state[0] += 1


def ended(state: State) -> int:
    return 1 if state[0] == 5 else 0


def score(state: State, player: int) -> float:
    return -1.0 if player == 0 else 1.0
