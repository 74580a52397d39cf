"""zerogrid rate: ratings from games that were played."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, nearest, quote

if TYPE_CHECKING:
    from zerogrid.arena.games import GameRecord


def rate(
    say: Output,
    results: Annotated[tuple[Path, ...], "games.jsonl files, or folders of matches and tournaments"],
    *,
    anchor: Annotated[tuple[str, ...], "a player whose rating is given, as random=0; may be given again"] = (),
    seed: Annotated[int, "of the bootstrap"] = 0,
    crosstable: Annotated[Path | None, "draw the crosstable into this .png or .svg file"] = None,
    ratings: Annotated[Path | None, "draw ratings with their intervals into this .png or .svg file"] = None,
) -> int:
    """Rate the players of matches and tournaments together.

    Bradley-Terry with draws and the advantage of the first move, intervals by bootstrap over pairs of games, around a
    mean of 0 or with anchors; beside it the Elo of the papers (K = 32, one game after the other). Says where a rating
    cannot be the whole truth: cycles, surprises, players who never lost. Games of a sequential test or a gate do not
    belong here: they stopped when they looked good.

    Examples:
      zerogrid rate cups/first
      zerogrid rate matches/a matches/b --anchor random=0 --ratings ratings.svg --json
    """
    from zerogrid.arena.event import kind_of
    from zerogrid.arena.games import read_games
    from zerogrid.arena.provenance import provenance
    from zerogrid.arena.tournament import table
    from zerogrid.cli.tournament import draw

    records: list[GameRecord] = []
    for number, path in enumerate(results):
        # Openings and places in the schedule mean something within one file only.
        if kind_of(path) == "sprt":
            raise ZeroGridError(f"{quote(path)} holds a sequential test, which stopped at a good moment; play a match.")
        begin = 2 * len(records)
        records += [_moved(record, begin, number) for record in read_games(path)]
    if not any(record.scores is not None for record in records):
        raise ZeroGridError("there is no finished game in these files.")
    specs = sorted({record.game for record in records})
    if len(specs) > 1:
        raise ZeroGridError(f"these are games of {' and '.join(specs)}; rate one game at a time.")
    players = sorted({player for record in records for player in record.players})
    found = table(records, anchors_of(anchor, players), seed)
    counted = sum(record.scores is not None for record in records)
    say.record({"game": specs[0], "games": counted, **found.as_dict(), "seed": seed, **provenance()})
    for line in found.sentences():
        say.text(line)
    draw(found, specs[0], crosstable, ratings, say)
    return 0


def _moved(record: "GameRecord", begin: int, file: int) -> "GameRecord":
    return replace(record, number=begin + record.number, opening=record.opening + (file << 32))


def anchors_of(words: Sequence[str], players: Sequence[str]) -> dict[str, float]:
    """From "random=0" to the player and its rating."""
    found: dict[str, float] = {}
    for word in words:
        name, equals, value = word.rpartition("=")
        try:
            elo = float(value)
        except ValueError:
            elo = float("nan")
        if not equals or not abs(elo) < 1e6:
            raise ZeroGridError(f"--anchor is a player and its rating, such as random=0, not {quote(word)}.")
        if name not in players:
            there = f"there are {', '.join(players)}.{nearest(name, players)}"
            raise ZeroGridError(f"there is no player {quote(name)}; {there}")
        found[name] = elo
    return found
