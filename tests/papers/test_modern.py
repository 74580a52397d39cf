"""Modern companions: the paper's game, network and simulations, and nothing of what an experiment is about changed."""

import pytest

from zerogrid.core import catalogue
from zerogrid.papers.modern import SUFFIX, modern
from zerogrid.papers.presets import all_presets, preset
from zerogrid.training.config import differences
from zerogrid.training.config_checks import resolved
from zerogrid.training.options import BadConfig
from zerogrid.training.plan import plan

PAPERS = [name for name in all_presets() if name.startswith("papers/") and not name.endswith(SUFFIX)]
KEPT = (
    "game.",
    "network.",
    "run.",
    "shaping.",
    "league.",
    "exam.",
    "search.simulations",
    "learner.initiative_weight",
    "learner.classes_weight",
    "learner.value_weight",
)


@pytest.mark.parametrize("name", PAPERS)
def test_every_experiment_has_a_companion_about_the_same_thing(name: str) -> None:
    paper, today = preset(name).config(), preset(name + SUFFIX).config()
    changed = {option for option, _, _ in differences(paper, today)}
    assert not {option for option in changed if option.startswith(KEPT)}
    assert today.learner.ema > 0
    assert today.selfplay.cap_share < 1
    assert today.curriculum.kind == "wide"
    assert today.gate.kind in ("always", "sprt")
    few = today.search.simulations < 4 * int(catalogue.game(today.game.spec).MAX_LEGAL)
    assert (today.search.kind == "gumbel") == few


@pytest.mark.parametrize("name", ["papers/sigmago/vanilla", "papers/pawn_dama/5x5", "papers/battlefield/hard"])
def test_a_companion_costs_no_more_simulations_and_not_much_less(name: str) -> None:
    paper, today = (plan(resolved(preset(one).config()), measure=False) for one in (name, name + SUFFIX))
    assert 0.7 * paper.simulations < today.simulations <= paper.simulations
    assert today.games > 1.6 * paper.games


def test_where_the_paper_begins_late_a_companion_plays_as_many_games() -> None:
    name = "papers/dotsformer/full"
    paper, today = (plan(resolved(preset(one).config()), measure=False) for one in (name, name + SUFFIX))
    assert today.games == pytest.approx(paper.games, rel=0.01)
    assert today.simulations <= paper.simulations


def test_a_companion_of_a_companion_is_not_offered() -> None:
    assert modern(preset("papers/sigmago/vanilla")).name == "papers/sigmago/vanilla-modern"
    with pytest.raises(BadConfig, match='Did you mean "papers/sigmago/vanilla-modern"'):
        preset("papers/sigmago/vanilla-modern-modern")
