"""What the four papers have in common: AlphaZero's PUCT, results as value targets, one champion, no curriculum."""

from typing import Any

COMMON: dict[str, Any] = {
    "search.kind": "puct",
    "search.c": 1.0,
    "search.fpu": -1.0,  # unvisited moves count as drawn
    "search.proofs": False,
    "selfplay.target": "z",
    "selfplay.positions": 0,  # iterations are counted in games
    "selfplay.temperature": "0:1.0",
    "curriculum.kind": "none",
    "learner.optimiser": "adam",
    "learner.lr": 0.001,
    "learner.schedule": "constant",
    "learner.weight_decay": 0.0,
    "learner.clip": 0.0,
    "learner.samples": 0.0,
    "exam.games": 40,
}
