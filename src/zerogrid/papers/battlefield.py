"""Paper 4, Battlefield: shaping, gates, architectures.

Given: 1,000 simulations in evaluation, tree reuse, root noise, moves by visits, the seven potentials in search and
targets, gates of 60%, of 90%, and SPRT (0.50 against 0.55) on a pool with Wilson's bound at the cap; 500 iterations,
1,000 where architectures are compared; transformer 4 layers x 4 heads, CNN 3 blocks of 64. Not given: simulations in
self-play (200 here), games an iteration (100), steps and batch (4 samples a position, 256), the rate (1e-3), gamma
(0.99), the weights of the potentials (ours), games of a gate (40), noise (0.25).
"""

from typing import Any

from zerogrid.papers.common import COMMON
from zerogrid.training.presets import Preset

CHANGES: dict[str, Any] = {
    **COMMON,
    "game.spec": "battlefield:7x7",
    "run.iterations": 500,
    "network.name": "battlefield/transformer-actions",
    "search.simulations": 200,
    "selfplay.games": 100,
    "selfplay.games_each": 100,
    "selfplay.noise": 0.25,
    "buffer.capacity": 100_000,
    "learner.samples": 4.0,
    "learner.augment": False,
    "gate.kind": "threshold",
    "gate.games": 40,
    "gate.openings": "random:2",
    "gate.temperature": "0:1.0,6:0",
    "exam.simulations": 1000,
}
SHAPING = {"shaping.potential": "tactics"}
LEAGUE = {"league.past": 0.3, "league.exploiters": 1}
GAMES = ("battlefield",)


def presets() -> list[Preset]:
    """Section by section of the paper's chapter 4."""
    long: dict[str, Any] = {"run.iterations": 1000, **SHAPING}
    made: list[tuple[str, str, dict[str, Any]]] = [
        ("shaping", "potential shaping in search and targets", SHAPING),
        ("noshaping", "the same without", {}),
        ("standard", "a gate of 60%", {**SHAPING, "gate.share": 0.6}),
        ("hard", "a gate of 90%", {**SHAPING, "gate.share": 0.9}),
        ("pool", "a gate by SPRT on a pool", {**SHAPING, "gate.kind": "sprt", "gate.pool": 4}),
        ("action-tokens", "transformer with action tokens", long),
        ("transformer", "transformer without", {**long, "network.name": "battlefield/transformer"}),
        ("cnn", "three residual blocks of 64", {**long, "network.name": "battlefield/cnn"}),
        ("league", "past champions and an exploiter, which the paper asks for", {**SHAPING, **LEAGUE}),
    ]
    return [Preset(f"papers/battlefield/{name}", about, {**CHANGES, **more}, GAMES) for name, about, more in made]
