"""ZeroGrid's own agents as programs for others: our text protocol, and Gomocup's.

Both read commands line by line and write answers; what makes no sense gets an answer that says so, and the next line
is read. What the protocols are stands in engine.py and gomocup.py.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

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


class GomocupServer:
    """The protocol of Gomocup managers, for our agents. The board's size comes from the manager, K from our game."""

    def __init__(self, make: MakeAgent, find: Callable[[str], Game], k: int = 5) -> None:
        self.make, self.find, self.k = make, find, k
        self.size: tuple[int, int] | None = None
        self.exact = False
        self.turn_ms: float | None = None
        self.left_ms: float | None = None
        self.agent: Agent | None = None
        self.stones: list[tuple[int, int, int]] = []  # column, row, whose: 1 ours, 2 theirs
        self.reading = False  # between BOARD and DONE

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """An answer for every line that wants one, until there are no more or one says END."""
        for line in lines:
            text = line.strip()[:LONGEST_LINE]
            if text.upper() == "END":
                return
            try:
                answer = self._answer(text)
            except ZeroGridError as error:
                answer = f"ERROR {str(error).splitlines()[0]}"
            if answer:
                yield answer

    def _answer(self, text: str) -> str | None:
        word, _, rest = text.partition(" ")
        word = word.upper()
        numbers = [int(n) for n in re.findall(r"\d{1,9}", rest if word else text)]
        if self.reading:
            return self._stone(text)
        if word == "ABOUT":
            return 'name="ZeroGrid", author="the ZeroGrid authors", country="-", www="-"'
        if word in ("START", "RECTSTART"):
            return self._begin((numbers[0], numbers[0]) if word == "START" and numbers else tuple(numbers[:2]))
        if word == "INFO":
            return self._info(rest.split())
        if word not in ("RESTART", "BEGIN", "TURN", "BOARD", "TAKEBACK"):
            return f"UNKNOWN {text[:60]}" if text else None
        if self.size is None:
            return "ERROR say START first"
        if word == "RESTART":
            self.stones = []
            return "OK"
        if word == "BEGIN":
            return self._move()
        if word == "BOARD":
            self.stones, self.reading = [], True
            return None
        if len(numbers) < 2:
            return f"ERROR {word} needs a square, such as 7,7"
        if word == "TAKEBACK":
            self.stones = [stone for stone in self.stones if stone[:2] != (numbers[0], numbers[1])]
            return "OK"
        self.stones.append((numbers[0], numbers[1], 2))
        return self._move()

    def _begin(self, size: Any) -> str:
        if len(size) != 2:
            return "ERROR a board has a size"
        self._game(size)  # says what is wrong with it
        self.size, self.stones = size, []
        return "OK"

    def _info(self, words: list[str]) -> str | None:
        key, value = (words + ["", ""])[:2]
        if key in ("timeout_turn", "time_left") and _number(value):
            if key == "timeout_turn":
                self.turn_ms = float(value)
            else:
                self.left_ms = float(value)
        if key == "rule" and value in ("0", "1"):
            self.exact = value == "1"
        return None

    def _stone(self, text: str) -> str | None:
        if text.upper() == "DONE":
            self.reading = False
            return self._move()
        numbers = [int(n) for n in re.findall(r"\d{1,9}", text)]
        if len(numbers) >= 3 and numbers[2] in (1, 2):
            self.stones.append((numbers[0], numbers[1], numbers[2]))
        return None

    def _game(self, size: tuple[int, int]) -> Game:
        columns, rows = size
        return self.find(f"gomoku:{rows}x{columns}x{self.k}{',exact=true' if self.exact else ''}")

    def _move(self) -> str:
        assert self.size is not None
        game = self._game(self.size)
        if self.agent is None or self.agent.game != game:
            self.close()
            self.agent = self.make(game)
        position = self._position(game)
        if position.over:
            return "ERROR the game is over"
        limits = [ms / 1000 for ms in (self.turn_ms, self.left_ms) if ms]
        set_time(self.agent, min(limits) if limits else None)
        action = self.agent.choose([position], [len(position.moves)])[0]
        column, row = action % game.COLUMNS, action // game.COLUMNS
        self.stones.append((column, row, 1))
        return f"{column},{row}"

    def _position(self, game: Game) -> Position:
        """The stones as a game: black and white in turn, each in the order in which they were told."""
        ours, theirs = ([row * game.COLUMNS + c for c, row, own in self.stones if own == who] for who in (1, 2))
        if len(theirs) - len(ours) not in (0, 1):
            raise ZeroGridError(f"it cannot be our turn with {len(ours)} stones of ours and {len(theirs)} of theirs")
        black, white = (ours, theirs) if len(ours) == len(theirs) else (theirs, ours)
        position = game.start()
        for number in range(len(self.stones)):
            position.play((white if number % 2 else black)[number // 2])
        return position

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
