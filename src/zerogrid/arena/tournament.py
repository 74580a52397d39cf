"""A round robin: everyone meets everyone, as often as everyone else, from the same openings.

Games are played round by round, in each round every pairing once from one opening with sides swapped, so that a
tournament that is stopped early is still a fair one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from zerogrid.arena.audit import without_repeats
from zerogrid.arena.elo import SequentialElo, sequential_elo
from zerogrid.arena.games import GameRecord
from zerogrid.arena.playing import Scheduled
from zerogrid.arena.ratings import Ratings, rate
from zerogrid.arena.results import FloatArray, as_results
from zerogrid.core.errors import BadResults


def round_robin(players: Sequence[str], pairs: int) -> list[Scheduled]:
    """Every pairing `pairs` times from an opening with sides swapped; all pairings share the openings."""
    schedule: list[Scheduled] = []
    for opening in range(pairs):
        for a, b in combinations(players, 2):
            for first, second in ((a, b), (b, a)):
                schedule.append(Scheduled(len(schedule), (first, second), opening))
    return schedule


WIDEST = 20  # players whose scores against one another are shown in the terminal


@dataclass(frozen=True)
class Table:
    """Where a tournament stands."""

    players: tuple[str, ...]  # the strongest first
    ratings: Ratings | None  # None while some have not met, not even through others
    elo: SequentialElo  # as the papers have it: K = 32, in the order of the schedule
    scores: FloatArray  # [player, opponent] mean score, NaN where they never met
    games: FloatArray  # [player, opponent]
    void: int
    repeated: int  # pairs that are an earlier pair over again, and not rated

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        matrix = [[None if np.isnan(score) else float(score) for score in row] for row in self.scores]
        return {
            "players": list(self.players),
            "bradley_terry": self.ratings.as_dict() if self.ratings else None,
            "elo_k32": {player: self.elo[player] for player in self.players},
            "scores": matrix,
            "games_of_each": self.games.astype(int).tolist(),
            "mean_score": {p: self.mean(i) for i, p in enumerate(self.players)},
            "cycle": self.cycle,
            "void": self.void,
            "repeated_pairs": self.repeated,
        }

    def mean(self, place: int) -> float | None:
        """A player's mean over its opponents, as papers print it."""
        row = self.scores[place]
        return None if np.isnan(row).all() else float(np.nanmean(row))

    @property
    def cycle(self) -> list[str] | None:
        """Three players of whom each beats the next clearly, so that a rating cannot be the whole truth."""
        return clear_cycle(self.players, self.scores, self.games)

    def sentences(self) -> list[str]:
        """For people: one line a player, then what else must be known."""
        wide = max((len(player) for player in self.players), default=6)
        lines = [f"{'':>3} {'player':<{wide}} {'rating':>7} {'95% interval':>17} {'Elo K=32':>9} {'mean score':>11}"]
        for place, player in enumerate(self.players):
            rating, interval = "", ""
            if self.ratings is not None:
                found = self.ratings[player]
                rating, interval = f"{found.estimate:+.0f}", f"{found.low:+.0f} to {found.high:+.0f}"
            mean = self.mean(place)
            shown = "" if mean is None else f"{mean:.1%}"
            numbers = f"{rating:>7} {interval:>17} {self.elo[player]:>9.0f} {shown:>11}"
            lines.append(f"{place + 1:>3} {player:<{wide}} {numbers}")
        return [*lines, *self._everywhere(), *self._matrix(), *(f"Note: {warning}." for warning in self.warnings)]

    def _everywhere(self) -> list[str]:
        """What moving first is worth, and how often equals draw."""
        said = []
        move, draws = (self.ratings.first_move, self.ratings.draws) if self.ratings is not None else (None, None)
        if move is not None:
            said.append(f"moving first is worth {move.estimate:+.0f} Elo ({move.low:+.0f} to {move.high:+.0f})")
        if draws is not None:
            said.append(f"equals draw {draws.estimate:.1%} of their games ({draws.low:.1%} to {draws.high:.1%})")
        return ["; ".join(said)] if said else []

    def _matrix(self) -> list[str]:
        """Scores in per cent of the row against the columns, which are the places above; what fits into a line."""
        if not 2 < len(self.players) <= WIDEST:
            return []
        rows = [f"{'%':>4}" + "".join(f"{place + 1:>5}" for place in range(len(self.players)))]
        for place, row in enumerate(self.scores):
            shown = ("-" if np.isnan(score) else f"{100 * score:.0f}" for score in row)
            rows.append(f"{place + 1:>4}" + "".join(f"{score:>5}" for score in shown))
        return rows

    @property
    def warnings(self) -> list[str]:
        """What a reader must know."""
        found = []
        if self.cycle:
            a, b, c = self.cycle
            found.append(f"{a} beats {b}, {b} beats {c}, and {c} beats {a}: one number a player cannot say that")
        if self.ratings is not None:
            for s in self.ratings.surprises:
                if s.marked:
                    words = f"where the ratings expect {s.expected:.0%}"
                    found.append(f"{s.player} scored {s.score:.0%} against {s.opponent}, {words}")
            if len(self.ratings.groups) > 1:
                top, below = (", ".join(group) for group in self.ratings.groups[:2])
                found.append(f"{top} never lost a point to {below}: their distance is a bound only")
        if self.void:
            found.append(f"{self.void} games are void and not counted")
        if self.repeated:
            found.append(f"{self.repeated} pairs repeat an earlier one and are not counted")
        return found


def table(records: Sequence[GameRecord], anchors: dict[str, float] | None = None, seed: int = 0) -> Table:
    """Rate everyone who finished a game."""
    ordered = sorted(records, key=lambda r: (r.number, r.attempt))
    done = [record for record in ordered if record.scores is not None]
    evidence, repeated = without_repeats(done)
    games = as_results([record.row for record in evidence])
    try:
        ratings: Ratings | None = rate(games, anchors=anchors, seed=seed)
    except BadResults:
        ratings = None
    elo = sequential_elo(games)
    order = ratings.order() if ratings is not None else sorted(games.players, key=lambda p: -elo[p])
    n, at = len(order), {player: i for i, player in enumerate(order)}
    total, played = np.zeros((n, n)), np.zeros((n, n))
    for record in done:
        i, j = (at[player] for player in record.players)
        assert record.result is not None
        total[i, j] += record.result
        total[j, i] += 1.0 - record.result
        played[i, j] += 1
        played[j, i] += 1
    with np.errstate(invalid="ignore"):
        scores = np.where(played > 0, total / np.maximum(played, 1), np.nan)
    numbers = {record.number for record in done}
    void = len({record.number for record in ordered if record.void} - numbers)
    return Table(tuple(order), ratings, elo, scores, played, void, repeated)


def clear_cycle(players: Sequence[str], scores: FloatArray, games: FloatArray) -> list[str] | None:
    """Three players of whom each scored more than half against the next, by more than two standard errors."""
    with np.errstate(invalid="ignore", divide="ignore"):
        beats = scores - 0.5 > 1.0 / np.sqrt(games)  # a game's score has a deviation of one half at most
    n = len(players)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if beats[i, j] and beats[j, k] and beats[k, i]:
                    return [players[i], players[j], players[k]]
    return None
