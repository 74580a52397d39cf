"""ZeroGrid's own agents as programs for others, in our text protocol; for Gomocup's see gomocup_server.py.

Commands are read line by line and answers written; what makes no sense gets an answer that says so, and the next line
is read. What the protocol is stands in engine.py.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from zerogrid.agents.agent import Agent
from zerogrid.agents.engine import VERSION
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MakeAgent = Callable[[Game], Agent]
LONGEST_LINE = 100_000
HASTE = 0.8  # the part of the time allowed that a search may use; the rest is for all else


class Server:
    """Our own protocol; a generator of answers for the lines that come in."""

    def __init__(self, make: MakeAgent, find: Callable[[str], Game], game: Game | None = None) -> None:
        self.make, self.find = make, find
        self.agent: Agent | None = None
        self.position: Position | None = None
        if game is not None:
            self._take(game)

    def _take(self, game: Game) -> None:
        if self.agent is None or self.agent.game != game:
            self.close()
            self.agent, self.position = self.make(game), game.start()

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """An answer for every line that wants one, until there are no more or one says quit."""
        for line in lines:
            word, _, rest = line.strip()[:LONGEST_LINE].partition(" ")
            if word == "quit":
                return
            try:
                answer = self._answer(word, rest.split())
            except ZeroGridError as error:
                answer = f"error {str(error).splitlines()[0]}"
            if answer:
                yield answer

    def _answer(self, word: str, rest: list[str]) -> str | None:
        if word == "zerogrid":
            return f"ready ZeroGrid {self.agent.name if self.agent else ''}".rstrip() if rest == [str(VERSION)] else (
                f"error this engine speaks version {VERSION}"
            )
        if word == "game" and len(rest) == 1:
            self._take(self.find(rest[0]))
            return "ok"
        if self.agent is None or self.position is None:
            return "error say which game first: game gomoku:6x6x4" if word else None
        if word == "position" and rest and _whole(rest[0]):
            made = self.agent.game.start(int(rest[0]))
            for move in rest[1:]:
                made.play(move)
            self.position = made
            return None
        if word == "go" and rest and all(map(_number, rest[:2])):
            if self.position.over:
                return "error the game is over"
            set_time(self.agent, float(rest[1]) if len(rest) > 1 else None)
            seed = int(rest[0]) if _whole(rest[0]) else 0
            return f"move {self.agent.game.action_name(self.agent.choose([self.position], [seed])[0])}"
        return f"error {line!r} is no command" if (line := " ".join([word, *rest])[:60]) else None

    def close(self) -> None:
        """Let go of the agent."""
        if self.agent is not None:
            self.agent.close()
            self.agent = None


def set_time(agent: Agent, seconds: float | None) -> None:
    """Let an agent that can keep to a time use most of it."""
    if seconds is not None and hasattr(agent, "seconds"):
        agent.seconds = max(0.01, seconds * HASTE)


def _whole(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 19 and int(word) < 2**63


def _number(word: str) -> bool:
    return re.fullmatch(r"\d{1,18}(\.\d{1,9})?", word) is not None
