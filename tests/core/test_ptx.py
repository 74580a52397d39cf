"""Every game's rules compile for a card: to PTX, which needs neither a card nor a driver. A new game is found here."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerogrid
from core import kernels
from core.everygame import SMALL
from zerogrid.core import catalogue, cuda, rules
from zerogrid.core.check.guarded import GuardedRules
from zerogrid.core.check.plays import random_game
from zerogrid.core.check.report import Report
from zerogrid.core.check.targets import _replay_of, replay
from zerogrid.core.errors import CannotLink, TargetMissing
from zerogrid.kernels.perft import Stacks, count_below

pytestmark = pytest.mark.skipif(cuda.SIMULATED, reason="the simulator compiles nothing")


def replay_args(spec: str) -> Any:
    """Arrays as check_game hands them to its kernel `replay`, which calls every function of the rules."""
    game = zerogrid.game(spec)
    return _replay_of(game, [random_game(GuardedRules(game), 0, Report(game))])


def perft_args(spec: str) -> Stacks:
    """Arrays as perft hands them to its kernel."""
    game = zerogrid.game(spec)
    return Stacks(
        np.zeros((1, game.STATE_SIZE), np.int16), 2, np.zeros((1, 32, 3, game.STATE_SIZE), np.int16),
        np.zeros((1, 32, 3, game.MAX_LEGAL), np.int32), np.zeros((1, 32, 3), np.int32),
        np.zeros((1, 32, 3), np.int64), np.zeros((1, 32, 3), np.int64),
    )  # fmt: skip


@pytest.mark.parametrize("name", zerogrid.names())
@pytest.mark.parametrize("kernel", [replay, count_below])
def test_the_rules_of_every_game_compile_for_a_card(name: str, kernel: Any) -> None:
    spec = SMALL.get(name, [name])[0]
    args = replay_args(spec) if kernel is replay else perft_args(spec)
    text = cuda.ptx(kernel, {rules: zerogrid.game(spec).module}, args)
    assert ".visible .entry" in text
    assert ".target sm_90" in text
    assert "malloc" not in text


def test_primitives_compile_to_exchanges_within_a_warp() -> None:
    text = cuda.ptx(kernels.join, {}, kernels.rows())
    assert "shfl.sync.bfly" in text
    assert "bar.warp.sync" in text


def test_floats_are_rounded_as_on_the_cpu() -> None:
    """No multiplication is fused with an addition; divisions and roots are those of IEEE 754."""
    text = cuda.ptx(kernels.arithmetic, {rules: zerogrid.game("gomoku:4x5x3").module}, kernels.numbers())
    assert "div.rn.f64" in text
    assert "sqrt.rn.f64" in text
    assert "fma." not in text
    assert "div.approx" not in text
    assert "ftz" not in text


UNCOMPILABLE = """
from zerogrid.core.layout import Layout, number
LAYOUT = Layout(count=number())
ENDINGS = ("over",)
ACTIONS, MAX_LEGAL, MAX_PLIES = 1, 1, 1
def start(state, seed):
    found = 3
    if seed > 5:
        found = (1, 2)
    state[0] = found
def to_move(state): return 0
def legal(state, actions): return 0
def play(state, action): state[0] = 1
def ended(state): return state[0]
def score(state, player): return 0.0
"""


def test_what_does_not_compile_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_from_files", {})
    (tmp_path / "wild.py").write_text(UNCOMPILABLE)
    zerogrid.use_file(tmp_path / "wild.py")
    game = zerogrid.game("wild")
    with pytest.raises(CannotLink) as caught:
        cuda.ptx(kernels.list_legal, {rules: game.module}, kernels.no_actions(game.module))
    assert str(caught.value).startswith("list_legal cannot be compiled for cuda: found is Tuple(int, int) in one")
    assert "(wild.py, line 10: state[0] = found)" in str(caught.value)


def test_what_the_compiler_brings_along_compiles_without_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_from_files", {})
    (tmp_path / "wild.py").write_text(UNCOMPILABLE.replace("found = (1, 2)", "found = seed.bit_count()"))
    zerogrid.use_file(tmp_path / "wild.py")
    game = zerogrid.game("wild")
    assert ".visible .entry" in cuda.ptx(kernels.list_legal, {rules: game.module}, kernels.no_actions(game.module))


def test_without_a_card_running_is_refused_and_says_what_to_do() -> None:
    if cuda.available():
        pytest.skip("there is a card")
    with pytest.raises(TargetMissing, match=r"needs a CUDA card, and none is usable here; use target cpu\."):
        kernels.run(kernels.draw, "cuda", kernels.seeds())
