"""Positions files: JSON lines, one position on each, replayed from the start with every move checked.

    {"game": "pawn_dama:5x5", "moves": ["b2-b3", 37]}        names or numbers of actions
    {"game": "battlefield:7x7", "seed": 4, "moves": []}      "seed" for games with chance

Games as matches keep them are such lines too; what else stands on them, players and results, is passed over.

A file comes from anywhere. It is read line by line, nothing in it can name code, and the first thing that is wrong is
an error that names the line, the move, and what would be right.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from zerogrid.core.catalogue import game as game_of
from zerogrid.core.errors import BadPosition, ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

LONGEST_LINE = 1_000_000
KEYS = ("game", "moves", "seed")
KEPT_WITH_GAMES = ("number", "players", "opening", "opened", "scores", "result", "ending", "attempt", "void", "illegal")
EXAMPLE = '{"game": "gomoku:6x6x4", "moves": ["c3", "d4"]}'


@dataclass(frozen=True)
class Placed:
    """A position and the line of the file it stands on, counted from 1."""

    line: int
    position: Position


def read_positions(path: str | Path) -> Iterator[Placed]:
    """The positions of a file, one at a time."""
    with _opened(Path(path)) as file:
        yield from positions_in(file, Path(path).name)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadPosition(f"the positions file {quote(path)} cannot be read: {reason}.") from error


def positions_in(file: BinaryIO, name: str) -> Iterator[Placed]:
    """The positions of an open file; `name` stands in the errors."""
    games: dict[str, Game] = {}
    for number, line in enumerate(_lines(file, name), start=1):
        if line.strip():
            yield Placed(number, _position(line, f"{name}, line {number}", games))


def _lines(file: BinaryIO, name: str) -> Iterable[bytes]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise BadPosition(f"{name}, line {number} is too long; a line has at most {LONGEST_LINE:,} bytes.")
        yield line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def _position(line: bytes, place: str, games: dict[str, Game]) -> Position:
    what = _object(line, place)
    for key in what:
        if key not in KEYS and key not in KEPT_WITH_GAMES:
            raise BadPosition(f"{place} has an unknown key {quote(key)}; it has {', '.join(KEYS)}.{nearest(key, KEYS)}")
    spec, moves, seed = what.get("game"), what.get("moves"), what.get("seed", 0)
    if not isinstance(spec, str):
        raise BadPosition(f"{place} does not name its game as a text; write it like {EXAMPLE}.")
    if not isinstance(moves, list):
        raise BadPosition(f"{place} has no list of moves; write it like {EXAMPLE}.")
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise BadPosition(f"{place}: the seed is a whole number from 0 to 2^63 - 1, not {quote(seed)}.")
    try:
        if spec not in games:
            games[spec] = game_of(spec)
        position = games[spec].start(seed)
    except ZeroGridError as error:
        raise BadPosition(f"{place}: {error}") from error
    for count, move in enumerate(moves, start=1):
        try:
            position.play(move)
        except ZeroGridError as error:
            raise BadPosition(f"{place}, move {count}: {error}") from error
    return position


def _object(line: bytes, place: str) -> dict[str, Any]:
    """The JSON object on a line; stricter than Python's reader, which takes NaN and keys given twice."""
    try:
        what = json.loads(line.decode("utf-8").rstrip("\r\n"), parse_constant=_refuse_constant, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise BadPosition(f"{place} is not UTF-8 text (byte {error.start + 1}); save the file as UTF-8.") from error
    except RecursionError as error:
        raise BadPosition(f"{place} is nested too deeply; write it like {EXAMPLE}.") from error
    except json.JSONDecodeError as error:
        where = f"column {error.colno}: {error.msg}"
        raise BadPosition(f"{place} is not JSON ({where}); write it like {EXAMPLE}.") from error
    except ValueError as error:  # from the two functions below, or a number with thousands of digits
        raise BadPosition(f"{place} cannot be read: {str(error).split(';')[0]}; write it like {EXAMPLE}.") from error
    if not isinstance(what, dict):
        raise BadPosition(f"{place} is not a JSON object; write it like {EXAMPLE}.")
    return what


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {quote(twice)} is given twice")
    return found
