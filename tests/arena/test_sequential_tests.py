"""Sequential tests of strength: known values, and the error rates they promise, on matches played with dice."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from zerogrid.arena.gsprt import fit_mean, match_llr
from zerogrid.arena.simulation import Dice, dice, dice_at, simulate
from zerogrid.arena.sprt import Sprt
from zerogrid.arena.wald import binomial_llr, forecast_games, forecast_pairs, trinomial_llr, wald_bounds
from zerogrid.core.errors import BadResults, BadSetting

# (pairs, logistic LLR, normalised LLR) for [0, 50]: the likelihood was maximised by general-purpose optimisers under
# the constraint alone (a root of the secular equation; a simplex search over two multipliers and the deviation).
MATCHES = [
    ([1, 2, 30, 5, 3], 0.6199031571, 1.0731909031),
    ([10, 20, 100, 25, 12], -5.0860433314, -1.4103501300),
    ([0, 0, 50, 3, 0], -4.8782178032, 1.1148931680),
    ([3, 0, 40, 0, 5], -1.0666884517, -0.0053365091),
]


@pytest.mark.parametrize("pairs, logistic, normalised", MATCHES)
def test_evidence_of_pairs_is_the_exact_likelihood_ratio(pairs: list[int], logistic: float, normalised: float) -> None:
    assert match_llr(pairs, 0, 50, "logistic") == pytest.approx(logistic, rel=1e-8)
    assert match_llr(pairs, 0, 50) == pytest.approx(normalised, rel=1e-7)


def test_straight_wins_pass_after_as_many_pairs_as_the_exact_form_says() -> None:
    """The usual closed form stays near zero for ever: (games/2) ln[(1 + (n-n0)^2) / (1 + (n-n1)^2)]."""
    upper = wald_bounds(0.05, 0.05)[1]
    straight = np.outer(np.arange(1, 40), [0, 0, 0, 0, 1])
    exact, logistic = match_llr(straight, 0, 50), match_llr(straight, 0, 50, "logistic")
    assert exact[15] == pytest.approx(2.91, abs=0.005)
    assert int(np.argmax(exact >= upper)) + 1 == 17
    assert int(np.argmax(logistic >= upper)) + 1 == 23


def test_near_equality_the_evidence_is_that_of_the_normal_approximation() -> None:
    pairs = np.array([60.0, 240, 500, 260, 65])
    share = pairs / pairs.sum()
    mean = share @ np.linspace(0, 1, 5)
    per_game = math.sqrt(2 * share @ (np.linspace(0, 1, 5) - mean) ** 2)
    n, n0, n1 = (mean - 0.5) / per_game, 0.0, 5 * math.log(10) / 800
    closed = pairs.sum() * math.log((1 + (n - n0) ** 2) / (1 + (n - n1) ** 2))
    assert match_llr(pairs, 0, 5) == pytest.approx(closed, rel=0.01)


def test_evidence_changes_sign_when_the_players_are_exchanged() -> None:
    pairs = [3, 7, 20, 9, 6]
    for model in ("normalized", "logistic"):
        there, back = match_llr(pairs, -10, 40, model), match_llr(pairs[::-1], -40, 10, model)
        assert there == pytest.approx(-back, rel=1e-9)


def test_a_fitted_distribution_has_the_mean_it_was_asked_for() -> None:
    observed = np.array([[0.2, 0.1, 0.4, 0.2, 0.1], [1e-9, 1e-9, 1e-9, 1e-9, 1 - 4e-9]])
    for mean in (0.3, 0.5, 0.8):
        fitted = fit_mean(observed, mean)
        assert fitted @ np.linspace(0, 1, 5) == pytest.approx([mean, mean], abs=1e-9)
        assert fitted.sum(axis=1) == pytest.approx([1, 1])


def test_decisive_games_add_up_to_walds_sum() -> None:
    assert wald_bounds(0.05, 0.05) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert float(binomial_llr(30, 10, 0.5, 0.55)) == pytest.approx(30 * math.log(1.1) + 10 * math.log(0.9))


def test_how_long_decisive_games_take_is_as_derived() -> None:
    assert forecast_games(0.5, 0.5, 0.55).length == pytest.approx(530, abs=5)
    assert forecast_games(0.5, 0.5, 0.60).length == pytest.approx(130, abs=2)
    assert forecast_pairs(25, 0, 50).passes == pytest.approx(0.5)


def test_single_games_use_the_draws_of_the_sample() -> None:
    """Rao and Kupper written out for 10 losses, 20 draws and 30 wins."""
    loss, win = 10 / 60, 30 / 60
    margin = 200 * math.log10((1 - loss) / loss * (1 - win) / win)

    def shares(elo: float) -> tuple[float, float, float]:
        won, lost = (1 / (1 + 10 ** ((margin - sign * elo) / 400)) for sign in (1, -1))
        return lost, 1 - won - lost, won

    by_hand = sum(n * math.log(b / a) for n, a, b in zip((10, 20, 30), shares(0), shares(50)))
    assert float(trinomial_llr([10, 20, 30], 0, 50)) == pytest.approx(by_hand)
    assert float(trinomial_llr([10, 0, 30], 0, 50)) > 2, "a match without draws moves too"


# --- promises kept: 2,000 matches a setting -------------------------------------------------------------------------

SLACK = 0.015
ALIKE, DRAWISH, OPENINGS_DECIDE = (0.0, 0.0), (200.0, 0.0), (0.0, 240.0)


def players_at(model: str, elo: float, draw_elo: float, bias: float) -> Dice:
    if model == "normalized":
        return dice_at(elo, draw_elo, bias)
    if model == "trinomial":
        return dice(elo, draw_elo, bias)
    score = 1 / (1 + 10 ** (-elo / 400))
    return dice(brentq(lambda x: dice(x, draw_elo, bias).score - score, -600, 600), draw_elo, bias)


@pytest.mark.parametrize("kind", [ALIKE, DRAWISH, OPENINGS_DECIDE])
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_tests_on_pairs_keep_both_error_rates(model: str, kind: tuple[float, float]) -> None:
    test = Sprt(0, 50, model=model, max_pairs=900)  # type: ignore[arg-type]
    assert simulate(test, players_at(model, 0, *kind), seed=1).accepted <= 0.05 + SLACK
    assert simulate(test, players_at(model, 50, *kind), seed=2).accepted >= 0.95 - SLACK


@pytest.mark.parametrize("kind", [ALIKE, DRAWISH])
def test_single_games_keep_both_error_rates_where_openings_do_not_decide(kind: tuple[float, float]) -> None:
    test = Sprt(0, 50, model="trinomial", max_pairs=900)
    assert simulate(test, dice(0, *kind), seed=3).accepted <= 0.05 + SLACK
    assert simulate(test, dice(50, *kind), seed=4).accepted >= 0.95 - SLACK


def test_an_agent_against_itself_passes_no_more_often_than_alpha() -> None:
    test = Sprt(0, 30, alpha=0.02, beta=0.1, max_pairs=900)
    assert simulate(test, dice(0), seed=5).accepted <= 0.02 + SLACK


def test_a_gate_around_zero_promotes_equals_half_of_the_time_and_weaker_ones_rarely() -> None:
    gate = Sprt(-25, 25, max_pairs=900)
    assert simulate(gate, dice_at(0, bias=240), seed=6).accepted == pytest.approx(0.5, abs=0.04)
    assert simulate(gate, dice_at(-25, bias=240), seed=7).accepted <= 0.05 + SLACK


def test_pairs_need_far_fewer_games_where_the_first_player_wins_most() -> None:
    players = players_at("logistic", 24.4, 0.0, 240.0)  # a score of 0.535
    pairs = simulate(Sprt(0, 24.4, model="logistic", max_pairs=1500), players, matches=500, seed=8).pairs.mean()
    games = simulate(Sprt(0, 24.4, model="trinomial", max_pairs=1500), dice(24.4), matches=500, seed=8).pairs.mean()
    assert pairs < 0.75 * games


# --- one test in progress -------------------------------------------------------------------------------------------


def test_a_one_sided_match_is_accepted_and_its_mirror_rejected() -> None:
    for score, verdict in ((1, "accept"), (0, "reject")):
        test = Sprt(0, 50)
        for opening in range(400):
            test.feed(score, score, opening)
        assert test.verdict == verdict
        assert test.pairs.sum() + test.late == 400
        assert test.late > 350


def test_no_verdict_falls_before_enough_different_openings() -> None:
    test = Sprt(0, 50, max_pairs=100)
    for _ in range(60):
        test.feed(1, 1, "always the same")
    assert not test.done
    for opening in range(15):
        test.feed(1, 1, opening)
    assert test.verdict == "accept"


def test_a_pair_that_repeats_another_is_no_evidence() -> None:
    test = Sprt(0, 50, max_pairs=40)
    for opening in range(40):
        test.feed(1, 1, opening, moves="the same game")
    assert (int(test.pairs.sum()), test.repeated) == (1, 39)
    assert test.verdict == "undecided", "forty times the same pair is one pair"


def test_impossible_scores_and_bounds_are_refused() -> None:
    with pytest.raises(BadResults, match=r"0, 0\.5 or 1"):
        Sprt().feed(0.7, 1, 0)
    for wrong in ({"elo0": 50, "elo1": 0}, {"alpha": 0.7, "beta": 0.7}, {"min_pairs": 0}, {"model": "best"}):
        with pytest.raises(BadSetting):
            Sprt(**wrong)  # type: ignore[arg-type]
