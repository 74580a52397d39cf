"""Battlefield's seven potentials (paper 4, section 3.2.2), each in [-1, 1], weighted, added up and clipped to [-1, 1].

    health     living own agents minus living enemies, as a part of a team
    centre     1 / (1 + distance to the centre) of the nearest own agent, minus that of the nearest enemy
    goal       the same of all own agents, their mean
    border     how far own agents stand inside the safe zone, their mean, as a part of the first zone's radius
    threat     1 if an own agent with ammunition has an enemy in sight within range
    cohesion   1 / distance between two own agents, the mean over all pairs
    focus      the part of the pairs of own agents who have the same enemy nearest to them

Distances are counted in steps, up, down, right and left. Only the living count; who has no agent, or no pair, has 0.
The last five look at one's own team alone, as the paper words them.
"""

from typing import Any

from zerogrid.core.encoding import game_module
from zerogrid.core.rules import setting

GAME = game_module("battlefield")
HEALTH = setting("health", 0.25, least=-1, most=1, help="weight of the difference in living agents")
CENTRE = setting("centre", 0.25, least=-1, most=1, help="weight of being nearer to the centre")
GOAL = setting("goal", 0.1, least=-1, most=1, help="weight of all agents being near the centre")
BORDER = setting("border", 0.1, least=-1, most=1, help="weight of standing well inside the safe zone")
THREAT = setting("threat", 0.1, least=-1, most=1, help="weight of having an enemy in sight")
COHESION = setting("cohesion", 0.1, least=-1, most=1, help="weight of agents being near one another")
FOCUS = setting("focus", 0.1, least=-1, most=1, help="weight of agents having the same nearest enemy")

AGENTS, AGENT, AMMOS, END, RANGE = GAME.AGENTS, GAME.AGENT, GAME.AMMOS, GAME.END, GAME.RANGE
COLUMNS, CENTRE_CELL, WIDEST = GAME.COLUMNS, GAME.CENTRE, GAME.WIDEST
CENTRE_ROW, CENTRE_COLUMN = GAME.CENTRE_ROW, GAME.CENTRE_COLUMN
FARTHEST = 1 << 14
TERMS = ("health", "centre", "goal", "border", "threat", "cohesion", "focus")


def potential(state: Any, player: int) -> float:
    if state[END] != 0:
        return 0.0
    total = HEALTH * health(state, player) + CENTRE * centre(state, player) + GOAL * goal(state, player)
    total += BORDER * border(state, player) + THREAT * threat(state, player)
    total += COHESION * cohesion(state, player) + FOCUS * focus(state, player)
    return max(-1.0, min(1.0, total))


def distance(one: int, other: int) -> int:
    """Steps from cell to cell."""
    return abs(one // COLUMNS - other // COLUMNS) + abs(one % COLUMNS - other % COLUMNS)


def health(state: Any, player: int) -> float:
    return (GAME.living(state, player) - GAME.living(state, 1 - player)) / AGENTS


def nearest_to_centre(state: Any, player: int) -> float:
    """1 / (1 + distance) of the team's agent that is nearest to the centre; 0 for a team of none."""
    best = 0.0
    for agent in range(player * AGENTS, player * AGENTS + AGENTS):
        if state[AGENT + agent] >= 0:
            best = max(best, 1.0 / (1 + distance(state[AGENT + agent], CENTRE_CELL)))
    return best


def centre(state: Any, player: int) -> float:
    return nearest_to_centre(state, player) - nearest_to_centre(state, 1 - player)


def goal(state: Any, player: int) -> float:
    near = 0.0
    for agent in range(player * AGENTS, player * AGENTS + AGENTS):
        if state[AGENT + agent] >= 0:
            near += 1.0 / (1 + distance(state[AGENT + agent], CENTRE_CELL))
    return near / max(GAME.living(state, player), 1)


def border(state: Any, player: int) -> float:
    zone = GAME.radius(state)
    inside = 0
    for agent in range(player * AGENTS, player * AGENTS + AGENTS):
        cell = state[AGENT + agent]
        if cell >= 0:
            inside += zone - max(abs(cell // COLUMNS - CENTRE_ROW), abs(cell % COLUMNS - CENTRE_COLUMN))
    return inside / (max(GAME.living(state, player), 1) * WIDEST)


def threat(state: Any, player: int) -> float:
    zone = GAME.radius(state)
    for agent in range(player * AGENTS, player * AGENTS + AGENTS):
        if state[AGENT + agent] >= 0 and state[AMMOS + agent] > 0:
            for direction in range(1, 5):
                if sees_enemy(state, state[AGENT + agent], direction, zone, player):
                    return 1.0
    return 0.0


def sees_enemy(state: Any, cell: int, direction: int, zone: int, player: int) -> bool:
    """Whether a shot from a cell would meet an enemy of the player before anything else."""
    for _ in range(RANGE):
        cell = GAME.neighbour(cell, direction, zone)
        if cell < 0:
            return False
        if state[cell] != 0:
            return bool(state[cell] == 3 - player)
    return False


def cohesion(state: Any, player: int) -> float:
    near = 0.0
    pairs = 0
    for one in range(player * AGENTS, player * AGENTS + AGENTS):
        for other in range(player * AGENTS, one):
            if state[AGENT + one] >= 0 and state[AGENT + other] >= 0:
                near += 1.0 / distance(state[AGENT + one], state[AGENT + other])
                pairs += 1
    return near / max(pairs, 1)


def focus(state: Any, player: int) -> float:
    agreed = 0
    pairs = 0
    for one in range(player * AGENTS, player * AGENTS + AGENTS):
        for other in range(player * AGENTS, one):
            if state[AGENT + one] >= 0 and state[AGENT + other] >= 0:
                pairs += 1
                if share_nearest(state, state[AGENT + one], state[AGENT + other], 1 - player):
                    agreed += 1
    return agreed / max(pairs, 1)


def share_nearest(state: Any, one: int, other: int, enemy: int) -> bool:
    """Whether an enemy is among those nearest to both cells."""
    near_one = FARTHEST
    near_other = FARTHEST
    for agent in range(enemy * AGENTS, enemy * AGENTS + AGENTS):
        if state[AGENT + agent] >= 0:
            near_one = min(near_one, distance(one, state[AGENT + agent]))
            near_other = min(near_other, distance(other, state[AGENT + agent]))
    for agent in range(enemy * AGENTS, enemy * AGENTS + AGENTS):
        cell = state[AGENT + agent]
        if cell >= 0 and distance(one, cell) == near_one and distance(other, cell) == near_other:
            return True
    return False
