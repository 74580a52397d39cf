"""Intervals around scores and tests over seeds, against closed forms, SciPy, and matches played with dice."""

import math

import numpy as np
import pytest
from scipy import stats

from zerogrid.arena.intervals import (
    PAIR_SCORES,
    effective_games,
    elo_bounds,
    paired_wilson,
    seeds_test,
    superiority,
    wilson,
    wilson_bounds,
)
from zerogrid.arena.simulation import dice
from zerogrid.arena.student import student_cdf
from zerogrid.core.errors import BadResults


@pytest.mark.parametrize("wins, games", [(0, 10), (7, 10), (50, 100), (199, 200), (3, 3)])
def test_wilson_is_scipys(wins: int, games: int) -> None:
    theirs = stats.binomtest(wins, games).proportion_ci(method="wilson")
    ours = wilson(wins / games, games)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("freedom", [1.0, 1.5, 2.0, 7.3, 40.0, 300.0, 1e6])
def test_students_t_is_scipys(freedom: float) -> None:
    for t in (0.0, 1e-6, 0.3, 0.99, 1.01, 2.0, 3.5, 8.0, 200.0, math.inf):
        for signed in (t, -t):
            assert student_cdf(signed, freedom) == pytest.approx(stats.t.cdf(signed, freedom), abs=1e-10, rel=1e-8)
    assert student_cdf(-2.0, freedom) == pytest.approx(1.0 - student_cdf(2.0, freedom), abs=1e-14)


def test_a_score_lies_within_its_interval_to_the_last_bit() -> None:
    for games in range(1, 60):
        scores = np.arange(2 * games + 1) / (2 * games)
        low, high = wilson_bounds(scores, np.full(len(scores), games))
        assert (low <= scores).all()
        assert (scores <= high).all()
        assert (low[0], high[-1]) == (0, 1)


def test_wilson_is_as_conservative_at_200_games_as_derived() -> None:
    """The chance that the lower bound of two equals lies above one half: 114 wins are needed; far less with draws."""
    wins = np.arange(201)
    without = stats.binom.pmf(wins, 200, 0.5)[wilson_bounds(wins / 200, 200)[0] > 0.5].sum()
    assert without == pytest.approx(stats.binom.sf(113, 200, 0.5))
    draws = np.arange(201)[:, None]
    chance = stats.binom.pmf(draws, 200, 0.3) * stats.binom.pmf(wins, 200 - draws, 0.5)
    score = (wins + draws / 2) / 200
    above = (wins + draws <= 200) & (wilson_bounds(np.minimum(score, 1), 200)[0] > 0.5)
    assert chance[above].sum() == pytest.approx(0.010, abs=0.001)


def test_pairs_that_the_opening_decides_count_for_more_games_than_they_are() -> None:
    assert effective_games([0, 0, 100, 0, 0]) > 10_000
    assert effective_games([50, 0, 0, 0, 50]) == pytest.approx(100), "both games won by the same: half of them"
    independent = dice(0).pairs * 400
    assert effective_games(independent) == pytest.approx(800, rel=0.01)


@pytest.mark.parametrize("elo, draw_elo, bias", [(0, 0, 0), (0, 0, 240), (80, 200, 0), (150, 0, 400)])
def test_intervals_of_pairs_hold_the_truth_as_often_as_they_say(elo: float, draw_elo: float, bias: float) -> None:
    """2,000 matches of 100 pairs."""
    players = dice(elo, draw_elo, bias)
    matches = np.random.default_rng(3).multinomial(100, players.pairs, size=2000)
    held = np.mean([players.score in paired_wilson(match) for match in matches])
    assert held >= 0.95 - 0.015
    assert held <= 0.99, "an interval that always holds is too wide"


def test_no_pairs_say_nothing() -> None:
    assert (paired_wilson([0] * 5).low, paired_wilson([0] * 5).high) == (0, 1)
    assert superiority([0] * 5) == 0.5


def test_superiority_is_students() -> None:
    pairs = np.array([2, 3, 10, 6, 8]) + np.array([0.5, 0, 0, 0, 0.5])
    n = pairs.sum()
    mean = pairs @ PAIR_SCORES / n
    error = math.sqrt(pairs @ (PAIR_SCORES - mean) ** 2 / (n - 1) / n)
    assert superiority([2, 3, 10, 6, 8]) == pytest.approx(stats.t.cdf((mean - 0.5) / error, n - 1))


def test_scores_become_elo() -> None:
    elo = elo_bounds(wilson(0.75, 100))
    assert elo.estimate == pytest.approx(190.85, abs=0.01)
    assert elo.low < elo.estimate < elo.high
    assert elo_bounds(wilson(1.0, 10)).high == math.inf


def test_a_test_over_seeds_is_scipys_and_the_exact_one_knows_its_limits() -> None:
    values = [0.52, 0.55, 0.58, 0.61]
    found = seeds_test(values, null=0.5)
    assert found.t_p == pytest.approx(stats.ttest_1samp(values, 0.5).pvalue)
    assert found.exact_p == pytest.approx(1 / 8), "four seeds that agree can say no more"
    others = [0.40, 0.45, 0.41, 0.47]
    two = seeds_test(values, others)
    assert two.t_p == pytest.approx(stats.ttest_ind(values, others, equal_var=False).pvalue)
    assert two.exact_p == pytest.approx(2 / 70)
    assert two.mean.low < two.mean.estimate < two.mean.high


def test_one_seed_is_no_test_and_seeds_that_agree_are_no_proof() -> None:
    with pytest.raises(BadResults, match="at least 2 seeds"):
        seeds_test([0.5])
    with pytest.raises(BadResults, match="finite"):
        seeds_test([0.5, float("nan")])
    same = seeds_test([1.0, 1.0, 1.0, 1.0], null=0.5)
    assert same.t_p == same.exact_p == pytest.approx(1 / 8)
