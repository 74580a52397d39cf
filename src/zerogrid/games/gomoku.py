"""Gomoku (m,n,k): K or more in a row wins, a full board is a draw.

    state    board: 0 empty, 1 black's stone, 2 white's      turn, stones, ended: the position at a glance
    action   the number of a square, row by row from the top
"""

from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, refuse, setting
from zerogrid.core.symmetry import board_symmetries
from zerogrid.views import Look, stones

TITLE = "Gomoku"
VARIANT = "{rows}x{columns}x{k}"
PLAYERS = ("black", "white")
ENDINGS = ("a row of stones", "the board is full")

ROWS = setting("rows", 15, least=3, most=19, help="rows of the board")
COLUMNS = setting("columns", 15, least=3, most=19, help="columns of the board")
K = setting("k", 5, least=3, most=6, help="stones in a row that win")
EXACT = setting("exact", False, help="exactly k in a row win, longer rows do not")
if max(ROWS, COLUMNS) < K:
    refuse(f"a row of {K} does not fit on a board of {ROWS}x{COLUMNS}; choose a smaller k or a larger board.")

CELLS = ROWS * COLUMNS
LAYOUT = Layout(
    board=per_cell(CELLS, ".xo"),
    turn=number(),
    stones=number(),
    end=number(),
    last=an_action(remembered=True),
)
BOARD, TURN, STONES, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = MAX_LEGAL = MAX_PLIES = CELLS


def start(state: State, seed: int) -> None:
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    count = 0
    if state[END] == 0:
        for cell in range(CELLS):
            if state[cell] == 0:
                actions[count] = cell
                count += 1
    return count


def play(state: State, action: int) -> None:
    mine = state[TURN] + 1
    state[action] = mine
    state[LAST] = action
    state[STONES] += 1
    if completes_row(state, action, mine):
        state[END] = 1
    elif state[STONES] == CELLS:
        state[END] = 2
    state[TURN] = 1 - state[TURN]


def completes_row(state: State, action: int, mine: int) -> bool:
    """Whether the stone just placed stands in a row that wins."""
    row = action // COLUMNS
    column = action % COLUMNS
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1 + run(state, row, column, down, right, mine) + run(state, row, column, -down, -right, mine)
        if length == K or (length > K and not EXACT):
            return True
    return False


def run(state: State, row: int, column: int, down: int, right: int, mine: int) -> int:
    """How many of one's own stones follow from a square in a direction."""
    length = 0
    r = row + down
    c = column + right
    while 0 <= r < ROWS and 0 <= c < COLUMNS and state[r * COLUMNS + c] == mine:
        length += 1
        r += down
        c += right
    return length


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    if state[END] != 1:
        return 0.0
    return -1.0 if state[TURN] == player else 1.0


# --- for people -----------------------------------------------------------------------------------------------------


def symmetries() -> Any:
    return board_symmetries(ROWS, COLUMNS)


def action_name(action: int) -> str:
    return f"{'abcdefghijklmnopqrs'[action % COLUMNS]}{action // COLUMNS + 1}"


def svg(state: State, look: Look) -> str:
    return stones.svg(look, ROWS, COLUMNS, K, state[:CELLS], most=K if EXACT else CELLS)


def terminal(state: State, look: Look) -> str:
    return stones.terminal(look, ROWS, COLUMNS, K, state[:CELLS], most=K if EXACT else CELLS)
