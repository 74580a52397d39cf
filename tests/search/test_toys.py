"""Toy games of one idea each, whose value can be seen by eye: searches find it, prove it, and play by it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerogrid
from search.judges import Answering
from zerogrid.core import catalogue
from zerogrid.core.check import check_game
from zerogrid.encodings import encoding
from zerogrid.evaluators.uniform import Uniform
from zerogrid.search.answer import Answer
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings

TOYS = Path(__file__).parent / "toys"
NAMES = sorted(file.stem for file in TOYS.glob("*.py"))
VALUES = {  # for the first player, and the moves that keep it
    "extra_turns": (1.0, {1}),
    "forced_passes": (1.0, {2}),
    "one_move": (-1.0, {1}),
    "at_once": (1.0, {13}),
    "trap": (0.0, {1}),
    "better_draw": (0.0, {1}),
    "margins": (0.125, {1}),
}
KINDS = ["puct", "gumbel", "uct"]


@pytest.fixture(autouse=True)
def _only_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Toys are no games for other tests."""
    monkeypatch.setattr(catalogue, "_from_files", dict(catalogue._from_files))


def toy(name: str) -> Any:
    return zerogrid.game(zerogrid.use_file(TOYS / f"{name}.py"))


def answer(name: str, kind: Any, evaluator: Any = None, **changes: Any) -> Answer:
    game, settings = toy(name), SearchSettings.for_kind(kind, **{"simulations": 200, **changes})
    if kind != "uct" and evaluator is None:
        evaluator = Uniform(encoding(game))
    return Searcher(game, evaluator, settings, target="python").search([game.start()])[0]


@pytest.mark.parametrize("name", NAMES)
def test_toys_keep_to_the_rules_interface(name: str) -> None:
    report = check_game(toy(name), targets=("python",))
    assert report.ok, str(report)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_values_are_proven_and_moves_follow_them(name: str, kind: str) -> None:
    value, moves = VALUES[name]
    found = answer(name, kind)
    assert found.solved
    assert found.value == found.value_for(0) == value
    assert found.value_for(1) == -value
    assert found.choice in moves
    kept = {action for action, share in zip(found.actions, found.policy, strict=True) if share > 0}
    assert found.choice in kept <= moves


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("trap", "at_once")])
def test_without_proofs_averages_find_the_same_move(name: str, kind: str) -> None:
    found = answer(name, kind, proofs=False, simulations=400)
    assert not found.solved
    assert found.simulations == 400  # finished games count as simulations, and do not end the search early
    assert found.choice in VALUES[name][1]


def test_only_a_proven_loss_keeps_out_of_the_trap() -> None:
    hopeful = Answering(encoding(toy("trap")), lambda state: (np.zeros(20, np.float32), -0.5 if state[0] else 0.5))
    caught = answer("trap", "puct", hopeful, proofs=False, simulations=60)
    warned = answer("trap", "puct", hopeful, proofs=True, simulations=60)
    assert caught.choice == 0
    assert warned.choice == 1
    assert warned.value == 0.0


def test_a_known_loss_is_not_played_while_anything_else_is_left() -> None:
    """Three simulations look at one move only, and it loses: the other is unknown, which is better."""
    game = toy("trap")
    likely = {0: np.eye(20, dtype=np.float32)[0] * 5, 1: np.eye(20, dtype=np.float32)[19] * 5}  # by who is to move
    sharp = Answering(encoding(game), lambda state: (likely[int(state[0])], 0.0))
    settings = SearchSettings(simulations=3)
    position = game.start()
    found = Searcher(game, sharp, settings, target="python").search([position])[0]
    assert found.visits == (2, 0)
    assert found.proven == (-1.0, None)
    assert found.choice == 1
    assert found.policy == (0.0, 1.0)


def test_a_single_legal_move_gets_everything() -> None:
    for kind in KINDS:
        found = answer("one_move", kind, proofs=False, simulations=20)
        assert found.policy == (1.0,)
        assert found.choice == 1
        assert set(found.line) == {1}
