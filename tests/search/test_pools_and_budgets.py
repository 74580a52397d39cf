"""Full pools, small budgets, interruptions, kept trees: searches stay whole, and nothing is written out of bounds."""

import time
from typing import Any

import numpy as np
import pytest

import zerogrid
from search.harness import SEED, a_position, chosen, grow, plant, policy, root_visits, search, whole_tree
from search.judges import Answering, Hashing
from zerogrid.core.errors import GameOver, ZeroGridError
from zerogrid.encodings import encoding
from zerogrid.evaluators.evaluator import Batch
from zerogrid.evaluators.uniform import Uniform
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.kernels.gumbel import visits_before
from zerogrid.kernels.tree import Capacity
from zerogrid.search.forest import Forest
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings

OURS = SearchSettings(simulations=50)
GAME = zerogrid.game("tictactoe")
SHOWN = encoding(GAME)


def consistent(forest: Forest, b: int = 0) -> None:
    """What must hold in every tree: visits add up, edges lie side by side, bounds are in order, priors sum to one."""
    t = forest.trees
    nodes, edges = int(t.game[b, tree.NODES]), int(t.game[b, tree.EDGES])
    owned = np.zeros(edges, int)
    for node in range(nodes):
        first, count = int(t.node[b, node, tree.FIRST]), int(t.node[b, node, tree.COUNT])
        mine = t.edge[b, first : first + count]
        owned[first : first + count] += 1
        assert t.node[b, node, tree.LOW] <= t.node[b, node, tree.HIGH]
        if count == 0:
            continue
        assert mine[:, tree.TRIED].min() >= 0
        assert mine[:, tree.TRIED].sum() <= t.node[b, node, tree.VISITS]
        assert (np.diff(t.action[b, first : first + count]) > 0).all()
        assert mine[:, tree.PRIOR].sum() == pytest.approx(tree.FINE, abs=64)
        assert mine[mine[:, tree.TRIED] > 0][:, tree.PRIOR].sum() == t.node[b, node, tree.SEEN]
        for e in range(first, first + count):
            child = int(t.edge[b, e, tree.CHILD])
            if child:
                assert child > node
                assert (t.node[b, child, tree.PARENT], t.node[b, child, tree.PARENT_EDGE]) == (node, e)
    assert (owned == 1).all()


# --- full pools -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes, edges", [(2, 500), (9, 500), (200, 18), (200, 40), (5, 30)])
@pytest.mark.parametrize("kind, leaves", [("puct", 1), ("puct", 4), ("gumbel", 1), ("gumbel", 4), ("uct", 1)])
def test_a_full_tree_goes_on_being_searched(kind: str, nodes: int, edges: int, leaves: int) -> None:
    """Guard rows around every array stay untouched; the python target checks each index besides."""
    settings = SearchSettings.for_kind(kind, simulations=60, leaves=leaves, proofs=leaves == 1)
    position = a_position("tictactoe", 1)
    evaluator = Hashing(SHOWN)
    shown = None if kind == "uct" else SHOWN
    forest = Forest(GAME, settings, 3, shown, "python", capacity=Capacity(3, nodes, edges, leaves))
    plant(forest, [position] * 3)
    forest.planted = 2  # the third tree is a guard: nobody may write there
    before = [np.array(array[2:], copy=True) for array in forest.trees[:11]]
    if kind == "uct":
        forest.playouts()
        forest.run(kernels.conclude)
    else:
        search(forest, evaluator)
    for array, old in zip(forest.trees[:11], before, strict=True):
        np.testing.assert_array_equal(array[2:], old)
    for b in range(2):
        solved = forest.trees.node[b, 0, tree.LOW] == forest.trees.node[b, 0, tree.HIGH]
        assert forest.trees.game[b, tree.DONE] == 60 or solved
        assert forest.trees.game[b, tree.NODES] <= nodes - 1
        assert forest.trees.game[b, tree.EDGES] <= edges - GAME.MAX_LEGAL
        consistent(forest, b)
        assert sum(root_visits(forest, b)) >= 50 or solved
        assert chosen(forest, b) in position.actions
        assert sum(policy(forest, b)) == pytest.approx(1.0)


def test_with_several_leaves_the_spare_place_is_one_leafs_alone() -> None:
    """A full pool has one place for leaves that cannot be kept; a second such leaf waits, and spoils nothing.

    So whatever waits for an answer is still the position that was shown.
    """
    compared = 0

    class Attentive(Answering):
        def evaluate(self, batch: Batch) -> None:
            nonlocal compared
            assert batch.states is not None
            for row in batch.asked_rows():
                position = zerogrid.Position.of_state(GAME, batch.states()[row])
                shown = SHOWN.encode(position).reshape(batch.planes[row].shape)
                np.testing.assert_array_equal(batch.planes[row], shown)
                compared += 1
            super().evaluate(batch)

    fair = Attentive(SHOWN, lambda state: (np.zeros(9, np.float32), 0.5 if GAME.to_move(state) == 0 else -0.5))
    settings = SearchSettings(simulations=40, leaves=5, proofs=False)
    position = GAME.start()
    forest = Forest(GAME, settings, 1, SHOWN, "python", capacity=Capacity(1, 4, 500, 5))
    plant(forest, [position])
    search(forest, fair)
    t = forest.trees
    assert t.game[0, tree.DONE] == 40
    assert compared > 30
    assert t.total[0, 0] == 40 * tree.FINE // 2  # 0.5 for player 0, whoever is to move


def test_too_little_room_for_a_root_is_refused() -> None:
    for capacity in (Capacity(1, 1, 500), Capacity(1, 50, 17)):
        with pytest.raises(ZeroGridError, match="room for 2 nodes and 18 edges"):
            Forest(GAME, OURS, 1, SHOWN, "python", capacity=capacity)


# --- budgets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["puct", "gumbel", "uct"])
def test_a_budget_of_one_answers_from_the_priors(kind: str) -> None:
    evaluator = None if kind == "uct" else Hashing(SHOWN)
    settings = SearchSettings.for_kind(kind, simulations=1)
    found = Searcher(GAME, evaluator, settings, target="python").search([GAME.start()])[0]
    assert found.simulations == 1
    assert sum(found.visits) == 0
    assert len(found.actions) == 9
    assert sum(found.policy) == pytest.approx(1.0)
    if kind != "uct":
        assert found.priors[found.actions.index(found.choice)] == max(found.priors)
        assert found.policy == pytest.approx(found.priors, abs=1e-6)


@pytest.mark.parametrize("kind", ["puct", "gumbel", "uct"])
def test_no_time_at_all_still_gives_a_move(kind: str) -> None:
    evaluator = None if kind == "uct" else Uniform(SHOWN)
    settings = SearchSettings.for_kind(kind, simulations=100_000, proofs=False)
    searcher = Searcher(GAME, evaluator, settings, target="python")
    found = searcher.search([GAME.start()], seconds=0.0)[0]
    assert 1 <= found.simulations <= 300
    assert found.choice in range(9)


def test_whoever_looks_on_may_interrupt() -> None:
    seen: list[int] = []

    def look(answer: Any) -> bool:
        seen.append(answer.simulations)
        return len(seen) == 2

    settings = SearchSettings(simulations=1_000_000, proofs=False)
    searcher = Searcher(GAME, Uniform(SHOWN), settings, target="python", memory=4 << 20)
    found = searcher.search([GAME.start()], look=look)[0]
    assert seen[0] < seen[1] <= found.simulations < 1_000_000
    assert sum(found.policy) == pytest.approx(1.0)


def test_finished_games_do_not_end_a_search_early() -> None:
    """Without proofs the last two moves of a game are looked at again and again, as often as was asked."""
    late = GAME.start()
    for cell in (0, 1, 2, 4, 3, 5, 7):
        late.play(cell)
    found = Searcher(GAME, Uniform(SHOWN), SearchSettings.paper(simulations=100), target="python").search([late])[0]
    assert found.simulations == 100
    assert sum(found.visits) == 99


def test_an_evaluator_that_is_interrupted_leaves_a_searcher_usable() -> None:
    class Interrupted(Uniform):
        patience = 10

        def evaluate(self, batch: Batch) -> None:
            self.patience -= 1
            if self.patience == 0:
                raise KeyboardInterrupt
            super().evaluate(batch)

    searcher = Searcher(GAME, Interrupted(SHOWN), OURS, target="python")
    with pytest.raises(KeyboardInterrupt):
        searcher.search([GAME.start()], [SEED])
    again = searcher.search([GAME.start()], [SEED])[0]
    fresh = Searcher(GAME, Uniform(SHOWN), OURS, target="python").search([GAME.start()], [SEED])[0]
    assert again.visits == fresh.visits


def test_gumbel_shares_out_the_budget_it_is_given() -> None:
    """A smaller budget than the settings' is halved by itself: four candidates, then two."""
    settings = SearchSettings.for_kind("gumbel", simulations=400, considered=4, proofs=False)
    found = Searcher(GAME, Uniform(SHOWN), settings, target="python").search([GAME.start()], simulations=17)[0]
    assert sorted(found.visits)[-4:] == [2, 2, 6, 6]
    assert sum(found.visits) == 16


@pytest.mark.parametrize("width, budget", [(1, 7), (2, 10), (3, 12), (5, 4), (16, 16), (16, 200), (9, 50)])
def test_sequential_halving_visits_candidates_equally_and_drops_half(width: int, budget: int) -> None:
    counts = [0] * width
    for turn in range(budget):
        wanted = visits_before(width, budget, turn)
        assert wanted in counts
        counts[counts.index(wanted)] += 1
    assert sum(counts) == budget
    if budget >= width:
        assert min(counts) >= 1
    if width > 1:
        assert counts.count(max(counts)) <= max(2, width) if budget < width else counts.count(max(counts)) <= width


# --- bad input --------------------------------------------------------------------------------------------------------


def test_bad_input_gets_a_sentence() -> None:
    evaluator = Uniform(SHOWN)
    searcher = Searcher(GAME, evaluator, OURS, target="python")
    over = GAME.start()
    for move in (0, 3, 1, 4, 2):
        over.play(move)
    with pytest.raises(GameOver, match="finished"):
        searcher.search([over])
    with pytest.raises(ZeroGridError, match="othello"):
        searcher.search([zerogrid.game("othello:4x4").start()])
    for simulations in (0, 51):
        with pytest.raises(ZeroGridError, match="1 to 50"):
            searcher.search([GAME.start()], simulations=simulations)
    for seconds in (-1.0, float("nan")):
        with pytest.raises(ZeroGridError, match="time budget"):
            searcher.search([GAME.start()], seconds=seconds)
    with pytest.raises(ZeroGridError, match="needs an evaluator"):
        Searcher(GAME, None, OURS)
    with pytest.raises(ZeroGridError, match="takes no evaluator"):
        Searcher(GAME, evaluator, SearchSettings(kind="uct"))
    with pytest.raises(ZeroGridError, match="evaluator is for tictactoe"):
        Searcher(zerogrid.game("othello:4x4"), evaluator, OURS)
    with pytest.raises(ZeroGridError, match="potential"):
        Forest(GAME, OURS.but(shaping=True), 1, SHOWN, "python")
    wrong_ones = (({"simulations": 0}, "simulations"), ({"c": float("inf")}, "c must"), ({"kind": "best"}, "best"))
    for wrong, said in wrong_ones:
        with pytest.raises(ZeroGridError, match=said):
            OURS.but(**wrong)
    with pytest.raises(ZeroGridError, match="simulations"):
        OURS.but(simulatons=3)


# --- kept trees -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [None, Capacity(1, 18, 120)])
@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_a_kept_tree_is_what_it_was(kind: str, capacity: Capacity | None) -> None:
    """Move after move: the new tree is the old one's part below the move, but for nodes that had no edges yet."""
    settings = SearchSettings.for_kind(kind, simulations=30, proofs=False)
    position, evaluator = GAME.start(), Hashing(SHOWN)
    forest = Forest(GAME, settings, 1, SHOWN, "python", keep=True, capacity=capacity)
    plant(forest, [position])
    for _ in range(5):
        search(forest, evaluator)
        consistent(forest)
        edge = int(forest.trees.game[0, tree.CHOICE])
        kept = pruned(whole_tree(forest)[8][edge - int(forest.trees.node[0, 0, tree.FIRST])][6])
        position.play(chosen(forest))
        forest.run(kernels.play_chosen)
        if kept is not None and kept[8]:
            assert whole_tree(forest) == kept
        assert forest.trees.states[0, 0].tolist() == position.state.tolist()
        assert forest.trees.game[0, tree.PLY] == len(position.moves)
        consistent(forest)
        forest.trees.game[0, tree.LIMIT] = settings.simulations
        if position.over:
            break
    assert len(position.moves) >= 4


def test_noise_at_a_kept_root_keeps_its_books() -> None:
    settings, evaluator = SearchSettings(simulations=30, noise=0.5, proofs=False), Hashing(SHOWN)
    forest = Forest(GAME, settings, 1, SHOWN, "python", keep=True)
    plant(forest, [GAME.start()])
    for _ in range(3):
        search(forest, evaluator)
        forest.run(kernels.play_chosen)
        assert sum(root_visits(forest)) > 0
        consistent(forest)  # what counts as seen follows the noisy priors
        forest.trees.game[0, tree.LIMIT] = settings.simulations


def pruned(told: Any) -> Any:
    """Without the nodes that have no edges and are not finished games."""
    if told is None or (not told[8] and told[0] >= 0):
        return None
    return [*told[:8], [[*edge[:6], pruned(edge[6])] for edge in told[8]]]


def test_encodings_that_look_back_see_the_moves_before_a_kept_root() -> None:
    game = zerogrid.game("gomoku:4x4x3")
    shown = encoding(game, "stones,history=4")
    position, evaluator = game.start(), Hashing(shown)
    forest = Forest(game, SearchSettings(simulations=6), 1, shown, "python", keep=False)
    plant(forest, [position])
    for _ in range(4):
        forest.step()
        expected = shown.encode(position).reshape(forest.trees.planes.shape)
        np.testing.assert_array_equal(forest.trees.planes, expected)
        evaluator.evaluate(forest.batch)
        search(forest, evaluator)
        position.play(chosen(forest))
        forest.run(kernels.play_chosen)
        forest.trees.node[0, 0, tree.COUNT] = 0  # forget, so that the root is shown again
        forest.trees.game[0, tree.NODES], forest.trees.game[0, tree.EDGES] = 1, 0
        forest.trees.game[0, tree.LIMIT] = 6


def test_a_position_is_searched_the_same_whatever_is_searched_beside_it() -> None:
    positions = [a_position("tictactoe", plies, seed=plies) for plies in (0, 1, 2, 3)]
    together = grow(positions, OURS.but(noise=0.25))
    for b, position in enumerate(positions):
        forest = Forest(GAME, OURS.but(noise=0.25), 1, SHOWN, "python")
        plant(forest, [position], seed=SEED + b)
        search(forest, Hashing(SHOWN))
        assert whole_tree(forest) == whole_tree(together, b)


def test_time_is_told() -> None:
    began = time.perf_counter()
    found = Searcher(GAME, Uniform(SHOWN), OURS, target="python").search([GAME.start()])[0]
    assert 0 < found.seconds <= time.perf_counter() - began
