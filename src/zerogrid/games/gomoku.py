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

ROWS = setting("rows", 15, least=3, most=20, help="rows of the board")
COLUMNS = setting("columns", 15, least=3, most=20, help="columns of the board")
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
    if state[END] != 0:
        return 0
    count = 0
    for cell in range(CELLS):
        actions[count] = cell  # overwritten by the next one where this cell is taken
        count += state[cell] == 0
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
    up = action // COLUMNS
    left = action % COLUMNS
    right = COLUMNS - 1 - left
    down = ROWS - 1 - up
    across = run(state, action, 1, right, mine) + run(state, action, -1, left, mine)
    upright = run(state, action, COLUMNS, down, mine) + run(state, action, -COLUMNS, up, mine)
    falling = run(state, action, COLUMNS + 1, min(down, right), mine)
    falling += run(state, action, -COLUMNS - 1, min(up, left), mine)
    rising = run(state, action, COLUMNS - 1, min(down, left), mine)
    rising += run(state, action, 1 - COLUMNS, min(up, right), mine)
    if EXACT:
        return across == K - 1 or upright == K - 1 or falling == K - 1 or rising == K - 1
    return max(across, upright, falling, rising) >= K - 1


def run(state: State, at: int, step: int, room: int, mine: int) -> int:
    """How many of one's own stones follow from a square in a direction, in which there is room for so many."""
    length = 0
    at += step
    while length < room and state[at] == mine:
        length += 1
        at += step
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
    return f"{'abcdefghijklmnopqrst'[action % COLUMNS]}{action // COLUMNS + 1}"


def svg(state: State, look: Look) -> str:
    return stones.svg(look, ROWS, COLUMNS, K, state[:CELLS], most=K if EXACT else CELLS)


def terminal(state: State, look: Look) -> str:
    return stones.terminal(look, ROWS, COLUMNS, K, state[:CELLS], most=K if EXACT else CELLS)


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    black, white = (sum(state[cell] == mark for cell in range(CELLS)) for mark in (1, 2))
    if black - white not in (0, 1):
        return f"{black} black stones and {white} white ones; black begins, so they are as many or one more"
    if state[TURN] != black - white:
        return f"turn is {state[TURN]}, but with {black} black and {white} white stones it is {black - white}"
    if state[STONES] != black + white:
        return f"stones is {state[STONES]}, but {black + white} stand on the board"
    rows = {state[cell] for cell in range(CELLS) if state[cell] and completes_row(state, cell, state[cell])}
    end = 1 if rows else 2 if black + white == CELLS else 0
    if state[TURN] + 1 in rows:
        return f"{PLAYERS[state[TURN]]} is to move, but has a row that won already"
    if state[END] != end:
        return f"end is {state[END]}, but on this board it is {end}"
    if not -1 <= state[LAST] < CELLS or (state[LAST] >= 0 and state[state[LAST]] != 2 - state[TURN]):
        return f"last is {state[LAST]}, which is no square with a stone of {PLAYERS[1 - state[TURN]]} (-1: unknown)"
    return None
