"""Dots-and-Boxes: whoever draws the fourth edge of a box takes it and moves again; most boxes win.

    +-0-+-1-+      state    edges: 1 where drawn      turn, scores: boxes of each player
    6 0 7 1 8               boxes: 0 open, 1 the first player's, 2 the second's (to look at only)
    +-2-+-3-+      action   the number of an edge: horizontal ones first, row by row, then vertical ones
    9 2 10 3 11    box      numbered row by row: its edges are box, box + COLUMNS, and to the left and right
    +-4-+-5-+               HORIZONTAL + box + its row, and one more
"""

import re
from typing import Any

from zerogrid.core.layout import Layout, an_action, number, per_action, per_cell
from zerogrid.core.rules import Buffer, State, setting
from zerogrid.core.symmetry import Symmetry, board_maps, cells_under
from zerogrid.views import Look, boxes

TITLE = "Dots-and-Boxes"
VARIANT = "{rows}x{columns}"
PLAYERS = ("A", "B")
ENDINGS = ("every edge is drawn",)

ROWS = setting("rows", 5, least=1, most=9, help="rows of boxes")
COLUMNS = setting("columns", 5, least=1, most=9, help="columns of boxes")
UTILITY = setting("utility", "winner", choices=("winner", "margin"), help="what counts: winning, or boxes won by")

BOXES = ROWS * COLUMNS
HORIZONTAL = (ROWS + 1) * COLUMNS
EDGES = HORIZONTAL + ROWS * (COLUMNS + 1)
MARGIN = UTILITY == "margin"
LAYOUT = Layout(
    edges=per_action(EDGES),
    turn=number(),
    scores=number(2, owners="01"),
    boxes=per_cell(BOXES, ".AB", remembered=True),
    last=an_action(remembered=True),
)
EDGE, TURN, SCORES, OWNER, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ACTIONS = MAX_LEGAL = MAX_PLIES = EDGES


def start(state: State, seed: int) -> None:
    state[LAST] = -1


def to_move(state: State) -> int:
    return state[TURN]


def legal(state: State, actions: Buffer) -> int:
    count = 0
    for edge in range(EDGES):
        actions[count] = edge  # overwritten by the next one where this edge is drawn
        count += state[edge] == 0
    return count


def play(state: State, action: int) -> None:
    player = state[TURN]
    state[action] = 1
    state[LAST] = action
    taken = 0
    if action < HORIZONTAL:
        if action >= COLUMNS:
            taken += take(state, action - COLUMNS, player)
        if action < BOXES:
            taken += take(state, action, player)
    else:
        row = (action - HORIZONTAL) // (COLUMNS + 1)
        box = action - HORIZONTAL - row  # the one to the right
        if box > row * COLUMNS:
            taken += take(state, box - 1, player)
        if box < (row + 1) * COLUMNS:
            taken += take(state, box, player)
    if taken == 0:
        state[TURN] = 1 - player
    else:
        state[SCORES + player] += taken


def take(state: State, box: int, player: int) -> int:
    """1 if the box is complete, and then the player's; else 0."""
    left = HORIZONTAL + box + box // COLUMNS
    if state[box] == 0 or state[box + COLUMNS] == 0 or state[left] == 0 or state[left + 1] == 0:
        return 0
    state[OWNER + box] = player + 1
    return 1


def ended(state: State) -> int:
    return 1 if state[SCORES] + state[SCORES + 1] == BOXES else 0


def score(state: State, player: int) -> float:
    margin = state[SCORES + player] - state[SCORES + 1 - player]
    if MARGIN:
        return margin / BOXES
    return 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0


# --- for people -----------------------------------------------------------------------------------------------------


def edge_at(y: int, x: int) -> int:
    """The edge at a place of the board drawn as 2 ROWS + 1 lines of dots, edges and boxes."""
    return y // 2 * COLUMNS + x // 2 if y % 2 == 0 else HORIZONTAL + y // 2 * (COLUMNS + 1) + x // 2


def symmetries() -> Any:
    height, width = 2 * ROWS + 1, 2 * COLUMNS + 1
    boxes = {name: cells_under(ROWS, COLUMNS, place) for name, place in board_maps(ROWS, COLUMNS)}
    spots = sorted((edge_at(y, x), y, x) for y in range(height) for x in range(width) if (y + x) % 2)
    return [
        Symmetry(name, boxes[name], tuple(edge_at(*place(y, x)) for _, y, x in spots))
        for name, place in board_maps(height, width)
    ]


def action_name(action: int) -> str:
    if action < HORIZONTAL:
        return "h{}.{}".format(*divmod(action, COLUMNS))
    return "v{}.{}".format(*divmod(action - HORIZONTAL, COLUMNS + 1))


def parse_action(text: str) -> int | None:
    """Also "h 2 1", "v0,3"."""
    found = re.fullmatch(r"([hv])\s*(\d{1,2})[\s.,:]\s*(\d{1,2})", text)
    if found is None:
        return None
    row, column = int(found[2]), int(found[3])
    rows, columns = (ROWS + 1, COLUMNS) if found[1] == "h" else (ROWS, COLUMNS + 1)
    if row >= rows or column >= columns:
        return None
    return row * columns + column + (0 if found[1] == "h" else HORIZONTAL)


def svg(state: State, look: Look) -> str:
    return boxes.svg(look, ROWS, COLUMNS, state[:EDGES], state[OWNER : OWNER + BOXES], state[SCORES : SCORES + 2])


def terminal(state: State, look: Look) -> str:
    return boxes.terminal(look, ROWS, COLUMNS, state[:EDGES], state[OWNER : OWNER + BOXES], state[SCORES : SCORES + 2])


def text(state: State) -> str:
    lines = []
    for y in range(2 * ROWS + 1):
        line = ""
        for x in range(2 * COLUMNS + 1):
            if y % 2 and x % 2:
                line += f" {' AB'[state[OWNER + y // 2 * COLUMNS + x // 2]]} "
            elif y % 2 or x % 2:
                drawn = state[edge_at(y, x)] != 0
                line += ("|" if drawn else " ") if y % 2 else "---" if drawn else "   "
            else:
                line += "+"
        lines.append(line.rstrip())
    lines.append(f"turn {PLAYERS[state[TURN]]}")
    if state[LAST] >= 0:
        lines.append(f"last {action_name(state[LAST])}")
    return "\n".join(lines)


def parse_text(text: str, state: State) -> None:
    lines = text.splitlines()
    height, width = 2 * ROWS + 1, 4 * COLUMNS + 1
    start(state, 0)
    for y in range(height):
        line = (lines[y] if y < len(lines) else "").rstrip().ljust(width)
        if len(line) > width:
            raise ValueError(f"line {y + 2} is longer than the board")
        for x in range(2 * COLUMNS + 1):
            found = line[2 * x] if x % 2 == 0 else line[2 * x - 1 : 2 * x + 2]
            if y % 2 and x % 2:
                known = ["   ", " A ", " B "]
            elif y % 2:
                known = [" ", "|"]
            else:
                known = ["   ", "---"] if x % 2 else ["+"]
            if found not in known:
                raise ValueError(f'line {y + 2}: "{found}" stands where {" or ".join(map(repr, known))} belongs')
            if y % 2 and x % 2:
                box = y // 2 * COLUMNS + x // 2
                state[OWNER + box] = owner = known.index(found)
                if owner:
                    state[SCORES + owner - 1] += 1
            elif y % 2 or x % 2:
                state[edge_at(y, x)] = known.index(found)
    for line in lines[height:]:
        word, _, value = line.strip().partition(" ")
        if word == "turn" and value in PLAYERS:
            state[TURN] = PLAYERS.index(value)
        elif word == "last" and (edge := parse_action(value)) is not None:
            state[LAST] = edge
        elif word:
            raise ValueError(f'"{line.strip()[:40]}" is none of "turn A", "turn B" and "last {action_name(0)}"')


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    for box in range(BOXES):
        left = HORIZONTAL + box + box // COLUMNS
        sides = state[box] + state[box + COLUMNS] + state[left] + state[left + 1]
        if (sides == 4) != (state[OWNER + box] != 0):
            where = f"the box in row {box // COLUMNS}, column {box % COLUMNS}"
            return f"{where} has {sides} edges, and {'no' if sides == 4 else 'an'} owner"
    if state[LAST] >= 0 and state[state[LAST]] == 0:
        return f"last is {action_name(state[LAST])}, which is not drawn"
    return None
