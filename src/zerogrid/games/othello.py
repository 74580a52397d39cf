"""Othello: a disc is placed so that it encloses the other side's discs in a straight line, and these are turned over.

Who cannot turn anything over must pass; when neither side can, the game ends, and more discs win.

    state    board: 0 empty, 1 black's disc, 2 white's      turn, end: the position at a glance
    action   the number of a square, row by row from the top; ROWS * COLUMNS is the pass
"""

from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, refuse, setting
from zerogrid.core.symmetry import board_symmetries
from zerogrid.views import Look, flips

TITLE = "Othello"
VARIANT = "{rows}x{columns}"
PLAYERS = ("black", "white")
ENDINGS = ("neither side can move",)

ROWS = setting("rows", 8, least=4, most=16, help="rows of the board, an even number")
COLUMNS = setting("columns", 8, least=4, most=16, help="columns of the board, an even number")
if ROWS % 2 or COLUMNS % 2:
    refuse(f"a board of {ROWS}x{COLUMNS} has no middle four squares; rows and columns must be even numbers.")

CELLS = ROWS * COLUMNS
PASS = CELLS
LAYOUT = Layout(board=per_cell(CELLS, ".xo"), turn=number(), end=number(), last=an_action(remembered=True))
BOARD, TURN, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = CELLS + 1
MAX_LEGAL = CELLS  # more than can be placed; legal() works in what is left of the buffer
MAX_PLIES = 2 * (CELLS - 4)  # a pass is always followed by a disc
FULL_ROW = (1 << COLUMNS) - 1
Lines = tuple[int, int, int, int, int, int]  # see onward()
NO_LINES = (0, 0, 0, 0, 0, 0)


def start(state: State, seed: int) -> None:
    middle = ROWS // 2 * COLUMNS + COLUMNS // 2
    state[middle - COLUMNS - 1] = state[middle] = 2
    state[middle - COLUMNS] = state[middle - 1] = 1
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    if state[END] != 0:
        return 0
    mine = state[TURN] + 1
    # What can be placed is found row by row, looking down and looking up. What lines from below allow waits at the end
    # of the buffer, which the moves of the rows above never reach.
    lines = NO_LINES
    for row in range(ROWS - 1, -1, -1):
        own, his = discs(state, row, mine)
        actions[MAX_LEGAL - ROWS + row] = ends(own, his, lines)
        lines = onward(own, his, lines)
    lines = NO_LINES
    count = 0
    for row in range(ROWS):
        own, his = discs(state, row, mine)
        found = actions[MAX_LEGAL - ROWS + row] | ends(own, his, lines) | along(own, his)
        lines = onward(own, his, lines)
        for column in range(COLUMNS):
            if (found >> column) & 1:
                actions[count] = row * COLUMNS + column
                count += 1
    if count == 0:
        actions[0] = PASS
        count = 1
    return count


def discs(state: State, row: int, mine: int) -> tuple[int, int]:
    """The columns of a row in which one's own discs lie, and those with the other side's, as bits."""
    own = his = 0
    for column in range(COLUMNS):
        disc = state[row * COLUMNS + column]
        own |= int(disc == mine) << column
        his |= int(disc == 3 - mine) << column
    return own, his


def onward(own: int, his: int, lines: Lines) -> Lines:
    """Lines that begin at one's own discs and go on over the other side's, as they come out of a row into the next.

    They go straight and along both diagonals; first those that have crossed no disc yet, then those that have.
    """
    straight, rising, falling, over, over_rising, over_falling = lines
    return (
        own,
        own << 1,
        own >> 1,
        his & (straight | over),
        (his & (rising | over_rising)) << 1,
        (his & (falling | over_falling)) >> 1,
    )


def ends(own: int, his: int, lines: Lines) -> int:
    """The empty squares of a row at which lines end that have crossed the other side's discs."""
    return FULL_ROW & ~(own | his) & (lines[3] | lines[4] | lines[5])


def along(own: int, his: int) -> int:
    """The empty squares of a row from which discs of the row itself would be enclosed."""
    right = his & (own << 1)
    left = his & (own >> 1)
    for _ in range(COLUMNS - 3):
        right |= his & (right << 1)
        left |= his & (left >> 1)
    return FULL_ROW & ~(own | his) & (right << 1 | left >> 1)


def can_place(state: State, mine: int) -> bool:
    """Whether a side has any disc to place."""
    down = up = NO_LINES
    for row in range(ROWS):
        own, his = discs(state, row, mine)
        if ends(own, his, down) | along(own, his) != 0:
            return True
        down = onward(own, his, down)
        own, his = discs(state, ROWS - 1 - row, mine)
        if ends(own, his, up) != 0:
            return True
        up = onward(own, his, up)
    return False


def enclosed(state: State, row: int, column: int, down: int, right: int, mine: int) -> int:
    """How many of the other side's discs lie between a square and one's own next disc in a direction."""
    his = 3 - mine
    length = 0
    r = row + down
    c = column + right
    while 0 <= r < ROWS and 0 <= c < COLUMNS and state[r * COLUMNS + c] == his:
        length += 1
        r += down
        c += right
    if length > 0 and 0 <= r < ROWS and 0 <= c < COLUMNS and state[r * COLUMNS + c] == mine:
        return length
    return 0


def play(state: State, action: int) -> None:
    mine = state[TURN] + 1
    state[LAST] = action
    state[TURN] = 1 - state[TURN]
    if action == PASS:
        return
    row = action // COLUMNS
    column = action % COLUMNS
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            step = down * COLUMNS + right
            for i in range(enclosed(state, row, column, down, right, mine)):
                state[action + (i + 1) * step] = mine
    state[action] = mine
    if not can_place(state, 3 - mine) and not can_place(state, mine):
        state[END] = 1


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    difference = 0
    for cell in range(CELLS):
        if state[cell] == player + 1:
            difference += 1
        elif state[cell] != 0:
            difference -= 1
    return 1.0 if difference > 0 else -1.0 if difference < 0 else 0.0


# --- for people -----------------------------------------------------------------------------------------------------


def symmetries() -> Any:
    return board_symmetries(ROWS, COLUMNS, more_actions=1)


def action_name(action: int) -> str:
    return "pass" if action == PASS else f"{'abcdefghijklmnop'[action % COLUMNS]}{action // COLUMNS + 1}"


def svg(state: State, look: Look) -> str:
    return flips.svg(look, ROWS, COLUMNS, state[:CELLS])


def terminal(state: State, look: Look) -> str:
    return flips.terminal(look, ROWS, COLUMNS, state[:CELLS])


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    if state[TURN] not in (0, 1):
        return f"turn is {state[TURN]}; it is 0 (black) or 1 (white)"
    end = 0 if can_place(state, 1) or can_place(state, 2) else 1
    if state[END] != end:
        return f"end is {state[END]}, but on this board it is {end}"
    last = state[LAST]
    if not -1 <= last <= PASS or (0 <= last < CELLS and state[last] != 2 - state[TURN]):
        return f"last is {last}, no square with a disc of {PLAYERS[1 - state[TURN]]}, nor {PASS} (pass) or -1 (unknown)"
    return None
