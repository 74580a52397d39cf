"""Searches and self-play inside simulated CUDA blocks: the same trees, answers and examples as in plain Python."""

from typing import Any

import numpy as np
import pytest

import zerogrid
from search.harness import a_position, chosen, grow, plant, policy, same_trees, search
from search.judges import Hashing
from selfplay.replaying import judge, mill, same, settings
from zerogrid.encodings import encoding, potential_for
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.search.forest import Forest
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay.room import Room

OURS = SearchSettings(simulations=14, noise=0.25, forced=2.0)
GUMBEL = SearchSettings.for_kind("gumbel", simulations=12, gumbel_scale=1.0)
WAYS: dict[str, tuple[str, SearchSettings]] = {
    "puct": ("dots_and_boxes:2x2,utility=margin", OURS),
    "several leaves": ("tictactoe", OURS.but(leaves=3, forced=0.0, virtual_loss=2, c_base=50.0)),
    "papers": ("othello:4x4", SearchSettings.paper(simulations=12)),
    "gumbel": ("connect_four:4x5", GUMBEL),
    "gumbel, several leaves": ("pawn_dama:4x4", GUMBEL.but(leaves=2, proofs=False)),
    "uct": ("tictactoe", SearchSettings.for_kind("uct", simulations=30)),
}


def both(spec: str, settings: SearchSettings, **more: Any) -> None:
    positions = [a_position(spec, plies, seed=plies) for plies in (2, 5)]
    one, other = grow(positions, settings, "python", **more), grow(positions, settings, "cuda", **more)
    same_trees(one, other)
    for b in range(len(positions)):
        assert chosen(one, b) == chosen(other, b)
        assert policy(one, b) == policy(other, b)


@pytest.mark.parametrize("way", WAYS)
def test_searches_in_blocks_grow_the_same_trees(way: str) -> None:
    both(*WAYS[way])


@pytest.mark.parametrize("way", ["puct", "papers", "gumbel"])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_a_step_in_pieces_grows_the_same_trees(way: str, target: str) -> None:
    """A card takes a step in several kernels, some with one lane for each game; near the end many leaves are over."""
    spec, settings = WAYS[way]
    positions = [a_position(spec, plies, seed=plies) for plies in (2, 5)]
    whole = grow(positions, settings, "cpu")
    forest = Forest(positions[0].game, settings, 2, encoding(positions[0].game), target)
    judge_ = Hashing(forest.encoding)
    plant(forest, positions)
    for _ in range(3 * settings.simulations):
        for kernel in kernels.pieces(1):
            forest.run(kernel)
        judge_.evaluate(forest.batch)
    forest.settle()
    assert not forest.asked().any()
    same_trees(whole, forest)


def test_shaping_in_blocks() -> None:
    spec = "battlefield:5x5,agents=1"
    phi = potential_for(zerogrid.game(spec), "tactics").module
    both(spec, SearchSettings(simulations=8, shaping=True, gamma=0.9), potential=phi)


def test_action_tokens_in_blocks() -> None:
    position = a_position("battlefield:5x5,agents=1", 2)
    shown = encoding(position.game)
    forests = [
        grow([position], SearchSettings(simulations=6), target, Hashing(shown, tokens=True))
        for target in ("python", "cuda")
    ]
    same_trees(*forests)
    np.testing.assert_array_equal(forests[0].trees.tokens, forests[1].trees.tokens)


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_kept_trees_in_blocks(kind: str) -> None:
    settings = (OURS.but(simulations=10) if kind == "puct" else GUMBEL).but(simulations=10)
    positions = [a_position("tictactoe", plies) for plies in (0, 2)]
    forests = []
    for target in ("python", "cuda"):
        evaluator = Hashing(encoding(positions[0].game))
        forest = Forest(positions[0].game, settings, 2, evaluator.encoding, target, keep=True)
        plant(forest, positions)
        search(forest, evaluator)
        for _ in range(2):
            forest.run(kernels.play_chosen)
            forest.trees.game[:, tree.LIMIT] = settings.simulations
            search(forest, evaluator)
        forests.append(forest)
    same_trees(*forests)


def test_self_play_in_blocks_brings_in_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms of ordinary memory, their kernels in blocks: noise, cheap moves, resigning, kept trees, replacement."""
    play = settings(
        games=2, search=OURS.but(simulations=6), cap_share=0.7, cap_simulations=3, resign_check=0.5,
        target_temperature=0.7,
    )  # fmt: skip
    game = zerogrid.game("tictactoe")
    plain, blocks = mill(game, play), mill(game, play, target="cuda")
    assert isinstance(next(iter([Room(blocks.encoding, play, 1, target="cuda")])), Room)
    wanted: dict[str, Any] = {"positions": 12, "random_moves": 2, "resign": 0.5}
    same(plain.play(judge(plain), **wanted), blocks.play(judge(blocks), **wanted))
