"""Compiled searches grow the trees that plain Python grows, bit for bit, on one thread or several."""

from typing import Any

import pytest

import zerogrid
from search.harness import a_position, chosen, grow, plant, policy, same_trees, search
from search.judges import Hashing
from zerogrid.encodings import encoding
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.search.forest import Forest
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings

OURS = SearchSettings(simulations=60)
WAYS: dict[str, tuple[str, SearchSettings]] = {  # the same compiled code serves several settings
    "puct": ("tictactoe", OURS),
    "puct, leaves": ("tictactoe", OURS.but(leaves=4, c_base=20.0)),
    "gumbel": ("tictactoe", SearchSettings(kind="gumbel", simulations=60)),
    "uct": ("tictactoe", SearchSettings.for_kind("uct", simulations=200)),
    "noise": ("tictactoe", OURS.but(noise=0.25)),  # the code of self-play's tests
    "extra turns": ("dots_and_boxes:2x2", OURS.but(c=8.0)),  # the code of the exact values' tests
}


@pytest.mark.parametrize("way", WAYS)
def test_compiled_trees_are_those_of_plain_python(way: str) -> None:
    spec, settings = WAYS[way]
    positions = [a_position(spec, plies, seed=plies) for plies in (0, 2, 4)]
    plain, compiled = grow(positions, settings, "python"), grow(positions, settings, "cpu")
    same_trees(plain, compiled)
    for b in range(3):
        assert (chosen(plain, b), policy(plain, b)) == (chosen(compiled, b), policy(compiled, b))


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_compiled_kept_trees_are_those_of_plain_python(kind: Any) -> None:
    game = zerogrid.game("tictactoe")
    settings, forests = SearchSettings.for_kind(kind, simulations=30), []
    for target in ("python", "cpu"):
        evaluator = Hashing(encoding(game))
        forest = Forest(game, settings, 2, evaluator.encoding, target, keep=True)
        plant(forest, [a_position("tictactoe", 0), a_position("tictactoe", 1)])
        for _ in range(3):
            search(forest, evaluator)
            forest.run(kernels.play_chosen)
            forest.trees.game[:, tree.LIMIT] = settings.simulations
        forests.append(forest)
    same_trees(*forests)


def test_threads_change_no_answer() -> None:
    game = zerogrid.game("tictactoe")
    positions = [a_position("tictactoe", plies, seed=seed) for plies in (0, 1, 2) for seed in (0, 1, 2)]
    found = [
        Searcher(game, Hashing(encoding(game)), OURS, games=9, threads=threads).search(positions) for threads in (1, 3)
    ]
    for one, other in zip(*found, strict=True):
        assert (one.visits, one.policy, one.choice, one.line) == (other.visits, other.policy, other.choice, other.line)
