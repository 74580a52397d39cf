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

from math import log, sqrt
from typing import Literal

import numpy as np
import numpy.typing as npt

from zerogrid.arena.results import FloatArray

EloModel = Literal["normalized", "logistic"]

NELO_PER_T = 800.0 / log(10.0)  # normalised Elo of a game whose mean is one deviation above 1/2
EMPTY_COUNT = 1e-3  # stands for a count of zero, so that every score stays possible
ROUNDS = 200


def match_llr(counts: npt.ArrayLike, elo0: float, elo1: float, model: EloModel = "normalized") -> FloatArray:
    """ln likelihood(elo1) / likelihood(elo0) of matches with counts `[..., 5]` (pairs) or `[..., 3]` (games), low to high.

    A scalar array comes back for one match, an array of the leading shape for many.
    """
    observed = np.asarray(counts, np.float64)
    if observed.shape[-1:] not in ((3,), (5,)):
        raise ValueError(f"counts have {observed.shape[-1:]} scores; expected 5 (pairs) or 3 (single games), low to high")
    if (observed < 0).any():
        raise ValueError("counts of results cannot be negative")
    if not elo0 < elo1:
        raise ValueError(f"the bounds must rise, but elo0 is {elo0} and elo1 is {elo1}")
    size = observed.shape[-1]
    filled = np.where(observed == 0, EMPTY_COUNT, observed).reshape(-1, size)
    total = filled.sum(axis=1)
    frequency = filled / total[:, None]
    if model == "logistic":
        fits = [fit_mean(frequency, 1.0 / (1.0 + 10.0 ** (-elo / 400.0))) for elo in (elo0, elo1)]
    elif model == "normalized":
        per_unit = (sqrt(2.0) if size == 5 else 1.0) / NELO_PER_T
        fits = [fit_t_value(frequency, elo * per_unit) for elo in (elo0, elo1)]
    else:
        raise ValueError(f"unknown Elo model {model!r}; expected 'normalized' or 'logistic'")
    llr = total * (frequency * (np.log(fits[1]) - np.log(fits[0]))).sum(axis=1)
    return llr.reshape(observed.shape[:-1])


def fit_mean(frequency: FloatArray, mean: float) -> FloatArray:
    """The likeliest distributions `[matches, scores]` with the given mean, for observed frequencies of the same shape."""
    deviation = np.broadcast_to(_scores(frequency) - mean, frequency.shape)
    return frequency / (1.0 + _multiplier(frequency, deviation)[:, None] * deviation)


def fit_t_value(frequency: FloatArray, t: float) -> FloatArray:
    """The likeliest distributions `[matches, scores]` whose mean lies `t` deviations above one half."""
    scores = _scores(frequency)
    fitted = np.full_like(frequency, 1.0 / frequency.shape[1])
    moving = np.arange(len(frequency))  # matches whose fit has not settled yet
    for _ in range(ROUNDS):
        p, f = fitted[moving], frequency[moving]
        mean = (p * scores).sum(axis=1, keepdims=True)
        sigma = np.sqrt((p * (scores - mean) ** 2).sum(axis=1, keepdims=True))
        influence = scores - 0.5 - t * sigma * (1.0 + ((scores - mean) / sigma) ** 2) / 2.0
        update = f / (1.0 + _multiplier(f, influence)[:, None] * influence)
        fitted[moving] = update
        moving = moving[np.abs(update - p).max(axis=1) > 1e-11]
        if not len(moving):
            return fitted
    raise ValueError(f"no distribution {t:.3g} deviations above one half fits {frequency[moving[0]].tolist()}; narrow the bounds")


def _scores(frequency: FloatArray) -> FloatArray:
    return np.linspace(0.0, 1.0, frequency.shape[1])


def _multiplier(frequency: FloatArray, deviation: FloatArray) -> FloatArray:
    """The root x of sum f d / (1 + x d) between the poles -1/max(d) and -1/min(d): falling, so Newton with a bracket."""
    highest, lowest = deviation.max(axis=1), deviation.min(axis=1)
    if (highest <= 0).any() or (lowest >= 0).any():
        raise ValueError("the Elo bound lies outside the scores a match can have; narrow the bounds")
    low, high = -1.0 / highest, -1.0 / lowest
    x = np.zeros(len(frequency))
    for _ in range(ROUNDS):
        share = deviation / (1.0 + x[:, None] * deviation)
        value = (frequency * share).sum(axis=1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = x + value / (frequency * share**2).sum(axis=1)
        step = np.where((step > low) & (step < high), step, (low + high) / 2.0)
        if (np.abs(step - x) <= 1e-14 * (1.0 + np.abs(x))).all():
            return step
        x = step
    return x
