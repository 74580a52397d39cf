"""Opening books: a file of openings for one game, with how it was made and a hash, so that results can name it.

    {"book": "gomoku:6x6x4", "plies": [4], "wanted": 200, "seed": 1, "made": "...", "count": 200, "sha256": "..."}
    {"seed": 0, "moves": [14, 20, 8, 27]}
    ...

A book is made from openings by chance. Each is judged by a pure MCTS search, and the ones kept are those it holds for
the most balanced. Positions that are symmetric to one another count once. The hash is over the lines of the openings.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerogrid.arena.openings import Opening, Openings
from zerogrid.core.errors import BadSetting, ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.progress import Progress

OWN_BOOKS = Path(__file__).resolve().parent / "data" / "books"
LARGEST = 20_000_000  # bytes


class BadBook(ZeroGridError):
    """An opening book is damaged, for another game, or does not exist."""


@dataclass(frozen=True)
class Book:
    """Openings of one game, and how they were made."""

    game: Game
    openings: tuple[Opening, ...]
    about: dict[str, Any]

    @property
    def sha256(self) -> str:
        """The hash of the openings."""
        return hashlib.sha256("".join(_line(opening) for opening in self.openings).encode()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the book."""
        head = {"book": self.game.spec, **self.about, "count": len(self.openings), "sha256": self.sha256}
        text = json.dumps(head) + "\n" + "".join(_line(opening) for opening in self.openings)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BadBook(f"the book {quote(path)} cannot be written: {error.strerror}.") from error


def _line(opening: Opening) -> str:
    return json.dumps({"seed": opening.seed, "moves": list(opening.moves)}, separators=(",", ":")) + "\n"


def file_name(game: Game) -> str:
    """Of the book of a game: gomoku-6x6x4.jsonl."""
    return game.spec.replace(":", "-").replace(",", "-").replace("=", "-") + ".jsonl"


def book_for(game: Game, path: str = "") -> Book:
    """The book in a file, or the one that comes with ZeroGrid."""
    if path:
        return read_book(game, Path(path))
    own = OWN_BOOKS / file_name(game)
    if not own.is_file():
        raise BadBook(
            f"no opening book of {game.spec} comes with ZeroGrid; make one with zerogrid book {game.spec} --out FILE "
            "and give it as book:FILE, or take random:4."
        )
    return read_book(game, own)


def read_book(game: Game, path: Path) -> Book:
    """A book from a file, every move checked."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadBook(f"the book {quote(path)} is too large; {LARGEST:,} bytes are the most.")
        lines = path.read_text(encoding="utf-8").splitlines()
        head, *rest = [json.loads(line) for line in lines if line.strip()] or [None]
        spec = head["book"]
        if spec != game.spec:
            raise BadBook(f"the book {quote(path)} is for {quote(spec)}, not for {game.spec}.")
        openings = tuple(Opening(int(one["seed"]), tuple(map(int, one["moves"]))) for one in rest)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadBook(f"the book {quote(path)} cannot be read: {error}.") from error
    about = {name: value for name, value in head.items() if name not in ("book", "count", "sha256")}
    book = Book(game, openings, about)
    if not openings or head.get("sha256") != book.sha256:
        raise BadBook(f"the book {quote(path)} is damaged: its openings are not those that its hash was made of.")
    for number, opening in enumerate(openings, start=2):
        try:
            over = opening.position(game).over
        except ZeroGridError as error:
            raise BadBook(f"the book {quote(path)}, line {number}: {error}") from error
        if over:
            raise BadBook(f"the book {quote(path)}, line {number}: the game is over before it begins.")
    return book


def make_book(
    game: Game,
    plies: Sequence[int] = (4,),
    count: int = 200,
    seed: int = 0,
    simulations: int = 400,
    spare: int = 3,
    threads: int = 1,
) -> Book:
    """The most balanced ones of `spare` times as many openings, as pure MCTS sees them, as many of each length."""
    if count < 1 or not plies or min(plies) < 1:
        raise BadSetting(f"a book needs openings: count {count} and plies {list(plies)} must be 1 or more.")
    judge = _judge(game, simulations, threads)
    kept: list[Opening] = []
    for place, length in enumerate(plies):
        wanted = count // len(plies) + (place < count % len(plies))
        found = _candidates(game, length, wanted * spare, seed)
        values: list[float] = []
        with Progress(f"judging openings of {length} moves", len(found), "openings") as progress:
            for first in range(0, len(found), 64):
                part = [opening.position(game) for opening in found[first : first + 64]]
                values += judge(part, seed)
                progress.advance(len(part))
        order = sorted(range(len(found)), key=lambda i: (abs(values[i]), i))[:wanted]
        kept += [found[i] for i in sorted(order)]
    made = f"random moves; the most balanced of {spare} times as many after {simulations} random games each"
    return Book(game, tuple(kept), {"plies": list(plies), "wanted": count, "seed": seed, "made": made})


def _candidates(game: Game, length: int, wanted: int, seed: int) -> list[Opening]:
    """So many openings, or as many as there are, no two of them symmetric to one another."""
    openings, seen, found = Openings(game, f"random:{length}", seed), set(), []
    for index in range(20 * wanted):
        opening = openings[index]
        if openings._all and index >= len(openings._found):
            break
        state = opening.position(game).state
        images = (game.image(symmetry, state)[: game.layout.key_size].tobytes() for symmetry in game.symmetries)
        place = (min(images), opening.seed)
        if place not in seen:
            seen.add(place)
            found.append(opening)
        if len(found) == wanted:
            break
    return found


def _judge(game: Game, simulations: int, threads: int) -> Any:
    from zerogrid.search.searcher import Searcher
    from zerogrid.search.settings import SearchSettings

    searcher = Searcher(game, None, SearchSettings.for_kind("uct", simulations=simulations), games=64, threads=threads)

    def judge(positions: Sequence[Any], seed: int) -> list[float]:
        answers = searcher.search(list(positions), seeds=[seed + i for i in range(len(positions))])
        return [float(answer.value) for answer in answers]

    return judge
