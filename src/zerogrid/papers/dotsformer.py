"""Paper 2, Dotsformer: Dots-and-Boxes 5x5, a preset for every model of its tables.

Given (appendix B): 800 simulations, c 1, temperature 0.4, 30 games an iteration for about 150 iterations, batch 1024,
5 epochs, Adam 1e-3 halved every 80 iterations, L2 1e-5, samples weighted 0.9^age, loss weights 1 / 11 / 1e-4 / 11 / 10,
rollback from ply 32. Remembered are 5 million positions, which is more than the 270,000 that a run makes. Every model
is accepted. Not given: root noise (none here). Seeds: 42, 100, 200, 300 (--set run.seed=100).
"""

from typing import Any

from zerogrid.papers.common import COMMON
from zerogrid.training.presets import Preset

CHANGES: dict[str, Any] = {
    **COMMON,
    "game.spec": "dots_and_boxes:5x5",
    "run.iterations": 150,
    "run.seed": 42,
    "search.simulations": 800,
    "selfplay.games": 30,
    "selfplay.games_each": 30,
    "selfplay.temperature": "0:0.4",
    "selfplay.target_temperature": 0.4,
    "selfplay.noise": 0.0,
    "curriculum.kind": "rollback",
    "buffer.capacity": 300_000,
    "learner.epochs": 5.0,
    "learner.batch": 1024,
    "learner.schedule": "halving",
    "learner.weight_decay": 1e-5,
    "learner.value_weight": 11.0,
    "learner.reg_weight": 1e-4,
    "learner.age_decay": 0.9,
    "gate.simulations": 400,
    "gate.openings": "guided:15",
    "exam.simulations": 400,
}
AUXILIARY = {"learner.initiative_weight": 11.0, "learner.classes_weight": 10.0}

# model: (encoding, network, settings of the network, what it is)
MODELS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "baseline": ("baseline", "dotsformer/baseline", {}, "AlphaZero as the paper adapts it"),
    "edgequad4": ("edgequad4", "dotsformer/baseline", {}, "4 channels of edges"),
    "edgequad9": ("edgequad9", "dotsformer/baseline", {}, "9 channels of edges"),
    "edgequad44": ("edgequad44", "dotsformer/baseline", {}, "44 channels of edges"),
    "chainloop6": ("chainloop6", "dotsformer/baseline", {}, "chains and loops on 6 planes"),
    "chainloop64": ("chainloop64", "dotsformer/baseline", {}, "chains and loops on 64 planes"),
    "tr": ("baseline", "dotsformer/tr", {}, "the trunk T R R twice"),
    "rt": ("baseline", "dotsformer/rt", {}, "the trunk R R T twice"),
    "tt": ("baseline", "dotsformer/tt", {}, "six Transformer blocks"),
    "linear-notopo": ("chainloop6", "dotsformer/linear-notopo", {}, "linear projections, no topological bias"),
    "multiscale2-topo": ("chainloop6", "dotsformer/multiscale2-topo", {"auxiliary": False}, "kernels 1 and 3"),
    "multiscale4-topo": ("chainloop6", "dotsformer/multiscale4-topo", {"auxiliary": False}, "kernels 1, 3, 5 and 7"),
    "full": ("chainloop6", "dotsformer/multiscale2-topo", {"auxiliary": True}, "Dotsformer with everything"),
    "no-auxiliary": ("chainloop6", "dotsformer/multiscale2-topo", {"auxiliary": False}, "full without auxiliary heads"),
    "no-ms-trans": ("chainloop6", "dotsformer/baseline", {"auxiliary": True}, "full without the Transformer"),
    "no-chainloop6": ("baseline", "dotsformer/multiscale2-topo", {"auxiliary": True}, "full without chains and loops"),
}


def presets() -> list[Preset]:
    """One for each model."""
    made = []
    for name, (encoding, network, settings, about) in MODELS.items():
        chosen = {f"network.settings.{key}": value for key, value in settings.items()}
        more = {"game.encoding": encoding, "network.name": network, **chosen}
        more |= AUXILIARY if settings.get("auxiliary") else {}
        made.append(Preset(f"papers/dotsformer/{name}", about, {**CHANGES, **more}, ("dots_and_boxes",)))
    return made
