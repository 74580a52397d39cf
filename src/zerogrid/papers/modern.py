"""The papers' experiments once more with what is known today: the same game and network, and no more simulations.

    modern(preset("papers/sigmago/vanilla"))        the preset papers/sigmago/vanilla-modern

What stays is what an experiment is about: the game, how it is shown, the network and its auxiliary heads, the
potential, the league, the iterations, the simulations of a move. What changes is how all that is used:

    wide starts             games begin after random moves, so that more than one line is learned
    no gate                 the newest network plays; where gates were the experiment (Battlefield), SPRT on a pool
    average weights         play, over about the last hundred steps (EMA); the newest ones learn
    playout cap             half of the moves are searched with a fifth of the simulations and not learned from; the
                            simulations saved are spent on two thirds more games (Dotsformer's go into searching
                            the moves that its rollback leaves out)
    Gumbel                  where a move gets fewer than four simulations for each legal action; otherwise PUCT with
                            first-play reduction and proven results
    value targets           half result, half search
    learning                each position eight times, from a larger buffer, at a rate that falls
"""

from typing import Any

from zerogrid.core import catalogue
from zerogrid.training.config import Config
from zerogrid.training.presets import Preset

SUFFIX = "-modern"
AS_OURS = (  # options that go back to our defaults
    "search.c",
    "search.fpu",
    "search.proofs",
    "selfplay.target",
    "selfplay.mix",
    "selfplay.temperature",
    "selfplay.target_temperature",
    "selfplay.noise",
    "selfplay.alpha",
    "selfplay.keep_tree",
    "curriculum.kind",
    "learner.optimiser",
    "learner.lr",
    "learner.weight_decay",
    "learner.schedule",
    "learner.clip",
    "learner.augment",
    "learner.epochs",
    "learner.steps",
    "learner.reg_weight",
    "gate.kind",
    "gate.temperature",
    "gate.openings",
)
FULL_SHARE, CHEAPER = 0.5, 5  # of the moves; by how much the others are cheaper
LEAST_BUFFER, BATCH = 100_000, 256


def modern(preset: Preset) -> Preset:
    """The companion of a paper's preset."""
    paper, ours = preset.config(), Config()
    changes: dict[str, Any] = {name: _value(ours, name) for name in AS_OURS}
    simulations = paper.search.simulations
    cheap = simulations // CHEAPER
    spent = FULL_SHARE + (1.0 - FULL_SHARE) / CHEAPER if paper.curriculum.kind == "none" else 1.0
    changes |= {
        "selfplay.cap_share": FULL_SHARE,
        "selfplay.cap_simulations": cheap,
        "selfplay.games_each": round(paper.selfplay.games_each / spent),
        "buffer.capacity": max(paper.buffer.capacity, LEAST_BUFFER),
        "learner.samples": 8.0,
        "learner.batch": BATCH,
        "learner.ema": 0.99,
    }
    if simulations < 4 * int(catalogue.game(paper.game.spec).MAX_LEGAL):
        changes |= {"search.kind": "gumbel"}
    if preset.games == ("battlefield",):
        changes |= {"gate.kind": "sprt", "gate.pool": 4, "gate.openings": "random:2"}
    about = f"{preset.about}; modern settings"
    return Preset(preset.name + SUFFIX, about, {**preset.changes, **changes}, preset.games)


def _value(config: Config, name: str) -> Any:
    section, _, key = name.partition(".")
    return getattr(getattr(config, section), key)
