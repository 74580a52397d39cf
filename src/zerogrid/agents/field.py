"""rush (Battlefield): every agent goes to the centre by the shortest way, shoots what it can hit, and stays there."""

from array import array
from collections import deque

from zerogrid.agents.agent import RuleAgent, only_for
from zerogrid.core.game import Game
from zerogrid.core.position import Position

UP, SHOOT_UP = 1, 5


class Rush(RuleAgent):
    """Gives its orders in the order in which they are carried out, each knowing those before it."""

    def __init__(self, name: str, game: Game) -> None:
        only_for(game, name, "battlefield")
        super().__init__(name, game)

    def move(self, position: Position, seed: int) -> int:
        game, team = self.game, position.to_move
        state = array("h", position.state.tolist())
        zone = game.radius(state)
        orders = [0] * game.AGENTS
        for k in sorted(range(game.AGENTS), key=lambda k: state[game.RANKS + k]):
            orders[k] = self._order(state, team * game.AGENTS + k, zone)
            game.act(state, team * game.AGENTS + k, orders[k], zone)
        return int(game.joint(orders))

    def _order(self, state: "array[int]", agent: int, zone: int) -> int:
        game = self.game
        cell = state[game.AGENT + agent]
        if cell < 0:
            return 0
        if state[game.AMMOS + agent] > 0:
            for direction in range(4):
                if game.victim(state, cell, UP + direction, zone, 0, 0) >= 0:
                    return SHOOT_UP + direction
        if cell == game.CENTRE:
            return 0
        steps = [step for step in range(UP, UP + 4) if self._free(state, game.neighbour(cell, step, zone))]
        if not steps:
            return 0
        # Agents in the way may leave it: where no free way is left, walk as if only obstacles were there.
        for through_agents in (False, True):
            away = self._distances(state, zone, through_agents)
            reachable = [step for step in steps if game.neighbour(cell, step, zone) in away]
            if reachable:
                best = min(reachable, key=lambda step: away[game.neighbour(cell, step, zone)])
                # Waiting beside an occupied centre is better than walking away from it.
                return best if not through_agents or away[game.neighbour(cell, best, zone)] < away[cell] else 0
        return 0

    def _free(self, state: "array[int]", cell: int) -> bool:
        return cell >= 0 and state[cell] == 0

    def _distances(self, state: "array[int]", zone: int, through_agents: bool) -> dict[int, int]:
        """From the centre to every cell with a way there, the centre itself counted as free."""
        game = self.game
        found = {int(game.CENTRE): 0}
        if state[game.CENTRE] != 0 and not through_agents:
            return {}
        waiting = deque(found)
        while waiting:
            cell = waiting.popleft()
            for step in range(UP, UP + 4):
                beside = game.neighbour(cell, step, zone)
                if beside < 0 or beside in found:
                    continue
                if state[beside] == 0 or (through_agents and state[beside] > 1):
                    found[beside] = found[cell] + 1
                    waiting.append(beside)
        return found
