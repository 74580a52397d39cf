"""Results of games as plain rows, and the pairs they form.

A row is `(first, second, opening, score)`: who moved first, who moved second, the opening they started from, and
the score of the *first* player: 1 for a win, 0.5 for a draw, 0 for a loss. Everything else in the statistics of
strength is computed from such rows.

Two games of the same two players from the same opening with sides swapped form a *pair*. An opening that favours
one side gives one point to each, so the games of a pair are not independent: the pair is the unit of evidence.

          A first   B first          score of the pair for A
opening 7    1         1       WL -> 0.5   (B won the second game: the opening decided)
opening 8    1         0       WW -> 1.0
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import BadResults, quote

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


class GameResult(NamedTuple):
    """One finished game. `score` belongs to the player who moved first."""

    first: str
    second: str
    opening: str | int
    score: float


Row = GameResult | tuple[str, str, str | int, float]


@dataclass(frozen=True)
class Results:
    """Many finished games in schedule order. Players and openings are indices; points are half points of `first`."""

    players: tuple[str, ...]
    openings: tuple[str | int, ...]
    first: IntArray  # [games] index into players
    second: IntArray  # [games]
    opening: IntArray  # [games] index into openings
    points: IntArray  # [games] 0 loss, 1 draw, 2 win, for the player who moved first

    def __len__(self) -> int:
        return len(self.first)

    def index(self, player: str) -> int:
        """The index of a player's name."""
        if player not in self.players:
            raise BadResults(f"{quote(player)} played none of these games; the players are {', '.join(self.players)}.")
        return self.players.index(player)


@dataclass(frozen=True)
class Pairs:
    """Pairs of games with sides swapped, seen by player `a` (the lower index), and the games left over."""

    a: IntArray  # [pairs] index into players, a < b
    b: IntArray  # [pairs]
    opening: IntArray  # [pairs]
    points_first: IntArray  # [pairs] half points of a in the game where a moved first
    points_second: IntArray  # [pairs] half points of a in the game where b moved first
    lone: IntArray  # [left over] indices of games with no partner


def as_results(rows: Results | Iterable[Row]) -> Results:
    """Rows `(first, second, opening, score of first)` as arrays; players and openings in order of appearance."""
    if isinstance(rows, Results):
        return rows
    players: dict[str, int] = {}
    openings: dict[str | int, int] = {}
    first, second, opening, points = [], [], [], []
    for number, row in enumerate(rows):
        if len(row) != 4:
            raise BadResults(f"result {number} has {len(row)} fields; expected (first, second, opening, score).")
        name_first, name_second, name_opening, score = row
        if score not in (0, 0.5, 1):
            raise BadResults(f"result {number} has score {score!r}; it must be 0, 0.5 or 1, for the first player.")
        if name_first == name_second:
            raise BadResults(f"result {number} is {quote(name_first)} against itself; give the two copies two names.")
        first.append(players.setdefault(name_first, len(players)))
        second.append(players.setdefault(name_second, len(players)))
        opening.append(openings.setdefault(name_opening, len(openings)))
        points.append(round(2 * score))
    return Results(
        tuple(players),
        tuple(openings),
        np.array(first, np.int64),
        np.array(second, np.int64),
        np.array(opening, np.int64),
        np.array(points, np.int64),
    )


def pair_games(rows: Results | Iterable[Row]) -> Pairs:
    """Join games of the same two players from the same opening with sides swapped, earliest with earliest."""
    games = as_results(rows)
    waiting: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)
    joined: list[tuple[int, int]] = []  # (game where the lower index moved first, the other game)
    for game, (i, j, o) in enumerate(zip(games.first.tolist(), games.second.tolist(), games.opening.tolist())):
        partners = waiting[j, i, o]
        if not partners:
            waiting[i, j, o].append(game)
        else:
            partner = partners.popleft()
            joined.append((game, partner) if i < j else (partner, game))
    straight = np.array([pair[0] for pair in joined], np.int64)
    swapped = np.array([pair[1] for pair in joined], np.int64)
    lone = np.array(sorted(game for queue in waiting.values() for game in queue), np.int64)
    return Pairs(
        games.first[straight],
        games.second[straight],
        games.opening[straight],
        games.points[straight],
        2 - games.points[swapped],
        lone,
    )


def trinomial(rows: Results | Iterable[Row], player: str, opponent: str) -> IntArray:
    """Single games between two players as counts `[losses, draws, wins]` of `player`."""
    games = as_results(rows)
    i, j = games.index(player), games.index(opponent)
    ahead = games.points[(games.first == i) & (games.second == j)]
    behind = 2 - games.points[(games.first == j) & (games.second == i)]
    return np.bincount(np.concatenate([ahead, behind]), minlength=3)


def pentanomial(rows: Results | Iterable[Row], player: str, opponent: str) -> IntArray:
    """Pairs between two players as counts `[LL, LD, DD or WL, WD, WW]` of `player`; lone games are left out."""
    games = as_results(rows)
    pairs = pair_games(games)
    i, j = games.index(player), games.index(opponent)
    mine = (pairs.a == min(i, j)) & (pairs.b == max(i, j))
    points = (pairs.points_first + pairs.points_second)[mine]
    return np.bincount(points if i < j else 4 - points, minlength=5)


def distinct_openings(rows: Results | Iterable[Row], player: str, opponent: str) -> int:
    """How many different openings the complete pairs between two players started from."""
    games = as_results(rows)
    pairs = pair_games(games)
    i, j = games.index(player), games.index(opponent)
    return len(np.unique(pairs.opening[(pairs.a == min(i, j)) & (pairs.b == max(i, j))]))
