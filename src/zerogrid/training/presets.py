"""Presets: named sets of changes to the defaults. Ours are here, the papers' in zerogrid.papers; and the dummy run.

A preset leaves the game open or suggests one; whatever else is asked for (--set) is changed on top of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zerogrid.training.config import Config


@dataclass(frozen=True)
class Preset:
    """One named set of changes."""

    name: str
    about: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    games: tuple[str, ...] = ()  # names of games it is meant for; none: any

    def config(self, game: str = "") -> Config:
        """The configuration, for another game than the suggested one if asked."""
        return Config().but({**self.changes, **({"game.spec": game} if game else {})})


QUICK = Preset(
    "quick",
    "a laptop, minutes: a small network, few simulations that count",
    {
        "run.iterations": 50,
        "search.simulations": 64,
        "selfplay.games": 128,
        "selfplay.positions": 4096,
        "selfplay.temperature": "0:1.0,10:0.5",
        "curriculum.kind": "wide",
        "buffer.capacity": 60_000,
        "learner.batch": 256,
        "learner.samples": 4.0,
        "learner.lr": 0.003,
        "exam.every": 5,
        "exam.games": 20,
        "exam.positions": 200,
        "network.name": "zerogrid/residual",
        "network.settings.size": "nano",
    },
)

STRONG = Preset(
    "strong",
    "one GPU, ten minutes or more: thousands of games in step",
    {
        "run.device": "cuda",
        "run.iterations": 120,
        "search.simulations": 200,
        "selfplay.games": 4096,
        "selfplay.positions": 131_072,
        "selfplay.temperature": "0:1.0,16:0.3",
        "curriculum.kind": "wide",
        "buffer.capacity": 2_000_000,
        "learner.batch": 4096,
        "learner.samples": 4.0,
        "learner.ema": 0.995,
        "exam.every": 10,
        "exam.games": 200,
        "exam.positions": 1000,
    },
)

OURS: dict[str, Preset] = {preset.name: preset for preset in (QUICK, STRONG)}

# The most that a dummy run does of everything; what is less already stays.
SMALL: dict[str, float] = {
    "run.iterations": 2,
    "search.simulations": 8,
    "search.leaves": 2,
    "selfplay.games": 4,
    "selfplay.positions": 48,
    "selfplay.games_each": 4,
    "selfplay.cap_simulations": 2,
    "curriculum.budget_start": 4,
    "curriculum.budget_iterations": 2,
    "curriculum.rollback_every": 1,
    "buffer.capacity": 2000,
    "buffer.warmup": 16,
    "learner.batch": 32,
    "learner.samples": 2.0,
    "learner.epochs": 1.0,
    "learner.steps": 2,
    "gate.every": 1,
    "gate.games": 4,
    "gate.least": 4,
    "gate.most": 8,
    "gate.simulations": 4,
    "gate.ladder_start": 16,
    "gate.ladder_step": 16,
    "league.every": 1,
    "league.exploiter_patience": 1,
    "exam.every": 1,
    "exam.games": 2,
    "exam.positions": 4,
    "exam.simulations": 4,
    "saving.every": 1,
    "saving.games": 4,
}


def smoke(config: Config) -> Config:
    """A dummy run: the same in every choice, with every number small; seconds through every stage."""
    changes: dict[str, Any] = {}
    for name, most in SMALL.items():
        section, _, key = name.partition(".")
        value = getattr(getattr(config, section), key)
        if value > most:
            changes[name] = most
    return config.but(changes)
