"""Extra turns: the first player decides three times in a row and must choose 1 each time; then nobody has a choice.

Value: 1 for the first player. Whoever turns values round at every ply thinks the second decision the opponent's.
"""

from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import Buffer, State

ENDINGS = ("all have been chosen",)
ROWS = COLUMNS = 1
LAYOUT = Layout(turn=number(), plays=number(), ones=number())
TURN, PLAYS, ONES = LAYOUT.offsets
ACTIONS = MAX_LEGAL = 2
MAX_PLIES = 4


def start(state: State, seed: int) -> None:
    state[TURN] = 0


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if state[PLAYS] == 4:
        return 0
    actions[0] = 0
    actions[1] = 1
    return 2


def play(state: State, action: int) -> None:
    if state[TURN] == 0:
        state[ONES] += action
    state[PLAYS] += 1
    state[TURN] = 1 if state[PLAYS] == 3 else 0


def ended(state: State) -> int:
    return 1 if state[PLAYS] == 4 else 0


def score(state: State, player: int) -> float:
    won = state[ONES] == 3
    return 1.0 if won == (player == 0) else -1.0
