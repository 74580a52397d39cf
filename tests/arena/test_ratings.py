"""Ratings: closed forms, an independent maximisation, intervals that hold, anchors, groups, cycles, the papers' Elo."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import minimize

from zerogrid.arena.elo import elo_from_score, expected_score, order_spread, sequential_elo
from zerogrid.arena.ratings import rate
from zerogrid.arena.results import Row, pair_games, pentanomial, trinomial
from zerogrid.core.errors import BadResults, BadSetting

ELO = 400 / math.log(10)


def match(a: str, b: str, wins: int, losses: int, draws: int = 0, begin: int = 0) -> list[Row]:
    """Games of a against b from one opening each, with sides taken in turn."""
    scores = [1.0] * wins + [0.0] * losses + [0.5] * draws
    return [(a, b, begin + n, s) if n % 2 else (b, a, begin + n, 1 - s) for n, s in enumerate(scores)]


def tournament(strengths: dict[str, float], pairs: int, seed: int, first: float = 0.0, draw: float = 0.0) -> list[Row]:
    """Pairs of games between all players, by Davidson's model; strengths, first and draw in Elo and in log units."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for a, b in permutations(strengths, 2):
        d = (strengths[a] - strengths[b] + first) / ELO
        chances = np.exp([-d / 2, draw if draw else -np.inf, d / 2])
        results = rng.choice(3, size=pairs, p=chances / chances.sum())
        rows += [(a, b, f"{min(a, b)}{max(a, b)}{n}", r / 2) for n, r in enumerate(results)]
    return rows


def test_two_players_are_as_far_apart_as_their_wins_say() -> None:
    rows = [*match("a", "b", 60, 0), *match("a", "b", 0, 20, begin=60)]
    found = rate(rows, prior_games=0, first_move=False, samples=2)
    assert found.difference("a", "b").estimate == pytest.approx(400 * math.log10(3), abs=1e-6)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)
    # the error of a difference of two independent counts: 400/ln 10 sqrt(1/60 + 1/20)
    c = found.covariance
    assert math.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]) == pytest.approx(ELO * math.sqrt(1 / 60 + 1 / 20), rel=1e-6)


def test_ratings_are_the_likeliest_ones_of_davidsons_model() -> None:
    rows = tournament({"a": 0, "b": 80, "c": 200}, 40, seed=1, first=60, draw=-0.3)
    found = rate(rows, prior_games=0, samples=2)

    def minus_log_likelihood(x: np.ndarray) -> float:
        at, total = dict(zip(found.players, (*x[:2], -x[0] - x[1]))), 0.0
        for first, second, _, score in rows:
            d = at[first] - at[second] + x[2]
            terms = [-d / 2, x[3], d / 2]
            total -= terms[round(2 * score)] - math.log(sum(map(math.exp, terms)))
        return total

    best = minimize(minus_log_likelihood, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    assert found.elo == pytest.approx(np.array([*best.x[:2], -best.x[0] - best.x[1]]) * ELO, abs=0.01)
    assert found.first_move is not None
    assert found.draws is not None
    assert found.first_move.estimate == pytest.approx(best.x[2] * ELO, abs=0.01)
    assert found.draws.estimate == pytest.approx(math.exp(best.x[3]) / (2 + math.exp(best.x[3])), abs=1e-4)
    f, step = minus_log_likelihood, 1e-3 * np.eye(4)
    curvature = [
        [(f(best.x + p + q) - f(best.x + p - q) - f(best.x - p + q) + f(best.x - p - q)) / 4e-6 for p in step]
        for q in step
    ]
    assert found.covariance[:2, :2] == pytest.approx(np.linalg.inv(curvature)[:2, :2] * ELO**2, rel=0.01)


def test_intervals_hold_the_truth_19_times_in_20() -> None:
    """Differences between all pairs of four players, in 60 tournaments."""
    truth = {"a": 0.0, "b": 50.0, "c": 150.0, "d": 400.0}
    held = []
    for seed in range(60):
        found = rate(tournament(truth, 30, seed, first=100), samples=200, seed=seed)
        held += [
            found.difference(a, b).low <= truth[a] - truth[b] <= found.difference(a, b).high
            for a, b in permutations(truth, 2)
            if a < b
        ]
    assert 0.91 <= np.mean(held) <= 0.99


def test_an_interval_knows_that_pairs_are_not_two_games() -> None:
    """Whoever won the first game of a pair won the second as well: half of the evidence, wider by the root of two."""
    rng = np.random.default_rng(5)
    winners = rng.integers(0, 2, 400)
    twins: list[Row] = [("a", "b", n, float(w)) for n, w in enumerate(winners)]
    twins += [("b", "a", n, 1.0 - w) for n, w in enumerate(winners)]
    alone: list[Row] = [(*row[:2], k, row[3]) for k, row in enumerate(twins)]  # every game from an opening of its own
    paired, single = (rate(rows, samples=2000, seed=1).difference("a", "b") for rows in (twins, alone))
    assert (paired.high - paired.low) / (single.high - single.low) == pytest.approx(math.sqrt(2), rel=0.1)


def test_anchors_keep_the_elo_they_are_given() -> None:
    rows = tournament({"a": 0, "b": 100, "c": 300}, 30, seed=2)
    found = rate(rows, anchors={"a": 1000.0, "c": 1300.0}, samples=50)
    assert found["a"].estimate == found["a"].low == found["a"].high == 1000
    assert found["c"].estimate == 1300
    assert 1000 < found["b"].estimate < 1250


def test_whoever_wins_everything_stays_finite_and_forms_a_group_of_its_own() -> None:
    rows = [*match("god", "a", 20, 0), *match("a", "b", 12, 8, begin=100)]
    found = rate(rows, samples=300)
    assert found.groups[0] == ("god",)
    assert set(found.groups[1]) == {"a", "b"}
    assert np.isfinite(found.elo).all()
    assert found["god"].high - found["god"].estimate > found["god"].estimate - found["a"].estimate - 500
    with pytest.raises(BadResults, match="never lost a point"):
        rate(rows, prior_games=0)


def test_players_who_never_met_are_not_compared() -> None:
    with pytest.raises(BadResults, match="never met"):
        rate([*match("a", "b", 3, 3), *match("c", "d", 3, 3, begin=50)])


def test_paper_scissors_and_stone_are_surprising_and_a_true_ladder_is_not() -> None:
    cycle = [
        row
        for n, (a, b) in enumerate([("paper", "stone"), ("stone", "scissors"), ("scissors", "paper")])
        for k in range(30)
        for row in ((a, b, f"{n}.{k}", 1.0), (b, a, f"{n}.{k}", 0.0 if k % 10 else 1.0))
    ]
    found = rate(cycle, samples=20)
    assert all(s.marked for s in found.surprises)
    assert found.elo == pytest.approx([0, 0, 0], abs=1)
    ladder = rate(tournament({"a": 0, "b": 100, "c": 200}, 60, seed=8), samples=20)
    assert not any(s.marked for s in ladder.surprises)


def test_superiority_uses_the_error_of_the_difference() -> None:
    found = rate(tournament({"a": 0, "b": 30}, 200, seed=3), samples=500)
    there, back = found.superiority("b", "a"), found.superiority("a", "b")
    assert there + back == pytest.approx(1)
    gap, error = found.difference("b", "a").estimate, found.error("b", "a")
    assert there == pytest.approx(0.5 * (1 + math.erf(gap / error / math.sqrt(2))), abs=0.01)


def test_the_papers_elo_is_the_sum_of_its_steps() -> None:
    found = sequential_elo([("a", "b", 0, 1.0), ("b", "a", 1, 0.5)])
    first = 32 * 0.5
    second = 32 * (0.5 - 1 / (1 + 10 ** (2 * first / 400)))
    assert found["b"] == pytest.approx(1500 - first + second)
    assert found["a"] + found["b"] == pytest.approx(3000)
    assert found.path[1].tolist() == [1516, 1484]


def test_the_papers_elo_depends_on_the_order_of_the_games() -> None:
    rows = tournament({"a": 0, "b": 0}, 100, seed=1)
    spread = order_spread(rows, orders=300)
    assert spread.high[0] - spread.low[0] > 50
    assert spread.mean.sum() == pytest.approx(3000, abs=1e-6)


def test_scores_and_elo_are_inverses() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    for score in (0.01, 0.5, 0.8):
        assert expected_score(elo_from_score(score)) == pytest.approx(score)
    with pytest.raises(BadResults, match="no finite Elo"):
        elo_from_score(1.0)


def test_games_of_an_opening_are_joined_with_sides_swapped() -> None:
    rows: list[Row] = [("a", "b", 1, 1.0), ("b", "a", 1, 0.0)]
    rows += [("a", "b", 2, 0.5), ("a", "b", 2, 0.0), ("b", "a", 2, 1.0)]
    pairs = pair_games(rows)
    assert len(pairs.a) == 2
    assert pairs.lone.tolist() == [3]
    assert pentanomial(rows, "a", "b").tolist() == [0, 1, 0, 0, 1]
    assert pentanomial(rows, "b", "a").tolist() == [1, 0, 0, 1, 0]
    assert trinomial(rows, "a", "b").tolist() == [2, 1, 2]


def test_rows_that_are_no_results_are_refused() -> None:
    wrong = {("a", "b", 0, 2): "must be 0", ("a", "a", 0, 1): "against itself", ("a", "b", 1): "3 fields"}
    for row, words in wrong.items():
        with pytest.raises(BadResults, match=words):
            pair_games([row])  # type: ignore[list-item]
    with pytest.raises(BadResults, match="no games"):
        rate([])
    with pytest.raises(BadSetting):
        rate(match("a", "b", 2, 2), prior_games=-1)
