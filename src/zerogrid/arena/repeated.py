"""Claims made again and again: a level for each of many, and evidence that may be looked at whenever one likes.

A test at 5% after every iteration "finds" progress in 99.4% of runs of a hundred iterations that make none. Two ways
to keep the promise over a whole run:

    spending    claim number k is tested at alpha_k = 6 alpha / (pi^2 k^2); all of them together err with
                probability alpha at most, however many follow
    e-value     a bet against "not stronger". Start with 1; each pair with score x multiplies the stake by
                1 + b (x - 1/2). If the player is no stronger, no betting makes money, and the stake ever reaches
                1/alpha with probability alpha at most (J. Ville 1939), looked at as often as one likes.

The bet b is not known beforehand, so the money is spread over a grid of bets and the stakes are averaged (I.
Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", 2024). The average is a
product of likelihood ratios like the others, needs nothing but pairs that are no better than even on average, and
does not depend on their order. E-values of separate evidence may be multiplied.
"""

from __future__ import annotations

from math import log, pi

import numpy as np
import numpy.typing as npt

from zerogrid.arena.intervals import PAIR_SCORES
from zerogrid.arena.results import FloatArray
from zerogrid.core.errors import BadResults, BadSetting

# From timid to bold: small bets win slowly on a small edge, large ones quickly on a large. Twice the stake's share
# would lose everything with one lost pair.
BETS: FloatArray = np.geomspace(0.02, 1.8, 16)


def spend(alpha: float, claim: int) -> float:
    """The level for claim number `claim` (1, 2, ...) when all claims together may err with probability `alpha`."""
    if not 0 < alpha < 1 or claim < 1:
        raise BadSetting(f"alpha {alpha} must be between 0 and 1, and claims are numbered from 1, not {claim}.")
    return 6.0 * alpha / (pi * pi * claim * claim)


def log_e_value(counts: npt.ArrayLike) -> FloatArray:
    """ln of the e-value against "not stronger", of pairs `[..., 5]` or single games `[..., 3]`, low to high."""
    observed = np.asarray(counts, np.float64)
    if observed.shape[-1:] not in ((3,), (5,)) or not (np.isfinite(observed) & (observed >= 0)).all():
        raise BadResults("give 5 counts of pairs or 3 of single games, low to high, each 0 or more.")
    scores = PAIR_SCORES if observed.shape[-1] == 5 else PAIR_SCORES[::2]
    stakes = observed @ np.log1p(np.outer(scores - 0.5, BETS))  # [..., bets]
    highest = stakes.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(stakes - highest).mean(axis=-1)))


class Claim:
    """Evidence for "stronger", gathered pair by pair; once made, the claim stands."""

    def __init__(self, alpha: float = 0.05) -> None:
        if not 0 < alpha < 1:
            raise BadSetting(f"alpha {alpha} must be between 0 and 1; 0.05 is usual.")
        self.alpha = alpha
        self.pairs = np.zeros(5, np.int64)
        self.made_after: int | None = None  # pairs it took

    @property
    def e_value(self) -> float:
        """The stake won so far, started at 1."""
        return float(np.exp(log_e_value(self.pairs)))

    @property
    def made(self) -> bool:
        """Whether the evidence has ever been enough."""
        return self.made_after is not None

    def feed(self, score: float, swapped: float) -> bool:
        """The player's scores (0, 0.5 or 1) in the two games of a pair. Returns whether the claim is made."""
        if score not in (0, 0.5, 1) or swapped not in (0, 0.5, 1):
            raise BadResults(f"the scores {score!r} and {swapped!r} of a pair must each be 0, 0.5 or 1.")
        self.pairs[round(2 * (score + swapped))] += 1
        if not self.made and float(log_e_value(self.pairs)) >= -log(self.alpha):
            self.made_after = int(self.pairs.sum())
        return self.made
