"""Middle: three in a row on 3x3 with a blocked square; who takes the middle moves again.

A small game with everything in it that a check looks at: chance at the start, an extra turn, draws, symmetries, a key
and a text of its own. The wrong games are made from it, each with one slip.
"""

from typing import Any

from zerogrid.core import draws
from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State
from zerogrid.core.symmetry import board_symmetries

TITLE = "Middle"
PLAYERS = ("crosses", "noughts")
ENDINGS = ("three in a row", "the board is full")
EXAMPLES = (
    ("b2", "crosses to move"),
    ("b2 a2", "noughts to move"),
    ("b2 b1 a2 b3", "crosses wins: three in a row"),
)

ROWS = COLUMNS = 3
CELLS = ROWS * COLUMNS
MIDDLE = 4
EMPTY, CROSS, NOUGHT, BLOCKED = range(4)
LAYOUT = Layout(
    board=per_cell(CELLS, ".xo#"),
    turn=number(),
    free=number(),
    end=number(),
    last=an_action(remembered=True),
)
BOARD, TURN, FREE, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = CELLS
MAX_LEGAL = CELLS - 1
MAX_PLIES = CELLS - 1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def start(state: State, seed: int) -> None:
    corner = draws.below(4, seed, draws.START, 0, 0)
    state[BOARD + corner % 2 * 2 + corner // 2 * 6] = BLOCKED
    state[FREE] = CELLS - 1
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    count = 0
    if state[END] == 0:
        for cell in range(CELLS):
            if state[BOARD + cell] == EMPTY:
                actions[count] = cell
                count += 1
    return count


def play(state: State, action: int) -> None:
    mine = CROSS + state[TURN]
    state[BOARD + action] = mine
    state[FREE] -= 1
    state[LAST] = action
    if has_line(state, mine):
        state[END] = 1
    elif state[FREE] == 0:
        state[END] = 2
    if action != MIDDLE:
        state[TURN] = 1 - state[TURN]


def has_line(state: State, mine: int) -> bool:
    for line in range(8):
        one, two, three = LINES[line]
        if state[one] == mine and state[two] == mine and state[three] == mine:
            return True
    return False


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    if state[END] != 1:
        return 0.0
    return 1.0 if has_line(state, CROSS + player) else -1.0


def key(state: State) -> int:
    return draws.hash_range(state, 0, LAST)


# --- for people -----------------------------------------------------------------------------------------------------


def symmetries() -> Any:
    return board_symmetries(ROWS, COLUMNS)


def action_name(action: int) -> str:
    return f"{'abc'[action % COLUMNS]}{action // COLUMNS + 1}"


def parse_action(text: str) -> int | None:
    if len(text) == 2 and text[0] in "abc" and text[1] in "123":
        return "abc".index(text[0]) + COLUMNS * (int(text[1]) - 1)
    return None


def text(state: State) -> str:
    signs = "".join(".xo#"[state[cell]] for cell in range(CELLS))
    return f"{signs} {state[TURN]} {state[FREE]} {state[END]} {state[LAST]}"


def parse_text(written: str, state: State) -> None:
    signs, turn, free, end, last = written.split()
    for cell in range(CELLS):
        state[cell] = ".xo#".index(signs[cell])
    state[TURN], state[FREE], state[END], state[LAST] = int(turn), int(free), int(end), int(last)


def fault(state: State) -> str | None:
    signs = [sum(state[cell] == sign for cell in range(CELLS)) for sign in range(4)]
    if signs[EMPTY] != state[FREE]:
        return f"free is {state[FREE]}, but {signs[EMPTY]} squares are"
    if signs[BLOCKED] != 1:
        return f"{signs[BLOCKED]} squares are blocked, not one"
    rows = [has_line(state, CROSS), has_line(state, NOUGHT)]
    if all(rows) or state[END] != (1 if any(rows) else 2 if signs[EMPTY] == 0 else 0):
        return "end does not fit the board"
    return None
