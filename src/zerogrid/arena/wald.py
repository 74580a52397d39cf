"""Wald's sequential test: its two bounds, the likelihood ratios of single games, and how long a test will take.

A test adds up evidence, the log likelihood ratio of two hypotheses, and stops when it leaves an interval:

    accept H1   LLR >= ln((1 - beta) / alpha)        reject   LLR <= ln(beta / (1 - alpha))

(A. Wald, "Sequential tests of statistical hypotheses", 1945.) Two ratios for single games stand here, because papers
use them:

    binomial    decisive games only: W ln(p1/p0) + L ln((1-p1)/(1-p0))
    trinomial   wins, draws and losses, with the tendency to draw taken from the sample

Both treat games as independent. The two games of an opening played twice with sides swapped are not: see
`zerogrid.arena.gsprt`, which counts pairs and needs far fewer games where one side has the advantage.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
import numpy.typing as npt

from zerogrid.arena.gsprt import EMPTY_COUNT, NELO_PER_T, check_bounds
from zerogrid.arena.results import FloatArray
from zerogrid.core.errors import BadResults, BadSetting


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The lower and upper bound of the log likelihood ratio for error rates alpha (false accept) and beta."""
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise BadSetting(f"alpha {alpha} and beta {beta} must be above 0 and add up to less than 1, such as 0.05 each.")
    return log(beta / (1.0 - alpha)), log((1.0 - beta) / alpha)


def binomial_llr(
    wins: npt.ArrayLike,
    losses: npt.ArrayLike,
    p0: float,
    p1: float,
    draws: npt.ArrayLike = 0,
    draws_as_half: bool = False,
) -> FloatArray:
    """ln likelihood(p1) / likelihood(p0) of decisive games.

    With `draws_as_half` a draw is half a win and half a loss, as some papers count. That is no likelihood of anything;
    it slows the test down and errs on the cautious side.
    """
    if not 0 < p0 < p1 < 1:
        raise BadSetting(f"the win rates must rise within 0 and 1, but p0 is {p0} and p1 is {p1}.")
    half = np.asarray(draws, np.float64) / 2.0 if draws_as_half else 0.0
    won = np.asarray(wins, np.float64) + half
    lost = np.asarray(losses, np.float64) + half
    if (won < 0).any() or (lost < 0).any():
        raise BadResults("a count of results was negative; counts are 0 or more.")
    llr: FloatArray = won * log(p1 / p0) + lost * log((1.0 - p1) / (1.0 - p0))
    return llr


def trinomial_llr(counts: npt.ArrayLike, elo0: float, elo1: float) -> FloatArray:
    """ln likelihood(elo1) / likelihood(elo0) of counts `[..., 3]` (losses, draws, wins), in BayesElo units.

    The draw parameter is estimated from the sample and shared by both hypotheses. A count of zero stands as a
    thousandth, so that a match without draws moves too.
    """
    observed = np.asarray(counts, np.float64)
    if observed.shape[-1:] != (3,) or not (np.isfinite(observed) & (observed >= 0)).all():
        raise BadResults("give three counts, losses, draws and wins, each 0 or more.")
    check_bounds(elo0, elo1, "logistic")
    filled = np.where(observed == 0, EMPTY_COUNT, observed)
    share = filled / filled.sum(axis=-1, keepdims=True)
    loss, win = share[..., 0], share[..., 2]
    draw_elo = 200.0 * np.log10((1.0 - loss) / loss * (1.0 - win) / win)
    under0, under1 = bayes_elo_shares(elo0, draw_elo), bayes_elo_shares(elo1, draw_elo)
    llr: FloatArray = (filled * (np.log(under1) - np.log(under0))).sum(axis=-1)
    return llr


def bayes_elo_shares(elo: float, draw_elo: npt.ArrayLike) -> FloatArray:
    """The shares `[..., 3]` of losses, draws and wins of a player `elo` ahead, by the model of Rao and Kupper."""
    margin = np.asarray(draw_elo, np.float64)
    win = 1.0 / (1.0 + 10.0 ** ((margin - elo) / 400.0))
    loss = 1.0 / (1.0 + 10.0 ** ((margin + elo) / 400.0))
    # win and loss add up to (almost) one when there were no draws, and the rest must stay above zero
    return np.stack([loss, np.maximum(1.0 - win - loss, 1e-300), win], axis=-1)


@dataclass(frozen=True)
class Forecast:
    """What a sequential test will do, before it is run: the chance to pass, and the mean number of units it takes."""

    passes: float
    length: float


def forecast_pairs(elo: float, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Forecast:
    """A pentanomial test with normalised Elo bounds, of players who are truly `elo` apart; length in pairs of games.

    The evidence of a pair has mean (t1 - t0)(t - (t0 + t1)/2) and variance (t1 - t0)^2 near equality. Overshoot,
    the least number of pairs and the cap are left out, so real tests are some 5 to 10% longer.
    """
    check_bounds(elo0, elo1)
    t, t0, t1 = (sqrt(2.0) * value / NELO_PER_T for value in (elo, elo0, elo1))
    return _walk((t1 - t0) * (t - (t0 + t1) / 2.0), (t1 - t0) ** 2, *wald_bounds(alpha, beta))


def forecast_games(p: float, p0: float, p1: float, alpha: float = 0.05, beta: float = 0.05) -> Forecast:
    """Wald's test of decisive games, when the true win rate is `p`; length in decisive games."""
    up, down = float(binomial_llr(1, 0, p0, p1)), float(binomial_llr(0, 1, p0, p1))
    if not 0 <= p <= 1:
        raise BadSetting(f"a win rate of {p} is not between 0 and 1.")
    mean = p * up + (1.0 - p) * down
    return _walk(mean, p * (up - mean) ** 2 + (1.0 - p) * (down - mean) ** 2, *wald_bounds(alpha, beta))


def _walk(mean: float, variance: float, lower: float, upper: float) -> Forecast:
    """Brownian motion from zero with this drift and variance a unit, until it leaves (lower, upper)."""
    if variance <= 0:
        return Forecast(float(mean > 0), (upper if mean > 0 else lower) / mean)
    if abs(mean) < 1e-9 * variance:
        return Forecast(lower / (lower - upper), -lower * upper / variance)
    rate = -2.0 * mean / variance
    passes = (1.0 - exp(rate * lower)) / (exp(rate * upper) - exp(rate * lower))
    return Forecast(passes, (passes * upper + (1.0 - passes) * lower) / mean)
