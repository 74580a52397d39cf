"""My Game: lay a domino on two free squares; who cannot lay one has lost.

One player lays dominoes upright, the other lays them flat, so both cut up the same board in different ways.

This file is a whole game. Change something, and ask what you have broken:

    zerogrid check my_game.py
    zerogrid show my_game --plugin my_game.py --moves a1-a2,b1-c1

Ideas, from easy to hard:
    - who cannot lay a domino wins: turn the signs in `score`
    - a wider board for one side: change the defaults of the settings below
    - both may lay either way: `legal` looks at all actions (then `symmetries` may use all of board_maps)
    - whoever lays a domino in a corner moves again: leave TURN as it is
    - holes that chance puts on the board: `start` draws them from the seed with zerogrid.core.draws.below
"""

import numpy as np

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, setting
from zerogrid.core.symmetry import Symmetry, board_maps, cells_under

TITLE = "My Game"
PLAYERS = ("upright", "flat")
ENDINGS = ("no room for another domino",)

# Settings stand behind the name, as in my_game:6x4. Once the game is made, they are constants.
VARIANT = "{rows}x{columns}"
ROWS = setting("rows", 5, least=2, most=10, help="rows of the board")
COLUMNS = setting("columns", 5, least=2, most=10, help="columns of the board")

# A position is a vector of whole numbers, all 0 at first. The layout gives its parts names and says how the board is
# written. What is only remembered (the last move, for the picture) does not count when positions are compared.
CELLS = ROWS * COLUMNS
LAYOUT = Layout(board=per_cell(CELLS, ".|="), turn=number(), over=number(), last=an_action(remembered=True))
BOARD, TURN, OVER, LAST = LAYOUT.offsets

# Every way to lay a domino is an action: first the upright ones, then the flat ones. What can be worked out beforehand
# is worked out here, once, in ordinary Python; the rules below may read numbers, tuples and arrays made so.
UPRIGHT = [(cell, cell + COLUMNS) for cell in range(CELLS - COLUMNS)]
FLAT = [(cell, cell + 1) for cell in range(CELLS) if cell % COLUMNS < COLUMNS - 1]
PLACES = UPRIGHT + FLAT
ONE_END = np.array([one for one, _ in PLACES])
OTHER_END = np.array([other for _, other in PLACES])
FIRST_FLAT = len(UPRIGHT)

ACTIONS = len(PLACES)  # how many actions there are
MAX_LEGAL = ACTIONS  # at most so many are legal at once
MAX_PLIES = CELLS // 2  # no game is longer

# --- the rules: plain functions on numbers, so that they can be compiled. No lists, no strings, no objects. ----------


def start(state: State, seed: int) -> None:
    """The first position: an empty board, and player 0 to move. (The seed is for games with chance.)"""
    state[LAST] = -1


def to_move(state: State) -> int:
    """The player to move, 0 or 1."""
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    """Write the legal actions into `actions`, smallest first, and return how many there are."""
    first = 0 if state[TURN] == 0 else FIRST_FLAT
    last = FIRST_FLAT if state[TURN] == 0 else ACTIONS
    count = 0
    for action in range(first, last):
        if state[BOARD + ONE_END[action]] == 0 and state[BOARD + OTHER_END[action]] == 0:
            actions[count] = action
            count += 1
    return count


def play(state: State, action: int) -> None:
    """Play a legal action: change the position in place."""
    state[BOARD + ONE_END[action]] = 1 + state[TURN]
    state[BOARD + OTHER_END[action]] = 1 + state[TURN]
    state[LAST] = action
    state[TURN] = 1 - state[TURN]
    state[OVER] = 0 if can_move(state) else 1


def can_move(state: State) -> bool:
    """Whether the player to move has room for a domino. The rules may use functions of your own, like this one."""
    first = 0 if state[TURN] == 0 else FIRST_FLAT
    last = FIRST_FLAT if state[TURN] == 0 else ACTIONS
    for action in range(first, last):
        if state[BOARD + ONE_END[action]] == 0 and state[BOARD + OTHER_END[action]] == 0:
            return True
    return False


def ended(state: State) -> int:
    """0 while the game goes on, else which of ENDINGS it was, counted from 1."""
    return state[OVER]


def score(state: State, player: int) -> float:
    """What a finished game is worth to a player: 1 won, 0 drawn, -1 lost. Who is to move, and cannot, has lost."""
    return -1.0 if state[TURN] == player else 1.0


# --- for people: ordinary Python, never compiled --------------------------------------------------------------------


def square(cell: int) -> str:
    """The name of a square: a letter for the column, a number for the row, from the upper left."""
    return f"{'abcdefghij'[cell % COLUMNS]}{cell // COLUMNS + 1}"


def action_name(action: int) -> str:
    """What one types to play an action: the two squares under the domino."""
    one, other = PLACES[action]
    return f"{square(one)}-{square(other)}"


# Moves, and what must hold after them: that these are the rules you mean, only you can say. The check tries them.
EXAMPLES = (("a1-a2 b1-c1", "upright to move"), ("a1-a2 b1-c1 b2-b3", "flat to move")) if COLUMNS > 4 < ROWS else ()


def symmetries() -> list[Symmetry]:
    """Ways to turn the board that change nothing: here two mirrors and the half turn. (This function may be left out.)

    A quarter turn would make upright dominoes flat, and so is none.
    """
    found = []
    for name, place in board_maps(ROWS, COLUMNS)[:4]:
        cells = cells_under(ROWS, COLUMNS, place)
        actions = [PLACES.index(tuple(sorted((cells[one], cells[other])))) for one, other in PLACES]
        found.append(Symmetry(name, cells, tuple(actions)))
    return found
