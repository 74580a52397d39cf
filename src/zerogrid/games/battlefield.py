"""Battlefield: two teams of agents move and shoot on a shrinking field; who holds the centre, or survives, wins.

    state    board: 0 free, 1 an obstacle, 2 an agent of player 0, 3 one of player 1
             agents: the cell of each, player 0's first, -1 for the dead      health, ammo: of each
             ranks: which agent of a team acts first, second ... (0, 1, ... in play; a symmetry may change it)
             streaks: turns that each team has held the centre      turn, steps, end: the position at a glance
    action   one order for each agent, in base 9, first agent most significant
    order    0 wait, 1-4 move up, right, down, left, 5-8 shoot up, right, down, left
"""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from zerogrid.core import draws
from zerogrid.core.layout import Layout, a_cell, an_action, number, per_cell
from zerogrid.core.rules import Buffer, State, refuse, setting
from zerogrid.core.symmetry import Symmetry
from zerogrid.views import Look, field, field_text

TITLE = "Battlefield"
VARIANT = "{rows}x{columns}"
PLAYERS = ("north", "south")
ENDINGS = ("a team is wiped out", "the centre was held", "nobody is left")

ROWS = setting("rows", 7, least=3, most=15, help="rows of the field")
COLUMNS = setting("columns", 7, least=3, most=15, help="columns of the field")
AGENTS = setting("agents", 2, least=1, most=4, help="agents of each team")
OBSTACLES = setting("obstacles", 4, least=0, most=60, help="obstacles on the field")
MIRROR = setting("mirror", False, help="obstacles look the same from both sides")
HEALTH = setting("health", 1, least=1, most=9, help="hits that it takes to kill an agent")
AMMO = setting("ammo", 6, least=0, most=99, help="shots of each agent")
RANGE = setting("range", 4, least=1, most=15, help="cells that a shot flies")
SHRINK = setting("shrink", 8, least=1, most=99, help="turns after which the safe zone shrinks")
HOLD = setting("hold", 3, least=1, most=99, help="own turns in a row on the centre that win")

CELLS = ROWS * COLUMNS
CENTRE_ROW, CENTRE_COLUMN = ROWS // 2, COLUMNS // 2
CENTRE = CENTRE_ROW * COLUMNS + CENTRE_COLUMN
WIDEST = max(CENTRE_ROW, CENTRE_COLUMN)  # the safe zone's radius at the start
ROOM = CELLS - 2 * COLUMNS - 1  # where obstacles may stand
if AGENTS > COLUMNS:
    refuse(f"{AGENTS} agents do not fit beside one another on {COLUMNS} columns.")
if OBSTACLES > ROOM // 3:
    refuse(f"{OBSTACLES} obstacles are too many for a field of {ROWS}x{COLUMNS}; {ROOM // 3} are the most.")
if MIRROR and (OBSTACLES % 2 or ROWS % 2 == 0 or COLUMNS % 2 == 0):
    refuse("mirror=true needs an even number of obstacles, and odd numbers of rows and columns.")

WHOSE = "0" * AGENTS + "1" * AGENTS
LAYOUT = Layout(
    board=per_cell(CELLS, ".#ns", owners="..01"),
    agents=a_cell(2 * AGENTS, owners=WHOSE),
    health=number(2 * AGENTS, owners=WHOSE),
    ammo=number(2 * AGENTS, owners=WHOSE),
    ranks=number(AGENTS),
    streaks=number(2, owners="01"),
    turn=number(),
    steps=number(),
    end=number(),
    calm=number(remembered=True),  # turns since somebody was hit
    last=an_action(remembered=True),
)
BOARD, AGENT, HEALTHS, AMMOS, RANKS, STREAKS, TURN, STEPS, END, CALM, LAST = LAYOUT.offsets
STATE_SIZE = LAYOUT.size
ORDERS = 9
ACTIONS = MAX_LEGAL = ORDERS**AGENTS
MAX_PLIES = (WIDEST + 1) * SHRINK
WIPED_OUT, HELD, NOBODY = 1, 2, 3


def start(state: State, seed: int) -> None:
    attempt = 1
    while not place_obstacles(state, seed, attempt):
        attempt += 1
    draw = 0
    for agent in range(2 * AGENTS):
        state[AGENT + agent] = -1
        while state[AGENT + agent] < 0:
            cell = draws.below(COLUMNS, seed, draws.START, 0, draw) + (0 if agent < AGENTS else CELLS - COLUMNS)
            draw += 1
            if state[cell] == 0:
                state[AGENT + agent] = cell
                state[cell] = 2 + agent // AGENTS
        state[HEALTHS + agent] = HEALTH
        state[AMMOS + agent] = AMMO
        state[RANKS + agent % AGENTS] = agent % AGENTS
    state[LAST] = -1


def place_obstacles(state: State, seed: int, attempt: int) -> bool:
    """Put up one obstacle after another where it cuts nothing off; False in the rare case of finding no room."""
    for cell in range(CELLS):
        state[cell] = 0
    placed = 0
    for draw in range(100 * OBSTACLES):
        cell = COLUMNS + draws.below(CELLS - 2 * COLUMNS, seed, draws.START, attempt, draw)
        twin = CELLS - 1 - cell if MIRROR else cell
        if cell != CENTRE and state[cell] == 0:
            state[cell] = state[twin] = 1
            if connected(state):
                placed += 2 if MIRROR else 1
            else:
                state[cell] = state[twin] = 0
        if placed == OBSTACLES:
            return True
    return OBSTACLES == 0


def connected(state: State) -> bool:
    """Whether every cell without obstacle can be reached from the corner; floods the board with twos and drains it."""
    state[0] = 2
    grown = True
    while grown:
        grown = False
        for i in range(2 * CELLS):
            cell = i if i < CELLS else 2 * CELLS - 1 - i  # forth and back, so that few rounds are needed
            if state[cell] == 0:
                for direction in range(1, 5):
                    beside = neighbour(cell, direction, WIDEST)
                    if beside >= 0 and state[beside] == 2:
                        state[cell] = 2
                        grown = True
    whole = True
    for cell in range(CELLS):
        if state[cell] == 0:
            whole = False
        elif state[cell] == 2:
            state[cell] = 0
    return whole


def to_move(state: State) -> int:
    return state[TURN]


def radius(state: State) -> int:
    """How far the safe zone reaches from the centre; -1 when nothing of it is left."""
    return WIDEST - state[STEPS] // SHRINK


def safe(row: int, column: int, zone: int) -> bool:
    """Whether a place is on the board and in the safe zone."""
    if not (0 <= row < ROWS and 0 <= column < COLUMNS):
        return False
    return abs(row - CENTRE_ROW) <= zone and abs(column - CENTRE_COLUMN) <= zone


def neighbour(cell: int, direction: int, zone: int) -> int:
    """The next cell up (1), right (2), down (3) or left (4), or -1 at the edge of the safe zone."""
    row = cell // COLUMNS + (direction == 3) - (direction == 1)
    column = cell % COLUMNS + (direction == 2) - (direction == 4)
    return row * COLUMNS + column if safe(row, column, zone) else -1


def holds(cells: int, cell: int) -> bool:
    """Whether a packed list of cells (16 bits for each, plus one) has this one."""
    while cells > 0:
        if cells & 0xFFFF == cell + 1:
            return True
        cells >>= 16
    return False


def legal(state: State, actions: Buffer) -> int:
    if state[END] != 0:
        return 0
    first = state[TURN] * AGENTS
    zone = radius(state)
    now = 0  # nine bits for each agent: its orders that are legal as things stand
    ever = 0  # its orders that may be legal once others have moved or fallen
    for k in range(AGENTS):
        now |= orders(state, first + k, zone, False) << (ORDERS * k)
        ever |= orders(state, first + k, zone, True) << (ORDERS * k)
    entangled = now != ever or within_reach(state, first)
    count = 0
    action = 0
    while action < ACTIONS:
        skip = 0
        power = 1
        rest = action
        for k in range(AGENTS - 1, -1, -1):
            if (ever >> (ORDERS * k + rest % ORDERS)) & 1 == 0:
                skip = power
            rest //= ORDERS
            power *= ORDERS
        if skip == 0:
            if not entangled or feasible(state, action, first, zone):
                actions[count] = action
                count += 1
            skip = 1
        action += skip
    return count


def orders(state: State, agent: int, zone: int, ever: bool) -> int:
    """The orders of an agent as bits; `ever` counts moves onto other agents as well."""
    cell = state[AGENT + agent]
    if cell < 0:
        return 1
    found = 1 if state[AMMOS + agent] == 0 else 0b111100001
    for direction in range(1, 5):
        to = neighbour(cell, direction, zone)
        if to >= 0 and (state[to] == 0 or (ever and state[to] > 1)):
            found |= 1 << direction
    return found


def within_reach(state: State, first: int) -> bool:
    """Whether two agents of a team could move to the same cell."""
    for i in range(first, first + AGENTS):
        for j in range(first, i):
            a = state[AGENT + i]
            b = state[AGENT + j]
            if a >= 0 and b >= 0 and abs(a // COLUMNS - b // COLUMNS) + abs(a % COLUMNS - b % COLUMNS) == 2:
                return True
    return False


def feasible(state: State, action: int, first: int, zone: int) -> bool:
    """Whether each order is legal at its moment, after the orders before it; changes nothing."""
    left = 0  # cells that agents have left or fallen on, packed
    entered = 0
    wounds = 0  # four bits for each enemy
    for rank in range(AGENTS):
        power = ACTIONS // ORDERS
        for k in range(AGENTS):
            order = action // power % ORDERS
            power //= ORDERS
            if state[RANKS + k] != rank or order == 0:
                continue
            cell = state[AGENT + first + k]
            if order <= 4:
                to = neighbour(cell, order, zone)
                if holds(entered, to) or (state[to] != 0 and not holds(left, to)):
                    return False
                left = (left << 16) | (cell + 1)
                entered = (entered << 16) | (to + 1)
            else:
                struck = victim(state, cell, order - 4, zone, left, entered)
                if struck >= 0:
                    shift = 4 * (struck % AGENTS)
                    wounds += 1 << shift
                    if (wounds >> shift) & 15 == state[HEALTHS + struck]:
                        left = (left << 16) | (state[AGENT + struck] + 1)
    return True


def victim(state: State, cell: int, direction: int, zone: int, left: int, entered: int) -> int:
    """The enemy that a shot from a cell meets, or -1, when agents have left and entered some cells."""
    for _ in range(RANGE):
        cell = neighbour(cell, direction, zone)
        if cell < 0 or holds(entered, cell):
            return -1
        if state[cell] != 0 and not holds(left, cell):
            for agent in range(2 * AGENTS):
                if state[AGENT + agent] == cell and agent // AGENTS != state[TURN]:
                    return agent
            return -1
    return -1


def play(state: State, action: int) -> None:
    team = state[TURN]
    zone = radius(state)
    state[CALM] += 1
    for rank in range(AGENTS):
        power = ACTIONS // ORDERS
        for k in range(AGENTS):
            if state[RANKS + k] == rank:
                act(state, team * AGENTS + k, action // power % ORDERS, zone)
            power //= ORDERS
    state[STREAKS + team] = state[STREAKS + team] + 1 if state[CENTRE] == 2 + team else 0
    state[STEPS] += 1
    state[LAST] = action
    if living(state, 1 - team) == 0:
        state[END] = WIPED_OUT
    elif state[STREAKS + team] == HOLD:
        state[END] = HELD
    elif state[STEPS] % SHRINK == 0:
        shrink(state)
    state[TURN] = 1 - team


def act(state: State, agent: int, order: int, zone: int) -> None:
    """Carry out one order."""
    cell = state[AGENT + agent]
    if order == 0:
        return
    if order <= 4:
        to = neighbour(cell, order, zone)
        state[to] = state[cell]
        state[cell] = 0
        state[AGENT + agent] = to
        return
    state[AMMOS + agent] -= 1
    struck = victim(state, cell, order - 4, zone, 0, 0)
    if struck >= 0:
        state[CALM] = 0
        state[HEALTHS + struck] -= 1
        if state[HEALTHS + struck] == 0:
            fall(state, struck)


def fall(state: State, agent: int) -> None:
    """Take an agent off the field; nothing of it is left that could tell two equal positions apart."""
    state[state[AGENT + agent]] = 0
    state[AGENT + agent] = -1
    state[HEALTHS + agent] = 0
    state[AMMOS + agent] = 0


def shrink(state: State) -> None:
    """The safe zone has become smaller: agents outside it die."""
    zone = radius(state)
    for agent in range(2 * AGENTS):
        cell = state[AGENT + agent]
        if cell >= 0 and not safe(cell // COLUMNS, cell % COLUMNS, zone):
            fall(state, agent)
            state[CALM] = 0
    north = living(state, 0)
    south = living(state, 1)
    if north == 0 or south == 0:
        state[END] = WIPED_OUT if north + south > 0 else NOBODY


def living(state: State, team: int) -> int:
    """How many agents of a team live."""
    count = 0
    for agent in range(team * AGENTS, team * AGENTS + AGENTS):
        count += state[AGENT + agent] >= 0
    return count


def ended(state: State) -> int:
    return state[END]


def score(state: State, player: int) -> float:
    if state[END] == NOBODY:
        return 0.0
    if state[END] == HELD:
        return -1.0 if state[TURN] == player else 1.0
    return 1.0 if living(state, player) > 0 else -1.0


# --- for people -----------------------------------------------------------------------------------------------------

ORDER_NAMES = ("wait", "up", "right", "down", "left", "shoot-up", "shoot-right", "shoot-down", "shoot-left")
SHORT = {"w": 0, "u": 1, "r": 2, "d": 3, "l": 4, "su": 5, "sr": 6, "sd": 7, "sl": 8}


def orders_of(action: int) -> list[int]:
    """The order of each agent in a joint action."""
    return [action // ORDERS ** (AGENTS - 1 - k) % ORDERS for k in range(AGENTS)]


def joint(each: Sequence[int]) -> int:
    """The joint action made of these orders."""
    return sum(order * ORDERS ** (AGENTS - 1 - k) for k, order in enumerate(each))


def symmetries() -> Any:
    """Left and right exchanged, where there is a middle column; the agents of both teams numbered otherwise."""
    made = []
    mirror = [row * COLUMNS + COLUMNS - 1 - column for row in range(ROWS) for column in range(COLUMNS)]
    for cells, turned, name in (
        (list(range(CELLS)), range(ORDERS), ""),
        (mirror, (0, 1, 4, 3, 2, 5, 8, 7, 6), "mirror left-right"),
    ):
        if name and COLUMNS % 2 == 0:
            continue
        for places in permutations(range(AGENTS)):
            each = tuple(team * AGENTS + place for team in (0, 1) for place in places)
            moved = [[0] * AGENTS for _ in range(ACTIONS)]
            for action in range(ACTIONS):
                for k, order in enumerate(orders_of(action)):
                    moved[action][places[k]] = turned[order]
            agents = "" if places == tuple(range(AGENTS)) else "agents " + " ".join(str(place + 1) for place in places)
            entries = {"agents": each, "health": each, "ammo": each, "ranks": places}
            full = ", ".join(part for part in (name, agents) if part) or "identity"
            made.append(Symmetry(full, tuple(cells), tuple(joint(one) for one in moved), entries))
    return made


def action_name(action: int) -> str:
    return "+".join(ORDER_NAMES[order] for order in orders_of(action))


def parse_action(text: str) -> int | None:
    """Also with commas or spaces, and in short: "up, shoot-left", "u sl"."""
    words = [word for word in re.split(r"[\s,+]+", text) if word]
    if len(words) != AGENTS or not all(word in SHORT or word in ORDER_NAMES for word in words):
        return None
    return joint([SHORT[word] if word in SHORT else ORDER_NAMES.index(word) for word in words])


def scene(state: State) -> field.Scene:
    """What there is to draw."""
    agents = [field.Agent(state[AGENT + i], state[HEALTHS + i], state[AMMOS + i]) for i in range(2 * AGENTS)]
    obstacles = frozenset(cell for cell in range(CELLS) if state[cell] == 1)
    teams, streaks = (tuple(agents[:AGENTS]), tuple(agents[AGENTS:])), (state[STREAKS], state[STREAKS + 1])
    zone, left = radius(state), SHRINK - state[STEPS] % SHRINK
    return field.Scene(ROWS, COLUMNS, obstacles, teams, streaks, state[TURN], HOLD, RANGE, zone, left)


def svg(state: State, look: Look) -> str:
    return field.svg(look, scene(state))


def terminal(state: State, look: Look) -> str:
    return field.terminal(look, scene(state))


def text(state: State) -> str:
    numbers = {name: state[first : first + length] for name, first, length in NUMBERS}
    if list(numbers["ranks"]) == list(range(AGENTS)):
        del numbers["ranks"]
    last = action_name(state[LAST]) if state[LAST] >= 0 else None
    return field_text.write(scene(state), numbers, PLAYERS[state[TURN]], last)


NUMBERS = (
    ("health", HEALTHS, 2 * AGENTS),
    ("ammo", AMMOS, 2 * AGENTS),
    ("ranks", RANKS, AGENTS),
    ("streaks", STREAKS, 2),
    ("steps", STEPS, 1),
    ("calm", CALM, 1),
)


def parse_text(text: str, state: State) -> None:
    lengths = {name: length for name, _, length in NUMBERS}
    found = field_text.read(text, ROWS, COLUMNS, AGENTS, lengths, PLAYERS)
    for cell in found.obstacles:
        state[cell] = 1
    for agent, cell in enumerate(found.agents):
        state[AGENT + agent] = cell
        if cell >= 0:
            state[cell] = 2 + agent // AGENTS
    for name, first, length in NUMBERS:
        for i in range(length):
            state[first + i] = found.numbers[name][i] if name in found.numbers else i if name == "ranks" else 0
    state[TURN] = found.turn
    state[LAST] = -1
    if found.last is not None:
        last = parse_action(found.last)
        if last is None:
            raise ValueError(f'last is "{found.last[:40]}", which is no action; "last {action_name(0)}" would be one')
        state[LAST] = last
    if living(state, 0) == 0 or living(state, 1) == 0:
        state[END] = WIPED_OUT if living(state, 0) + living(state, 1) > 0 else NOBODY
    elif max(state[STREAKS], state[STREAKS + 1]) == HOLD:
        state[END] = HELD


def fault(state: State) -> str | None:
    """What is wrong with a position that someone typed."""
    obstacles = sum(state[cell] == 1 for cell in range(CELLS))
    if obstacles != OBSTACLES:
        return f"there are {obstacles} obstacles, not {OBSTACLES}"
    if state[STEPS] > MAX_PLIES or state[TURN] != state[STEPS] % 2:
        return f"after {state[STEPS]} steps it cannot be the turn of {PLAYERS[state[TURN]]}"
    for agent, letter in enumerate(field_text.letters(AGENTS)):
        cell, health, ammo = state[AGENT + agent], state[HEALTHS + agent], state[AMMOS + agent]
        if cell < 0 and (health or ammo):
            return f"agent {letter} is not on the field, so its health and ammo must be 0"
        if cell >= 0 and not 1 <= health <= HEALTH:
            return f"agent {letter} has health {health}; from 1 to {HEALTH} can be"
        if cell >= 0 and ammo > AMMO:
            return f"agent {letter} has {ammo} shots; {AMMO} are the most"
        if cell >= 0 and state[END] == 0 and not safe(cell // COLUMNS, cell % COLUMNS, radius(state)):
            return f"agent {letter} stands outside the safe zone"
    if sorted(state[RANKS + k] for k in range(AGENTS)) != list(range(AGENTS)):
        return f"ranks must be the numbers 0 to {AGENTS - 1} in some order"
    if max(state[STREAKS], state[STREAKS + 1]) > HOLD:
        return f"a streak is longer than {HOLD}, which had won already"
    return None
