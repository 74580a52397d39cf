"""engine:COMMAND plays through a program that speaks ZeroGrid's text protocol, described in docs/agents.md.

    we say                                      it answers
    zerogrid 1                                  ready, and a name for itself if it likes
    game gomoku:6x6x4                           ok, or error and why
    position 0 c3 d4 b2                         nothing: the seed of the start, and all moves from there
    go 12345 10                                 move c4, or error and why: a seed for its dice, seconds it may take
    quit

Every position is sent whole, so a program need remember nothing, and may play many games in turn. Lines that begin
with "info" may come at any time and are passed over.
"""

from collections.abc import Callable

import numpy as np

from zerogrid.agents.agent import AgentFailed, RuleAgent
from zerogrid.agents.pipes import Program
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

VERSION = 1
GREETING_SECONDS = 60.0  # a program may load much before it is ready
GRACE = 1.0  # seconds beyond its time before a program counts as stalled


class EngineAgent(RuleAgent):
    """Asks a program for each move."""

    together = False

    def __init__(self, name: str, game: Game, command: str, seconds: float) -> None:
        super().__init__(name, game)
        self.seconds = seconds
        self.program = Program(command)
        self.called = command  # what the program calls itself

    def greet(self) -> None:
        """Start the program and agree on the game."""
        self.program.start()
        self.program.send(f"zerogrid {VERSION}")
        answer = self.program.wait_for(_starts("ready", "error"), GREETING_SECONDS)
        self._refused(answer)
        self.called = answer.partition(" ")[2].strip() or self.called
        self.program.send(f"game {self.game.spec}")
        self._refused(self.program.wait_for(_starts("ok", "error"), GREETING_SECONDS))

    def move(self, position: Position, seed: int) -> int:
        from_the_start(position)
        if not self.program.running:
            self.greet()
        moves = [self.game.action_name(action) for action in position.moves]
        self.program.send(" ".join(["position", str(position.seed), *moves]), f"go {seed} {self.seconds:g}")
        answer = self.program.wait_for(_starts("move", "error"), self.seconds + GRACE)
        self._refused(answer)
        try:
            return self.game.action(answer.removeprefix("move").strip())
        except ZeroGridError as error:
            raise AgentFailed(f"the engine {quote(self.program.command)} answered {quote(answer)}: {error}") from error

    def _refused(self, answer: str) -> None:
        if answer.startswith("error"):
            self.program.kill()
            raise AgentFailed(f"the engine {quote(self.program.command)} says: {quote(answer[5:].strip(), 200)}.")

    def close(self) -> None:
        self.program.end("quit")


def from_the_start(position: Position) -> None:
    """Refuse a position whose way from the start is not known: it cannot be told to a program."""
    if not np.array_equal(position.history[0], position.game.start(position.seed).state):
        raise AgentFailed("an engine is told the moves from the start, and those of this position are not known.")


def _starts(*words: str) -> Callable[[str], bool]:
    return lambda line: line.split(" ", 1)[0] in words
