"""The games of a tournament, counted for the fit, and weighed anew for the bootstrap.

The unit of evidence is the pair of games from one opening; a game that found no partner is a unit of its own. Units
with the same players and the same results are alike, so they are counted: a tournament is a few cells, however many
games it has.

Resampling units with replacement says nothing where all units are alike: forty pairs won straight give the same
rating in every sample, and an interval of no width. So units get random weights instead (D. Rubin, "The Bayesian
bootstrap", 1981): each is weighed by a draw from the exponential distribution, so that a cell of n is weighed by a
Gamma(n) draw; and so are the half games of the weak prior, by Gamma draws whose mean is their weight. For a single
match of independent games that is exactly the posterior of Jeffreys, whose intervals hold what they promise (Brown,
Cai, DasGupta 2001); for pairs it carries the variance that the pairs show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zerogrid.arena.results import FloatArray, IntArray, Results, pair_games


@dataclass(frozen=True)
class Evidence:
    """Counted units. A meeting is an ordered pair of players, the one who moves first standing first."""

    players: tuple[str, ...]
    meetings: IntArray  # [meetings, 2] indices of players: first, second
    pairings: IntArray  # [pairings, 2] indices of players, the lower first
    cells: IntArray  # [cells, 2] the games of a unit, as meeting * 3 + half points of the first mover; -1 for none
    units: IntArray  # [cells] how many units are in each cell
    cell_pairing: IntArray  # [cells]
    cell_score: IntArray  # [cells] half points of the pairing's lower player, 0..4 in pairs and 0..2 in lone games

    @property
    def is_pair(self) -> npt.NDArray[np.bool_]:
        """[cells] whether the units are pairs of games."""
        return self.cells[:, 1] >= 0

    @property
    def pairing_units(self) -> IntArray:
        """[pairings] how many units each pairing has."""
        return np.bincount(self.cell_pairing, self.units, len(self.pairings)).astype(np.int64)

    def counts(self, weights: FloatArray) -> FloatArray:
        """[sets, meetings, 3] losses, draws and wins of the first mover, for weights of cells `[sets, cells]`."""
        target = self.cells.ravel()
        source = np.repeat(np.arange(len(self.cells)), 2)[target >= 0]
        target = target[target >= 0]
        order = np.argsort(target, kind="stable")
        filled, begins = np.unique(target[order], return_index=True)
        counts = np.zeros((len(weights), 3 * len(self.meetings)))
        counts[:, filled] = np.add.reduceat(weights[:, source[order]], begins, axis=1)
        return counts.reshape(len(weights), len(self.meetings), 3)


def gather(games: Results) -> Evidence:
    """Count the units of a tournament."""
    n = len(games.players)
    pairs = pair_games(games)
    key = games.first * n + games.second
    lone_low = np.minimum(games.first, games.second)[pairs.lone]
    lone_high = np.maximum(games.first, games.second)[pairs.lone]
    lone_points = np.where(games.first[pairs.lone] == lone_low, games.points[pairs.lone], 2 - games.points[pairs.lone])
    meeting_keys = np.unique(key)
    meetings = np.stack([meeting_keys // n, meeting_keys % n], axis=1)

    def game(first: IntArray, second: IntArray, points: IntArray) -> IntArray:
        return np.searchsorted(meeting_keys, first * n + second) * 3 + points

    nothing = np.full(len(pairs.lone), -1)
    units = np.concatenate(
        [
            np.stack(
                [
                    game(pairs.a, pairs.b, pairs.points_first),
                    game(pairs.b, pairs.a, 2 - pairs.points_second),
                    pairs.a * n + pairs.b,
                    pairs.points_first + pairs.points_second,
                ],
                axis=1,
            ),
            np.stack(
                [
                    game(games.first[pairs.lone], games.second[pairs.lone], games.points[pairs.lone]),
                    nothing,
                    lone_low * n + lone_high,
                    lone_points,
                ],
                axis=1,
            ),
        ]
    )
    cells, alike = np.unique(units, axis=0, return_counts=True)
    pairing_keys, cell_pairing = np.unique(cells[:, 2], return_inverse=True)
    return Evidence(
        games.players,
        meetings,
        np.stack([pairing_keys // n, pairing_keys % n], axis=1),
        cells[:, :2],
        alike.astype(np.int64),
        cell_pairing.ravel().astype(np.int64),
        cells[:, 3],
    )


def reweigh(units: npt.ArrayLike, samples: int, rng: np.random.Generator) -> FloatArray:
    """[samples, ...] random weights of the Bayesian bootstrap, for counts or prior weights of any shape."""
    shape = np.asarray(units, np.float64)
    return rng.standard_gamma(shape, size=(samples, *shape.shape))
