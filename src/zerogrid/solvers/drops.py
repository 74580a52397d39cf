"""Connect Four for the engines: the discs of each side as bits, column by column with an empty row on top.

    5 . . .     state    the first player's discs, the second's, whose turn
    4 . . .     bit      column * (ROWS + 1) + height; the row on top stays empty, so that no row of four
    0 6 12 ..            can run from one column's top to the next one's bottom when sets are shifted

What is known without search: whoever completes four now wins; whoever must stop two rows at once, or lets the other
side complete one on top of the stop, loses when that is all he can do; a side with no line of four left that is free of
the other's discs cannot win.
"""

import types

import numpy as np
import numpy.typing as npt

from zerogrid.core.game import Game
from zerogrid.solvers import compact, facts
from zerogrid.solvers.bits import count
from zerogrid.solvers.compact import Moves, Words
from zerogrid.solvers.engine import CompactGame, Ints, stand_in

STATE_WORDS = 3
KEY_WORDS = 2
MOST_BITS = 62


def turn(state: Words) -> int:
    mover: int = state[2]
    return mover


def playable(state: Words) -> int:
    """The lowest free cell of every column that has one."""
    cells: int = (state[0] | state[1]) + facts.FIRST_ROW
    return cells & facts.ALL


def completing(discs: int, taken: int) -> int:
    """The free cells where one more disc makes four in a row."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for direction in range(3):
        by = facts.STRIDES[direction]
        pair = (discs << by) & (discs << (2 * by))
        cells |= pair & (discs << (3 * by))
        cells |= pair & (discs >> by)
        pair = (discs >> by) & (discs >> (2 * by))
        cells |= pair & (discs >> (3 * by))
        cells |= pair & (discs << by)
    return cells & facts.ALL & ~taken


def can_complete(theirs: int) -> bool:
    """Whether some line of four holds no disc of the other side."""
    open_cells = facts.ALL & ~theirs
    for direction in range(4):
        by = facts.STRIDES[direction]
        pair = open_cells & (open_cells >> by)
        if pair & (pair >> (2 * by)) != 0:
            return True
    return False


def safe(state: Words) -> int:
    """The cells to play to that do not lose at once; asked when the mover cannot complete four himself."""
    taken = state[0] | state[1]
    cells = playable(state)
    threats = completing(state[1 - state[2]], taken)
    forced = cells & threats
    if forced != 0:
        if forced & (forced - 1) != 0:
            return 0
        cells = forced
    return cells & ~(threats >> 1)


def known(state: Words) -> tuple[int, int]:
    player = state[2]
    sign = 1 - 2 * player
    taken = state[0] | state[1]
    cells = playable(state)
    if cells == 0:
        return 0, 0
    if cells & completing(state[player], taken) != 0:
        return sign, sign
    if safe(state) == 0:
        return -sign, -sign
    lower = -1 if can_complete(state[0]) else 0
    upper = 1 if can_complete(state[1]) else 0
    return lower, upper


def moves(state: Words, out: Moves) -> int:
    """Columns in the middle first; those that would make more threats before others."""
    cells = safe(state)
    player = state[2]
    taken = state[0] | state[1]
    found = 0
    for i in range(facts.COLUMNS):
        column = facts.MIDDLE_FIRST[i]
        cell = cells & (facts.FIRST_COLUMN << (column * (facts.ROWS + 1)))
        if cell == 0:
            continue
        threats = count(completing(state[player] | cell, taken | cell))
        j = found
        while j > 0 and (out[j - 1] >> 8) < threats:
            out[j] = out[j - 1]
            j -= 1
        out[j] = (threats << 8) | column
        found += 1
    for j in range(found):
        out[j] &= 255
    return found


def choices(state: Words) -> int:
    """How many moves there are to answer, weighed so heavily that the search stays with a position for a while."""
    return 16 * count(safe(state))


def play(state: Words, move: int) -> int:
    column = facts.FIRST_COLUMN << (move * (facts.ROWS + 1))
    state[state[2]] |= playable(state) & column
    state[2] = 1 - state[2]
    return 0


def identify(state: Words, key: Words) -> int:
    """A position and its mirror image are one; whose turn it is, the number of discs says."""
    key[0] = state[0]
    key[1] = state[1]
    first = mirrored(state[0])
    second = mirrored(state[1])
    if first < key[0] or (first == key[0] and second < key[1]):
        key[0] = first
        key[1] = second
    return 0


def mirrored(cells: int) -> int:
    """Left and right exchanged."""
    image = 0
    for column in range(facts.COLUMNS):
        there = (facts.COLUMNS - 1 - column) * (facts.ROWS + 1)
        image |= ((cells >> (column * (facts.ROWS + 1))) & facts.FIRST_COLUMN) << there
    return image


# --- from a game ----------------------------------------------------------------------------------------------------


def fits(game: Game) -> bool:
    """Whether this file knows the game: Connect Four on a board whose cells are the bits of a word."""
    return game.name == "connect_four" and (game.ROWS + 1) * game.COLUMNS <= MOST_BITS


def compact_drops(game: Game) -> CompactGame:
    """Connect Four for the engines."""
    import zerogrid.solvers.drops as here

    rows, columns = game.ROWS, game.COLUMNS
    height = rows + 1
    column = (1 << rows) - 1
    board = types.SimpleNamespace(
        ROWS=rows,
        COLUMNS=columns,
        FIRST_COLUMN=column,
        FIRST_ROW=sum(1 << (c * height) for c in range(columns)),
        ALL=sum(column << (c * height) for c in range(columns)),
        STRIDES=(height, height + 1, height - 1, 1),
        MIDDLE_FIRST=tuple(sorted(range(columns), key=lambda c: abs(2 * c - columns + 1))),
    )
    sizes = {"MAX_MOVES": columns, "MAX_DEPTH": game.CELLS, "MOVE_RANGE": columns}
    return CompactGame({compact: stand_in(here, **sizes), facts: board}, pack=lambda state: pack(state, rows, columns))


def pack(state: npt.NDArray[np.int16], rows: int, columns: int) -> Ints:
    """The discs of each side as bits, and the turn."""
    words = [0, 0, int(state[rows * columns + columns])]
    for cell in np.flatnonzero(state[: rows * columns]):
        row, column = divmod(int(cell), columns)
        words[int(state[cell]) - 1] |= 1 << (column * (rows + 1) + rows - 1 - row)
    return np.array(words, np.int64)
