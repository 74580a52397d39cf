"""The Gomocup protocol from the other side: our agents as programs that a tournament's manager starts.

A manager's lines come in, answers go out. All commands of the protocol are known: START, RECTSTART, RESTART, BEGIN,
TURN, BOARD, SWAP2BOARD, TAKEBACK, INFO, ABOUT, END; PLAY answers a SUGGEST, which we never send. What cannot be done is
answered with ERROR and why, and leaves the board as it was. https://plastovicka.github.io/protocl2en.htm describes it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata

from zerogrid.agents.agent import Agent
from zerogrid.agents.searching import SearchAgent
from zerogrid.agents.serving import LONGEST_LINE, MakeAgent, set_time
from zerogrid.agents.swap2 import SWAP, swap2_answer
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position

OURS, THEIRS = 1, 2
UNLIMITED = 2147483647  # what a manager says is left of a match without an end
SPARE = 10  # a move may take this part of the time that is left for the match
SOONEST = 0.01  # seconds, for "as fast as possible"
PROPOSING = 14  # swap2 with an empty board looks at many positions within the time of one
RULES = {"2": "continuous games", "4": "renju", "8": "caro"}
_NUMBER = r"-?\d{1,9}"
_SQUARE = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")
_STONE = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")
_SIZE = re.compile(r"\s*(\d{1,4})\s*")


class Refused(ZeroGridError):
    """What a manager asks for cannot be done."""


class GomocupServer:
    """Answers a manager. The board's size comes from it, how long a row wins from our game."""

    def __init__(self, make: MakeAgent, find: Callable[[str], Game], k: int = 5) -> None:
        self.make, self.find, self.k = make, find, k
        self.size: tuple[int, int] | None = None  # columns, rows
        self.exact = False
        self.unknown_rule = ""
        self.turn_ms: float | None = None
        self.left_ms: float | None = None
        self.agent: Agent | None = None
        self.stones: list[tuple[int, int, int]] = []  # column, row, whose
        self.reading = ""  # BOARD or SWAP2BOARD, until DONE
        self.told: list[str] = []  # the lines since then
        self.begun = 0  # games, so that swap2 openings are not always the same

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """An answer for every line that wants one, until there are no more or one says END."""
        for line in lines:
            text = line.strip()[:LONGEST_LINE]
            if text.upper() == "END":
                return
            before = list(self.stones)
            try:
                answer = self._answer(text)
            except ZeroGridError as error:
                self.stones = before
                answer = f"ERROR {str(error).splitlines()[0]}"
            if answer:
                yield answer

    def _answer(self, text: str) -> str | None:
        word, _, rest = text.partition(" ")
        word = word.upper()
        if self.reading:
            return self._read(text)
        if word == "ABOUT":
            return f'name="ZeroGrid", version="{metadata.version("zerogrid")}", author="the ZeroGrid authors"'
        if word == "INFO":
            self._info(rest.split())
            return None
        if word == "START":
            size = _SIZE.fullmatch(rest)
            return self._begin((int(size[1]), int(size[1])) if size else None, "START 15")
        if word == "RECTSTART":
            sides = _SQUARE.fullmatch(rest)
            return self._begin((int(sides[1]), int(sides[2])) if sides else None, "RECTSTART 15,12")
        if word not in ("RESTART", "BEGIN", "TURN", "BOARD", "SWAP2BOARD", "TAKEBACK"):
            return f"UNKNOWN {text[:60]}" if text else None
        if self.size is None:
            raise Refused("say START first")
        if word == "RESTART":
            self.stones, self.begun = [], self.begun + 1
            return "OK"
        if word in ("BOARD", "SWAP2BOARD"):
            self.reading, self.told = word, []
            return None
        if word == "TAKEBACK":
            return self._take_back(self._square(rest))
        if word == "TURN":
            square = self._square(rest)
            if any(stone[:2] == square for stone in self.stones):
                raise Refused(f"{rest} is taken")
            self.stones.append((*square, THEIRS))
        return self._move()

    # --- the board --------------------------------------------------------------------------------------------------

    def _begin(self, size: tuple[int, int] | None, example: str) -> str:
        """A board of this size; what takes long is done now, before any clock runs."""
        if size is None:
            raise Refused(f"a board has a size, such as {example}")
        self.size, self.stones = None, []
        self._agent(self._game(size))
        self.size, self.begun = size, self.begun + 1
        return "OK"

    def _game(self, size: tuple[int, int]) -> Game:
        columns, rows = size
        return self.find(f"gomoku:{rows}x{columns}x{self.k}{',exact=true' if self.exact else ''}")

    def _agent(self, game: Game) -> Agent:
        """The agent for a game, compiled: else its first search would spend its time on that."""
        if self.agent is None or self.agent.game != game:
            self.close()
            self.agent = agent = self.make(game)
            if isinstance(agent, SearchAgent):
                seconds, agent.seconds = agent.seconds, SOONEST
                agent.choose([game.start()], [0])
                agent.seconds = seconds
        return self.agent

    def _square(self, text: str) -> tuple[int, int]:
        found = _SQUARE.fullmatch(text)
        if found is None:
            raise Refused(f"{text[:40]!r} is no square, such as 7,7")
        return self._inside(int(found[1]), int(found[2]))

    def _inside(self, column: int, row: int) -> tuple[int, int]:
        assert self.size is not None
        columns, rows = self.size
        if not (0 <= column < columns and 0 <= row < rows):
            raise Refused(f"{column},{row} is not on a board of {columns}x{rows}")
        return column, row

    def _take_back(self, square: tuple[int, int]) -> str:
        left = [stone for stone in self.stones if stone[:2] != square]
        if len(left) == len(self.stones):
            raise Refused(f"there is no stone on {square[0]},{square[1]}")
        self.stones = left
        return "OK"

    def _read(self, text: str) -> str | None:
        """A line between BOARD or SWAP2BOARD and DONE."""
        if text.upper() != "DONE":
            self.told += [text] if text else []
            return None
        kind, self.reading = self.reading, ""
        if kind == "SWAP2BOARD":
            return self._swap2([self._square(line) for line in self.told])
        self.stones = []
        for line in self.told:
            found = _STONE.fullmatch(line)
            if found is None or found[3] not in ("1", "2"):
                raise Refused(f"{line[:40]!r} is no stone, such as 7,7,1 for ours or 7,8,2 for the other's")
            self.stones.append((*self._inside(int(found[1]), int(found[2])), int(found[3])))
        return self._move()

    def _position(self, game: Game) -> Position:
        """The stones as a game: black and white in turn, each in the order in which they were told."""
        ours, theirs = (
            [row * game.COLUMNS + c for c, row, own in self.stones if own == who] for who in (OURS, THEIRS)
        )
        if len(theirs) - len(ours) not in (0, 1):
            raise Refused(f"it cannot be our turn with {len(ours)} stones of ours and {len(theirs)} of theirs")
        black, white = (ours, theirs) if len(ours) == len(theirs) else (theirs, ours)
        position = game.start()
        for number in range(len(self.stones)):
            position.play((white if number % 2 else black)[number // 2])
        return position

    # --- rules and time ---------------------------------------------------------------------------------------------

    def _info(self, words: list[str]) -> None:
        """What we do not know may be passed over; a rule we do not know is refused when a move is asked for."""
        key, value = ([*words, "", ""])[:2]
        if key.lower() in ("timeout_turn", "time_left") and re.fullmatch(r"-?\d{1,12}", value):
            if key.lower() == "timeout_turn":
                self.turn_ms = max(0.0, float(value))
            else:
                self.left_ms = None if int(value) >= UNLIMITED else max(0.0, float(value))
        if key.lower() == "rule" and re.fullmatch(r"\d{1,3}", value):
            self.exact = int(value) % 2 == 1
            self.unknown_rule = " and ".join(name for bit, name in RULES.items() if int(value) & int(bit))

    def _ready(self, looks: int = 1) -> tuple[Agent, Game]:
        """The agent and its game, with its time for one position of `looks`."""
        assert self.size is not None
        if self.unknown_rule:
            raise Refused(f"{self.unknown_rule} cannot be played here; INFO rule 0 and 1 can")
        game = self._game(self.size)
        agent = self._agent(game)
        limits = [ms / 1000 for ms in (self.turn_ms, None if self.left_ms is None else self.left_ms / SPARE) if ms]
        hurry = self.turn_ms == 0 or self.left_ms == 0
        set_time(agent, SOONEST if hurry else min(limits) / looks if limits else None)
        return agent, game

    def _move(self) -> str:
        agent, game = self._ready()
        position = self._position(game)
        if position.over:
            raise Refused("the game is over")
        (action,) = agent.choose([position], [len(position.moves)])
        column, row = action % game.COLUMNS, action // game.COLUMNS
        self.stones.append((column, row, OURS))
        return f"{column},{row}"

    def _swap2(self, squares: list[tuple[int, int]]) -> str:
        """The answer of a swap2 opening; the stones themselves are told again with BOARD."""
        agent, game = self._ready(looks=2 if squares else PROPOSING)
        stones = [row * game.COLUMNS + column for column, row in squares]
        answer = swap2_answer(agent, game, stones, seed=self.begun)
        if isinstance(answer, str):
            return SWAP
        return " ".join(f"{action % game.COLUMNS},{action // game.COLUMNS}" for action in answer)

    def close(self) -> None:
        """Let go of the agent."""
        if self.agent is not None:
            self.agent.close()
            self.agent = None
