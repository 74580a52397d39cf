"""Breakthrough: pawns step forward, straight or diagonally, capture diagonally, and race for the far row.

    state    board: 0 empty, 1 white's pawn, 2 black's; row 0 is White's home row, White moves to higher rows
             turn, end: the position at a glance
    action   one of the moves in MOVES: White's, square by square, each to the left, straight, to the right; then
             Black's, each of them one of White's turned half round, in the same order
"""

import re

import numpy as np

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, setting
from zerogrid.core.symmetry import Symmetry
from zerogrid.views import Look, pawns

TITLE = "Breakthrough"
VARIANT = "{rows}x{columns}"
PLAYERS = ("white", "black")
ENDINGS = ("a pawn reached the far row", "no pawns left")

ROWS = setting("rows", 6, least=5, most=10, help="rows of the board")
COLUMNS = setting("columns", 6, least=3, most=10, help="columns of the board")

CELLS = ROWS * COLUMNS
LAYOUT = Layout(board=per_cell(CELLS, ".wb"), turn=number(), end=number(), last=an_action(remembered=True))
BOARD, TURN, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size

WHITE_MOVES = [
    (cell, cell + COLUMNS + side)
    for cell in range(CELLS - COLUMNS)
    for side in (-1, 0, 1)
    if 0 <= cell % COLUMNS + side < COLUMNS
]
MOVES = WHITE_MOVES + [(CELLS - 1 - start, CELLS - 1 - target) for start, target in WHITE_MOVES]
HALF = len(WHITE_MOVES)  # the first of Black's moves
FROM = np.array([start for start, _ in MOVES], np.int16)
TO = np.array([target for _, target in MOVES], np.int16)

ACTIONS = len(MOVES)
MAX_LEGAL = 3 * 2 * COLUMNS  # three for each pawn
MAX_PLIES = 2 * COLUMNS * (2 * ROWS - 5) + 1  # every play brings a pawn forward; the first on its far row is the last
REACHED, NO_PAWNS = 1, 2


def start(state: State, seed: int) -> None:
    for cell in range(2 * COLUMNS):
        state[cell] = 1
        state[CELLS - 1 - cell] = 2
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    """There always is one: nothing of one's own stands before the foremost pawn, so it can go diagonally at least."""
    if state[END] != 0:
        return 0
    mine = 1 + state[TURN]
    first = HALF * state[TURN]
    count = 0
    for action in range(first, first + HALF):
        if state[FROM[action]] == mine:
            there = state[TO[action]]
            straight = (TO[action] - FROM[action]) % COLUMNS == 0
            if there == 0 or (there != mine and not straight):
                actions[count] = action
                count += 1
    return count


def play(state: State, action: int) -> None:
    player = state[TURN]
    target = TO[action]
    captured = state[target] != 0
    state[FROM[action]] = 0
    state[target] = 1 + player
    state[LAST] = action
    state[TURN] = 1 - player
    if target // COLUMNS == (ROWS - 1 if player == 0 else 0):
        state[END] = REACHED
    elif captured and not has_pawns(state, 1 - player):
        state[END] = NO_PAWNS


def has_pawns(state: State, player: int) -> bool:
    for cell in range(CELLS):
        if state[cell] == 1 + player:
            return True
    return False


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    """Whoever moved last has won."""
    return -1.0 if state[TURN] == player else 1.0


# --- for people -----------------------------------------------------------------------------------------------------

LETTERS = "abcdefghij"[:COLUMNS]

# A diagonal step, a capture, and a pawn that captures its way to the far row.
EXAMPLES: tuple[tuple[str, str], ...] = ()
if ROWS == COLUMNS == 6:
    EXAMPLES = (
        ("b2-c3", "black to move"),
        ("b2-b3 a5-b4 a2-a3 b4-a3", "white to move"),
        ("c2-c3 f5-f4 c3-c4 f4-f3 c4-b5 f3-e2 b5-a6", "white wins: a pawn reached the far row"),
    )


def symmetries() -> list[Symmetry]:
    mirrored = tuple(cell + COLUMNS - 1 - 2 * (cell % COLUMNS) for cell in range(CELLS))
    place = {move: action for action, move in enumerate(MOVES)}
    moves = tuple(place[mirrored[start], mirrored[target]] for start, target in MOVES)
    return [
        Symmetry("identity", tuple(range(CELLS)), tuple(range(ACTIONS))),
        Symmetry("mirror left-right", mirrored, moves),
    ]


def square_name(cell: int) -> str:
    return f"{LETTERS[cell % COLUMNS]}{cell // COLUMNS + 1}"


def action_name(action: int) -> str:
    return f"{square_name(MOVES[action][0])}-{square_name(MOVES[action][1])}"


def action_cells(action: int) -> tuple[int, int]:
    return MOVES[action]


def parse_action(text: str) -> int | None:
    """Also as others write it: "b2c3", "b2xc3", "b2 c3"."""
    found = re.fullmatch(r"([a-j][0-9]{1,2})\s*[-x:]?\s*([a-j][0-9]{1,2})", text)
    names = {square_name(cell): cell for cell in range(CELLS)}
    move = tuple(names.get(name, -1) for name in found.groups()) if found else ()
    return MOVES.index(move) if move in MOVES else None


def svg(state: State, look: Look) -> str:
    return pawns.svg(look, ROWS, COLUMNS, state[:CELLS], action_cells)


def terminal(state: State, look: Look) -> str:
    return pawns.terminal(look, ROWS, COLUMNS, state[:CELLS], action_cells, marks=False)


def text(state: State) -> str:
    """White's side below, as in the drawings."""
    lines = []
    for row in reversed(range(ROWS)):
        lines.append(f"{row + 1:2} " + " ".join(".wb"[state[row * COLUMNS + column]] for column in range(COLUMNS)))
    lines += ["   " + " ".join(LETTERS), f"turn {PLAYERS[state[TURN]]}"]
    if state[LAST] >= 0:
        lines.append(f"last {action_name(state[LAST])}")
    return "\n".join(lines)


def parse_text(text: str, state: State) -> None:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    state[LAST] = -1
    for row in reversed(range(ROWS)):
        label, *signs = lines.pop(0) if lines else [""]
        if label != str(row + 1) or len(signs) != COLUMNS:
            raise ValueError(f"the line of row {row + 1} is missing, or not its number and {COLUMNS} squares")
        for column, sign in enumerate(signs):
            if sign not in (".", "w", "b"):
                raise ValueError(f'row {row + 1}: "{sign[:20]}" is none of . w b')
            state[row * COLUMNS + column] = ".wb".index(sign)
    for words in lines:
        if len(words) == 2 and words[0] == "turn" and words[1] in PLAYERS:
            state[TURN] = PLAYERS.index(words[1])
        elif len(words) == 2 and words[0] == "last" and (move := parse_action(words[1])) is not None:
            state[LAST] = move
        elif words != list(LETTERS):
            raise ValueError(f'"{" ".join(words)[:40]}" is none of "turn white", "turn black" and "last b2-b3"')
    if not has_pawns(state, state[TURN]):
        state[END] = NO_PAWNS
    if any(state[far_row(player) + column] == 1 + player for player in (0, 1) for column in range(COLUMNS)):
        state[END] = REACHED


def far_row(player: int) -> int:
    """The first cell of the row that a player's pawns run for."""
    return (ROWS - 1) * COLUMNS * (1 - player)


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    mover, other = state[TURN], 1 - state[TURN]
    for player, name in enumerate(PLAYERS):
        count = sum(state[cell] == 1 + player for cell in range(CELLS))
        if count > 2 * COLUMNS:
            return f"{name} has {count} pawns; it begins with {2 * COLUMNS}"
    if not has_pawns(state, other):
        return f"{PLAYERS[mover]} is to move, but {PLAYERS[other]} has no pawns left and has lost already"
    if any(state[far_row(mover) + column] == 1 + mover for column in range(COLUMNS)):
        return f"{PLAYERS[mover]} is to move, but stands on its far row and has won already"
    arrived = sum(state[far_row(other) + column] == 1 + other for column in range(COLUMNS))
    if arrived > 1:
        return f"{PLAYERS[other]} has {arrived} pawns on its far row; the first one ends the game"
    last = state[LAST]
    if last >= 0 and (last // HALF != other or state[TO[last]] != 1 + other or state[FROM[last]] != 0):
        return f"last is {action_name(last)}, but {PLAYERS[other]} has no pawn that has just moved so"
    return None
