"""What happens in a run, as typed events. The loop only tells; displays, logs and TensorBoard listen."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zerogrid.training.parts import GameRecord, Orders


@dataclass(frozen=True)
class Began:
    """A run begins, or goes on after an iteration."""

    run: str
    iteration: int  # the last one done; 0 for a new run
    iterations: int
    notes: tuple[str, ...] = ()  # what had to be mended


@dataclass(frozen=True)
class Stage:
    """An iteration enters a stage: play, learn, gate, exam, save."""

    iteration: int
    name: str
    seat: str = "main"


@dataclass(frozen=True)
class Going:
    """Self-play goes on: of what is furthest behind, so many are there and so many are wanted."""

    iteration: int
    done: int
    wanted: int
    seat: str = "main"
    unit: str = "positions"  # or games


@dataclass(frozen=True)
class GamesPlayed:
    """Games to keep: of self-play, of a gate, of an exam."""

    iteration: int
    kind: str  # self, gate, exam
    games: tuple[GameRecord, ...]


@dataclass(frozen=True)
class Promoted:
    """A candidate became champion."""

    iteration: int
    name: str
    decision: dict[str, Any]


@dataclass(frozen=True)
class NotFiniteMet:
    """A number that is none: the iteration does not count and is tried again from the last checkpoint."""

    iteration: int
    attempt: int
    what: str


@dataclass(frozen=True)
class IterationDone:
    """An iteration is complete; `metrics` are the same again with the same seed, `timings` are not."""

    iteration: int
    metrics: dict[str, Any]
    timings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Saved:
    """A checkpoint exists."""

    iteration: int


@dataclass(frozen=True)
class Ended:
    """The run stops: done, time, asked."""

    iteration: int
    why: str


def going(orders: Orders, positions: int, games: int, seat: str) -> Going:
    """How far self-play has come with its orders."""
    parts = [(positions, orders.positions, "positions"), (games, orders.games, "games")]
    done, wanted, unit = min((part for part in parts if part[1]), key=lambda part: part[0] / part[1])
    return Going(orders.iteration, min(done, wanted), wanted, seat, unit)


Event = Began | Stage | Going | GamesPlayed | Promoted | NotFiniteMet | IterationDone | Saved | Ended
Listener = Callable[[Event], None]
