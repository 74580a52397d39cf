"""Paper 1, Pawn Dama: 5x5 and 6x6.

Given: 100 games, then 100 epochs of batch 64, then 30 games of which 60% are to be won (section 4.3 says 40), up to
300 iterations or until the loss settles. Not given: simulations a move (100 here), the optimiser and its rate (Adam
1e-3), how much is remembered (20 iterations), noise (none), temperature (1; in the arena for four plies only, or all
its games would be the same two).
"""

from zerogrid.papers.common import COMMON
from zerogrid.training.presets import Preset


def presets() -> list[Preset]:
    """Both boards."""
    changes = {
        **COMMON,
        "run.iterations": 300,
        "game.encoding": "oneplane",
        "network.name": "pawn_dama/cnn",
        "search.simulations": 100,
        "selfplay.games": 100,
        "selfplay.games_each": 100,
        "selfplay.noise": 0.0,
        "selfplay.keep_tree": False,
        "buffer.capacity": 30_000,
        "learner.epochs": 100.0,
        "learner.batch": 64,
        "learner.augment": False,
        "gate.kind": "threshold",
        "gate.games": 30,
        "gate.share": 0.6,
        "gate.openings": "none",
        "gate.temperature": "0:1.0,4:0",
    }
    return [
        Preset(f"papers/pawn_dama/{size}", f"the CNN on {size}", {**changes, "game.spec": f"pawn_dama:{size}"}, GAMES)
        for size in ("5x5", "6x6")
    ]


GAMES = ("pawn_dama",)
