"""Gomoku for the engines: the stones of each side as bits, all windows of K cells looked at side by side.

    state    black's stones, white's stones, whose turn

A window is known by its first cell; `START` holds the cells where one begins, for each of the four directions. Shifting
a set of stones by j strides and masking with START asks every window at once whether its cell number j is occupied.

What is known without search, and why it is right
    a cell where the mover completes K                  wins now
    two cells where the other completes K, none mine    loses: one of them stays open
    none for either, but a cell that makes two of mine  wins: the other side can stop one and makes no K itself
    a side with no window free of enemy stones          cannot win any more
    few and empty windows: sum of 2^-(empty cells)      cannot win any more (Erdős and Selfridge 1973): the other side
      below 1 (below 1/2 when that side is to move)     can always take the most dangerous cell
    the same with cells paired off                      cannot win any more: of a pair the other side gets one
    the empty board                                     is not lost: a stone more never hurts (strategy stealing)
"""

import numpy as np
import numpy.typing as npt

from zerogrid.core.game import Game
from zerogrid.solvers import compact, facts
from zerogrid.solvers.bits import bits_of, board_facts, count, left_right, lowest, transposed, up_down
from zerogrid.solvers.compact import Moves, Words
from zerogrid.solvers.engine import CompactGame, Ints, stand_in

STATE_WORDS = 3
KEY_WORDS = 3
MOST_CELLS = 63
MERGED = 10
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def turn(state: Words) -> int:
    mover: int = state[2]
    return mover


def completing(stones: int, free: int) -> int:
    """The free cells where one more stone makes K in a row."""
    cells = 0
    for direction in range(4):
        stride = facts.STRIDES[direction]
        for gap in range(facts.K):
            windows = facts.STARTS[direction] & (free >> (gap * stride))
            for j in range(facts.K):
                if j != gap:
                    windows &= stones >> (j * stride)
            cells |= windows << (gap * stride)
    return cells


def known(state: Words) -> tuple[int, int]:
    me = state[state[2]]
    you = state[1 - state[2]]
    free = facts.ALL & ~(me | you)
    sign = 1 - 2 * state[2]
    if completing(me, free) != 0:
        return sign, sign
    blocks = completing(you, free)
    if blocks & (blocks - 1) != 0:
        return -sign, -sign
    if blocks == 0 and can_threaten_twice(me, free):
        return sign, sign
    if me | you == 0:
        return min(sign, 0), max(sign, 0)
    i_can = danger(me, you) >= 1 << (facts.K - 1)
    you_can = danger(you, me) >= 1 << facts.K
    i_can = i_can and paired_danger(me, you) >= 1 << (facts.K - 1)
    you_can = you_can and paired_danger(you, me) >= 1 << facts.K
    if sign > 0:
        return -1 if you_can else 0, 1 if i_can else 0
    return -1 if i_can else 0, 1 if you_can else 0


def can_threaten_twice(stones: int, free: int) -> bool:
    """Whether one more stone can leave two different cells that complete K.

    In one direction these differ when they lie at different distances from the stone; in two they always do.
    """
    once = 0
    for direction in range(4):
        stride = facts.STRIDES[direction]
        for apart in range(1, facts.K):
            after = 0
            before = 0
            for i in range(facts.K - apart):
                windows = facts.STARTS[direction] & (free >> (i * stride)) & (free >> ((i + apart) * stride))
                for j in range(facts.K):
                    if j != i and j != i + apart:
                        windows &= stones >> (j * stride)
                after |= windows << (i * stride)
                before |= windows << ((i + apart) * stride)
            if (once & after) | ((once | after) & before) != 0:
                return True
            once |= after | before
    return False


def danger(mine: int, yours: int) -> int:
    """The sum of 2^K / 2^(empty cells) over one side's windows that hold no enemy stone."""
    total = 0
    for direction in range(4):
        stride = facts.STRIDES[direction]
        spoilt = 0
        ones = 0
        twos = 0
        fours = 0
        for j in range(facts.K):
            spoilt |= yours >> (j * stride)
            stone = mine >> (j * stride)
            carry = ones & stone
            ones ^= stone
            fours |= twos & carry
            twos ^= carry
        live = facts.STARTS[direction] & ~spoilt
        without_four = live & ~fours
        total += count(without_four & ~twos & ~ones)
        total += 2 * count(without_four & ~twos & ones)
        total += 4 * count(without_four & twos & ~ones)
        total += 8 * count(without_four & twos & ones)
        if facts.K > 4:
            total += 16 * count(live & fours & ~ones)
            total += 32 * count(live & fours & ones)
    return total


def paired_danger(mine: int, yours: int) -> int:
    """The same sum after the other side has paired cells off: of a pair it always gets one.

    A pair spoils every window it lies in. In the windows left over, cells of pairs count as stones: what is played
    in pairs is answered there, what is played elsewhere by the rule of the sum.
    """
    free = facts.ALL & ~(mine | yours)
    free, rising = pair_off(3, yours, free)
    free, falling = pair_off(2, yours, free)
    free, upright = pair_off(1, yours, free)
    free, level = pair_off(0, yours, free)
    total = left_danger(3, rising, yours, free) + left_danger(2, falling, yours, free)
    return total + left_danger(1, upright, yours, free) + left_danger(0, level, yours, free)


def pair_off(direction: int, yours: int, free: int) -> tuple[int, int]:
    """Take pairs for the windows of one direction; the free cells and the windows left over."""
    stride = facts.STRIDES[direction]
    windows = facts.STARTS[direction]
    for j in range(facts.K):
        windows &= ~(yours >> (j * stride))
    over = 0
    while windows != 0:
        first = lowest(windows)
        windows &= windows - 1
        one = -1
        two = -1
        for j in range(facts.K):
            if (free >> (first + j * stride)) & 1 != 0:
                one = two
                two = j
        if one < 0:
            over |= 1 << first
            continue
        free &= ~(1 << (first + one * stride) | 1 << (first + two * stride))
        for j in range(1, one + 1):
            windows &= ~(1 << (first + j * stride))
    return free, over


def left_danger(direction: int, windows: int, yours: int, free: int) -> int:
    """The sum over some windows of one direction, where every cell that is not free counts as a stone."""
    total = 0
    stride = facts.STRIDES[direction]
    while windows != 0:
        first = lowest(windows)
        windows &= windows - 1
        share = 1 << facts.K
        for j in range(facts.K):
            share >>= (free >> (first + j * stride)) & 1
        total += share
    return total


def live_cells(yours: int) -> int:
    """The cells of all windows that hold no stone of yours."""
    cells = 0
    for direction in range(4):
        stride = facts.STRIDES[direction]
        spoilt = 0
        for j in range(facts.K):
            spoilt |= yours >> (j * stride)
        windows = facts.STARTS[direction] & ~spoilt
        for j in range(facts.K):
            cells |= windows << (j * stride)
    return cells


def moves(state: Words, out: Moves) -> int:
    me = state[state[2]]
    you = state[1 - state[2]]
    free = facts.ALL & ~(me | you)
    blocks = completing(you, free)
    if blocks != 0:
        out[0] = lowest(blocks)
        return 1
    # A stone in no live window of either side changes nothing, so any other move is at least as good.
    left = free & (live_cells(you) | live_cells(me))
    found = 0
    while left != 0:
        out[found] = lowest(left)
        left &= left - 1
        found += 1
    return found


def choices(state: Words) -> int:
    """How many moves there are to answer: one where a row has to be stopped."""
    me = state[state[2]]
    you = state[1 - state[2]]
    free = facts.ALL & ~(me | you)
    return 1 if completing(you, free) != 0 else count(free)


def play(state: Words, move: int) -> int:
    state[state[2]] |= 1 << move
    state[2] = 1 - state[2]
    return 0


def identify(state: Words, key: Words) -> int:
    black = state[0]
    white = state[1]
    key[0] = black
    key[1] = white
    key[2] = state[2]
    if count(black | white) > facts.MERGED:
        return 0
    for image in range(1, facts.IMAGES_OF_BOARD):
        if image == 4:
            black = transposed(black)
            white = transposed(white)
        elif image % 2 == 1:
            black = left_right(black)
            white = left_right(white)
        else:
            black = up_down(black)
            white = up_down(white)
        if black < key[0] or (black == key[0] and white < key[1]):
            key[0] = black
            key[1] = white
    return 0


# --- from a game ----------------------------------------------------------------------------------------------------


def fits(game: Game) -> bool:
    """Whether this file knows the game: freestyle, on a board whose cells are the bits of a word."""
    return game.name == "tictactoe" or (
        game.name == "gomoku" and not game.EXACT and game.CELLS <= MOST_CELLS
    )


def compact_lines(game: Game) -> CompactGame:
    """Gomoku or Tic-tac-toe for the engines."""
    return line_game(game.ROWS, game.COLUMNS, game.K if game.name == "gomoku" else 3)


def line_game(rows: int, columns: int, k: int) -> CompactGame:
    """K in a row on a board of any size, also of one that Gomoku does not have."""
    import zerogrid.solvers.lines as here

    cells = rows * columns
    board = board_facts(rows, columns)
    board.K = k
    board.MERGED = MERGED
    board.STRIDES = tuple(down * columns + right for down, right in DIRECTIONS)
    board.STARTS = tuple(window_starts(rows, columns, k, down, right) for down, right in DIRECTIONS)
    sizes = {"MAX_MOVES": cells, "MAX_DEPTH": cells, "MOVE_RANGE": cells}
    return CompactGame({compact: stand_in(here, **sizes), facts: board}, pack=lambda state: pack(state, cells))


def window_starts(rows: int, columns: int, k: int, down: int, right: int) -> int:
    """The cells where k cells in a direction lie on the board."""
    ends = ((r, c, r + (k - 1) * down, c + (k - 1) * right) for r in range(rows) for c in range(columns))
    return sum(1 << (r * columns + c) for r, c, end_r, end_c in ends if 0 <= end_r < rows and 0 <= end_c < columns)


def pack(state: npt.NDArray[np.int16], cells: int) -> Ints:
    """The stones of each side as bits, and the turn."""
    board, turn = state[:cells], int(state[cells])
    return np.array([bits_of(board == 1), bits_of(board == 2), turn], np.int64)
