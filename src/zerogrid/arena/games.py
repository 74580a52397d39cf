"""Games as they are kept: one JSON line each, written as soon as the game is over.

    {"number": 4, "game": "gomoku:6x6x4", "seed": 0, "players": ["uct:100", "random"], "opening": 2, "opened": 4,
     "moves": [14, 15, ...], "scores": [1.0, -1.0], "result": 1.0, "ending": "a row of stones", "attempt": 1}

`players` and `scores` are the first player's and the second's, `result` the first player's points: 1, 0.5 or 0. The
first `opened` moves are the opening's. A game that had to be given up has "void" with the reason, and no result.

The file is locked while it is written to, and every line is on the disk before the next game counts. A line that was
cut short when the machine went down is taken off when the file is opened again.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerogrid.arena.results import GameResult
from zerogrid.core.errors import BadResults, quote

GAMES = "games.jsonl"
LONGEST_LINE = 1_000_000


@dataclass(frozen=True)
class GameRecord:
    """One game that was played, or given up."""

    number: int  # its place in the schedule
    game: str
    seed: int  # of the start, for games with chance
    players: tuple[str, str]  # who moved first, and who second
    opening: int
    opened: int
    moves: tuple[int, ...]
    scores: tuple[float, float] | None  # None: void
    ending: str
    attempt: int = 1
    void: str = ""
    illegal: str = ""  # who answered with what may not be played, and lost by it

    @property
    def result(self) -> float | None:
        """The first player's points."""
        if self.scores is None:
            return None
        return 0.5 if self.scores[0] == self.scores[1] else float(self.scores[0] > self.scores[1])

    @property
    def winner(self) -> str | None:
        """Who won; None for a draw or a void game."""
        return None if self.result in (None, 0.5) else self.players[0 if self.result else 1]

    @property
    def row(self) -> GameResult:
        """As the statistics want it."""
        assert self.result is not None
        return GameResult(*self.players, self.opening, self.result)

    @property
    def same(self) -> tuple[Any, ...]:
        """What two games share that are the same game over again."""
        return (self.players, self.seed, self.moves)

    def line(self) -> dict[str, Any]:
        """For JSON."""
        kept = {**vars(self), "result": self.result}
        return {name: value for name, value in kept.items() if value != "" or name == "ending"}

    @staticmethod
    def of_line(what: Any, place: str) -> "GameRecord":
        """From JSON, checked."""
        try:
            scores = what.get("scores")
            return GameRecord(
                number=_whole(what.get("number", 0)),
                game=_text(what["game"]),
                seed=_whole(what.get("seed", 0)),
                players=(_text(what["players"][0]), _text(what["players"][1])),
                opening=_whole(what.get("opening", 0)),
                opened=_whole(what.get("opened", 0)),
                moves=tuple(_whole(move) for move in what["moves"]),
                scores=None if scores is None else (float(scores[0]), float(scores[1])),
                ending=_text(what.get("ending", "")),
                attempt=_whole(what.get("attempt", 1)),
                void=_text(what.get("void", "")),
                illegal=_text(what.get("illegal", "")),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise BadResults(f"{place} is no game: it lacks something or has it in another form ({error}).") from error


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def read_games(path: str | Path) -> Iterator[GameRecord]:
    """The games of a file, or of the file in a match's folder."""
    file = Path(path)
    file = file / GAMES if file.is_dir() else file
    try:
        with file.open("rb") as lines:
            yield from _records(lines, file.name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadResults(f"the games file {quote(file)} cannot be read: {reason}.") from error


def _records(lines: Iterable[bytes], name: str) -> Iterator[GameRecord]:
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise BadResults(f"{name}, line {number} is too long; a game has at most {LONGEST_LINE:,} bytes.")
        if line.strip():
            yield GameRecord.of_line(_object(line, f"{name}, line {number}"), f"{name}, line {number}")


def _object(line: bytes, place: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadResults(f"{place} is not JSON.") from error


class GameLog:
    """The games of one match or tournament in a folder: those played already, and a place for more."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / GAMES
        self._file = self.path.open("a+b")
        _lock(self._file, folder)
        self._drop_what_was_cut_short()
        self._file.seek(0)
        self.records = list(_records(self._file, GAMES))

    def add(self, record: GameRecord) -> None:
        """Write a game; when this returns it is on the disk."""
        self.records.append(record)
        self._file.write(json.dumps(record.line(), separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        self._file.close()

    def _drop_what_was_cut_short(self) -> None:
        self._file.seek(0)
        whole = self._file.read()
        end = whole.rfind(b"\n") + 1
        if end < len(whole):
            self._file.truncate(end)


def _lock(file: Any, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks here; two matches in one folder are then their owner's business
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise BadResults(f"another match is being played in {quote(folder)}; wait, or take another folder.") from error
