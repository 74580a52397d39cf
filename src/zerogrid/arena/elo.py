"""The Elo scale, and the sequential rating with K = 32 that papers print.

Expected score of A against B:   E = 1 / (1 + 10^((R_B - R_A) / 400))
After each game:                 R_A <- R_A + K (S_A - E),  R_B <- R_B - K (S_A - E)

(A. Elo, *The Rating of Chessplayers, Past and Present*, 1978.)

A sequential rating depends on the order of the games and never settles: with K = 32 it goes on jumping by tens of
points however many games are played. It is here to stand beside published tables. `order_spread` says how much of it
is order alone; believe `zerogrid.arena.ratings` instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log10

import numpy as np

from zerogrid.arena.results import FloatArray, IntArray, Results, Row, as_results
from zerogrid.core.errors import BadResults


def expected_score(difference: float) -> float:
    """The expected score of a player who is `difference` Elo stronger."""
    return float(1.0 / (1.0 + 10.0 ** (-difference / 400.0)))


def elo_from_score(score: float) -> float:
    """The Elo difference at which `score` is expected: the inverse of `expected_score`."""
    if not 0.0 < score < 1.0:
        raise BadResults(f"a score of {score} has no finite Elo difference; give one above 0 and below 1.")
    return -400.0 * log10(1.0 / score - 1.0)


@dataclass(frozen=True)
class SequentialElo:
    """Ratings after the last game, and the whole path for a plot."""

    players: tuple[str, ...]
    final: FloatArray  # [players]
    path: FloatArray  # [games + 1, players]

    def __getitem__(self, player: str) -> float:
        return float(self.final[self.players.index(player)])


def sequential_elo(
    rows: Results | Iterable[Row], k: float = 32.0, start: float | Mapping[str, float] = 1500.0
) -> SequentialElo:
    """Rate game after game in the order given, as the papers do."""
    games = as_results(rows)
    opening_ratings = [start.get(p, 1500.0) if isinstance(start, Mapping) else start for p in games.players]
    path = np.empty((len(games) + 1, len(games.players)))
    path[0] = opening_ratings
    for n, (i, j, points) in enumerate(zip(games.first.tolist(), games.second.tolist(), games.points.tolist())):
        path[n + 1] = path[n]
        change = k * (points / 2.0 - expected_score(path[n, i] - path[n, j]))
        path[n + 1, i] += change
        path[n + 1, j] -= change
    return SequentialElo(games.players, path[-1], path)


@dataclass(frozen=True)
class OrderSpread:
    """Final sequential ratings over many random orders of the same games."""

    players: tuple[str, ...]
    mean: FloatArray  # [players]
    low: FloatArray  # [players] 2.5% quantile
    high: FloatArray  # [players] 97.5% quantile


def order_spread(
    rows: Results | Iterable[Row], k: float = 32.0, start: float = 1500.0, orders: int = 200, seed: int = 0
) -> OrderSpread:
    """Shuffle the games `orders` times and rate each order: what a sequential rating owes to the schedule."""
    games = as_results(rows)
    rng = np.random.default_rng(seed)
    schedule: IntArray = rng.permuted(np.tile(np.arange(len(games)), (orders, 1)), axis=1)
    ratings = np.full((orders, len(games.players)), start)
    each = np.arange(orders)
    for played in schedule.T:
        i, j = games.first[played], games.second[played]
        expected = 1.0 / (1.0 + 10.0 ** ((ratings[each, j] - ratings[each, i]) / 400.0))
        change = k * (games.points[played] / 2.0 - expected)
        ratings[each, i] += change
        ratings[each, j] -= change
    low, high = np.quantile(ratings, [0.025, 0.975], axis=0)
    return OrderSpread(games.players, ratings.mean(axis=0), low, high)
