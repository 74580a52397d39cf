"""The agent interface: anything that picks a move.

    agent.choose(positions, seeds)        an action for each position

An agent is asked about many games at once, so that one that thinks with a network can think about all of them in one
batch. `seeds[i]` is the seed of game i: the same position and seed get the same move, whatever else is asked about, so
that a match comes out the same however many of its games run side by side.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from zerogrid.core import draws
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position


class UnknownAgent(ZeroGridError):
    """There is no agent of that name, or not for this game."""


class AgentFailed(ZeroGridError):
    """An agent crashed, stalled or answered nonsense: the game is void, which is not the same as lost."""

    exit_code = 1


class Agent(ABC):
    """Picks moves in one game."""

    name: str  # what makes this agent again: "uct:1000"
    game: Game
    together = True  # whether many positions at once are quicker than one after the other

    @abstractmethod
    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        """A legal action for each unfinished position."""

    def think(self, position: Position, seed: int = 0) -> tuple[int, Any]:
        """A move, and what was seen when it was chosen; None where that has to be found out anew, see `explain`."""
        return self.choose([position], [seed])[0], None

    def explain(self, position: Position, seed: int = 0) -> Any:
        """What the agent saw when it chose, for `why`; None where it has nothing to say."""
        return None

    def close(self) -> None:  # noqa: B027 - most agents hold nothing
        """Let go of what is held (processes, memory)."""


class RuleAgent(Agent):
    """An agent that looks at one position at a time and needs no memory."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game

    @abstractmethod
    def move(self, position: Position, seed: int) -> int:
        """A legal action."""

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return [self.move(position, seed) for position, seed in zip(positions, seeds, strict=True)]


def pick(options: Sequence[int], position: Position, seed: int) -> int:
    """One of the options by chance; the same position and seed give the same one."""
    if len(options) == 1:
        return options[0]
    return options[draws.below(len(options), seed, draws.AGENT, len(position.moves), 0)]


def only_for(game: Game, name: str, *games: str) -> None:
    """Refuse a game that an agent does not know."""
    if game.name not in games:
        raise UnknownAgent(f"the agent {quote(name)} plays {' and '.join(games)} only, not {game.spec}.")
