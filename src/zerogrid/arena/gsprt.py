"""The generalised log likelihood ratio of a match, with the exact maximum likelihood fit.

A match is summarised by counts over equally spaced scores: five for pairs of games (0, 1/4, 1/2, 3/4, 1) or three for
single games (0, 1/2, 1). A hypothesis fixes one number about the unknown distribution p of those scores:

    logistic Elo     the mean                mu = 1 / (1 + 10^(-elo/400))
    normalised Elo   the mean in deviations  t = (mu - 1/2) / sigma, with elo = 800/ln(10) * t of a single game;
                     the score of a pair has 1/sqrt(2) of that deviation, so t = sqrt(2) * elo * ln(10) / 800

Under each hypothesis the likeliest p is fitted to the observed frequencies f, and

    LLR = n * sum f * (ln p1 - ln p0)

Fixed mean (M. Van den Bergh, "The MLE of a multinomial distribution with given expectation", prop. 1.1): with
d = score - mu, p = f / (1 + x d) where x solves sum f d / (1 + x d) = 0.
Fixed t (same author, "Normalized Elo: practical", section 4.1): the condition mu - 1/2 - t sigma = 0 is linear in p
around a fit with moments mu, sigma up to second order; its influence function is
d = score - 1/2 - t sigma (1 + ((score - mu)/sigma)^2) / 2. Solve as above and repeat until p stays put.

Closed forms built on the normal approximation fail when the results are one-sided, which is where early training
lives: twenty pairs won straight leave them near zero. Everything here is exact, and works on arrays of matches at once.
"""

from __future__ import annotations

from math import isfinite, log, sqrt
from typing import Literal

import numpy as np
import numpy.typing as npt

from zerogrid.arena.results import FloatArray
from zerogrid.core.errors import BadResults, BadSetting, quote

EloModel = Literal["normalized", "logistic"]

NELO_PER_T = 800.0 / log(10.0)  # normalised Elo of a game whose mean is one deviation above 1/2
WIDEST_NELO = 220.0  # beyond 231 the fit of a one-sided match finds no distribution of pair scores to start from
EMPTY_COUNT = 1e-3  # stands for a count of zero, so that every score stays possible
ROUNDS = 200


def match_llr(counts: npt.ArrayLike, elo0: float, elo1: float, model: EloModel = "normalized") -> FloatArray:
    """ln likelihood(elo1) / likelihood(elo0) of counts `[..., 5]` of pairs or `[..., 3]` of games, low to high.

    A scalar array comes back for one match, an array of the leading shape for many.
    """
    observed = np.asarray(counts, np.float64)
    if observed.shape[-1:] not in ((3,), (5,)):
        raise BadResults(f"counts have the shape {observed.shape}; give 5 of pairs or 3 of single games, low to high.")
    if not (np.isfinite(observed) & (observed >= 0)).all():
        raise BadResults("a count of results was negative or not a number; counts are 0 or more.")
    check_bounds(elo0, elo1, model)
    size = observed.shape[-1]
    filled = np.where(observed == 0, EMPTY_COUNT, observed).reshape(-1, size)
    total = filled.sum(axis=1)
    frequency = filled / total[:, None]
    if model == "logistic":
        fits = [fit_mean(frequency, 1.0 / (1.0 + 10.0 ** (-elo / 400.0))) for elo in (elo0, elo1)]
    else:
        per_unit = (sqrt(2.0) if size == 5 else 1.0) / NELO_PER_T
        fits = [fit_t_value(frequency, elo * per_unit) for elo in (elo0, elo1)]
    llr: FloatArray = total * (frequency * (np.log(fits[1]) - np.log(fits[0]))).sum(axis=1)
    return llr.reshape(observed.shape[:-1])


def check_bounds(elo0: float, elo1: float, model: EloModel = "normalized") -> None:
    """Refuse bounds that do not rise, or that no match could be measured against."""
    if model not in ("normalized", "logistic"):
        raise BadSetting(f"there is no Elo model {quote(model)}; take normalized or logistic.")
    if not (isfinite(elo0) and isfinite(elo1) and elo0 < elo1):
        raise BadSetting(f"the Elo bounds must be numbers that rise, but elo0 is {elo0} and elo1 is {elo1}.")
    widest = WIDEST_NELO if model == "normalized" else 1000.0
    if max(-elo0, elo1) > widest:
        raise BadSetting(f"the {model} Elo bounds [{elo0:g}, {elo1:g}] reach beyond {widest:g}; take narrower ones.")


def fit_mean(frequency: FloatArray, mean: float | FloatArray) -> FloatArray:
    """The likeliest distributions `[matches, scores]` with a given mean, or means `[matches, 1]`."""
    deviation = np.broadcast_to(_scores(frequency) - mean, frequency.shape)
    return _balanced(frequency, deviation, np.ones(len(frequency)))[0]


def fit_t_value(frequency: FloatArray, t: float) -> FloatArray:
    """The likeliest distributions `[matches, scores]` whose mean lies `t` deviations above one half."""
    scores = _scores(frequency)
    fitted = np.full_like(frequency, 1.0 / frequency.shape[1])
    start = np.ones(len(frequency))
    moving = np.arange(len(frequency))  # matches whose fit has not settled yet
    for _ in range(ROUNDS):
        p, f = fitted[moving], frequency[moving]
        mean = (p @ scores)[:, None]
        sigma = np.sqrt((p * (scores - mean) ** 2).sum(axis=1, keepdims=True))
        influence = scores - 0.5 - t * sigma * (1.0 + ((scores - mean) / sigma) ** 2) / 2.0
        update, start[moving] = _balanced(f, influence, start[moving])
        fitted[moving] = update
        moving = moving[np.abs(update - p).max(axis=1) > 1e-11]
        if not len(moving):
            return fitted
    raise BadResults(f"no distribution of scores lies {t:.3g} deviations above one half here; narrow the Elo bounds.")


def _scores(frequency: FloatArray) -> FloatArray:
    return np.linspace(0.0, 1.0, frequency.shape[1])


def _balanced(frequency: FloatArray, deviation: FloatArray, start: FloatArray) -> tuple[FloatArray, FloatArray]:
    """p = f / (1 + x d) with sum p d = 0, and where each root was found (a good start for a similar problem).

    One-sided results push x so close to a pole, -1/max(d) or -1/min(d), that 1 + x d loses all its digits. So the
    unknown is u = 1 + x d_pole in (0, 1], the pole being the extreme on the lighter side of the balance:
    1 + x d = (1 - e) + u e with e = d / d_pole. And u sum f d / (1 + x d) is nearly straight where the sum alone is
    a hyperbola: Newton with a bracket settles in a few rounds.
    """
    heavy = (frequency * deviation).sum(axis=1)
    highest, lowest = deviation.max(axis=1), deviation.min(axis=1)
    if (highest <= 0).any() or (lowest >= 0).any():
        raise BadResults("the Elo bounds lie outside the scores a match can have; narrow them.")
    pole = np.where(heavy > 0, lowest, highest)[:, None]
    e = deviation / pole
    gap = (pole - deviation) / pole
    weight = frequency * e  # positive at the pole, so the sum rises through the root as u falls to it
    low, high, u = np.zeros(len(frequency)), np.ones(len(frequency)), start
    for _ in range(ROUNDS):
        spread = gap + u[:, None] * e
        share = weight / spread
        value = u * share.sum(axis=1)
        slope = (share * gap / spread).sum(axis=1)
        low, high = np.where(value > 0, u, low), np.where(value > 0, high, u)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = u - value / slope
        step = np.where((step > low) & (step <= high), step, (low + high) / 2.0)
        exact = np.abs(value) <= 1e-16  # the rest is rounding, and a step from here would be noise
        settled = exact | (np.abs(step - u) <= 1e-12 * u)
        u = np.where(exact, u, step)
        if settled.all():
            break
    return frequency / (gap + u[:, None] * e), u
