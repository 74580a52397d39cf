"""Pawn Dama: pawns step straight, capture diagonally, and the first to reach the far row wins.

    state    board: 0 empty, 1 white's pawn, 2 black's, 3 white's that has never moved, 4 black's that has never moved;
             row 0 is White's home row, White moves to higher rows      turn, end: the position at a glance
    action   from + to * CELLS, which is the paper's x1 + y1*M + x2*M*N + y2*M*M*N
"""

import re
from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, setting
from zerogrid.core.symmetry import Symmetry
from zerogrid.views import Look, pawns

TITLE = "Pawn Dama"
VARIANT = "{rows}x{columns}"
PLAYERS = ("white", "black")
ENDINGS = ("a pawn reached the far row", "no pawns left", "every pawn is blocked")

ROWS = setting("rows", 6, least=4, most=10, help="rows of the board")
COLUMNS = setting("columns", 6, least=1, most=10, help="columns of the board")
DOUBLE = setting("double", "unmoved", choices=("unmoved", "home"), help="who may step two: never moved, or at home")
STUCK = setting("stuck", "mixed", choices=("mixed", "draw", "loss"), help="no move: mixed loses only without pawns")

CELLS = ROWS * COLUMNS
LAYOUT = Layout(
    board=per_cell(CELLS, ".wbWB", owners=".0101"),
    turn=number(),
    end=number(),
    last=an_action(remembered=True),
)
BOARD, TURN, END, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = CELLS * CELLS
# One step for each pawn, one double step for each column; captures from one row to the next are chains of pawns
# standing diagonally to one another, so there are fewer of them than pawns.
MAX_LEGAL = 7 * COLUMNS - 4 if COLUMNS > 1 else 3
MAX_PLIES = 2 * COLUMNS * (2 * ROWS - 5) + 1  # every play brings a pawn forward
NEW = 2 if DOUBLE == "unmoved" else 0  # added to a pawn that has never moved, where that matters
LEAPER = 1 + NEW  # a white pawn that may step two from a home row
REACHED, NO_PAWNS, BLOCKED = 1, 2, 3
STUCK_DRAWS = STUCK == "draw"
STUCK_LOSES = STUCK == "loss"


def start(state: State, seed: int) -> None:
    for cell in range(2 * COLUMNS):
        state[cell] = 1 + NEW
        state[CELLS - 1 - cell] = 2 + NEW
    state[LAST] = -1
    end_if_stuck(state)


def to_move(state: State) -> int:
    return state[TURN]


def owns(state: State, cell: int, player: int) -> bool:
    """Whether a player's pawn stands there."""
    return state[cell] == 1 + player or state[cell] == 3 + player


def standing(state: State, row: int, one: int, other: int) -> int:
    """The columns of a row in which one of two kinds of pawns stands, as bits."""
    found = 0
    for column in range(COLUMNS):
        pawn = state[row * COLUMNS + column]
        found |= (int(pawn == one) | int(pawn == other)) << column
    return found


def arrivals(state: State, row: int, player: int) -> int:
    """The squares of a row that a player can move to, as bits: by stepping; from bit 16 on by capturing from the column
    to the left; from bit 32 on from the column to the right."""
    ahead = 1 - 2 * player
    near = row - ahead
    if not 0 <= near < ROWS:
        return 0
    mine = standing(state, near, 1 + player, 3 + player)
    leaping = 0
    far = near - ahead
    if far == player * (ROWS - 1) or far == player * (ROWS - 3) + 1:  # one of the player's two home rows
        leaping = standing(state, far, LEAPER + player, LEAPER + player)
        leaping &= ~(mine | standing(state, near, 2 - player, 4 - player))
    if mine | leaping == 0:
        return 0
    theirs = standing(state, row, 2 - player, 4 - player)
    steps = (mine | leaping) & ~(theirs | standing(state, row, 1 + player, 3 + player))
    return steps | ((mine << 1) & theirs) << 16 | ((mine >> 1) & theirs) << 32


def legal(state: State, actions: Buffer) -> int:
    if state[END] != 0:
        return 0
    player = state[TURN]
    back = (2 * player - 1) * COLUMNS
    count = 0
    for row in range(ROWS):
        squares = arrivals(state, row, player)
        if squares == 0:
            continue
        for column in range(COLUMNS):
            to = row * COLUMNS + column
            if (squares >> column) & 1:
                origin = to + back
                if state[origin] == 0:
                    origin += back
                actions[count] = origin + to * CELLS
                count += 1
            if (squares >> (16 + column)) & 1:
                actions[count] = to + back - 1 + to * CELLS
                count += 1
            if (squares >> (32 + column)) & 1:
                actions[count] = to + back + 1 + to * CELLS
                count += 1
    return count


def can_move(state: State, player: int) -> bool:
    """Whether a player has any move."""
    for row in range(ROWS):
        if arrivals(state, row, player) != 0:
            return True
    return False


def play(state: State, action: int) -> None:
    player = state[TURN]
    to = action // CELLS
    state[action % CELLS] = 0
    state[to] = 1 + player
    state[LAST] = action
    state[TURN] = 1 - player
    if to // COLUMNS == (ROWS - 1 if player == 0 else 0):
        state[END] = REACHED
    else:
        end_if_stuck(state)


def end_if_stuck(state: State) -> None:
    """The game ends when the side to move has no move; why, depends on whether it has pawns."""
    if can_move(state, state[TURN]):
        return
    state[END] = NO_PAWNS
    for cell in range(CELLS):
        if owns(state, cell, state[TURN]):
            state[END] = BLOCKED


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    if (state[END] == BLOCKED and not STUCK_LOSES) or (state[END] == NO_PAWNS and STUCK_DRAWS):
        return 0.0
    return -1.0 if state[TURN] == player else 1.0


# --- for people -----------------------------------------------------------------------------------------------------


def symmetries() -> Any:
    mirrored = tuple(row * COLUMNS + COLUMNS - 1 - column for row in range(ROWS) for column in range(COLUMNS))
    moves = tuple(mirrored[action % CELLS] + mirrored[action // CELLS] * CELLS for action in range(ACTIONS))
    return [
        Symmetry("identity", tuple(range(CELLS)), tuple(range(ACTIONS))),
        Symmetry("mirror left-right", mirrored, moves),
    ]


def square_name(cell: int) -> str:
    return f"{'abcdefghij'[cell % COLUMNS]}{cell // COLUMNS + 1}"


def action_name(action: int) -> str:
    """b2-b3 for a step, b2xc3 for a capture; moves that no pawn ever makes have names as well."""
    origin, to = action % CELLS, action // CELLS
    return f"{square_name(origin)}{'-' if origin % COLUMNS == to % COLUMNS else 'x'}{square_name(to)}"


def action_cells(action: int) -> tuple[int, int]:
    return action % CELLS, action // CELLS


def parse_action(text: str) -> int | None:
    """Also without the sign, or with another one: "b2b3", "b2 c3", "b2:c3"."""
    found = re.fullmatch(r"([a-j])(\d{1,2})\s*[-x:]?\s*([a-j])(\d{1,2})", text)
    if found is None:
        return None
    columns = ["abcdefghij".index(found[i]) for i in (1, 3)]
    rows = [int(found[i]) - 1 for i in (2, 4)]
    if max(columns) >= COLUMNS or not all(0 <= row < ROWS for row in rows):
        return None
    return rows[0] * COLUMNS + columns[0] + (rows[1] * COLUMNS + columns[1]) * CELLS


def svg(state: State, look: Look) -> str:
    return pawns.svg(look, ROWS, COLUMNS, state[:CELLS], lambda action: (action % CELLS, action // CELLS))


def terminal(state: State, look: Look) -> str:
    return pawns.terminal(look, ROWS, COLUMNS, state[:CELLS], lambda action: (action % CELLS, action // CELLS))


def text(state: State) -> str:
    lines = []
    for row in reversed(range(ROWS)):
        pawns = (".wbWB"[state[row * COLUMNS + column]] for column in range(COLUMNS))
        lines.append(f"{row + 1:2} {' '.join(pawns)}")
    lines.append("   " + " ".join("abcdefghij"[:COLUMNS]))
    lines.append(f"turn {PLAYERS[state[TURN]]}")
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
            if sign not in (".", "w", "b", "W", "B"):
                raise ValueError(f'row {row + 1}: "{sign[:20]}" is none of . w b W B (capitals have never moved)')
            state[row * COLUMNS + column] = ".wbWB".index(sign)
    for words in lines:
        if len(words) == 2 and words[0] == "turn" and words[1] in PLAYERS:
            state[TURN] = PLAYERS.index(words[1])
        elif len(words) == 2 and words[0] == "last" and (move := parse_action(words[1])) is not None:
            state[LAST] = move
        elif words != list("abcdefghij"[:COLUMNS]):
            raise ValueError(f'"{" ".join(words)[:40]}" is none of "turn white", "turn black" and "last b2-b3"')
    if any(owns(state, (ROWS - 1) * COLUMNS + column, 0) or owns(state, column, 1) for column in range(COLUMNS)):
        state[END] = REACHED
    else:
        end_if_stuck(state)


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    for player, name in enumerate(PLAYERS):
        home = (0, 1) if player == 0 else (ROWS - 1, ROWS - 2)
        mine = [cell for cell in range(CELLS) if owns(state, cell, player)]
        if len(mine) > 2 * COLUMNS:
            return f"{name} has {len(mine)} pawns; it begins with {2 * COLUMNS}"
        for cell in mine:
            row, still = cell // COLUMNS, state[cell] > 2
            if still and not NEW:
                return f"{square_name(cell)} is marked as never moved, which does not matter with double=home"
            if still and row not in home:
                return f"{square_name(cell)} is marked as never moved, but is not on {name}'s two home rows"
            if NEW and not still and row == home[0]:
                return f"{square_name(cell)} is on {name}'s first row, so it has never moved: write {'WB'[player]}"
    reached = [
        player
        for player, row in ((0, ROWS - 1), (1, 0))
        if any(owns(state, row * COLUMNS + column, player) for column in range(COLUMNS))
    ]
    if len(reached) > 1 or (reached and reached[0] == state[TURN]):
        return f"{PLAYERS[state[TURN]]} is to move, but stands on its far row and has won already"
    last = state[LAST]
    if last >= 0 and not owns(state, last // CELLS, 1 - state[TURN]):
        return f"last is {action_name(last)}, but no pawn of {PLAYERS[1 - state[TURN]]} stands there"
    return None
