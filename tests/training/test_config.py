"""Configurations: what does not exist or makes no sense is refused in a sentence; what exists survives TOML."""

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerogrid.core.errors import ZeroGridError
from zerogrid.papers.modern import SUFFIX
from zerogrid.papers.presets import all_presets, preset
from zerogrid.search.settings import SearchSettings
from zerogrid.training.config import (
    Config,
    all_options,
    as_dict,
    differences,
    from_toml,
    from_words,
    to_toml,
)
from zerogrid.training.config_checks import resolved
from zerogrid.training.options import BadConfig
from zerogrid.training.presets import SMALL, smoke
from zerogrid.training.search_options import ABOUT
from zerogrid.training.steps import steps_of, value_at


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("learner.lrr=1", 'Did you mean "learner.lr"'),
        ("lerner.lr=1", 'Did you mean "learner.lr"'),
        ("search.simulation=5", 'Did you mean "search.simulations"'),
        ("learner.lr=fast", "a number from 0 to 10"),
        ("learner.lr=nan", "a number from 0 to 10"),
        ("learner.lr=1e999", "a number from 0 to 10"),
        ("learner.batch=1.5", "a whole number"),
        ("learner.batch=" + "9" * 400, "a whole number"),
        ("learner.augment=maybe", "true or false"),
        ("learner.optimiser=adan", 'Did you mean "adam"'),
        ("search.c=-5", "c must be a number from 0"),
        ("search.noise=0.2", "there is no option"),
        ("learner.lr", "write it like learner.lr=0.002"),
        ("gate.kind=treshold", 'Did you mean "threshold"'),
        ("curriculum.kind=wid", 'Did you mean "wide"'),
        ("gate.openings=random", "none, random:N or guided:N"),
        ("selfplay.temperature=1.0", "is written like 0:1.0,16:0.25"),
        ("selfplay.temperature=0:1,5:0.5,5:0.2", "goes upward"),
        ("selfplay.temperature=3:1", "begins at 0"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(word: str, said: str) -> None:
    with pytest.raises(BadConfig) as raised:
        Config().but(from_words([word]))
    assert said in str(raised.value)
    assert str(raised.value).endswith((".", "?"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"search.kind": "uct"}, "asks no network"),
        ({"selfplay.positions": 0}, "has no end"),
        ({"learner.epochs": 2.0}, "one of learner.samples"),
        ({"selfplay.cap_share": 0.5}, "cap_simulations"),
        ({"selfplay.cap_simulations": 5}, "cap_share"),
        ({"selfplay.resign": 0.9, "selfplay.resign_check": 0.0}, "wrong for ever"),
        ({"buffer.warmup": 10**6}, "ever be learned"),
        ({"curriculum.kind": "rollback+wide"}, "cannot be combined"),
        ({"curriculum.kind": "none+wide"}, "none among others"),
        ({"curriculum.kind": "budget", "curriculum.budget_start": 500}, "must not be above"),
        ({"gate.kind": "threshold", "gate.games": 41}, "even"),
        ({"gate.p0": 0.6}, "must lie below"),
        ({"gate.least": 500}, "must not be above"),
        ({"gate.kind": "threshold", "gate.openings": "none"}, "all games of a gate are the same"),
        ({"gate.kind": "threshold", "gate.pool": 3}, "sprt only"),
        ({"league.exploiters": 1}, "nobody would ever meet them"),
        ({"shaping.potential": "runs", "shaping.in_search": False, "shaping.in_targets": False}, "used nowhere"),
        ({"learner.precision": "float16"}, "slow on the CPU"),
        ({"exam.games": 3}, "even"),
        ({"exam.opponents": "random; random"}, "twice"),
        ({"network.settings.heads": 4, "network.name": "sigmago/vanilla"}, "has no setting"),
        ({"network.name": "sigmago/vanila"}, 'Did you mean "sigmago/vanilla"'),
        ({"network.name": "sigmago/temporal"}, "history"),
        ({"game.spec": "gomok"}, 'Did you mean "gomoku'),
        ({"game.encoding": "stone"}, 'Did you mean "stones"'),
        ({"shaping.potential": "run"}, 'Did you mean "runs"'),
        ({"learner.initiative_weight": 11.0}, "no auxiliary heads"),
        ({"exam.opponents": "random; utc:9"}, "utc:9"),
        ({"exam.opponents": "engine:rm -rf ."}, "a configuration starts none"),
        ({"curriculum.random_moves": 40}, "plies at most"),
        ({"gate.kind": "threshold", "gate.openings": "random:36"}, "whole games"),
    ],
)
def test_combinations_that_make_no_sense_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ZeroGridError, match=said.replace("(", r"\(").replace(".", r"\.")):
        resolved(Config().but({**changes}))


def test_every_option_says_what_it_is() -> None:
    for name, limits in all_options():
        assert 5 < len(limits.about) < 100, name
    assert set(ABOUT) == set(vars(SearchSettings()))


def test_a_configuration_survives_toml() -> None:
    config = Config().but({"learner.lr": 1e-7, "network.name": "sigmago/hybrid", "network.settings.heads": 4})
    assert from_toml(to_toml(config)) == config
    assert from_toml("") == Config()


def test_changes_and_differences_are_each_others_inverse() -> None:
    config = Config().but(from_words(["learner.lr=0.004", "gate.kind=sprt", "gate.pool=3"]))
    assert {name: ours for name, ours, _ in differences(config, Config())} == {
        "learner.lr": 0.004,
        "gate.kind": "sprt",
        "gate.pool": 3,
    }


def test_another_network_does_not_inherit_settings() -> None:
    config = Config().but({"network.name": "sigmago/hybrid", "network.settings.heads": 4})
    assert config.but({"network.name": "sigmago/vanilla"}).network.settings == ()


@pytest.mark.parametrize("name", all_presets())
def test_every_preset_can_be_run_and_survives_toml(name: str) -> None:
    config = resolved(preset(name).config())
    assert from_toml(to_toml(config)) == config
    small = smoke(config)
    assert resolved(small) == small
    for option, most in SMALL.items():
        section, _, key = option.partition(".")
        assert getattr(getattr(small, section), key) <= most
    kept = ("game.spec", "network.name", "gate.kind", "curriculum.kind", "shaping.potential")
    assert not {one for one, _, _ in differences(small, config)} & set(kept)


def test_random_moves_suit_the_game_where_nobody_says() -> None:
    config = preset("quick").config("tictactoe")
    assert resolved(config).curriculum.random_moves == 4
    assert 20 <= resolved(preset("quick").config("gomoku:9x9x5")).curriculum.random_moves <= 30
    assert resolved(config.but({"curriculum.random_moves": 2})).curriculum.random_moves == 2


def test_a_preset_for_one_game_is_not_for_another() -> None:
    assert preset("quick").config("tictactoe").game.spec == "tictactoe"
    with pytest.raises(BadConfig, match="papers/sigmago/hybrid"):
        preset("papers/sigmago/hybird")


def test_the_papers_numbers() -> None:
    """From the papers' tables, typed again."""
    dotsformer = preset("papers/dotsformer/full").config()
    assert (dotsformer.search.simulations, dotsformer.search.c, dotsformer.selfplay.games_each) == (800, 1.0, 30)
    assert (dotsformer.learner.batch, dotsformer.learner.epochs, dotsformer.learner.halve_every) == (1024, 5.0, 80)
    assert (dotsformer.curriculum.rollback_start, dotsformer.curriculum.rollback_every) == (32, 10)
    assert (dotsformer.learner.value_weight, dotsformer.learner.initiative_weight) == (11.0, 11.0)
    assert (dotsformer.learner.classes_weight, dotsformer.learner.age_decay) == (10.0, 0.9)
    sigmago = preset("papers/sigmago/hybrid").config()
    assert (sigmago.search.simulations, sigmago.selfplay.alpha, sigmago.selfplay.noise) == (500, 0.3, 0.25)
    assert sigmago.run.iterations * sigmago.selfplay.games_each == 50_000
    assert (sigmago.gate.kind, sigmago.gate.ladder_step) == ("ladder", 1000)
    dama = preset("papers/pawn_dama/5x5").config()
    assert (dama.selfplay.games_each, dama.learner.epochs, dama.learner.batch) == (100, 100.0, 64)
    assert (dama.gate.games, dama.gate.share, dama.run.iterations) == (30, 0.6, 300)
    hard = preset("papers/battlefield/hard").config()
    assert (hard.gate.share, hard.run.iterations) == (0.9, 500)
    pool = preset("papers/battlefield/pool").config().gate
    assert (pool.kind, pool.p0, pool.p1) == ("sprt", 0.50, 0.55)


# --- from anywhere --------------------------------------------------------------------------------------------------

HOSTILE = [
    b"\xff\xfe",
    b"[learner]\nlr = nan",
    b"[learner]\nlr = inf",
    b"[learner]\nbatch = 1" + b"0" * 5000,
    b"[learner]\nbatch = 0x" + b"f" * 400,
    b"a = " + b"[" * 100_000,
    b"x = " + b'"' + b"a" * 999_000 + b'"',
    b"#" * 2_000_000,
    b"[game]\nspec = 'os:system'",
    b"[game]\nspec = '../../etc/passwd'",
    b"[network]\nname = 'os.system'",
    b"[network]\nname = 3",
    b"[network.settings]\nsize = [1]",
    b"network = 1",
    b"learner = 'x'",
    b"[search]\nkind = 'puct\\u0000'",
    b"[run]\niterations = true",
    b"[learner]\nlr = 1979-05-27",
    b"[learner.lr]\na = 1",
    b"[[learner]]\nlr = 1",
    b"[selfplay]\ntemperature = '" + b"0:1," * 120 + b"'",
]


@pytest.mark.parametrize("content", HOSTILE, ids=lambda content: repr(content[:20]))
def test_a_hostile_file_gets_one_sentence(content: bytes) -> None:
    with pytest.raises(ZeroGridError) as raised:
        resolved(from_toml(content, "stranger.toml"))
    assert len(str(raised.value)) < 1500
    assert "\n" not in str(raised.value).strip()


names = st.sampled_from([name for name, _ in all_options()]) | st.text(string.printable, max_size=30)
values = st.text(max_size=30) | st.integers().map(str) | st.floats().map(str)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(names, values), max_size=4))
def test_whatever_is_typed_is_a_configuration_or_a_sentence(typed: list[tuple[str, str]]) -> None:
    try:
        config = Config().but(from_words(f"{name}={value}" for name, value in typed))
    except ZeroGridError:
        return
    assert from_toml(to_toml(config)) == config


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_any_bytes_are_a_configuration_or_a_sentence(content: bytes) -> None:
    try:
        from_toml(content)
    except ZeroGridError:
        return


def test_steps_hold_from_their_point_on() -> None:
    steps = steps_of("t", "0:1.0, 16:0.25,30:0")
    assert [value_at(steps, ply) for ply in (0, 15, 16, 29, 30, 99)] == [1.0, 1.0, 0.25, 0.25, 0.0, 0.0]


def test_the_searches_of_play_and_of_matches() -> None:
    config = Config().but({"shaping.potential": "runs", "selfplay.noise": 0.3, "search.forced": 2.0})
    play, match = config.search_for_play(50), config.search_for_match()
    assert (play.simulations, play.noise, play.shaping, play.forced) == (50, 0.3, True, 2.0)
    assert (match.simulations, match.noise, match.shaping, match.forced) == (200, 0.0, False, 0.0)
    gumbel = config.but({"search.kind": "gumbel", "search.forced": 0.0})
    assert gumbel.search_for_play().noise == 0.0
    assert (gumbel.search_for_play().gumbel_scale, gumbel.search_for_match().gumbel_scale) == (1.0, 0.0)
    assert as_dict(config)["search"].keys().isdisjoint({"noise", "shaping", "temperature"})


def test_the_pages_name_options_and_presets_that_exist() -> None:
    import re
    from pathlib import Path

    docs = Path(__file__).resolve().parents[2] / "docs"
    text = (docs / "training.md").read_text("utf-8") + (docs / "papers" / "README.md").read_text("utf-8")
    sections = {name.partition(".")[0] for name, _ in all_options()}
    named = {one for one in re.findall(r"\b([a-z]+\.[a-z_0-9]+)\b", text) if one.partition(".")[0] in sections}
    assert len(named) > 15
    files = {"curriculum.py"}
    assert named <= {name for name, _ in all_options()} | {"network.settings"} | files
    table = (docs / "papers" / "README.md").read_text("utf-8").split("## Where")[0]
    mentioned = {name.rpartition("/")[2] for name in re.findall(r"`([\w/-]+)`", table)}
    papers = {name.rpartition("/")[2] for name in all_presets() if name.startswith("papers/")}
    assert {name.removesuffix(SUFFIX) for name in papers} <= mentioned
    assert SUFFIX in mentioned
