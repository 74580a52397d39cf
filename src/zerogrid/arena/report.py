"""What a match between two agents says, with everything it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from zerogrid.arena.audit import Reading, exclusions, readings, without_repeats
from zerogrid.arena.games import GameRecord
from zerogrid.arena.intervals import Interval, elo_bounds, paired_wilson, superiority, wilson
from zerogrid.arena.results import IntArray, pair_games, pentanomial, trinomial

FEWEST_DISTINCT = 0.95  # share of games below which a match says less than it seems to


@dataclass(frozen=True)
class MatchReport:
    """Player against opponent, seen by the player."""

    player: str
    opponent: str
    games: int  # finished
    wins: int
    draws: int
    losses: int
    single: Interval  # of the score, games taken as independent
    paired: Interval  # of the score, over pairs of games: the one to believe
    pairs: IntArray  # [LL, LD, DD or WL, WD, WW], repeated pairs left out
    repeated: int  # pairs that are an earlier pair over again, and no evidence
    superior: float  # the likelihood that the player is the better one
    first_score: float  # of whoever moved first
    distinct: int  # games that differ from all others
    lone: int  # games without a partner
    void: int  # given up for good
    replayed: int  # void at first, and played again
    illegal: dict[str, int]  # games lost by a move that may not be played
    plies: float  # a game, on average
    reasons: tuple[str, ...]  # why games were void or lost by an illegal move
    readings: tuple[Reading, ...]  # the verdict as it is, and with what was left out
    exclusions: tuple[dict[str, Any], ...]  # every game that is no evidence, and why

    @property
    def score(self) -> float:
        """The player's score, draws as half."""
        return self.single.estimate

    @property
    def elo(self) -> Interval:
        """How much stronger the player is, over pairs of games."""
        return elo_bounds(self.paired)

    @property
    def verdict(self) -> str:
        """Whether the match shows the player to be stronger or weaker, or neither, at 95%."""
        return self.readings[0].verdict

    @property
    def warnings(self) -> list[str]:
        """What a reader must know."""
        found = []
        if self.games and self.distinct < FEWEST_DISTINCT * self.games:
            found.append(
                f"only {self.distinct} of {self.games} games are distinct: this match says less than its length "
                "promises; take other openings (random:6, book)"
            )
        if any("seconds=" in name for name in (self.player, self.opponent)):
            found.append("an agent has a limit in seconds, so the result belongs to this machine and its load")
        if self.void:
            found.append(f"{self.void} games are void and not counted")
        if self.replayed:
            found.append(f"{self.replayed} games were void and played again")
        if self.lone:
            found.append(f"{self.lone} games without a partner count in the score, not in the interval and the Elo")
        for other in self.readings[1:]:
            if other.verdict != self.verdict:
                found.append(f"the verdict is {self.verdict} as it counts and {other.verdict} {other.name}")
        return found

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "players": [self.player, self.opponent],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "interval": [self.paired.low, self.paired.high],
            "wilson": [self.single.low, self.single.high],
            "elo": finite(self.elo),
            "superiority": self.superior,
            "pentanomial": self.pairs.tolist(),
            "repeated_pairs": self.repeated,
            "lone_games": self.lone,
            "first_player_score": self.first_score,
            "distinct": self.distinct,
            "distinct_share": self.distinct / self.games if self.games else None,
            "void": self.void,
            "replayed": self.replayed,
            "illegal": self.illegal,
            "mean_plies": self.plies,
            "warnings": self.warnings,
            "reasons": list(self.reasons),
            "verdict": self.verdict,
            "audit": [reading.as_dict() for reading in self.readings],
            "exclusions": list(self.exclusions),
        }

    def sentences(self) -> list[str]:
        """For people."""
        low, high = self.paired.low, self.paired.high
        name, other = self.player, self.opponent
        lines = [
            f"{name} against {other}: {self.wins} won, {self.draws} drawn, {self.losses} lost of {self.games} games",
            f"score {self.score:.1%}, 95% interval {low:.1%} to {high:.1%} over {int(self.pairs.sum())} pairs "
            f"(Wilson over single games: {self.single.low:.1%} to {self.single.high:.1%})",
            f"Elo {elo_words(self.elo)}; {name} is the stronger one with likelihood {self.superior:.1%}",
            f"pairs lost twice {self.pairs[0]}, lost and drawn {self.pairs[1]}, even {self.pairs[2]}, "
            f"won and drawn {self.pairs[3]}, won twice {self.pairs[4]}",
            f"{self.distinct} distinct games of {self.plies:.1f} moves; the first player scored {self.first_score:.1%}",
        ]
        lines += [f"{who} lost {count} games by illegal moves" for who, count in self.illegal.items() if count]
        lines += [f"Note: {warning}." for warning in self.warnings]
        return lines + [f"  {reason}" for reason in self.reasons[:5]]


def report(records: Sequence[GameRecord], player: str, opponent: str) -> MatchReport:
    """Sum up the games of two players, whatever order they are in."""
    ours = sorted((r for r in records if set(r.players) == {player, opponent}), key=lambda r: (r.number, r.attempt))
    done = [record for record in ours if record.scores is not None]
    finished = {record.number for record in done}
    given_up = {record.number for record in ours if record.void} - finished
    distinct_records, repeated = without_repeats(done)
    rows, evidence = [r.row for r in done], [r.row for r in distinct_records]
    losses, draws, wins = trinomial(rows, player, opponent).tolist() if done else (0, 0, 0)
    pairs = pentanomial(evidence, player, opponent) if evidence else trinomial_of_nothing()
    games = len(done)
    return MatchReport(
        player,
        opponent,
        games,
        wins,
        draws,
        losses,
        wilson((wins + draws / 2) / games, games) if games else Interval(0.5, 0.0, 1.0),
        paired_wilson(pairs),
        pairs,
        repeated,
        superiority(pairs),
        sum(r.result or 0.0 for r in done) / games if games else 0.5,
        len({record.same for record in done}),
        len(pair_games(rows).lone) if done else 0,
        len(given_up),
        len({record.number for record in ours if record.void} & finished),
        {who: sum(bool(r.illegal) and r.winner not in (None, who) for r in done) for who in (player, opponent)},
        sum(len(r.moves) for r in done) / games if games else 0.0,
        tuple(dict.fromkeys(r.void or r.illegal for r in ours if r.void or r.illegal)),
        tuple(readings(ours, player, opponent)),
        tuple(exclusions(ours)),
    )


def trinomial_of_nothing() -> IntArray:
    """Five counts of nothing."""
    import numpy as np

    return np.zeros(5, np.int64)


def finite(interval: Interval) -> dict[str, float | None]:
    """An interval for JSON, which knows no infinity."""
    return {name: value if isfinite(value) else None for name, value in interval.as_dict().items()}


def elo_words(elo: Interval) -> str:
    """+35 (+12 to +58), with words for what is infinitely far."""
    def shown(value: float) -> str:
        return f"{value:+.0f}" if isfinite(value) else ("beyond measure" if value > 0 else "beneath measure")

    return f"{shown(elo.estimate)} ({shown(elo.low)} to {shown(elo.high)})"
