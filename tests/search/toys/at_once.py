"""An immediate win among twenty moves: number 13 wins at once, else the other has its chance."""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("thirteen was played", "nobody saw it")
ROWS = COLUMNS = 1
LAYOUT = Layout(turn=number(), plays=number(), won=number())
TURN, PLAYS, WON = LAYOUT.offsets
ACTIONS = MAX_LEGAL = 20
MAX_PLIES = 4


def start(state: State, seed: int) -> None:
    state[TURN] = 0


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if ended(state) != 0:
        return 0
    for i in range(20):
        actions[i] = i
    return 20


def play(state: State, action: int) -> None:
    if action == 13:
        state[WON] = 1 + state[TURN]
    state[PLAYS] += 1
    state[TURN] = 1 - state[TURN]


def ended(state: State) -> int:
    if state[WON] != 0:
        return 1
    return 2 if state[PLAYS] == 4 else 0


def score(state: State, player: int) -> float:
    if state[WON] == 0:
        return 0.0
    return 1.0 if state[WON] == 1 + player else -1.0
