"""Agents that search: pure MCTS, a network with search, a network's bare policy; and the exact solver.

All of them think about many games at once. The number of trees side by side is fixed beforehand, so that a network
always sees batches of one size and a position gets the same answer whatever else is asked about.
"""

from collections.abc import Sequence
from typing import Any

from zerogrid.agents.agent import Agent, AgentFailed, RuleAgent, pick
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.search.settings import SearchSettings

MEMORY = 1 << 29  # bytes of trees that an agent may take
CARD_MEMORY = 1 << 33  # on a card
MOST_MEMORY = 1 << 31  # and one that searches very long; what a tree has room for is only taken as it grows
EDGE_BYTES = 32  # an edge of a tree


class SearchAgent(Agent):
    """Plays what a search chooses; with 0 simulations what the network alone likes best."""

    def __init__(
        self,
        name: str,
        game: Game,
        evaluator: Any,
        settings: SearchSettings,
        seconds: float | None = None,
        games: int = 64,
        threads: int = 1,
        raw: bool = False,
    ) -> None:
        self.name, self.game, self.settings = name, game, settings
        self.evaluator, self.seconds, self.raw = evaluator, seconds, raw
        self.games, self.threads = side_by_side(game, settings, games, self.on_card), threads
        self._searcher: Any = None

    @property
    def on_card(self) -> bool:
        """Whether the whole search is on a CUDA card."""
        return bool(getattr(self.evaluator, "device", "cpu") == "cuda")

    @property
    def searcher(self) -> Any:
        """The search, made when it is first needed."""
        if self._searcher is None:
            if self.on_card:
                from zerogrid.search.card import CardSearcher

                self._searcher = CardSearcher(self.game, self.evaluator, self.settings, self.games)
            else:
                from zerogrid.search.searcher import Searcher

                self._searcher = Searcher(
                    self.game, self.evaluator, self.settings, self.games, self.threads, memory=MOST_MEMORY
                )
        return self._searcher

    def answers(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[Any]:
        """What the search found out about each position."""
        found: list[Any] = self.searcher.search(list(positions), list(seeds), self.seconds)
        return found

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return [self._choice(answer) for answer in self.answers(positions, seeds)] if positions else []

    def _choice(self, answer: Any) -> int:
        if not self.raw:
            return int(answer.choice)
        priors: tuple[float, ...] = answer.priors
        return int(answer.actions[priors.index(max(priors))])

    def think(self, position: Position, seed: int = 0) -> tuple[int, Any]:
        answer = self.explain(position, seed)
        return self._choice(answer), answer

    def explain(self, position: Position, seed: int = 0) -> Any:
        return self.answers([position], [seed])[0]

    def close(self) -> None:
        for held in (self._searcher, self.evaluator):
            if hasattr(held, "close"):
                held.close()
        self._searcher = None


def side_by_side(game: Game, settings: SearchSettings, most: int, on_card: bool = False) -> int:
    """How many trees fit into the memory of one agent."""
    tree = (settings.simulations + 2) * int(game.MAX_LEGAL) * EDGE_BYTES
    return max(1, min(most, (CARD_MEMORY if on_card else MEMORY) // tree))


class SolverAgent(RuleAgent):
    """Plays a move that keeps the exact value, one of them by chance."""

    def __init__(self, name: str, game: Game, seconds: float, memory: str = "1G") -> None:
        super().__init__(name, game)
        from zerogrid.solvers.choose import solver_for

        self.seconds = seconds
        self.solver = solver_for(game, memory)

    def move(self, position: Position, seed: int) -> int:
        solution = self.solver.solve(position, seconds=self.seconds, line=False)
        if not solution.solved:
            raise AgentFailed(
                f"the solver did not solve a position of {self.game.spec} after {len(position.moves)} plies "
                f"within {self.seconds:g} s; let it play later positions, or give it longer: solver@seconds=600."
            )
        return pick(solution.best_actions, position, seed)

    def explain(self, position: Position, seed: int = 0) -> Any:
        return self.solver.solve(position, seconds=self.seconds)
