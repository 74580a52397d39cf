"""Paper 3, SigmaGo: Gomoku 6x6x4 with each network, and 7x7x5.

Given: 500 simulations, Dirichlet 0.3 with weight 0.25, 400 games an iteration (800 on 7x7) with one step on 512
positions after each, Adam 1e-3, L2 1e-4, up to 50,000 games; the best network is replaced when it does better in 1,000
games against pure MCTS, which gets 1,000 more simulations once it loses them all. From the authors' code, not the text:
c 5, temperature 1, 10,000 positions remembered, every symmetry learned. Of two batch sizes in the text (512, 256) the
larger.
"""

from typing import Any

from zerogrid.papers.common import COMMON
from zerogrid.training.presets import Preset

CHANGES: dict[str, Any] = {
    **COMMON,
    "game.spec": "gomoku:6x6x4",
    "run.iterations": 125,
    "search.simulations": 500,
    "search.c": 5.0,
    "selfplay.games": 400,
    "selfplay.games_each": 400,
    "selfplay.noise": 0.25,
    "selfplay.alpha": 0.3,
    "buffer.capacity": 10_000,
    "buffer.warmup": 512,
    "learner.steps": 400,
    "learner.batch": 512,
    "learner.reg_weight": 1e-4,
    "gate.kind": "ladder",
    "gate.games": 1000,
    "gate.openings": "none",
    "gate.temperature": "0:1.0,4:0",
    "exam.opponents": "random; uct:1000",
}
LARGE = {"game.spec": "gomoku:7x7x5", "selfplay.games": 800, "selfplay.games_each": 800, "learner.steps": 800}
REWARD = {"shaping.potential": "runs,two=0.1,three=0.5,four=2.0,against=0.8", "shaping.gamma": 1.0}


def presets() -> list[Preset]:
    """Each network on 6x6x4, the hybrid on 7x7x5, and the paper's partial rewards."""
    made: list[tuple[str, str, dict[str, Any]]] = [
        ("vanilla", "three convolutions", {"network.name": "sigmago/vanilla"}),
        ("resnet", "20 residual blocks of 256", {"network.name": "sigmago/resnet"}),
        ("hybrid", "convolutions and attention over cells", {"network.name": "sigmago/hybrid"}),
        ("temporal", "attention over time", {"network.name": "sigmago/temporal", "game.encoding": "stones,history=5"}),
        ("hybrid-7x7x5", "the same on the larger board", {"network.name": "sigmago/hybrid", **LARGE}),
        ("rewards", "partial rewards for rows of stones", {"network.name": "sigmago/vanilla", **REWARD}),
    ]
    return [Preset(f"papers/sigmago/{name}", about, {**CHANGES, **more}, ("gomoku",)) for name, about, more in made]
