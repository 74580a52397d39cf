"""Linking to simulated CUDA blocks: the same numbers as plain Python, whatever the number of lanes."""

import json
from collections import Counter

import numpy as np
import pytest

import zerogrid
from core import kernels
from core.everygame import GAMES
from zerogrid.cli.frame import run
from zerogrid.core import cuda, rules
from zerogrid.core.check import check_game
from zerogrid.core.game import Game

GAME = {rules: zerogrid.game("gomoku:4x5x3").module}


def test_arithmetic_in_a_block_is_that_of_python() -> None:
    plain = kernels.run(kernels.arithmetic, "python", kernels.numbers(), GAME)
    block = kernels.run(kernels.arithmetic, "cuda", kernels.numbers(), GAME)
    for field, one, other in zip(plain._fields, plain, block, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=field)


def test_draws_in_a_block_are_those_of_python() -> None:
    assert kernels.same(
        kernels.run(kernels.draw, "python", kernels.seeds(12)), kernels.run(kernels.draw, "cuda", kernels.seeds(12))
    )


def test_lanes_together_find_what_one_lane_finds() -> None:
    one, many = kernels.run(kernels.join, "python", kernels.rows()), kernels.run(kernels.join, "cuda", kernels.rows())
    assert set(many.lanes) == {cuda.LANES} != {1}
    for field in ("best", "most", "mirror"):
        np.testing.assert_array_equal(getattr(one, field), getattr(many, field), err_msg=field)
    assert one.sums[:, [0, 2]].tolist() == many.sums[:, [0, 2]].tolist()
    shares = one.whole[:, :: cuda.LANES].sum(1)
    assert many.sums[:, 1].tolist() == shares.tolist()


def test_every_lane_is_told_the_same_even_of_no_number() -> None:
    made = kernels.run(kernels.bring, "cuda", kernels.brought())
    for row, (best, most) in enumerate(kernels.told(cuda.LANES)):
        assert set(made.best[row, : cuda.LANES]) == {best}, row
        assert set(made.most[row, : cuda.LANES]) == {most}, row


def test_arrays_keep_their_places_in_tuples() -> None:
    args = kernels.rows()
    back = cuda.to_host(cuda.to_device(args))
    assert type(back) is type(args)
    assert kernels.same(args, back)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_passes_its_check_in_blocks(game: Game) -> None:
    report = check_game(game, targets=("cuda",))
    assert report.ok, str(report)
    assert Counter(report.targets) == Counter(["python", "cuda"])


def test_perft_on_the_command_line_runs_in_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "tictactoe", "--depth", "3", "--target", "cuda", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["target"], record["leaves"], record["finished"]) == ("cuda", [9, 72, 504], [0, 0, 0])
