"""Ratings of a run's champions, from its exams: fixed opponents as anchors, intervals over pairs of games.

The games of gates are left out: a gate stops when results are extreme, so its games say too much.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zerogrid.arena.ratings import Ratings, rate
from zerogrid.core.errors import ZeroGridError
from zerogrid.training.journal import read_lines
from zerogrid.training.parts import GameRecord

Row = tuple[str, str, str | int, float]


def exam_rows(place: Path) -> list[Row]:
    """The results of all exams of a run, as the arena wants them."""
    rows: list[Row] = []
    folder = place / "games"
    for path in sorted(folder.glob("exam-*.jsonl")) if folder.is_dir() else ():
        for game in read_lines(path):
            rows += rows_of_dicts([game])
    return rows


def rows_of_dicts(games: Iterable[dict[str, Any]]) -> list[Row]:
    """Results of games as games/*.jsonl keeps them; anything odd is left out."""
    rows: list[Row] = []
    for game in games:
        try:
            first, second = (str(name) for name in game["players"])
            score = float(game["scores"][0])
            opening = int(game["opening"])
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        if first != second:
            rows.append((first, second, opening, 1.0 if score > 0 else 0.0 if score < 0 else 0.5))
    return rows


def rows_of(games: Iterable[GameRecord]) -> list[Row]:
    """Results of games in memory."""
    return rows_of_dicts(game.as_dict("") for game in games)


def ratings_of(rows: list[Row], samples: int = 400) -> Ratings | None:
    """The ratings, random play at 0 where it took part; None where there is nothing to rate."""
    players = {name for row in rows for name in row[:2]}
    try:
        return rate(rows, anchors={"random": 0.0} if "random" in players else None, samples=samples)
    except ZeroGridError:
        return None
