"""Intervals around a score, and tests over seeds.

Wilson (E. B. Wilson 1927; L. D. Brown, T. T. Cai, A. DasGupta 2001): with score s of N games,

    centre = (s + z^2/2N) / (1 + z^2/N),    half width = z sqrt(s(1-s)/N + z^2/4N^2) / (1 + z^2/N)

holds for one number of games fixed beforehand. Looked at after every game it is wrong several times as often as it
says. With draws counted as half, or with pairs of games from one opening, games carry another variance than s(1-s);
`paired_wilson` measures it on pairs and puts the number of independent games with that variance in place of N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from zerogrid.arena.results import FloatArray
from zerogrid.arena.student import student_cdf
from zerogrid.core.errors import BadResults, BadSetting

PAIR_SCORES: FloatArray = np.linspace(0.0, 1.0, 5)
# One pair of which half is won twice and half is lost twice. It keeps a match whose pairs all ended alike from
# claiming to know everything, and counts for nothing as pairs grow.
VIRTUAL_PAIR: FloatArray = np.array([0.5, 0.0, 0.0, 0.0, 0.5])


@dataclass(frozen=True)
class Interval:
    """An estimate between two bounds that hold it with probability `level`."""

    estimate: float
    low: float
    high: float
    level: float = 0.95

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {"estimate": self.estimate, "low": self.low, "high": self.high, "level": self.level}


def normal_quantile(level: float) -> float:
    """How many deviations to both sides hold the middle `level` of a normal distribution: 1.96 for 0.95."""
    if not 0 < level < 1:
        raise BadSetting(f"a level of {level} is not between 0 and 1; 0.95 is usual.")
    return NormalDist().inv_cdf((1.0 + level) / 2.0)


def wilson_bounds(score: npt.ArrayLike, games: npt.ArrayLike, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of many scores at once; 0 to 1 where there are no games."""
    z = normal_quantile(level)
    n = np.asarray(games, np.float64)
    s = np.where(n > 0, np.asarray(score, np.float64), 0.5)
    if not ((s >= 0) & (s <= 1) & (n >= 0)).all():
        raise BadResults("a score must lie between 0 and 1 and a number of games must not be negative.")
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (s + z * z / (2.0 * n)) / (1.0 + z * z / n)
        half = z * np.sqrt(s * (1.0 - s) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n)
        low, high = np.where(n > 0, centre - half, 0.0), np.where(n > 0, centre + half, 1.0)
    # The score lies within in exact arithmetic; rounding must not put it a bit outside.
    return np.clip(np.minimum(low, s), 0.0, 1.0), np.clip(np.maximum(high, s), 0.0, 1.0)


def wilson(score: float, games: float, level: float = 0.95) -> Interval:
    """Wilson's interval of a share or of a score with draws as half, for a number of games fixed beforehand."""
    low, high = wilson_bounds(score, games, level)
    return Interval(score, float(low), float(high), level)


def pair_counts(counts: npt.ArrayLike) -> FloatArray:
    """Five counts of pairs, [LL, LD, DD or WL, WD, WW], checked."""
    pairs = np.asarray(counts, np.float64)
    if pairs.shape != (5,) or not (np.isfinite(pairs) & (pairs >= 0)).all():
        raise BadResults("give five counts of pairs, [LL, LD, DD or WL, WD, WW], each 0 or more.")
    return pairs


def effective_games(counts: npt.ArrayLike) -> float:
    """How many independent games without draws would vary as much as these pairs: N s(1-s) / V.

    V is twice the variance of the mean of a pair. Where the opening decides, pairs vary little and this is more than
    the games played; where the same player wins both, it is half of them.
    """
    pairs = pair_counts(counts)
    if pairs.sum() == 0:
        return 0.0
    share = (pairs + VIRTUAL_PAIR) / (pairs.sum() + 1.0)
    mean = float(share @ PAIR_SCORES)
    variance = float(share @ (PAIR_SCORES - mean) ** 2)
    return 2.0 * float(pairs.sum()) * mean * (1.0 - mean) / (2.0 * variance)


def paired_wilson(counts: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Wilson's interval of the score of a match of pairs, with the variance that the pairs show."""
    pairs = pair_counts(counts)
    if pairs.sum() == 0:
        return Interval(0.5, 0.0, 1.0, level)
    score = float(pairs @ PAIR_SCORES / pairs.sum())
    return wilson(score, effective_games(pairs), level)


def superiority(counts: npt.ArrayLike) -> float:
    """The likelihood that the player is the better one of the two, by Student's t over pairs."""
    pairs = pair_counts(counts) + VIRTUAL_PAIR
    n = float(pairs.sum())
    if n <= 1:
        return 0.5
    mean = float(pairs @ PAIR_SCORES) / n
    variance = float(pairs @ (PAIR_SCORES - mean) ** 2) / (n - 1.0)
    return student_cdf((mean - 0.5) / sqrt(variance / n), n - 1.0)


def elo_bounds(score: Interval) -> Interval:
    """An interval of scores as one of logistic Elo; a score of 0 or 1 is infinitely far."""
    low, estimate, high = (_elo(value) for value in (score.low, score.estimate, score.high))
    return Interval(estimate, low, high, score.level)


def _elo(score: float) -> float:
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400.0 * log10(score / (1.0 - score))


@dataclass(frozen=True)
class SeedsTest:
    """Is the mean over seeds different from what is expected by chance?"""

    mean: Interval  # Student's t interval: of the mean, or of the difference of the two means
    t_p: float  # two-sided, Student's t (Welch's for two groups)
    exact_p: float  # two-sided, over every sign or every split of the seeds: no assumption but symmetry
    seeds: int


def seeds_test(
    values: Sequence[float], others: Sequence[float] | None = None, null: float = 0.0, level: float = 0.95
) -> SeedsTest:
    """One number a seed against `null`, or against the numbers of another group of seeds.

    The exact test can say no more than the number of seeds allows: four seeds that all agree have p = 1/8.
    """
    from scipy import stats

    groups = [np.asarray(group, np.float64) for group in ([values] if others is None else [values, others])]
    if any(len(group) < 2 for group in groups):
        raise BadResults("a test over seeds needs at least 2 seeds a group; run it again with another seed.")
    if not all(np.isfinite(group).all() for group in groups):
        raise BadResults("a value of a seed is not a finite number; leave out the seed and say so.")

    def mean(sample: FloatArray, axis: int = -1) -> FloatArray:
        return np.asarray(sample.mean(axis=axis))

    def difference(first: FloatArray, second: FloatArray, axis: int = -1) -> FloatArray:
        return np.asarray(first.mean(axis=axis) - second.mean(axis=axis))

    # Every way to flip the signs or to split the seeds, up to 2^16 of them and then as many at random.
    permutations = {"n_resamples": 65_536, "rng": np.random.default_rng(0)}
    if len(groups) == 1:
        centred = groups[0] - null
        estimate = float(centred.mean()) + null
        exact = stats.permutation_test((centred,), mean, permutation_type="samples", **permutations)
    else:
        estimate = float(groups[0].mean() - groups[1].mean())
        exact = stats.permutation_test(groups, difference, permutation_type="independent", **permutations)
    exact_p, seeds = float(exact.pvalue), sum(map(len, groups))
    if all(np.ptp(group) == 0 for group in groups):
        # Seeds that agree to the last digit (all won every game) have no spread that t could judge by.
        return SeedsTest(Interval(estimate, -inf, inf, level), exact_p, exact_p, seeds)
    t_test = stats.ttest_1samp(groups[0], null) if len(groups) == 1 else stats.ttest_ind(*groups, equal_var=False)
    bounds = t_test.confidence_interval(level)
    mean_interval = Interval(estimate, float(bounds.low), float(bounds.high), level)
    return SeedsTest(mean_interval, float(t_test.pvalue), exact_p, seeds)
