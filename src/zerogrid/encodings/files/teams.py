"""Battlefield as its paper (4, section 3.1.1) shows it: for n agents a side 2n + 8 planes, twelve for two.

    0        .. n - 1    own agents, a plane each         2n + 3   turns left, as a part of all, everywhere
    n        .. 2n - 1   enemy agents, likewise           2n + 4   own streak on the centre, as a part of what wins
    2n       obstacles                                    2n + 5   the enemy's streak
    2n + 1   health of own agents where they stand        2n + 6   ammunition of own agents where they stand
    2n + 2   health of enemy agents                       2n + 7   ammunition of enemy agents

With context=true three more, each the same number everywhere:

    2n + 8   turns left      2n + 9   1 if this position has occurred before      2n + 10   turns since the last damage

A position has occurred before when the same team was to move and every agent stood on the same cell with the same
health and ammunition; turns and streaks do not count, since turns never come again. That is seen by looking back: with
context=true the encoding is given the whole game so far (of games of over 256 turns the last 256).

turned=true turns the board half round for the second player, so that the mover always starts above. Orders then turn
with it.
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings import standard

GAME = game_module("battlefield")
STACKED = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
CONTEXT = setting("context", False, help="planes of turns left, repetition, and turns since the last damage")
TURNED = setting("turned", False, help="the board is turned half round for the second player")

AGENTS, CELLS, COLUMNS = GAME.AGENTS, GAME.CELLS, GAME.COLUMNS
HEIGHT, WIDTH = GAME.ROWS, GAME.COLUMNS
LONGEST_LOOK = 256
HISTORY = max(STACKED, min(GAME.MAX_PLIES, LONGEST_LOOK)) if CONTEXT else STACKED
AGENT, HEALTHS, AMMOS, RANKS, STREAKS = GAME.AGENT, GAME.HEALTHS, GAME.AMMOS, GAME.RANKS, GAME.STREAKS
TURN, STEPS, CALM, ORDERS = GAME.TURN, GAME.STEPS, GAME.CALM, GAME.ORDERS
FULL_HEALTH, FULL_AMMO, LASTS, WINS = GAME.HEALTH, max(GAME.AMMO, 1), GAME.MAX_PLIES, GAME.HOLD

OBSTACLES = 2 * AGENTS
HEALTH, LEFT, STREAK, AMMO = OBSTACLES + 1, OBSTACLES + 3, OBSTACLES + 4, OBSTACLES + 6
LEFT_AGAIN, AGAIN, QUIET = OBSTACLES + 8, OBSTACLES + 9, OBSTACLES + 10
NAMES = (
    *(f"own agent {agent + 1}" for agent in range(AGENTS)),
    *(f"enemy agent {agent + 1}" for agent in range(AGENTS)),
    "obstacles",
    "own health",
    "enemy health",
    "turns left",
    "own streak",
    "enemy streak",
    "own ammunition",
    "enemy ammunition",
    *(("turns left again", "occurred before", "turns since damage") if CONTEXT else ()),
)
BASE = len(NAMES)
PLANES = BASE * STACKED
PLANE_NAMES = tuple(name + (f", {step} before" if step else "") for step in range(STACKED) for name in NAMES)
SHARED = BASE & -BASE  # lanes that share a cell, as in standard.py
blank = standard.completed(standard.blank, {"CELLS": CELLS, "BASE": BASE, "SHARED": SHARED})


def encode(states: Any, rows: Any, known: int, lane: int, scratch: Any, out: Any) -> None:
    me = states[rows[0], TURN]
    for step in range(STACKED):
        if step < known:
            again = occurred_before(states, rows, known, step, lane) if CONTEXT else 0.0
            paint_field(states[rows[step]], me, again, lane, out, step * BASE)
        else:
            blank(step * BASE, lane, out)
    spmd.sync()
    for step in range(min(STACKED, known)):
        paint_agents(states[rows[step]], me, lane, out, step * BASE)


def paint_field(state: Any, me: int, again: float, lane: int, out: Any, first: int) -> None:
    """All planes as if nobody were there."""
    left = (LASTS - state[STEPS]) / LASTS
    own = state[STREAKS + me] / WINS
    enemy = state[STREAKS + 1 - me] / WINS
    quiet = state[CALM] / LASTS
    together = min(SHARED, spmd.LANES)
    for cell in range(lane // together, CELLS, spmd.LANES // together):
        obstacle = 1.0 if state[seen(cell, me)] == 1 else 0.0
        for plane in range(lane % together, BASE, together):
            value = 0.0
            if plane == OBSTACLES:
                value = obstacle
            elif plane in (LEFT, LEFT_AGAIN):
                value = left
            elif plane == STREAK:
                value = own
            elif plane == STREAK + 1:
                value = enemy
            elif plane == AGAIN:
                value = again
            elif plane == QUIET:
                value = quiet
            out[cell, first + plane] = value


def paint_agents(state: Any, me: int, lane: int, out: Any, first: int) -> None:
    """The living where they stand."""
    for agent in range(lane, 2 * AGENTS, spmd.LANES):
        if state[AGENT + agent] >= 0:
            cell = seen(state[AGENT + agent], me)
            side = agent // AGENTS ^ me
            out[cell, first + side * AGENTS + agent % AGENTS] = 1.0
            out[cell, first + HEALTH + side] = state[HEALTHS + agent] / FULL_HEALTH
            out[cell, first + AMMO + side] = state[AMMOS + agent] / FULL_AMMO


def seen(cell: int, me: int) -> int:
    """Where a cell of the board is seen, and the other way round."""
    return CELLS - 1 - cell if TURNED and me == 1 else cell


def occurred_before(states: Any, rows: Any, known: int, step: int, lane: int) -> float:
    """Whether the position `step` turns ago stood there before; the lanes look at different turns of the same team."""
    found = 0.0
    for back in range(step + 2 + 2 * lane, known, 2 * spmd.LANES):
        if same_field(states[rows[step]], states[rows[back]]):
            found = 1.0
    return spmd.allmax(found)


def same_field(one: Any, other: Any) -> bool:
    """Whether all agents stand where they stood, with the health and ammunition they had."""
    for i in range(AGENT, RANKS):
        if one[i] != other[i]:
            return False
    return True


def turned_round(order: int) -> int:
    """The order that does the same on the turned board: up for down, right for left."""
    if order == 0:
        return 0
    return order + 2 if (order - 1) % 4 < 2 else order - 2


def slot(state: Any, action: int) -> int:
    if not TURNED or state[TURN] == 0:
        return action
    turned = 0
    power = 1
    for _ in range(AGENTS):
        turned += turned_round(action // power % ORDERS) * power
        power *= ORDERS
    return turned


# --- action tokens --------------------------------------------------------------------------------------------------

EACH = 7
FEATURE_NAMES = tuple(
    f"agent {agent + 1}: {what}"
    for agent in range(AGENTS)
    for what in ("row", "column", "target row", "target column", "waits", "moves", "shoots")
) + ("listed",)
FEATURES = len(FEATURE_NAMES)


def describe(state: Any, action: int, out: Any) -> None:
    """For each agent where it stands and which cell its order is aimed at, the next one in that direction, rows and
    columns from 0 to 1 (a little outside for a shot off the board); what it does, one of three; zeros for the dead."""
    me = state[TURN]
    power = 1
    for k in range(AGENTS - 1, -1, -1):
        order = action // power % ORDERS
        power *= ORDERS
        first = k * EACH
        cell = state[AGENT + me * AGENTS + k]
        for i in range(EACH):
            out[first + i] = 0.0
        if cell >= 0:
            if TURNED and me == 1:
                cell = seen(cell, me)
                order = turned_round(order)
            direction = (order - 1) % 4 + 1 if order > 0 else 0
            row = cell // COLUMNS
            column = cell % COLUMNS
            out[first] = row / (HEIGHT - 1)
            out[first + 1] = column / (WIDTH - 1)
            out[first + 2] = (row + (direction == 3) - (direction == 1)) / (HEIGHT - 1)
            out[first + 3] = (column + (direction == 2) - (direction == 4)) / (WIDTH - 1)
            out[first + 4 + (0 if order == 0 else 1 if order <= 4 else 2)] = 1.0
    out[EACH * AGENTS] = 1.0


def move(symmetry: Any) -> Move:
    """Agents that are numbered otherwise change their planes; turning the board round goes with every symmetry."""
    places = symmetry.entries["ranks"]
    agents = tuple(team * AGENTS + place for team in (0, 1) for place in places)
    return Move(symmetry.cells, agents + tuple(range(2 * AGENTS, BASE)), symmetry.actions)
