"""An audit of a match: what was left out, why, and what the verdict would be had it been counted.

    for reading in readings(records, "a", "b"):
        print(reading.name, reading.interval, reading.verdict)

Left out of the evidence are pairs that repeat an earlier pair move for move, and games that are void. Nothing of it is
deleted, and nobody need take our word for it: the verdict is given both ways, once as it is and once for each thing
that was left out as if it had not been; void games once as lost by the player and once as won.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zerogrid.arena.games import GameRecord
from zerogrid.arena.intervals import Interval, paired_wilson
from zerogrid.arena.results import pentanomial


@dataclass(frozen=True)
class Reading:
    """One way to count a match."""

    name: str
    interval: Interval  # of the player's score, over pairs

    @property
    def verdict(self) -> str:
        """What a match of this length shows at the interval's level."""
        if self.interval.low > 0.5:
            return "stronger"
        return "weaker" if self.interval.high < 0.5 else "undecided"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"counted": self.name, "interval": [self.interval.low, self.interval.high], "verdict": self.verdict}


def readings(records: Sequence[GameRecord], player: str, opponent: str) -> list[Reading]:
    """The match as it counts, and as it would with what was left out."""
    ours = sorted((r for r in records if set(r.players) == {player, opponent}), key=lambda r: (r.number, r.attempt))
    done = [record for record in ours if record.scores is not None]
    finished = {record.number for record in done}
    void = {record.number: record for record in ours if record.void and record.number not in finished}
    evidence, repeated = without_repeats(done)
    found = [_reading("evidence", evidence, player, opponent)]
    if repeated:
        found.append(_reading("with repeated pairs", done, player, opponent))
    for points, name in ((0.0, "with void games as lost"), (1.0, "with void games as won")) if void else ():
        settled = [_settled(record, player, points) for record in void.values()]
        everything = sorted([*evidence, *settled], key=lambda record: record.number)
        found.append(_reading(name, everything, player, opponent))
    return found


def exclusions(records: Iterable[GameRecord]) -> list[dict[str, Any]]:
    """Every game that is no evidence, and why."""
    ordered = sorted(records, key=lambda record: (record.number, record.attempt))
    done = [record for record in ordered if record.scores is not None]
    kept = {record.number for record in without_repeats(done)[0]}
    repeats = "it belongs to a pair that repeats an earlier one"
    left_out = [(record, f"void: {record.void}") for record in ordered if record.void]
    left_out += [(record, repeats) for record in done if record.number not in kept]
    left_out.sort(key=lambda item: (item[0].number, item[0].attempt))
    return [{"number": one.number, "attempt": one.attempt, "reason": reason} for one, reason in left_out]


def without_repeats(records: Sequence[GameRecord]) -> tuple[list[GameRecord], int]:
    """The games but for pairs that repeat an earlier pair move for move, and how many pairs those were."""
    by_pair: dict[object, list[GameRecord]] = {}
    for record in records:
        by_pair.setdefault((frozenset(record.players), record.number // 2), []).append(record)
    seen: set[object] = set()
    kept: list[GameRecord] = []
    repeated = 0
    for pair in by_pair.values():
        same = frozenset(record.same for record in pair)
        if len(pair) == 2 and same in seen:
            repeated += 1
        else:
            seen.add(same)
            kept += pair
    return kept, repeated


def _reading(name: str, records: Sequence[GameRecord], player: str, opponent: str) -> Reading:
    rows = [record.row for record in records]
    return Reading(name, paired_wilson(pentanomial(rows, player, opponent) if rows else [0, 0, 0, 0, 0]))


def _settled(record: GameRecord, player: str, points: float) -> GameRecord:
    """A void game as if the player had made so many points in it."""
    own = 2.0 * points - 1.0
    return replace(record, scores=(own, -own) if record.players[0] == player else (-own, own))
