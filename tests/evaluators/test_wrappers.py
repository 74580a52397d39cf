"""Evaluators around other evaluators: they change cost or quality, never what is asked or for whom it is said."""

import threading
from typing import Any

import numpy as np
import pytest

import zerogrid
from search.harness import a_position, grow, same_trees
from search.judges import Answering, Hashing
from zerogrid.core.errors import BadSetting, ZeroGridError
from zerogrid.encodings import encoding
from zerogrid.evaluators.cache import Cache
from zerogrid.evaluators.check import Check
from zerogrid.evaluators.evaluator import BadAnswer, Batch, Evaluator, empty_batch
from zerogrid.evaluators.random_playout import RandomPlayout
from zerogrid.evaluators.symmetry import Symmetric
from zerogrid.evaluators.uniform import Uniform
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings

GAME = zerogrid.game("tictactoe")
SHOWN = encoding(GAME)
SETTINGS = SearchSettings(simulations=40)
POSITIONS = [a_position("tictactoe", plies, seed=seed) for plies in (0, 1, 2, 3) for seed in (0, 1)]


def a_batch(positions: list[Any], shown: Any = SHOWN) -> Batch:
    batch = empty_batch(shown, len(positions))
    batch.planes[:] = shown.encode_many(positions, "python").reshape(batch.planes.shape)
    states = np.array([position.state for position in positions])
    batch.states = lambda: states
    return batch


class Seeing(Evaluator):
    """Answers with numbers made of the planes: whatever looks alike is answered alike."""

    name = "seeing"

    def __init__(self, shown: Any, weights: int = 0) -> None:
        self.encoding, self.asked = shown, 0
        rng = np.random.default_rng(weights)
        self.weights = rng.normal(size=(shown.height * shown.width * shown.planes, shown.slots + 1)) * 0.3

    def evaluate(self, batch: Batch) -> None:
        self.asked += batch.rows
        seen = batch.planes.reshape(batch.rows, -1) @ self.weights
        batch.answer(seen[:, :-1], np.tanh(seen[:, -1]))


# --- cache ------------------------------------------------------------------------------------------------------------


def test_a_cache_changes_no_answer_and_spares_evaluations() -> None:
    plain, inner = Hashing(SHOWN), Hashing(SHOWN)
    cached = Cache(inner)
    without = grow(POSITIONS, SETTINGS, "python", plain)
    same_trees(without, grow(POSITIONS, SETTINGS, "python", cached))
    first = inner.asked
    assert cached.hits > 0  # openings transpose, and all trees share what is kept
    assert cached.misses < plain.asked
    same_trees(without, grow(POSITIONS, SETTINGS, "python", cached))
    assert inner.asked == first  # the second time everything is known


def test_hits_are_told_with_the_answer() -> None:
    cached = Cache(Hashing(SHOWN))
    searcher = Searcher(GAME, cached, SETTINGS, target="python")
    fresh, known = (searcher.search([GAME.start()], [3])[0] for _ in range(2))
    assert known.cache_hits == known.evaluations > fresh.cache_hits
    assert known.visits == fresh.visits


def test_a_cache_stays_within_its_bound_and_forgets_the_oldest() -> None:
    inner = Seeing(SHOWN)
    cached = Cache(inner, entries=3)
    for position in (POSITIONS[0], POSITIONS[2], POSITIONS[4], POSITIONS[6]):
        cached.evaluate(a_batch([position]))
    assert len(cached._places) == 3
    assert inner.asked == 4
    cached.evaluate(a_batch([POSITIONS[6], POSITIONS[4], POSITIONS[2]]))
    assert (inner.asked, cached.hits) == (4, 3)
    cached.evaluate(a_batch([POSITIONS[0]]))
    assert inner.asked == 5


def test_the_same_position_twice_in_a_batch_is_asked_once() -> None:
    inner = Seeing(SHOWN)
    batch = a_batch([POSITIONS[0], POSITIONS[5], POSITIONS[0], POSITIONS[0]])
    Cache(inner).evaluate(batch)
    assert inner.asked == 2
    np.testing.assert_array_equal(batch.values[[0, 0]], batch.values[[2, 3]])
    alone = a_batch([POSITIONS[5]])
    Seeing(SHOWN).evaluate(alone)
    assert batch.values[1] == pytest.approx(alone.values[0], abs=1e-6)


def test_threads_share_a_cache() -> None:
    inner = Hashing(SHOWN)
    cached = Cache(inner, entries=64)  # small enough to be overwritten all the time
    expected = {position.state.tobytes(): None for position in POSITIONS}
    for position in POSITIONS:
        batch = a_batch([position])
        Hashing(SHOWN).evaluate(batch)
        expected[position.state.tobytes()] = (batch.logits[0].copy(), float(batch.values[0]))
    wrong: list[Any] = []

    def work(seed: int) -> None:
        order = np.random.default_rng(seed).integers(0, len(POSITIONS), 200)
        batches = {n: a_batch([POSITIONS[n], POSITIONS[(n + 3) % len(POSITIONS)]]) for n in range(len(POSITIONS))}
        for n in order:
            batch = batches[int(n)]
            cached.evaluate(batch)
            logits, value = expected[POSITIONS[int(n)].state.tobytes()]  # type: ignore[misc]
            if batch.values[0] != value or (batch.logits[0] != logits).any():
                wrong.append(int(n))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert cached.hits + cached.misses == 4 * 200 * 2


def test_a_cache_of_no_size_is_refused() -> None:
    with pytest.raises(BadSetting, match="0"):
        Cache(Uniform(SHOWN), entries=0)


# --- symmetry ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tictactoe", "connect_four:4x5", "dots_and_boxes:2x2"])
def test_averaged_answers_turn_with_the_position(spec: str) -> None:
    game = zerogrid.game(spec)
    shown = encoding(game)
    averaged = Symmetric(Seeing(shown, weights=4))
    state = a_position(spec, 3, seed=2).state
    images = [zerogrid.Position.of_state(game, game.image(symmetry, state)) for symmetry in game.symmetries]
    batch = a_batch(images, shown)
    averaged.evaluate(batch)
    np.testing.assert_allclose(batch.values, batch.values[0], atol=1e-6)
    for row, move in enumerate(shown.moves):
        np.testing.assert_allclose(batch.logits[row][list(move.slots)], batch.logits[0], atol=1e-5)
    raw = a_batch(images, shown)
    Seeing(shown, weights=4).evaluate(raw)
    assert batch.values[0] == pytest.approx(raw.values.mean(), abs=1e-6)
    assert np.ptp(raw.values) > 0.01


def test_tokens_cannot_be_averaged() -> None:
    with pytest.raises(BadSetting, match="tokens"):
        Symmetric(Hashing(encoding(zerogrid.game("battlefield:5x5")), tokens=True))


# --- check ------------------------------------------------------------------------------------------------------------


def test_equal_evaluators_do_not_differ() -> None:
    check = Check(Hashing(SHOWN), Hashing(SHOWN))
    same_trees(grow(POSITIONS, SETTINGS, "python", check), grow(POSITIONS, SETTINGS, "python", Hashing(SHOWN)))
    assert check.report.positions > 100
    assert (check.report.value, check.report.policy) == (0.0, 0.0)


def test_differences_are_reported_with_the_worst_position() -> None:
    odd = POSITIONS[3].state

    def skewed(state: Any) -> Any:
        logits = np.zeros(9, np.float32)
        if (state == odd).all():
            logits[POSITIONS[3].actions[0]] = 3.0
            return logits, 0.75
        return logits, 0.01

    check = Check(Uniform(SHOWN), Answering(SHOWN, skewed))
    grow(POSITIONS, SETTINGS, "python", check)
    report = check.report
    assert report.value == pytest.approx(0.75)
    assert 0.01 <= report.mean_value < 0.1
    assert report.policy > 0.3
    assert report.worst is not None
    assert (report.worst.state == odd).all()
    assert "0.75000" in str(report)
    assert "uniform" in str(report)


def test_a_nan_is_the_worst_difference() -> None:
    check = Check(Uniform(SHOWN), Answering(SHOWN, lambda state: (np.zeros(9), float("nan"))))
    check.evaluate(a_batch(POSITIONS[:2]))
    assert np.isnan(check.report.value)
    assert check.report.worst is not None


def test_evaluators_of_different_games_are_not_compared() -> None:
    with pytest.raises(ZeroGridError, match="othello"):
        Check(Uniform(SHOWN), Uniform(encoding(zerogrid.game("othello:4x4"))))


# --- random games -----------------------------------------------------------------------------------------------------


def test_random_games_judge_for_the_player_to_move() -> None:
    """Crosses about to win: good for crosses; and for noughts, one move later, bad."""
    strong = GAME.start().play("a1").play("c3").play("b1").play("a2")
    evaluator = RandomPlayout(SHOWN, games=300, target="python")
    batch = a_batch([strong, strong.copy().play("b3"), GAME.start()])
    evaluator.evaluate(batch)
    assert batch.values[0] > 0.3
    assert 0.1 < batch.values[2] < 0.5  # the first player wins 58% and loses 29% of random games
    again = a_batch([GAME.start(), strong])
    RandomPlayout(SHOWN, games=300, target="python").evaluate(again)
    assert again.values.tolist() == [batch.values[2], batch.values[0]]  # whatever else is asked


def test_gumbel_searches_with_random_games() -> None:
    position = GAME.start().play("a1").play("c3").play("b1").play("a2")  # c1 wins
    evaluator = RandomPlayout(SHOWN, games=4, target="python")
    settings = SearchSettings.for_kind("gumbel", simulations=32)
    found = Searcher(GAME, evaluator, settings, target="python").search([position])[0]
    assert GAME.action_name(found.choice) == "c1"


# --- bad answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["nan value", "large value", "nan logit", "infinite logit"])
def test_answers_that_are_no_numbers_are_refused(wrong: str) -> None:
    logits, value = np.zeros(9, np.float32), 0.0
    if wrong == "nan value":
        value = float("nan")
    elif wrong == "large value":
        value = 7.0
    else:
        logits[4] = float("nan") if wrong == "nan logit" else float("inf")
    searcher = Searcher(GAME, Answering(SHOWN, lambda state: (logits, value)), SETTINGS, target="python")
    with pytest.raises(BadAnswer, match="NaN or out of range"):
        searcher.search([GAME.start()])


def test_answers_of_a_wrong_shape_are_refused_with_both_shapes() -> None:
    class Narrow(Uniform):
        def evaluate(self, batch: Batch) -> None:
            batch.answer(np.zeros((batch.rows, 5)), np.zeros(batch.rows))

    with pytest.raises(BadAnswer, match=r"1x5 and values of shape 1; 1x9 and 1"):
        Searcher(GAME, Narrow(SHOWN), SETTINGS, target="python").search([GAME.start()])
