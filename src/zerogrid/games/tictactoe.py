"""Tic-tac-toe: three in a row on a board of 3x3, the same as gomoku:3x3x3.

    0 1 2     state    board: 0 empty, 1 a cross, 2 a nought      turn, stones, end: the position at a glance
    3 4 5     action   the number of a square
    6 7 8

The smallest game file there is; a good one to read first.
"""

from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State
from zerogrid.core.symmetry import board_symmetries
from zerogrid.views import Look, stones

TITLE = "Tic-tac-toe"
PLAYERS = ("crosses", "noughts")
ENDINGS = ("three in a row", "the board is full")

ROWS = COLUMNS = 3
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
    """Whether the sign just drawn makes three in its row, its column, or a diagonal."""
    column = action % 3
    row = action - column
    if state[row] == mine and state[row + 1] == mine and state[row + 2] == mine:
        return True
    if state[column] == mine and state[column + 3] == mine and state[column + 6] == mine:
        return True
    if state[4] != mine:
        return False
    return (state[0] == mine and state[8] == mine) or (state[2] == mine and state[6] == mine)


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
    return f"{'abc'[action % COLUMNS]}{action // COLUMNS + 1}"


def svg(state: State, look: Look) -> str:
    return stones.svg(look, ROWS, COLUMNS, 3, state[:CELLS], pencil=True)


def terminal(state: State, look: Look) -> str:
    return stones.terminal(look, ROWS, COLUMNS, 3, state[:CELLS], pencil=True)


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    crosses, noughts = (sum(state[cell] == mark for cell in range(CELLS)) for mark in (1, 2))
    if crosses - noughts not in (0, 1):
        return f"{crosses} crosses and {noughts} noughts; crosses begin, so they are as many or one more"
    if state[TURN] != crosses - noughts:
        return f"turn is {state[TURN]}, but with {crosses} crosses and {noughts} noughts it is {crosses - noughts}"
    if state[STONES] != crosses + noughts:
        return f"stones is {state[STONES]}, but {crosses + noughts} stand on the board"
    rows = [mark for mark in (1, 2) for cell in (0, 4, 8) if completes_row(state, cell, mark)]
    end = 1 if rows else 2 if crosses + noughts == CELLS else 0
    if any(mark != 2 - state[TURN] for mark in rows):
        return "a row was complete before the last move, when the game had ended already"
    if state[END] != end:
        return f"end is {state[END]}, but on this board it is {end}"
    if not -1 <= state[LAST] < CELLS or (state[LAST] >= 0 and state[state[LAST]] != 2 - state[TURN]):
        return f"last is {state[LAST]}, which is no square with a sign of the player who moved last (-1: unknown)"
    return None
