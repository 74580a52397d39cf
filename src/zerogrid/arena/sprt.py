"""A sequential test of strength: pairs of games go in, in schedule order, and a verdict comes out.

    test = Sprt(elo0=0, elo1=50)
    while not test.done:
        test.feed(score, score_with_sides_swapped, opening)

H0 says that the player is `elo0` stronger than the opponent, H1 that it is `elo1` stronger. `accept` means H1: at true
strength elo0 or less it comes up with probability alpha at most; `reject` at elo1 or more with beta at most. At the
cap the verdict is `undecided`, and whoever holds the title keeps it.

Three rules keep the promise. Pairs are fed in the order of the schedule, never in the order in which they finish: fast
games are other games. No verdict falls before enough pairs from enough different openings. And a pair that repeats an
earlier one move for move is no evidence at all; give `moves` (anything that tells games apart) and it will be refused.

A test says which of two hypotheses holds. The score at which it stopped is no rating: it was stopped because
it was extreme. Ratings come from matches of a fixed length (`zerogrid.arena.ratings`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

import numpy as np

from zerogrid.arena.gsprt import check_bounds, match_llr
from zerogrid.arena.results import IntArray
from zerogrid.arena.wald import trinomial_llr, wald_bounds
from zerogrid.core.errors import BadResults, BadSetting, quote

SprtModel = Literal["normalized", "logistic", "trinomial"]
Verdict = Literal["running", "accept", "reject", "undecided"]


class Sprt:
    """One test in progress. `normalized` and `logistic` count pairs; `trinomial` counts games, as papers do."""

    def __init__(
        self,
        elo0: float = 0.0,
        elo1: float = 50.0,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: SprtModel = "normalized",
        min_pairs: int = 16,
        min_openings: int = 16,
        max_pairs: int = 400,
    ) -> None:
        if model not in ("normalized", "logistic", "trinomial"):
            raise BadSetting(f"there is no model {quote(model)} of a test; take normalized, logistic or trinomial.")
        check_bounds(elo0, elo1, "logistic" if model == "trinomial" else model)
        if not 1 <= min_pairs <= max_pairs:
            raise BadSetting(f"min_pairs {min_pairs} must be at least 1 and at most max_pairs {max_pairs}.")
        if not 0 <= min_openings <= max_pairs:
            raise BadSetting(f"min_openings {min_openings} must be between 0 and max_pairs {max_pairs}.")
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.model: SprtModel = model
        self.min_pairs, self.min_openings, self.max_pairs = min_pairs, min_openings, max_pairs
        self.lower, self.upper = wald_bounds(alpha, beta)
        self.pairs: IntArray = np.zeros(5, np.int64)  # [LL, LD, DD or WL, WD, WW]
        self.games: IntArray = np.zeros(3, np.int64)  # [losses, draws, wins]
        self.repeated = 0  # pairs refused because they repeat an earlier one
        self.late = 0  # pairs that came after the verdict, and changed nothing
        self.llr = 0.0
        self.verdict: Verdict = "running"
        self._openings: set[Hashable] = set()
        self._moves: set[Hashable] = set()

    @property
    def done(self) -> bool:
        """Whether the verdict has fallen."""
        return self.verdict != "running"

    @property
    def openings(self) -> int:
        """From how many different openings the counted pairs came."""
        return len(self._openings)

    def feed(self, score: float, swapped: float, opening: Hashable, moves: Hashable | None = None) -> Verdict:
        """The player's scores (0, 0.5 or 1) in the two games of one opening. Returns the verdict so far."""
        if score not in (0, 0.5, 1) or swapped not in (0, 0.5, 1):
            raise BadResults(f"the scores {score!r} and {swapped!r} of a pair must each be 0, 0.5 or 1.")
        if self.done:
            self.late += 1
            return self.verdict
        if moves is not None and moves in self._moves:
            self.repeated += 1
        else:
            if moves is not None:
                self._moves.add(moves)
            self._openings.add(opening)
            self.pairs[round(2 * (score + swapped))] += 1
            self.games[round(2 * score)] += 1
            self.games[round(2 * swapped)] += 1
            self.llr = self._llr()
        counted = int(self.pairs.sum())
        enough = counted >= self.min_pairs and self.openings >= self.min_openings
        if enough and self.llr >= self.upper:
            self.verdict = "accept"
        elif enough and self.llr <= self.lower:
            self.verdict = "reject"
        elif counted + self.repeated >= self.max_pairs:
            self.verdict = "undecided"
        return self.verdict

    def as_dict(self) -> dict[str, object]:
        """Everything the verdict rests on, for JSON."""
        return {
            "verdict": self.verdict,
            "llr": self.llr,
            "bounds": [self.lower, self.upper],
            "model": self.model,
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "pairs": int(self.pairs.sum()),
            "pentanomial": self.pairs.tolist(),
            "losses_draws_wins": self.games.tolist(),
            "distinct_openings": self.openings,
            "repeated_pairs": self.repeated,
            "late_pairs": self.late,
            "limits": {"min_pairs": self.min_pairs, "min_openings": self.min_openings, "max_pairs": self.max_pairs},
        }

    def _llr(self) -> float:
        if self.model == "trinomial":
            return float(trinomial_llr(self.games, self.elo0, self.elo1))
        return float(match_llr(self.pairs, self.elo0, self.elo1, self.model))
