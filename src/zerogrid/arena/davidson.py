"""The Bradley-Terry model with draws and a first-move advantage, and its likeliest parameters.

R. Davidson's model (1970) in logarithms. With d = strength(first) - strength(second) + first move and draw tendency h,

    P(first wins) = e^(d/2) / Z      P(draw) = e^h / Z      P(second wins) = e^(-d/2) / Z

where Z is their sum: win and loss stand like the two strengths, a draw like their geometric mean times e^h. With no
draws at all this is Bradley and Terry's model, and 400/ln(10) times a strength is Elo. The log likelihood is concave.

A weak prior keeps everything finite: games of little weight, half won and half lost, that were never played. They are
plain logistic terms, ln 1/(1 + e^-y), where y is the difference of two players who met, the first move, or the log
odds of a draw between equals, h - ln 2.

Everything works on many sets of counts at once, `[sets, ...]`, because a bootstrap fits a thousand of them. Parameters
stand in one row: the strengths of the free players, then first move and draw tendency where they are fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from zerogrid.arena.results import FloatArray, IntArray
from zerogrid.core.errors import BadResults

ELO = 400.0 / log(10.0)  # Elo in one unit of strength
LONGEST_STEP = 3.0  # a Newton step further than this, in units of strength, is cut short
CLOSE = 1e-14  # the square of the distance to the optimum, in standard errors, that is close enough
ROUNDS = 200
CHUNK = 2_000_000  # numbers in one array, so that a thousand bootstrap samples do not fill the memory


@dataclass(frozen=True)
class Model:
    """Who met whom, who is free, and what else is fitted."""

    known: FloatArray  # [players] the strengths of anchors, 0 for the others
    free: IntArray  # players whose strength is fitted
    meetings: IntArray  # [meetings, 2] who moved first and who second; each ordered pair once
    pairings: IntArray  # [pairings, 2] the same without order: each has a prior term
    first_move: bool
    draws: bool

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return len(self.free) + self.first_move + self.draws

    @property
    def terms(self) -> int:
        """How many prior terms there are: one a pairing, then first move and draws where they are fitted."""
        return len(self.pairings) + self.first_move + self.draws

    def strengths(self, parameters: FloatArray) -> FloatArray:
        """[sets, players]"""
        strengths = np.tile(self.known, (len(parameters), 1))
        strengths[:, self.free] = parameters[:, : len(self.free)]
        return strengths

    def advantage(self, parameters: FloatArray) -> FloatArray:
        """[sets, meetings] d of each meeting."""
        strengths = self.strengths(parameters)
        d = strengths[:, self.meetings[:, 0]] - strengths[:, self.meetings[:, 1]]
        return np.asarray(d + parameters[:, len(self.free), None] if self.first_move else d)

    def tendency(self, parameters: FloatArray) -> FloatArray:
        """[sets, 1] how much games tend to be drawn; minus infinity if they never are."""
        return parameters[:, -1:] if self.draws else np.full((len(parameters), 1), -np.inf)

    def prior_arguments(self, parameters: FloatArray) -> FloatArray:
        """[sets, terms] y of each prior term."""
        strengths = self.strengths(parameters)
        y = [strengths[:, self.pairings[:, 0]] - strengths[:, self.pairings[:, 1]]]
        if self.first_move:
            y.append(parameters[:, len(self.free), None])
        if self.draws:
            y.append(parameters[:, -1:] - log(2.0))
        return np.concatenate(y, axis=1)

    def incidence(self, pairs: IntArray) -> FloatArray:
        """[pairs, free players] +1 for the one, -1 for the other."""
        at = np.zeros((len(pairs), len(self.known)))
        rows = np.arange(len(pairs))
        at[rows, pairs[:, 0]] = 1.0
        at[rows, pairs[:, 1]] = -1.0
        return at[:, self.free]


@dataclass(frozen=True)
class Probabilities:
    """What the model says of each meeting, `[sets, meetings]`."""

    win: FloatArray
    draw: FloatArray
    loss: FloatArray

    @property
    def score(self) -> FloatArray:
        """The expected score of the player who moves first."""
        return self.win + self.draw / 2.0

    @property
    def mean(self) -> FloatArray:
        """The expected result, where a win is 1/2, a draw 0 and a loss -1/2."""
        return (self.win - self.loss) / 2.0

    @property
    def variance(self) -> FloatArray:
        """The variance of that result: what one game tells about d."""
        return (self.win + self.loss) / 4.0 - self.mean**2


def probabilities(model: Model, parameters: FloatArray) -> Probabilities:
    """The chances of each result of each meeting, for parameters `[sets, parameters]`."""
    half, tendency = model.advantage(parameters) / 2.0, model.tendency(parameters)
    top = np.maximum(np.abs(half), tendency)
    win, draw, loss = np.exp(half - top), np.exp(tendency - top), np.exp(-half - top)
    total = win + draw + loss
    return Probabilities(win / total, draw / total, loss / total)


def fit(model: Model, counts: FloatArray, prior: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """The likeliest parameters `[sets, parameters]`.

    `counts` [sets, meetings, 3] are losses, draws and wins of the player who moved first, `prior` [sets, terms, 2] the
    weights with which each term was lost and won.
    """
    begin = np.zeros((len(counts), model.size)) if start is None else start
    each = max(1, CHUNK // (len(model.known) ** 2 + 3 * counts.shape[1]))
    parts = [slice(k, k + each) for k in range(0, len(counts), each)]
    return np.concatenate([_newton(model, counts[p], prior[p], begin[p]) for p in parts])


def covariance(model: Model, curvature: FloatArray, meat: FloatArray | None = None) -> FloatArray:
    """The inverse of one `curvature`; with `meat`, the variance of the gradient, the sandwich of that inverse.

    Where there is no anchor, it is the covariance around the mean of the players.
    """
    inverse = np.linalg.inv(curvature + _hold(model))
    around = np.eye(model.size) - _hold(model)
    spread = inverse if meat is None else inverse @ meat @ inverse
    return np.asarray(around @ spread @ around)


def gradients(model: Model, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """By a game's result `[meetings, 3, parameters]`, and of the prior `[terms, 2, parameters]`; for one set."""
    chance = probabilities(model, parameters[None])
    direction = np.zeros((len(model.meetings), model.size))
    direction[:, : len(model.free)] = model.incidence(model.meetings)
    if model.first_move:
        direction[:, len(model.free)] = 1.0
    game = (np.array([-0.5, 0.0, 0.5]) - chance.mean[0][:, None])[:, :, None] * direction[:, None, :]
    if model.draws:
        game[:, :, -1] += np.array([0.0, 1.0, 0.0]) - chance.draw[0][:, None]
    towards = np.zeros((model.terms, model.size))
    towards[: len(model.pairings), : len(model.free)] = model.incidence(model.pairings)
    extra = range(model.first_move + model.draws)
    towards[[len(model.pairings) + k for k in extra], [len(model.free) + k for k in extra]] = 1.0
    won = _logistic(model.prior_arguments(parameters[None])[0])
    return game, np.stack([-won, 1.0 - won], axis=1)[:, :, None] * towards[:, None, :]


def slope(model: Model, parameters: FloatArray, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """The gradient of the log likelihood, `[sets, parameters]`."""
    chance = probabilities(model, parameters)
    games = counts.sum(axis=2)
    towards = (counts[..., 2] - counts[..., 0]) / 2.0 - games * chance.mean
    won = _logistic(model.prior_arguments(parameters))
    pull = prior[..., 1] * (1.0 - won) - prior[..., 0] * won
    met = len(model.pairings)
    parts = [towards @ model.incidence(model.meetings) + pull[:, :met] @ model.incidence(model.pairings)]
    if model.first_move:
        parts.append(towards.sum(axis=1, keepdims=True) + pull[:, met : met + 1])
    if model.draws:
        parts.append((counts[..., 1] - games * chance.draw).sum(axis=1, keepdims=True) + pull[:, -1:])
    return np.concatenate(parts, axis=1)


def information(model: Model, parameters: FloatArray, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """Minus the Hessian of the log likelihood, `[sets, parameters, parameters]`."""
    chance = probabilities(model, parameters)
    games = counts.sum(axis=2)
    told = games * chance.variance
    won = _logistic(model.prior_arguments(parameters))
    weight = prior.sum(axis=2) * won * (1.0 - won)
    met, n, k = len(model.pairings), len(model.known), len(model.free)

    # Differences of players: a Laplacian, with minus the weight between two who met and the row's sum on the diagonal.
    between = np.zeros((len(parameters), n, n))
    between[:, model.meetings[:, 0], model.meetings[:, 1]] = told
    between[:, model.pairings[:, 0], model.pairings[:, 1]] += weight[:, :met]
    between += between.transpose(0, 2, 1)
    total = np.zeros((len(parameters), model.size, model.size))
    total[:, :k, :k] = -between[:, model.free[:, None], model.free]
    total[:, np.arange(k), np.arange(k)] += between.sum(axis=2)[:, model.free]
    at = model.incidence(model.meetings)
    if model.first_move:
        total[:, k, :k] = total[:, :k, k] = told @ at
        total[:, k, k] = told.sum(axis=1) + weight[:, met]
    if model.draws:
        shared = -games * chance.mean * chance.draw  # the covariance of the result with whether it was a draw
        total[:, -1, :k] = total[:, :k, -1] = shared @ at
        if model.first_move:
            total[:, -1, k] = total[:, k, -1] = shared.sum(axis=1)
        total[:, -1, -1] = (games * chance.draw * (1.0 - chance.draw)).sum(axis=1) + weight[:, -1]
    return total


def log_likelihood(model: Model, parameters: FloatArray, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """[sets], with the prior."""
    half, tendency = model.advantage(parameters) / 2.0, model.tendency(parameters)
    total = np.logaddexp(np.logaddexp(half, -half), tendency)
    value = ((counts[..., 2] - counts[..., 0]) * half - counts.sum(axis=2) * total).sum(axis=1)
    if model.draws:
        value += counts[..., 1].sum(axis=1) * tendency[:, 0]
    y = model.prior_arguments(parameters)
    value -= (prior[..., 1] * np.logaddexp(0.0, -y) + prior[..., 0] * np.logaddexp(0.0, y)).sum(axis=1)
    return np.asarray(value)


def _newton(model: Model, counts: FloatArray, prior: FloatArray, start: FloatArray) -> FloatArray:
    """Newton's method with the step cut short, and halved while it does not improve."""
    now = start.copy()
    value = log_likelihood(model, now, counts, prior)
    moving = np.arange(len(counts))
    for _ in range(ROUNDS):
        at, data, terms = now[moving], counts[moving], prior[moving]
        uphill = slope(model, at, data, terms)
        step = np.linalg.solve(information(model, at, data, terms) + _hold(model), uphill[..., None])[..., 0]
        distance = (step * uphill).sum(axis=1)
        step *= np.minimum(1.0, LONGEST_STEP / np.maximum(np.abs(step).max(axis=1), 1e-300))[:, None]
        reached = log_likelihood(model, at + step, data, terms)
        for _ in range(40):
            worse = reached < value[moving] - 1e-9 * (1.0 + np.abs(value[moving]))
            if not worse.any():
                break
            step[worse] /= 2.0
            reached[worse] = log_likelihood(model, at[worse] + step[worse], data[worse], terms[worse])
        now[moving], value[moving] = at + step, reached
        moving = moving[distance > CLOSE]
        if not len(moving):
            return now
    raise BadResults("these results have no likeliest ratings; give the prior more weight.")


def _hold(model: Model) -> FloatArray:
    """Where no player is an anchor, this holds their mean, which the likelihood does not know, at 0."""
    held = np.zeros((model.size, model.size))
    k = len(model.free)
    if k == len(model.known):
        held[:k, :k] = 1.0 / k
    return held


def _logistic(y: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-np.logaddexp(0.0, -y)))
