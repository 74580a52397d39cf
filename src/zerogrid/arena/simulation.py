"""Matches that are played with dice, to see what a test does before trusting it with games.

Two players `elo` apart meet in pairs from openings that favour one side by `bias` Elo, either side as often. A game's
result follows Rao and Kupper with a draw parameter; the two games of a pair are independent once the opening is given.

    bias 0      the two games of a pair know nothing of one another
    bias 240    the favoured side wins 80% of decisive games: most pairs are split, and pairs tell more than games
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from zerogrid.arena.gsprt import NELO_PER_T, match_llr
from zerogrid.arena.intervals import PAIR_SCORES
from zerogrid.arena.results import FloatArray, IntArray
from zerogrid.arena.sprt import Sprt
from zerogrid.arena.wald import bayes_elo_shares, trinomial_llr
from zerogrid.core.errors import BadSetting

BLOCK = 4000  # evidence computed at once: as few matches remain, more of their pairs are looked at together


@dataclass(frozen=True)
class Dice:
    """How the two games of a pair end: `shares[i, j]` for i half points in the first and j in the second."""

    shares: FloatArray  # [3, 3]

    @property
    def pairs(self) -> FloatArray:
        """The chances of [LL, LD, DD or WL, WD, WW]."""
        return np.array([np.trace(self.shares[::-1], offset=k) for k in range(-2, 3)])

    @property
    def score(self) -> float:
        """The mean score."""
        return float(self.pairs @ PAIR_SCORES)

    @property
    def normalized_elo(self) -> float:
        """The normalised Elo of the pairs."""
        deviation = sqrt(float(self.pairs @ (PAIR_SCORES - self.score) ** 2))
        return (self.score - 0.5) / deviation * NELO_PER_T / sqrt(2.0)


def dice(elo: float, draw_elo: float = 0.0, bias: float = 0.0) -> Dice:
    """Dice of two players `elo` apart (in BayesElo units); `draw_elo` 0 means no draws."""
    if draw_elo < 0:
        raise BadSetting(f"a draw parameter of {draw_elo} Elo is below 0, where 0 means no draws at all.")
    ahead, behind = bayes_elo_shares(elo + bias, draw_elo), bayes_elo_shares(elo - bias, draw_elo)
    return Dice((np.outer(ahead, behind) + np.outer(behind, ahead)) / 2.0)


def dice_at(normalized_elo: float, draw_elo: float = 0.0, bias: float = 0.0) -> Dice:
    """Dice with a wanted normalised Elo."""
    from scipy.optimize import brentq

    elo = brentq(lambda x: dice(x, draw_elo, bias).normalized_elo - normalized_elo, -600.0, 600.0, xtol=1e-10)
    return dice(float(elo), draw_elo, bias)


@dataclass(frozen=True)
class SimulatedTests:
    """What many runs of one test said, and after how many pairs."""

    accepted: float  # shares of the runs
    rejected: float
    undecided: float
    pairs: IntArray  # [matches] when each run ended


def simulate(test: Sprt, players: Dice, matches: int = 2000, seed: int = 0) -> SimulatedTests:
    """Run a fresh test with the settings of `test` on many matches at once, each pair from an opening of its own."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(9, size=(matches, test.max_pairs), p=players.shares.ravel())
    first, second = drawn // 3, drawn % 3
    pairs = np.eye(5, dtype=np.int64)[first + second]  # [matches, max_pairs, 5], one pair each
    games = np.eye(3, dtype=np.int64)[first] + np.eye(3, dtype=np.int64)[second]
    for counts in (pairs, games):
        np.cumsum(counts, axis=1, out=counts)
    ended = np.full(matches, test.max_pairs)
    verdict = np.zeros(matches, np.int64)
    running = np.arange(matches)
    now = max(test.min_pairs, test.min_openings) - 1
    while len(running) and now < test.max_pairs:
        block = slice(now, min(now + 1 + BLOCK // len(running), test.max_pairs))
        llr = _evidence(test, pairs[running, block], games[running, block])  # [running, block]
        side = np.where(llr >= test.upper, 1, np.where(llr <= test.lower, -1, 0))
        over = (side != 0).any(axis=1)
        when = (side != 0).argmax(axis=1)[over]  # the first pair that decides
        verdict[running[over]] = side[over, when]
        ended[running[over]] = now + 1 + when
        running = running[~over]
        now = block.stop
    accepted, rejected, undecided = (float((verdict == said).mean()) for said in (1, -1, 0))
    return SimulatedTests(accepted, rejected, undecided, ended)


def _evidence(test: Sprt, pairs: IntArray, games: IntArray) -> FloatArray:
    counts = games if test.model == "trinomial" else pairs
    rows = counts.reshape(-1, counts.shape[-1])
    distinct, where = np.unique(rows, axis=0, return_inverse=True)  # many matches stand alike
    if test.model == "trinomial":
        llr = trinomial_llr(distinct, test.elo0, test.elo1)
    else:
        llr = match_llr(distinct, test.elo0, test.elo1, test.model)
    return llr[where.ravel()].reshape(counts.shape[:-1])
