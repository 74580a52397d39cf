"""The chance in a search: Gumbel's improvement, Dirichlet noise, temperature, forced playouts, by their statistics."""

import numpy as np
import pytest

import zerogrid
from search.harness import a_position, chosen, grow, plant, policy, root_visits
from search.judges import Answering, Hashing
from zerogrid.encodings import encoding
from zerogrid.kernels import tree
from zerogrid.kernels.noise import gamma_variate, normal
from zerogrid.kernels.root import choose
from zerogrid.search.forest import Forest
from zerogrid.search.settings import SearchSettings

GAME = zerogrid.game("gomoku:4x4x4")
SHOWN = encoding(GAME)


# --- Gumbel improves the policy ---------------------------------------------------------------------------------------


def bandit(seed: int, state: np.ndarray) -> tuple[np.ndarray, float]:
    """One move and a hidden value: after move a the mover before it is worth WORTH[seed, a], deeper nothing changes."""
    rng = np.random.default_rng(seed)
    logits, worth = rng.normal(size=16).astype(np.float32), rng.uniform(-0.9, 0.9, 16)
    stones = np.flatnonzero(state[:16])
    if len(stones) == 0:
        shares = np.exp(logits - logits.max())
        return logits, float((shares / shares.sum() * worth).sum())
    first = int(np.flatnonzero(state[:16] == 1)[0])
    return np.zeros(16, np.float32), float(worth[first]) * (-1.0 if len(stones) % 2 else 1.0)


@pytest.mark.parametrize("simulations", [4, 16])
def test_gumbel_improves_the_policy_on_random_bandits(simulations: int) -> None:
    """Over 60 random bandits: what the recommended policy earns, and what the move played earns, beat the prior."""
    settings = SearchSettings(kind="gumbel", simulations=simulations + 1, considered=16, proofs=False)
    gains, moved = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        logits, worth = rng.normal(size=16), rng.uniform(-0.9, 0.9, 16)
        prior = np.exp(logits) / np.exp(logits).sum()
        forest = Forest(GAME, settings, 1, SHOWN, "python")
        plant(forest, [GAME.start()], seed=1000 + seed)
        evaluator = Answering(SHOWN, lambda state, seed=seed: bandit(seed, state))
        while forest.step():
            evaluator.evaluate(forest.batch)
        forest.settle()
        gains.append(float(np.array(policy(forest)) @ worth - prior @ worth))
        moved.append(float(worth[chosen(forest)] - prior @ worth))
    for found in (gains, moved):
        mean, error = np.mean(found), np.std(found) / np.sqrt(len(found))
        assert mean > 4 * error  # far beyond chance
    assert np.mean(np.array(gains) > -1e-6) > 0.95  # nearly every single one, as the theorem has it for exact values


# --- noise ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 0.3, 1.0, 5.0])
def test_gamma_variates_have_their_moments(alpha: float) -> None:
    drawn = np.array([gamma_variate(alpha, 123, ply, i) for ply in range(40) for i in range(100)])
    error = np.sqrt(alpha / len(drawn))
    assert drawn.mean() == pytest.approx(alpha, abs=5 * error)
    assert drawn.var() == pytest.approx(alpha, rel=0.25)


def test_normal_numbers_are_normal() -> None:
    drawn = np.array([normal(9, ply, 8 * i) for ply in range(40) for i in range(100)])
    assert abs(drawn.mean()) < 0.06
    assert drawn.std() == pytest.approx(1.0, abs=0.04)
    assert (np.abs(drawn) < 1).mean() == pytest.approx(0.683, abs=0.03)


def test_root_noise_is_dirichlet_and_only_at_the_root() -> None:
    """With share 1 the priors are the Dirichlet draw itself: mean 1 / n, variance (n - 1) / (n^2 (n alpha + 1))."""
    settings = SearchSettings(simulations=2, noise=1.0, alpha=0.5, proofs=False)
    forest = Forest(GAME, settings, 150, SHOWN, "python")
    plant(forest, [GAME.start()] * 150)
    evaluator = Hashing(SHOWN)
    while forest.step():
        evaluator.evaluate(forest.batch)
    n = 16
    drawn = forest.trees.edge[:, :n, tree.PRIOR] / tree.FINE
    np.testing.assert_allclose(drawn.sum(1), 1.0, atol=1e-6)
    assert drawn.mean(0) == pytest.approx(np.full(n, 1 / n), abs=0.04)
    assert drawn.var() == pytest.approx((n - 1) / (n * n * (n * 0.5 + 1)), rel=0.15)
    below = forest.trees.edge[:, n : 2 * n - 1, tree.PRIOR]
    same = [b for b in range(150) if forest.trees.states[b, 1].tolist() == forest.trees.states[0, 1].tolist()]
    assert len(same) > 3
    for b in same:  # the same position below two roots has the same priors
        np.testing.assert_array_equal(below[b], below[same[0]])


# --- temperature ------------------------------------------------------------------------------------------------------


def draw(b: int, lane: int, t: object) -> None:
    choose(b, lane, t.options.noise, t)  # type: ignore[attr-defined]  # a number that this kernel has to spare


@pytest.mark.parametrize("temperature, power", [(1.0, 1.0), (0.5, 2.0), (2.0, 0.5)])
def test_moves_are_drawn_by_shares_raised_to_one_over_the_temperature(temperature: float, power: float) -> None:
    count = 3000
    forest = Forest(GAME, SearchSettings(simulations=1), count, SHOWN, "python")
    plant(forest, [GAME.start()] * count)
    forest.trees = forest.trees._replace(options=forest.trees.options._replace(noise=temperature))
    shares = np.array([0.5, 0.25, 0.125, 0.125])
    forest.trees.node[:, 0, tree.COUNT] = 4
    forest.trees.root[:, :4, tree.POLICY] = shares
    forest.run(draw)
    found = np.bincount(forest.trees.game[:, tree.CHOICE], minlength=4) / count
    expected = shares**power / (shares**power).sum()
    np.testing.assert_allclose(found, expected, atol=5 * np.sqrt(0.25 / count))


# --- forced playouts --------------------------------------------------------------------------------------------------


def test_forced_playouts_are_made_and_pruned_from_the_target() -> None:
    """Every root move with a visit has sqrt(k P N) of them; the target has what PUCT alone would have wanted."""
    forced = SearchSettings(simulations=120, forced=2.0, proofs=False)
    forest = grow([a_position("gomoku:4x4x4", 2)], forced)
    visits, shares = root_visits(forest), policy(forest)
    priors = forest.trees.edge[0, : len(visits), tree.PRIOR] / tree.FINE
    for n, prior in zip(visits, priors, strict=True):
        assert n == 0 or n >= int(np.sqrt(2.0 * prior * 100)) - 1
    best = int(np.argmax(visits))
    assert shares[best] > visits[best] / sum(visits)
    assert sum(share == 0 and n > 0 for share, n in zip(shares, visits, strict=True)) >= 1


def test_quiet_trees_have_neither_noise_nor_forced_playouts() -> None:
    position = a_position("gomoku:4x4x4", 2)
    loud = SearchSettings(simulations=60, forced=3.0, noise=0.5, proofs=False)
    forest = Forest(GAME, loud, 1, SHOWN, "python")
    plant(forest, [position])
    forest.trees.game[0, tree.QUIET] = 1
    evaluator = Hashing(SHOWN)
    while forest.step():
        evaluator.evaluate(forest.batch)
    forest.settle()
    plain = grow([position], loud.but(forced=0.0, noise=0.0))
    assert root_visits(forest) == root_visits(plain)
    assert policy(forest) == policy(plain)
