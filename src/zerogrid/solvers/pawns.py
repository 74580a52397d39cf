"""Pawn Dama for the engines: the pawns of each side as bits, all steps and captures made by shifting them.

    state    white's pawns, black's pawns, those of both that have never moved, whose turn
    move     4 * the pawn's square + its kind: 0 a step, 1 a double step, 2 a capture to lower columns, 3 to higher ones

What is known without search: a pawn on its far row has won, a pawn that can get there now wins, and for a side that
cannot move the game's settings say what it has. A pawn before an open square of its far row can only be stopped by
capturing it now, for nobody moves backwards to block it; two of them, or one that cannot be captured, win. So does a
pawn that can step where it will be one of these and out of reach, while the other side is not about to arrive.

There is no rule for longer pawn races. The obvious one is wrong, for the side that comes too late may get all its pawns
blocked first, and then the game is a draw; one that minds this saves no time (see the log).
"""

import numpy as np
import numpy.typing as npt

from zerogrid.core.game import Game
from zerogrid.solvers import compact, facts
from zerogrid.solvers.bits import bits_of, board_facts, count, left_right, lowest, up_down
from zerogrid.solvers.compact import Moves, Words
from zerogrid.solvers.engine import CompactGame, Ints, stand_in

STATE_WORDS = 4
KEY_WORDS = 3
MOST_CELLS = 62
STEP, DOUBLE_STEP, LEFT, RIGHT = 0, 1, 2, 3


def turn(state: Words) -> int:
    mover: int = state[3]
    return mover


def forward(pawns: int, player: int) -> int:
    """The squares straight ahead of a player's pawns."""
    return (pawns << facts.COLUMNS) & facts.ALL if player == 0 else pawns >> facts.COLUMNS


def backward(squares: int, player: int) -> int:
    """The squares straight behind, from a player's point of view."""
    return squares >> facts.COLUMNS if player == 0 else (squares << facts.COLUMNS) & facts.ALL


def targets(state: Words, player: int) -> tuple[int, int, int, int]:
    """The squares a player can move to: by a step, a double step, a capture to lower and one to higher columns."""
    mine = state[player]
    theirs = state[1 - player]
    free = facts.ALL & ~(mine | theirs)
    ahead = forward(mine, player)
    leapers = mine & (state[2] if facts.UNMOVED else facts.HOMES)
    doubles = forward(forward(leapers, player) & free, player) & free
    to_lower = (ahead & ~facts.FIRST_COLUMN) >> 1
    to_higher = (ahead << 1) & facts.ALL & ~facts.FIRST_COLUMN
    return ahead & free, doubles, to_lower & theirs, to_higher & theirs


def known(state: Words) -> tuple[int, int]:
    player = state[3]
    sign = 1 - 2 * player
    goals = facts.LAST_ROW if player == 0 else facts.FIRST_ROW
    home = facts.FIRST_ROW if player == 0 else facts.LAST_ROW
    if state[1 - player] & home != 0:
        return -sign, -sign
    steps, doubles, lower, higher = targets(state, player)
    reach = steps | doubles | lower | higher
    if reach == 0:
        value = -sign * (facts.BLOCKED_LOSES if state[player] != 0 else facts.BARE_LOSES)
        return value, value
    if reach & goals != 0:
        return sign, sign
    arriving = unblocked_arrivals(state, player)
    if arriving & (arriving - 1) != 0 or arriving & ~(lower | higher) != 0:
        return -sign, -sign
    if arriving == 0 and slips_through(state, player, (steps | doubles) & backward(goals, player)):
        return sign, sign
    return -1, 1


def slips_through(state: Words, player: int, reach: int) -> bool:
    """Whether one of these steps leads before an open square of the far row, and nothing can be done about it.

    Only pawns still on the far row could capture there. The other side must be far from arriving itself (four rows are
    left out, for there it may arrive by a double step), and must have a move, for without one it may have a draw.
    """
    other = state[1 - player]
    goals = facts.LAST_ROW if player == 0 else facts.FIRST_ROW
    home = facts.FIRST_ROW if player == 0 else facts.LAST_ROW
    guards = other & goals
    guarded = guards | (guards & ~facts.FIRST_COLUMN) >> 1 | ((guards << 1) & facts.ALL & ~facts.FIRST_COLUMN)
    if facts.ROWS < 5 or reach & backward(goals & ~guarded, player) == 0 or other & forward(home, player) != 0:
        return False
    return bool(forward(other, 1 - player) & ~(state[0] | state[1]) != 0)


def unblocked_arrivals(state: Words, player: int) -> int:
    """The other side's pawns that will step onto their far row next, unless they are captured now."""
    home = facts.FIRST_ROW if player == 0 else facts.LAST_ROW
    open_goals = home & ~state[player] & ~state[1 - player]
    arriving: int = forward(open_goals, player) & state[1 - player]
    return arriving


def moves(state: Words, out: Moves) -> int:
    """Captures first, then steps; the pawns that have come farthest before the others."""
    player = state[3]
    steps, doubles, lower, higher = targets(state, player)
    arriving = unblocked_arrivals(state, player)
    if arriving != 0:
        lower &= arriving
        higher &= arriving
        steps = 0
        doubles = 0
    found = append(out, 0, lower, player, LEFT)
    found = append(out, found, higher, player, RIGHT)
    found = append(out, found, steps, player, STEP)
    return append(out, found, doubles, player, DOUBLE_STEP)


def choices(state: Words) -> int:
    """How many moves there are to answer, and more for a side with more pawns or a pawn that has come farther."""
    player = state[3]
    steps, doubles, lower, higher = targets(state, player)
    answers = count(steps) + count(doubles) + count(lower) + count(higher)
    pawns = count(state[player]) - count(state[1 - player])
    rows = to_go(state[1 - player], 1 - player) - to_go(state[player], player)
    return max(1, 8 * (2 * answers + 3 * pawns + 2 * rows))


def to_go(pawns: int, player: int) -> int:
    """How many rows the foremost of a side's pawns has to go."""
    row = facts.LAST_ROW if player == 0 else facts.FIRST_ROW
    for rows in range(facts.ROWS):
        if pawns & row != 0:
            return rows
        row = backward(row, player)
    return facts.ROWS


def append(out: Moves, found: int, squares: int, player: int, kind: int) -> int:
    """Append the moves of one kind to these squares; how many moves there are then."""
    ahead = facts.COLUMNS if player == 0 else -facts.COLUMNS
    if kind == LEFT:
        ahead -= 1
    elif kind == RIGHT:
        ahead += 1
    elif kind == DOUBLE_STEP:
        ahead += ahead
    first = found
    while squares != 0:
        out[found] = 4 * (lowest(squares) - ahead) + kind
        squares &= squares - 1
        found += 1
    if player == 0:
        for i in range((found - first) // 2):
            move = out[first + i]
            out[first + i] = out[found - 1 - i]
            out[found - 1 - i] = move
    return found


def play(state: Words, move: int) -> int:
    player = state[3]
    origin = move >> 2
    kind = move & 3
    ahead = facts.COLUMNS if player == 0 else -facts.COLUMNS
    to = origin + ahead
    if kind == DOUBLE_STEP:
        to += ahead
    elif kind == LEFT:
        to -= 1
    elif kind == RIGHT:
        to += 1
    state[player] = (state[player] & ~(1 << origin)) | (1 << to)
    state[1 - player] &= ~(1 << to)
    state[2] &= state[0] | state[1]
    state[2] &= ~(1 << to)
    state[3] = 1 - player
    return 0


def identify(state: Words, key: Words) -> int:
    """A position and its mirror image are one, and so is one in which Black does what White did: White is to move."""
    white = state[0]
    black = state[1]
    still = state[2]
    if state[3] == 1:
        white = up_down(state[1])
        black = up_down(state[0])
        still = up_down(still)
    key[0] = white
    key[1] = black
    key[2] = still
    white = left_right(white)
    black = left_right(black)
    if white < key[0] or (white == key[0] and black <= key[1]):
        still = left_right(still)
        if white != key[0] or black != key[1] or still < key[2]:
            key[0] = white
            key[1] = black
            key[2] = still
    exchanged: int = state[3]
    return exchanged


# --- from a game ----------------------------------------------------------------------------------------------------


def fits(game: Game) -> bool:
    """Whether this file knows the game: Pawn Dama on a board whose squares are the bits of a word."""
    return game.name == "pawn_dama" and game.CELLS <= MOST_CELLS


def compact_pawns(game: Game) -> CompactGame:
    """Pawn Dama for the engines."""
    import zerogrid.solvers.pawns as here

    rows, columns = game.ROWS, game.COLUMNS
    board = board_facts(rows, columns)
    board.LAST_ROW = board.FIRST_ROW << ((rows - 1) * columns)
    board.UNMOVED = game.DOUBLE == "unmoved"
    two = (1 << (2 * columns)) - 1
    board.HOMES = two | two << ((rows - 2) * columns)
    board.BLOCKED_LOSES = int(game.STUCK == "loss")
    board.BARE_LOSES = int(game.STUCK != "draw")
    sizes = {"MAX_MOVES": game.MAX_LEGAL, "MAX_DEPTH": game.MAX_PLIES, "MOVE_RANGE": 4 * game.CELLS}
    return CompactGame({compact: stand_in(here, **sizes), facts: board}, pack=lambda state: pack(state, game.CELLS))


def pack(state: npt.NDArray[np.int16], cells: int) -> Ints:
    """The pawns as bits, and the turn."""
    board, turn = state[:cells], int(state[cells])
    white, black = (board == 1) | (board == 3), (board == 2) | (board == 4)
    return np.array([bits_of(white), bits_of(black), bits_of(board > 2), turn], np.int64)
