"""Ratings to believe: Bradley-Terry with draws and a first-move advantage, anchors, and intervals over pairs.

    ratings = rate(rows, anchors={"random": 0})
    ratings["net-40"]                      its Elo and 95% interval
    ratings.difference("net-40", "uct")    never from two separate intervals: errors of players are correlated
    ratings.superiority("net-40", "uct")   the likelihood that it is the stronger
    ratings.surprises                      pairings that one number a player cannot explain

Anchors keep the Elo they are given; without any, ratings are around a mean of 0. Every player must be connected with
an anchor (or all with one another) through games. A player who won or lost everything has a rating that the weak
prior alone keeps finite; its interval says how little is known in that direction, and `groups` shows it.

The prior is one virtual game a player, half won and half lost, spread over the opponents it really met. Spent on the
anchor instead it would pull a whole ladder of players together, the more the longer the ladder is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from zerogrid.arena.davidson import ELO, Model, covariance, fit, gradients, information, probabilities
from zerogrid.arena.evidence import Evidence, gather, reweigh
from zerogrid.arena.groups import groups_by_strength, require_connected
from zerogrid.arena.intervals import Interval
from zerogrid.arena.results import FloatArray, Results, Row, as_results
from zerogrid.arena.student import student_cdf
from zerogrid.arena.surprise import Surprise, surprises
from zerogrid.core.errors import BadResults, BadSetting, quote


@dataclass(frozen=True)
class Ratings:
    """One rating a player, and how the errors of all of them hang together. Everything is in Elo."""

    players: tuple[str, ...]
    elo: FloatArray  # [players]
    low: FloatArray  # [players]
    high: FloatArray  # [players]
    level: float
    samples: FloatArray  # [samples, players] ratings of the bootstrap over pairs
    covariance: FloatArray  # [players, players] inverse of minus the Hessian: games taken as independent
    pair_covariance: FloatArray  # [players, players] the same with the variance that pairs show
    effective_pairs: FloatArray  # [players] pairs of equal information that would say as much
    first_move: Interval | None  # Elo that moving first is worth; None if not fitted
    draws: Interval | None  # share of draws between equals; None if there were no draws
    groups: tuple[tuple[str, ...], ...]  # strongest first; no group ever took a point off an earlier one
    surprises: tuple[Surprise, ...]  # one a pairing, the most surprising first
    anchors: Mapping[str, float]
    games: int
    pairs: int
    lone_games: int

    def index(self, player: str) -> int:
        """The index of a player's name."""
        if player not in self.players:
            raise BadResults(f"{quote(player)} was not rated; the players are {', '.join(self.players)}.")
        return self.players.index(player)

    def __getitem__(self, player: str) -> Interval:
        i = self.index(player)
        return Interval(float(self.elo[i]), float(self.low[i]), float(self.high[i]), self.level)

    def difference(self, player: str, opponent: str) -> Interval:
        """How much stronger `player` is, with the interval of the difference itself."""
        i, j = self.index(player), self.index(opponent)
        low, high = _middle(self.samples[:, i] - self.samples[:, j], self.level)
        return Interval(float(self.elo[i] - self.elo[j]), float(low), float(high), self.level)

    def error(self, player: str, opponent: str) -> float:
        """One standard error of the difference, over pairs."""
        i, j = self.index(player), self.index(opponent)
        c = self.pair_covariance
        return sqrt(max(float(c[i, i] + c[j, j] - 2.0 * c[i, j]), 0.0))

    def superiority(self, player: str, opponent: str) -> float:
        """The likelihood that `player` is the stronger, by Student's t with the lesser number of effective pairs."""
        i, j = self.index(player), self.index(opponent)
        error = self.error(player, opponent)
        if error == 0:  # one and the same, or both anchors
            return 0.5 if self.elo[i] == self.elo[j] else float(self.elo[i] > self.elo[j])
        known = [self.effective_pairs[k] for k in (i, j) if self.players[k] not in self.anchors]
        return student_cdf(float(self.elo[i] - self.elo[j]) / error, max(min(known) - 1.0, 1.0))

    def order(self) -> list[str]:
        """The players, strongest first."""
        return [self.players[i] for i in np.argsort(-self.elo, kind="stable")]

    def as_dict(self) -> dict[str, object]:
        """Everything worth printing, for JSON."""
        return {
            "ratings": [{"player": p, **self[p].as_dict(), "anchor": p in self.anchors} for p in self.order()],
            "covariance": {"players": list(self.players), "elo_squared": self.pair_covariance.tolist()},
            "first_move": self.first_move.as_dict() if self.first_move else None,
            "draws": self.draws.as_dict() if self.draws else None,
            "groups": [list(group) for group in self.groups],
            "surprises": [s.as_dict() for s in self.surprises],
            "games": self.games,
            "pairs": self.pairs,
            "lone_games": self.lone_games,
        }


def rate(
    rows: Results | Iterable[Row],
    anchors: Mapping[str, float] | None = None,
    first_move: bool = True,
    prior_games: float = 1.0,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Ratings:
    """Rate the players of a tournament. The games of a gate or of a sequential test do not belong here."""
    games = as_results(rows)
    fixed = dict(anchors or {})
    for name, elo in fixed.items():
        games.index(name)
        if not np.isfinite(elo):
            raise BadSetting(f"the anchor {quote(name)} has Elo {elo}; give a number.")
    if prior_games < 0:
        raise BadSetting(f"prior_games {prior_games} must not be below 0; 1 is usual.")
    if samples < 2 or not 0 < level < 1:
        raise BadSetting(f"samples {samples} must be 2 or more, and level {level} between 0 and 1.")
    if not len(games):
        raise BadResults("there are no games to rate.")
    evidence = gather(games)
    require_connected(evidence, list(fixed))
    groups = groups_by_strength(evidence)
    if prior_games == 0 and len(groups) > 1:
        raise BadResults(
            f"without a prior there is no rating, for {groups[0][0]} never lost a point to {groups[-1][0]}; "
            "give prior_games above 0."
        )
    model, prior = build_model(evidence, fixed, first_move, prior_games)
    counts = evidence.counts(evidence.units[None].astype(np.float64))
    best = fit(model, counts, prior[None])
    rng = np.random.default_rng(seed)
    weights = reweigh(evidence.units, samples, rng)
    drawn = fit(model, evidence.counts(weights), reweigh(prior, samples, rng), np.repeat(best, samples, axis=0))

    elo, sampled = model.strengths(best)[0] * ELO, model.strengths(drawn) * ELO
    low, high = _middle(sampled, level)
    curvature = information(model, best, counts, prior[None])[0]
    meat = _meat(model, evidence, best[0], prior)
    k = len(model.free)  # the column of the first move, where there is one
    return Ratings(
        players=evidence.players,
        elo=elo,
        low=low,
        high=high,
        level=level,
        samples=sampled,
        covariance=_spread(model, covariance(model, curvature)),
        pair_covariance=_spread(model, covariance(model, curvature, meat)),
        effective_pairs=_effective_pairs(model, evidence, best, counts),
        first_move=_interval(best[0, k] * ELO, drawn[:, k] * ELO, level) if first_move else None,
        draws=_interval(_draw_share(best[0, -1]), _draw_share(drawn[:, -1]), level) if model.draws else None,
        groups=groups,
        surprises=surprises(evidence, probabilities(model, best).score[0], counts[0]),
        anchors=fixed,
        games=len(games),
        pairs=int(evidence.units[evidence.is_pair].sum()),
        lone_games=int(evidence.units[~evidence.is_pair].sum()),
    )


def build_model(
    evidence: Evidence, anchors: Mapping[str, float], first_move: bool, prior_games: float
) -> tuple[Model, FloatArray]:
    """The parameters of a tournament and the weights `[terms, 2]` of its prior."""
    players = evidence.players
    drawn = evidence.counts(evidence.units[None].astype(np.float64))[0, :, 1].sum() > 0
    model = Model(
        np.array([anchors.get(p, 0.0) / ELO for p in players]),
        np.array([i for i, p in enumerate(players) if p not in anchors], np.int64),
        evidence.meetings,
        evidence.pairings,
        first_move,
        bool(drawn),
    )
    opponents = np.bincount(evidence.pairings.ravel(), minlength=len(players))
    shares = (0.5 / opponents[evidence.pairings]).sum(axis=1)
    weight = prior_games * np.concatenate([shares, np.ones(model.terms - len(shares))])
    return model, np.repeat(weight[:, None] / 2.0, 2, axis=1)


def _spread(model: Model, spread: FloatArray) -> FloatArray:
    """The covariance of parameters as one of players in Elo; anchors do not vary."""
    full = np.zeros((len(model.known), len(model.known)))
    full[np.ix_(model.free, model.free)] = spread[: len(model.free), : len(model.free)] * ELO * ELO
    return full


def _meat(model: Model, evidence: Evidence, best: FloatArray, prior: FloatArray) -> FloatArray:
    """The variance of the gradient when units are weighed at random."""
    game, term = gradients(model, best)
    by_game = np.concatenate([game.reshape(-1, model.size), np.zeros((1, model.size))])  # -1 finds the zeros
    unit = by_game[evidence.cells].sum(axis=1)
    flat = term.reshape(-1, model.size)
    return np.asarray((unit.T * evidence.units) @ unit + (flat.T * prior.ravel()) @ flat)


def _effective_pairs(model: Model, evidence: Evidence, best: FloatArray, counts: FloatArray) -> FloatArray:
    """By player, (sum h)^2 / sum (h^2 / n), where h is what the n pairs with one opponent tell."""
    chance = probabilities(model, best)
    told = counts[0].sum(axis=1) * chance.variance[0]
    n = len(evidence.players)
    low_high = np.sort(evidence.meetings, axis=1)
    where = np.searchsorted(evidence.pairings[:, 0] * n + evidence.pairings[:, 1], low_high[:, 0] * n + low_high[:, 1])
    h = np.bincount(where, told, len(evidence.pairings))
    total, square = np.zeros(n), np.zeros(n)
    for side in (0, 1):
        total += np.bincount(evidence.pairings[:, side], h, n)
        square += np.bincount(evidence.pairings[:, side], h * h / evidence.pairing_units, n)
    return np.asarray(total * total / np.maximum(square, 1e-300))


def _middle(values: FloatArray, level: float) -> FloatArray:
    return np.quantile(values, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=0)


def _interval(estimate: float | FloatArray, values: FloatArray, level: float) -> Interval:
    low, high = _middle(values, level)
    return Interval(float(estimate), float(low), float(high), level)


def _draw_share(tendency: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + 2.0 * np.exp(-tendency)))
