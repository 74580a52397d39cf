"""The agent interface: anything that picks a move.

    agent.choose(positions, seeds)        an action for each position

An agent is asked about many games at once, so that one that thinks with a network can think about all of them in one
batch. `seeds[i]` is the seed of game i: the same position and seed get the same move, whatever else is asked about, so
that a match comes out the same however many of its games run side by side.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position


class AgentFailed(ZeroGridError):
    """An agent crashed, stalled or answered nonsense: the game is void, which is not the same as lost."""


class Agent(ABC):
    """Picks moves in one game."""

    name: str  # what makes this agent again: "uct:1000"
    game: Game

    @abstractmethod
    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        """A legal action for each unfinished position."""

    def explain(self, position: Position, seed: int = 0) -> Any:
        """What the agent saw when it chose, for `why`; None where it has nothing to say."""
        return None

    def close(self) -> None:
        """Let go of what is held (processes, memory)."""
