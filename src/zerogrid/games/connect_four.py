"""Connect Four: discs fall to the bottom of their column; four in a row win, a full board is a draw.

    state    board: 0 empty, 1 the first player's disc, 2 the second's; row 0 is the top
             heights: how many discs lie in each column      turn, discs, end: the position at a glance
    action   the number of a column, from the left
"""

from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_action, per_cell
from zerogrid.core.rules import Buffer, State, refuse, setting
from zerogrid.core.symmetry import Symmetry
from zerogrid.views import Look, slots

TITLE = "Connect Four"
VARIANT = "{rows}x{columns}"
PLAYERS = ("yellow", "red")
ENDINGS = ("four in a row", "the board is full")

ROWS = setting("rows", 6, least=1, most=16, help="rows of the board")
COLUMNS = setting("columns", 7, least=1, most=16, help="columns of the board")
if max(ROWS, COLUMNS) < 4:
    refuse(f"four in a row do not fit on a board of {ROWS}x{COLUMNS}; four rows or four columns are the least.")

CELLS = ROWS * COLUMNS
LAYOUT = Layout(
    board=per_cell(CELLS, ".xo"),
    heights=per_action(COLUMNS),
    turn=number(),
    discs=number(),
    end=number(),
    last=an_action(remembered=True),
)
BOARD, HEIGHTS, TURN, DISCS, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = MAX_LEGAL = COLUMNS
MAX_PLIES = CELLS


def start(state: State, seed: int) -> None:
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if state[END] != 0:
        return 0
    count = 0
    for column in range(COLUMNS):
        actions[count] = column  # overwritten by the next one where this column is full
        count += state[HEIGHTS + column] < ROWS
    return count


def play(state: State, action: int) -> None:
    mine = state[TURN] + 1
    row = ROWS - 1 - state[HEIGHTS + action]
    state[row * COLUMNS + action] = mine
    state[HEIGHTS + action] += 1
    state[LAST] = action
    state[DISCS] += 1
    if completes_four(state, row, action, mine):
        state[END] = 1
    elif state[DISCS] == CELLS:
        state[END] = 2
    state[TURN] = 1 - state[TURN]


def completes_four(state: State, row: int, column: int, mine: int) -> bool:
    """Whether the disc that came to lie there stands in a row of four; above it there is none."""
    at = row * COLUMNS + column
    left = column
    right = COLUMNS - 1 - column
    low = ROWS - 1 - row
    if run(state, at, COLUMNS, low, mine) >= 3:
        return True
    if run(state, at, 1, right, mine) + run(state, at, -1, left, mine) >= 3:
        return True
    if run(state, at, COLUMNS + 1, min(right, low), mine) + run(state, at, -COLUMNS - 1, min(left, row), mine) >= 3:
        return True
    return run(state, at, COLUMNS - 1, min(left, low), mine) + run(state, at, 1 - COLUMNS, min(right, row), mine) >= 3


def run(state: State, at: int, step: int, room: int, mine: int) -> int:
    """How many of one's own discs follow from a square in a direction, in which there is room for so many."""
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
    mirrored = tuple(row * COLUMNS + COLUMNS - 1 - column for row in range(ROWS) for column in range(COLUMNS))
    return [
        Symmetry("identity", tuple(range(CELLS)), tuple(range(COLUMNS))),
        Symmetry("mirror left-right", mirrored, tuple(range(COLUMNS))[::-1]),
    ]


def action_name(action: int) -> str:
    return "abcdefghijklmnop"[action]


def svg(state: State, look: Look) -> str:
    return slots.svg(look, ROWS, COLUMNS, state[:CELLS])


def terminal(state: State, look: Look) -> str:
    return slots.terminal(look, ROWS, COLUMNS, state[:CELLS])


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    for column in range(COLUMNS):
        taken = [state[row * COLUMNS + column] != 0 for row in range(ROWS)]
        if taken != sorted(taken):
            return f"a disc in column {action_name(column)} has nothing under it"
        if state[HEIGHTS + column] != sum(taken):
            return f"the height of column {action_name(column)} is {state[HEIGHTS + column]}, not {sum(taken)}"
    yellow, red = (sum(state[cell] == mark for cell in range(CELLS)) for mark in (1, 2))
    if yellow - red not in (0, 1):
        return f"{yellow} yellow discs and {red} red ones; yellow begins, so they are as many or one more"
    if state[TURN] != yellow - red:
        return f"turn is {state[TURN]}, but with {yellow} yellow and {red} red discs it is {yellow - red}"
    if state[DISCS] != yellow + red:
        return f"discs is {state[DISCS]}, but {yellow + red} lie on the board"
    discs = [(cell // COLUMNS, cell % COLUMNS, state[cell]) for cell in range(CELLS) if state[cell]]
    fours = {disc for row, column, disc in discs if completes_four(state, row, column, disc)}
    end = 1 if fours else 2 if yellow + red == CELLS else 0
    if state[TURN] + 1 in fours:
        return f"{PLAYERS[state[TURN]]} is to move, but has four in a row and won already"
    if state[END] != end:
        return f"end is {state[END]}, but on this board it is {end}"
    last = state[LAST]
    if not -1 <= last < COLUMNS or (last >= 0 and top(state, last) != 2 - state[TURN]):
        return f"last is {last}, which is no column with a disc of {PLAYERS[1 - state[TURN]]} on top (-1: unknown)"
    return None


def top(state: State, column: int) -> int:
    """The uppermost disc of a column, 0 for none."""
    height = state[HEIGHTS + column]
    return state[(ROWS - height) * COLUMNS + column] if height else 0
