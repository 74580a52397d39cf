"""Pairings whose result one number a player cannot explain.

Ratings put players on a line; paper, scissors and stone do not lie on one. For each pairing the likelihood of the
observed pairs under the best distribution of any kind is compared with that under the best one with the mean the
ratings predict (`zerogrid.arena.gsprt.fit_mean`). Twice the logarithm of that ratio is a chi-square of one degree;
its root with the sign of the surprise is a number of deviations. The ratings were fitted to the same games, which
makes it smaller than it should be, so what is marked is marked with reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from zerogrid.arena.evidence import Evidence
from zerogrid.arena.gsprt import EMPTY_COUNT, fit_mean
from zerogrid.arena.results import FloatArray

FAMILY_ERROR = 0.05  # the chance that a table without any real surprise has one marked


@dataclass(frozen=True)
class Surprise:
    """One pairing: what `player` scored against `opponent`, and what the ratings expected."""

    player: str
    opponent: str
    units: int  # pairs of games (or single games, where none of them formed a pair)
    score: float
    expected: float
    deviations: float  # above 0: better than expected
    p: float  # two-sided, for this pairing alone
    marked: bool  # p below 5% even after dividing by the number of pairings

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return dict(vars(self))


def surprises(evidence: Evidence, expected_first: FloatArray, counts: FloatArray) -> tuple[Surprise, ...]:
    """All pairings, the most surprising first. `expected_first` [meetings] is the first mover's expected score."""
    meeting = {(int(i), int(j)): k for k, (i, j) in enumerate(evidence.meetings)}
    found = []
    for number, (i, j) in enumerate(evidence.pairings.tolist()):
        cells = evidence.cell_pairing == number
        pairs = cells & evidence.is_pair
        use, top = (pairs, 4) if pairs.any() else (cells, 2)
        tally = np.bincount(evidence.cell_score[use], evidence.units[use], top + 1).astype(np.float64)
        means, games = [], []  # of the lower player as first and as second
        for who, k in ((1.0, meeting.get((i, j))), (-1.0, meeting.get((j, i)))):
            if k is not None:
                means.append(0.5 + who * (float(expected_first[k]) - 0.5))
                games.append(1.0 if pairs.any() else float(counts[k].sum()))  # a pair has one game a side
        expected = float(np.dot(games, means) / sum(games))
        found.append(_measure(evidence.players[i], evidence.players[j], tally, expected, len(evidence.pairings)))
    return tuple(sorted(found, key=lambda s: (-abs(s.deviations), s.player, s.opponent)))


def _measure(player: str, opponent: str, tally: FloatArray, expected: float, pairings: int) -> Surprise:
    filled = np.where(tally == 0, EMPTY_COUNT, tally)
    frequency = filled / filled.sum()
    fitted = fit_mean(frequency[None], min(max(expected, 1e-9), 1.0 - 1e-9))[0]  # a certain result is never fitted
    ratio = 2.0 * float(filled.sum()) * float(frequency @ np.log(frequency / fitted))
    score = float(tally @ np.linspace(0.0, 1.0, len(tally)) / tally.sum())
    deviations = float(np.sqrt(max(ratio, 0.0)) * np.sign(score - expected))
    p = 2.0 * NormalDist().cdf(-abs(deviations))
    return Surprise(player, opponent, int(tally.sum()), score, expected, deviations, p, p * pairings < FAMILY_ERROR)
