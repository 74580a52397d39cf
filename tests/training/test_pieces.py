"""Gates, curricula, league, schedules, resigning: small pieces with small states."""

from collections.abc import Callable
from dataclasses import replace
from math import isclose
from typing import Any

import numpy as np
import pytest

from zerogrid.search.settings import SearchSettings
from zerogrid.training import sections
from zerogrid.training.buffer import RingBuffer, torch_zeros
from zerogrid.training.curriculum import Curriculum, predictions
from zerogrid.training.gates import Decision, Gatekeeper, counts_of
from zerogrid.training.league import League
from zerogrid.training.parts import Contender, GameRecord, Played, Weights, example_fields
from zerogrid.training.resigning import Resigning
from zerogrid.training.schedule import after_kl, rate_at, steps_for

# --- gates ----------------------------------------------------------------------------------------------------------


def player(points: Callable[[str, int], float], met: list[str] | None = None) -> Any:
    """play(opponent, pairs, first) where the candidate gets points(opponent, game number) in each game."""

    def play(other: Contender, pairs: int, first: int) -> list[GameRecord]:
        name = other if isinstance(other, str) else other.name
        games = []
        for k in range(2 * first, 2 * first + 2 * pairs):
            if met is not None:
                met.append(name)
            score = 2 * points(name, k) - 1
            mine = (score, -score) if k % 2 == 0 else (-score, score)
            games.append(GameRecord((k,), mine, opening=k // 2))
        return games

    return play


POOL = [Weights("main@1"), Weights("main@2")]


def decided(section: sections.GateSection, points: Callable[[str, int], float]) -> Decision:
    """What a new gate says."""
    return Gatekeeper(section).decide(POOL, player(points))


def test_a_candidates_points_are_counted_from_both_sides() -> None:
    games = player(lambda _, k: [1.0, 0.0, 0.5, 1.0][k % 4])("x", 4, 0)
    assert counts_of(games) == (4, 2, 2)


def test_threshold_counts_decisive_games_only() -> None:
    section = sections.GateSection(kind="threshold", games=20, share=0.6)
    points = [1.0] * 6 + [0.0] * 4 + [0.5] * 10
    made = decided(section, lambda _, k: points[k])
    assert (made.promoted, made.wins, made.draws, made.losses) == (True, 6, 10, 4)
    assert made.numbers == {"share": 0.6, "needed": 0.6}
    points[0] = 0.0
    assert not decided(section, lambda _, k: points[k]).promoted


def test_sprt_meets_the_pool_in_turn_and_stops_when_it_knows() -> None:
    section = sections.GateSection(kind="sprt", pool=2, least=20, most=400)
    met: list[str] = []
    gate = Gatekeeper(section)
    made = gate.decide(POOL, player(lambda _, k: 1.0, met))
    assert made.promoted
    assert made.numbers["rule"] == "sprt"
    assert 20 <= made.wins < 100
    assert made.numbers["llr"] >= made.numbers["bounds"][1]
    assert set(met) == {"main@1", "main@2"}
    assert not decided(section, lambda _, k: 0.0).promoted


def test_sprt_that_cannot_decide_asks_wilson() -> None:
    section = sections.GateSection(kind="sprt", pool=1, least=20, most=60)
    made = decided(section, lambda _, k: float(k % 2 == 0))
    assert made.numbers["rule"] == "wilson"
    assert made.wins + made.losses == 60
    assert not made.promoted  # even: the lower bound lies below a half


def test_sprt_counts_as_wald_does() -> None:
    """All wins: the ratio grows by ln(0.55 / 0.50) a game, and passes ln(0.95 / 0.05) at game 31."""
    made = decided(sections.GateSection(kind="sprt", least=2, most=400), lambda _, k: 1.0)
    assert made.wins == 31
    assert isclose(made.numbers["llr"], 31 * np.log(0.55 / 0.50), rel_tol=1e-9)


def test_pairs_promotes_the_better_and_not_the_equal() -> None:
    section = sections.GateSection(kind="pairs", least=32, most=200)
    rng = np.random.default_rng(1)
    assert decided(section, lambda _, k: float(rng.random() < 0.8)).promoted
    same = decided(section, lambda _, k: float(k % 2 == 0))  # each opening is won by the same side
    assert not same.promoted
    assert same.numbers["verdict"] in ("undecided", "reject")


def test_the_ladder_grows_when_it_is_beaten_in_every_game() -> None:
    gate = Gatekeeper(sections.GateSection(kind="ladder", games=10, ladder_start=1000, ladder_step=1000))
    met: list[str] = []
    assert gate.decide(POOL, player(lambda _, k: float(k < 5), met)).promoted  # better than nothing
    assert not gate.decide(POOL, player(lambda _, k: float(k < 5), met)).promoted  # not better than before
    assert gate.decide(POOL, player(lambda _, k: float(k < 6), met)).promoted
    assert gate.level == 1000
    assert gate.decide(POOL, player(lambda _, k: 1.0, met)).promoted
    assert gate.level == 2000
    assert gate.decide(POOL, player(lambda _, k: float(k < 1), met)).promoted  # begins anew against the stronger one
    assert set(met) == {"uct:1000", "uct:2000"}
    other = Gatekeeper(gate.section)
    other.restore(gate.state())
    assert (other.level, other.best) == (2000, 0.1)


def test_the_pool_holds_the_last_accepted() -> None:
    gate = Gatekeeper(sections.GateSection(kind="sprt", pool=2))
    for name in ("main@0", "main@3", "main@7"):
        gate.accept(name)
    assert gate.accepted == ["main@3", "main@7"]


# --- curricula ------------------------------------------------------------------------------------------------------


def games_with(z: list[float], q: list[list[float]], first: int = 32) -> dict[str, Any]:
    """Columns of games with these results and these values at every ply."""
    rows = [(k, first + p, z[k], value) for k, values in enumerate(q) for p, value in enumerate(values)]
    game, ply, result, value = (np.array(column) for column in zip(*rows))
    return {"game_id": game + 1000, "ply": ply, "z": result, "q": value}


def test_predictions_are_looked_at_every_fourth_ply() -> None:
    q = [[0.9, 0, 0, 0, 0.8, 0, 0, 0, -0.9], [0.5, 1, 1, 1, 0.9], [-0.9]]
    root, inner = predictions(games_with([1.0, 1.0, -1.0], q), eps=0.7, interval=4)
    assert root == (2, 3)  # 0.9 and -0.9 are right, 0.5 does not reach 0.7
    assert inner == (2, 3)  # 0.8 and 0.9 are right, -0.9 is wrong


def test_rollback_goes_back_when_values_predict_and_enough_iterations_have_gone_by() -> None:
    section = sections.CurriculumSection(kind="rollback")
    rollback = Curriculum(section, SearchSettings(simulations=100))
    good = games_with([1.0] * 10, [[0.9] * 9] * 10)
    bad = games_with([1.0] * 10, [[0.2] * 9] * 10)
    depth = []
    for iteration in range(1, 41):
        rollback.after(iteration, bad if 15 <= iteration < 25 else good)
        depth.append(rollback.search_from)
    assert depth.index(31) + 1 == 10
    assert depth.index(30) + 1 == 25  # 20 was due, but the values did not predict
    assert depth.index(29) + 1 == 35
    assert rollback.orders(41) == {"simulations": 100, "search_from": 29}
    other = Curriculum(section, SearchSettings())
    other.restore(rollback.state())
    assert (other.search_from, other.moved_at) == (29, 35)


def test_rollback_ends_at_the_start() -> None:
    section = sections.CurriculumSection(kind="rollback", rollback_start=2, rollback_every=1)
    rollback = Curriculum(section, SearchSettings())
    for iteration in range(1, 10):
        rollback.after(iteration, games_with([1.0] * 4, [[0.9] * 9] * 4, first=rollback.search_from))
    assert rollback.search_from == 0


def test_a_budget_grows_evenly_and_kinds_combine() -> None:
    section = sections.CurriculumSection(kind="wide+budget+archive", budget_start=10, budget_iterations=10)
    mixed = Curriculum(replace(section, random_moves=6), SearchSettings(simulations=110))
    assert [mixed.orders(k)["simulations"] for k in (1, 2, 6, 11, 99)] == [10, 20, 60, 110, 110]
    assert mixed.orders(3)["random_moves"] == 6
    assert "archive" not in mixed.orders(1), "there are no earlier games yet"
    assert mixed.orders(2)["archive"] == 0.25


# --- league, schedule, resigning ------------------------------------------------------------------------------------


def test_hard_rivals_are_met_more_often() -> None:
    league = League(sections.LeagueSection(past=0.4, power=2.0))
    for name in ("main@1", "main@2"):
        league.join(name)
    assert league.shares() == {"main@1": 0.2, "main@2": 0.2}
    league.after({"main@1": (18, 0, 0), "main@2": (0, 0, 18)})
    shares = league.shares()
    assert isclose(sum(shares.values()), 0.4)
    assert isclose(shares["main@2"] / shares["main@1"], ((1 - 1 / 20) / (1 - 19 / 20)) ** 2)
    other = League(league.section)
    other.restore(league.state())
    assert other.shares() == shares


def test_a_full_pool_lets_go_of_the_easiest() -> None:
    league = League(sections.LeagueSection(past=0.4, pool=2))
    league.join("main@1")
    league.join("main@2")
    league.after({"main@1": (0, 0, 10), "main@2": (10, 0, 0)})
    league.join("main@3")
    assert league.pool == ["main@1", "main@3"]


def test_an_exploiter_joins_when_it_wins_or_runs_out_of_patience() -> None:
    league = League(sections.LeagueSection(past=0.3, exploiters=1, exploiter_patience=5))
    assert not league.exploiter_joins("exploiter-1", 1, (5, 0, 5))
    assert league.exploiter_joins("exploiter-1", 2, (7, 0, 3))
    assert league.anew == ["exploiter-1"]
    assert [league.exploiter_joins("exploiter-1", k, (0, 0, 9)) for k in range(3, 8)] == [False] * 4 + [True]


def test_rates_follow_their_schedules() -> None:
    learner = sections.LearnerSection(lr=0.1, schedule="halving", halve_every=80)
    assert [rate_at(learner, k, 200, 1.0) for k in (0, 79, 80, 160)] == [0.1, 0.1, 0.05, 0.025]
    cosine = replace(learner, schedule="cosine", lr_least=0.1)
    assert isclose(rate_at(cosine, 0, 100, 1.0), 0.1)
    assert isclose(rate_at(cosine, 50, 100, 1.0), 0.055)
    assert isclose(rate_at(cosine, 100, 100, 1.0), 0.01)
    assert rate_at(replace(learner, schedule="kl"), 3, 100, 0.5) == 0.05
    warm = replace(learner, schedule="constant", lr_warmup=3)
    assert np.allclose([rate_at(warm, k, 9, 1.0) for k in range(5)], [0.025, 0.05, 0.075, 0.1, 0.1])


def test_the_kl_multiplier_is_alphazero_gomokus() -> None:
    learner = sections.LearnerSection(schedule="kl", kl_target=0.02)
    assert after_kl(learner, 1.0, 0.05) == 1 / 1.5
    assert after_kl(learner, 1.0, 0.005) == 1.5
    assert after_kl(learner, 1.0, 0.02) == 1.0
    assert after_kl(learner, 0.11, 1.0) == 0.1
    assert after_kl(replace(learner, schedule="constant"), 1.0, 1.0) == 1.0


def test_steps_follow_what_was_asked() -> None:
    learner = sections.LearnerSection(batch=100, samples=2.0)
    assert steps_for(learner, new=1000, held=5000) == 20
    assert steps_for(learner, new=0, held=5000) == 0
    assert steps_for(replace(learner, samples=0.0, epochs=5.0), new=10, held=1000) == 50
    assert steps_for(replace(learner, samples=0.0, steps=7), new=10, held=1000) == 7
    assert steps_for(learner, new=10, held=0) == 0


def test_resigning_becomes_safer_when_it_was_wrong() -> None:
    resigning = Resigning(sections.SelfplaySection(resign=0.8))
    resigning.after(Played(checked=10, false_resigns=5))
    assert resigning.value == 0.8, "ten games say too little"
    resigning.after(Played(checked=10, false_resigns=0))
    assert isclose(resigning.value, 0.86)
    for _ in range(10):
        resigning.after(Played(checked=20))
    assert resigning.value == 0.8, "never bolder than was asked"
    nobody = Resigning(sections.SelfplaySection())
    nobody.after(Played(checked=100, false_resigns=100))
    assert nobody.value == 0.0


# --- the buffer -----------------------------------------------------------------------------------------------------

FIELDS = example_fields(2, 3, 4)


def columns_of(first: int, count: int) -> dict[str, Any]:
    """Examples that carry their own number."""
    made = {name: np.zeros((count, *shape), kind) for name, (kind, shape) in FIELDS.items()}
    made["game_id"][:] = np.arange(first, first + count)
    made["policy"][:] = np.random.default_rng(first).random((count, 4))
    return made


@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_a_buffer_filled_again_from_parts_is_the_same_buffer(kind: str) -> None:
    def new() -> RingBuffer:
        return RingBuffer(FIELDS, 10, torch_zeros("cpu")) if kind == "torch" else RingBuffer(FIELDS, 10)

    one, other = new(), new()
    at, parts = 0, []
    for count in (4, 3, 9, 1, 25, 2, 6):
        one.append(columns_of(at, count))
        at += count
        oldest = max(0, one.total - 10)
        assert one.rows(oldest, one.total)["game_id"].tolist() == list(range(oldest, at))
        parts.append(one.rows(max(at - count, oldest), at))
    other.restore(32, parts[-3:])
    assert (other.total, len(other)) == (one.total, len(one)) == (50, 10)
    for name, column in one.columns.items():
        assert np.array_equal(np.asarray(column), np.asarray(other.columns[name])), name


def test_a_number_that_is_none_is_noticed_among_the_new_examples() -> None:
    buffer = RingBuffer(FIELDS, 10)
    buffer.append(columns_of(0, 8))
    bad = columns_of(8, 4)
    bad["policy"][3, 2] = np.nan
    buffer.append(bad)
    assert not buffer.finite(8)
    assert buffer.finite(12)
