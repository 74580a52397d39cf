"""Battlefield's twin: agents are objects, and a joint action is legal when it can be carried out on a copy.

The start is taken from the rules, since it is drawn at random; what a start must be like is tested by itself.
"""

import copy
import itertools
from dataclasses import dataclass

from games.twins.twin import Place, Result
from zerogrid.core.position import Position

WAYS = {1: (-1, 0), 2: (0, 1), 3: (1, 0), 4: (0, -1)}


class Illegal(Exception):
    pass


@dataclass
class Agent:
    team: int
    place: Place | None
    health: int
    ammo: int


class Battlefield:
    def __init__(self, start: Position) -> None:
        self.chosen = start.game.settings
        self.rows, self.columns, self.count = (self.chosen[name] for name in ("rows", "columns", "agents"))
        lines = str(start).splitlines()[1 : 1 + self.rows]
        signs = {(r, c): sign for r, line in enumerate(lines) for c, sign in enumerate(line.split())}
        at = {sign: place for place, sign in signs.items()}
        self.walls = {place for place, sign in signs.items() if sign == "#"}
        health, ammo = self.chosen["health"], self.chosen["ammo"]
        letters = "ABCD"[: self.count], "abcd"[: self.count]
        self.teams = [[Agent(team, at[one], health, ammo) for one in letters[team]] for team in (0, 1)]
        self.streaks = [0, 0]
        self.turns = self.calm = self.mover = 0
        self.over: Result | None = None

    @property
    def centre(self) -> Place:
        return self.rows // 2, self.columns // 2

    def radius(self) -> int:
        return max(self.centre) - self.turns // self.chosen["shrink"]

    def inside(self, place: Place, radius: int) -> bool:
        on_board = 0 <= place[0] < self.rows and 0 <= place[1] < self.columns
        return on_board and max(abs(place[i] - self.centre[i]) for i in (0, 1)) <= radius

    def standing(self, place: Place) -> Agent | None:
        return next((agent for team in self.teams for agent in team if agent.place == place), None)

    def obey(self, agent: Agent, order: int) -> None:
        """Carry out an order of a living or dead agent, or find that it cannot be."""
        if order == 0:
            return
        if agent.place is None:
            raise Illegal("a dead agent only waits")
        way = WAYS[order if order <= 4 else order - 4]
        if order <= 4:
            to = agent.place[0] + way[0], agent.place[1] + way[1]
            if not self.inside(to, self.radius()) or to in self.walls or self.standing(to):
                raise Illegal("no free cell in the zone")
            agent.place = to
            return
        if agent.ammo == 0:
            raise Illegal("no ammunition")
        agent.ammo -= 1
        met = self.met(agent.place, way, self.chosen["range"])
        if met is not None and met.team != agent.team:
            met.health -= 1
            self.calm = 0
            if met.health == 0:
                self.die(met)

    def met(self, place: Place, way: Place, reach: int) -> Agent | None:
        """The first agent on the way of a shot."""
        following = place[0] + way[0], place[1] + way[1]
        if reach == 0 or not self.inside(following, self.radius()) or following in self.walls:
            return None
        return self.standing(following) or self.met(following, way, reach - 1)

    @staticmethod
    def die(agent: Agent) -> None:
        agent.place, agent.health, agent.ammo = None, 0, 0

    def alive(self, team: int) -> bool:
        return any(agent.place is not None for agent in self.teams[team])

    def orders(self, action: int) -> list[int]:
        """The digits of an action in base 9, the first agent's first."""
        return [] if self.count == 0 else [int(digit) for digit in self.digits(action, self.count)]

    def digits(self, action: int, length: int) -> str:
        return "" if length == 0 else self.digits(action // 9, length - 1) + str(action % 9)

    def play(self, action: int) -> None:
        team = self.mover
        self.calm += 1
        for agent, order in zip(self.teams[team], self.orders(action), strict=True):
            self.obey(agent, order)
        holder = self.standing(self.centre)
        self.streaks[team] = self.streaks[team] + 1 if holder is not None and holder.team == team else 0
        self.turns += 1
        self.mover = 1 - team
        won = (1.0, -1.0) if team == 0 else (-1.0, 1.0)
        if not self.alive(1 - team):
            self.over = "a team is wiped out", *won
        elif self.streaks[team] == self.chosen["hold"]:
            self.over = "the centre was held", *won
        else:
            self.close_in()

    def close_in(self) -> None:
        """Agents whom the zone no longer covers die."""
        for agent in itertools.chain(*self.teams):
            if agent.place is not None and not self.inside(agent.place, self.radius()):
                self.die(agent)
                self.calm = 0
        north, south = self.alive(0), self.alive(1)
        if north != south:
            self.over = "a team is wiped out", *((1.0, -1.0) if north else (-1.0, 1.0))
        elif not north:
            self.over = "nobody is left", 0.0, 0.0

    def result(self) -> Result | None:
        return self.over

    def actions(self) -> list[int]:
        if self.over:
            return []
        found = []
        for orders in itertools.product(range(9), repeat=self.count):
            trial = copy.deepcopy(self)
            try:
                for agent, order in zip(trial.teams[self.mover], orders, strict=True):
                    trial.obey(agent, order)
            except Illegal:
                continue
            found.append(int("".join(map(str, orders)), 9))
        return found

    def signs(self) -> dict[str, object]:
        agents = [agent for team in self.teams for agent in team]
        cells = [-1 if agent.place is None else agent.place[0] * self.columns + agent.place[1] for agent in agents]
        board = ""
        for place in itertools.product(range(self.rows), range(self.columns)):
            agent = self.standing(place)
            board += "#" if place in self.walls else "." if agent is None else "ns"[agent.team]
        return {
            "board": board,
            "agents": cells,
            "health": [agent.health for agent in agents],
            "ammo": [agent.ammo for agent in agents],
            "streaks": self.streaks,
            "steps": [self.turns],
            "calm": [self.calm],
        }
