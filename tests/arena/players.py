"""Agents made for tests: they crash, cheat, or play by rote."""

from collections.abc import Callable, Sequence

from zerogrid.agents.agent import Agent, AgentFailed, RuleAgent, pick
from zerogrid.agents.by_chance import RandomAgent
from zerogrid.core.game import Game
from zerogrid.core.position import Position

When = Callable[[Position, int], Exception | int | None]


def by_chance(game: Game, name: str = "random") -> Agent:
    """Plays at random."""
    return RandomAgent(name, game)


class FirstMove(RuleAgent):
    """Always the first legal move: every game from one opening is the same."""

    def move(self, position: Position, seed: int) -> int:
        return position.actions[0]


class Troubled(Agent):
    """Plays at random, but has trouble where `when` says so: an exception, or an answer that is no move."""

    def __init__(self, game: Game, when: When, together: bool = True) -> None:
        self.name, self.game, self.when, self.together = "troubled", game, when, together
        self.asked = 0

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        answers = []
        for position, seed in zip(positions, seeds):
            self.asked += 1
            trouble = self.when(position, seed)
            if isinstance(trouble, Exception):
                raise trouble
            answers.append(pick(position.actions, position, seed) if trouble is None else trouble)
        return answers


def crash() -> AgentFailed:
    """What an engine that ended says."""
    return AgentFailed("the engine crashed")
