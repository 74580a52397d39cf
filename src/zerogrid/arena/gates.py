"""The gates of the papers, that let a candidate replace the champion, and what they are worth.

    ThresholdGate   a fixed number of games, a share of wins to reach, draws not counted (Pawn Dama 60%,
                    Battlefield 60% and 90%)
    PoolGate        Wald's test of p0 against p1 over games with a pool of earlier champions; when a greatest number
                    of games has not decided, Wilson's lower bound does (Battlefield)

Both are here as the papers have them. `equal_promotions` says what a threshold does with a candidate that is exactly
as strong as the champion: 40 games at 60% promote it 13 times in a hundred, each time with an apparent gain of 91
Elo, so that a hundred iterations of standing still look like +1,219. A gate's games must never enter a rating.

For a gate with error rates that hold, use `zerogrid.arena.sprt.Sprt` on pairs; bounds of [-25, 25] promote an equal
candidate half of the time, which does no harm, and a worse one rarely, which is what a gate is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from zerogrid.arena.elo import elo_from_score
from zerogrid.arena.intervals import wilson
from zerogrid.arena.wald import binomial_llr, wald_bounds
from zerogrid.core.errors import BadResults, BadSetting, quote


@dataclass(frozen=True)
class GateDecision:
    """Whether the candidate becomes champion, which rule said so, and the numbers it went by."""

    promoted: bool
    rule: Literal["threshold", "sprt", "wilson"]
    wins: int
    draws: int
    losses: int
    share: float  # of wins among decisive games for a threshold, else the score with draws as half
    bound: float  # what the share, the log likelihood ratio or Wilson's lower bound had to reach
    value: float  # what it was

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class ThresholdGate:
    """Promote at `share` of the decisive games or more; above it if `strict`. No decisive game promotes nobody."""

    share: float = 0.6
    strict: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadSetting(f"a gate at a share of {self.share} must lie above 0 and not above 1; 0.6 is usual.")

    def passes(self, wins: int, losses: int) -> bool:
        """Whether these decisive games are enough."""
        needed = self.share * (wins + losses)
        # 0.55 * 100 is a little more than 55 in binary; a share reached exactly must count as reached
        reached = wins - needed
        return wins + losses > 0 and (reached > 1e-9 if self.strict else reached >= -1e-9)

    def decide(self, wins: int, draws: int, losses: int) -> GateDecision:
        """The decision after the fixed number of games."""
        if min(wins, draws, losses) < 0:
            raise BadResults(f"{wins} wins, {draws} draws and {losses} losses cannot be; counts are 0 or more.")
        won = wins / (wins + losses) if wins + losses else 0.5
        return GateDecision(self.passes(wins, losses), "threshold", wins, draws, losses, won, self.share, won)


class PoolGate:
    """Wald's test over the candidate's games in schedule order, whoever of the pool they were against."""

    def __init__(
        self,
        p0: float = 0.50,
        p1: float = 0.55,
        alpha: float = 0.05,
        beta: float = 0.05,
        min_games: int = 40,
        max_games: int = 400,
        draws: Literal["half", "ignored"] = "half",
        safety: float = 0.50,
        level: float = 0.95,
    ) -> None:
        if not 1 <= min_games <= max_games:
            raise BadSetting(f"min_games {min_games} must be at least 1 and at most max_games {max_games}.")
        if draws not in ("half", "ignored"):
            raise BadSetting(f"draws {quote(draws)} can be half or ignored.")
        binomial_llr(0, 0, p0, p1)  # refuses win rates that do not rise
        wilson(0.5, max_games, level)
        self.p0, self.p1, self.safety, self.level = p0, p1, safety, level
        self.min_games, self.max_games, self.draws = min_games, max_games, draws
        self.lower, self.upper = wald_bounds(alpha, beta)
        self.counts = [0, 0, 0]  # losses, draws, wins
        self.decision: GateDecision | None = None

    @property
    def llr(self) -> float:
        """The evidence so far."""
        losses, draws, wins = self.counts
        return float(binomial_llr(wins, losses, self.p0, self.p1, draws, self.draws == "half"))

    def feed(self, score: float) -> GateDecision | None:
        """The candidate's score (0, 0.5 or 1) in the next game. Returns the decision once there is one."""
        if score not in (0, 0.5, 1):
            raise BadResults(f"the score {score!r} of a game must be 0, 0.5 or 1.")
        if self.decision is None:
            self.counts[round(2 * score)] += 1
            games = sum(self.counts)
            if games >= self.min_games and not self.lower < self.llr < self.upper:
                up = self.llr >= self.upper
                self._decide(up, "sprt", self.upper if up else self.lower, self.llr)
            elif games >= self.max_games:
                losses, draws, wins = self.counts
                if self.draws == "half":
                    bound = wilson((wins + draws / 2) / games, games, self.level).low
                else:
                    decisive = wins + losses
                    bound = wilson(wins / decisive if decisive else 0.5, decisive, self.level).low
                self._decide(bound > self.safety, "wilson", self.safety, bound)
        return self.decision

    def _decide(self, promoted: bool, rule: Literal["sprt", "wilson"], bound: float, value: float) -> None:
        losses, draws, wins = self.counts
        score = (wins + draws / 2) / (wins + draws + losses)
        self.decision = GateDecision(promoted, rule, wins, draws, losses, score, bound, value)


@dataclass(frozen=True)
class EqualPromotions:
    """What a threshold gate does with a candidate as strong as the champion."""

    chance: float  # to be promoted
    apparent_elo: float  # of the score those promoted have on average
    after_100: float  # Elo that a hundred iterations without any progress add up to on paper


def equal_promotions(gate: ThresholdGate, games: int, draw_rate: float = 0.0) -> EqualPromotions:
    """Exact, from the binomial distribution of wins among the games that are not drawn."""
    from scipy.stats import binom

    if games < 1 or not 0 <= draw_rate <= 1:
        raise BadSetting(f"{games} games with a draw rate of {draw_rate} cannot be; give 1 or more, and 0 to 1.")
    chance, score = 0.0, 0.0
    for decisive in range(games + 1):
        weight = binom.pmf(decisive, games, 1.0 - draw_rate)
        wins = np.array([w for w in range(decisive + 1) if gate.passes(w, decisive - w)])
        if weight > 0 and len(wins):
            share = weight * binom.pmf(wins, decisive, 0.5)
            chance += float(share.sum())
            score += float(share @ (wins + (games - decisive) / 2.0)) / games
    if chance == 0:
        return EqualPromotions(0.0, 0.0, 0.0)
    apparent = elo_from_score(min(score / chance, 1.0 - 1e-12))
    return EqualPromotions(chance, apparent, 100.0 * chance * apparent)
