"""One source, three targets: the same numbers to the last bit (the simulator's part stands in tests/cuda)."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import zerogrid
from core import kernels
from zerogrid.core import rules
from zerogrid.core.errors import CannotLink, ZeroGridError
from zerogrid.core.link import Linked, link

GAME = {rules: zerogrid.game("gomoku:4x5x3").module}


def test_compiled_arithmetic_is_that_of_python() -> None:
    plain = kernels.run(kernels.arithmetic, "python", kernels.numbers(), GAME)
    compiled = kernels.run(kernels.arithmetic, "cpu", kernels.numbers(), GAME)
    for field, one, other in zip(plain._fields, plain, compiled, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=field)
    assert kernels.same(plain, compiled)


def test_python_arithmetic_is_exact_where_numpy_would_overflow() -> None:
    made = kernels.run(kernels.arithmetic, "python", kernels.numbers(), GAME)
    expected = [int(a) * int(b) * 3 for a, b in made.small]
    assert made.made[:, 7].tolist() == expected
    assert max(map(abs, expected)) > 2**31
    assert made.made[:, 9].min() < 0
    assert (made.made[:, 13] == 20_020).all()


def test_draws_are_the_same_on_python_and_cpu() -> None:
    assert kernels.same(kernels.run(kernels.draw, "python", kernels.seeds()),
                        kernels.run(kernels.draw, "cpu", kernels.seeds()))  # fmt: skip


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_one_lane_finds_what_numpy_finds(target: str) -> None:
    made = kernels.run(kernels.join, target, kernels.rows())
    assert made.best.tolist() == made.real.argmax(1).tolist()
    assert made.most.tolist() == made.real.max(1).tolist()
    weighed = (made.whole * np.arange(11, 0, -1)).sum(1)
    assert made.sums.tolist() == np.stack([made.whole.sum(1), made.whole.sum(1), weighed], 1).tolist()
    assert set(made.lanes) == {1}


class Counted(NamedTuple):
    """A mark for every row that was worked on."""

    seen: Any


def count_up(b: int, lane: int, t: Counted) -> None:
    """Mark row b."""
    t.seen[b] += 1 + b


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize(
    ("first", "last", "threads"), [(0, 0, 1), (0, 5, 1), (2, 7, 1), (0, 101, 3), (3, 4, 8), (5, 2, 2)]
)
def test_each_row_is_worked_on_once(target: str, first: int, last: int, threads: int) -> None:
    seen = np.zeros(120, np.int64)
    link(count_up, target, {})(last, Counted(seen), threads=threads, first=first)
    expected = [1 + b if first <= b < last else 0 for b in range(120)]
    assert seen.tolist() == expected


def test_the_same_games_come_out_whatever_the_number_of_threads() -> None:
    one = kernels.run(kernels.arithmetic, "cpu", kernels.numbers(200), GAME)
    many = kernels.run(kernels.arithmetic, "cpu", kernels.numbers(200), GAME, threads=4)
    assert kernels.same(one, many)


def outside(b: int, lane: int, t: Counted) -> None:
    """Write behind the end."""
    t.seen[len(t.seen) + b] = 1


def negative(b: int, lane: int, t: Counted) -> None:
    """Write before the beginning."""
    t.seen[b - 1] = 1


@pytest.mark.parametrize("kernel", [outside, negative])
def test_python_notices_indices_outside(kernel: Any) -> None:
    with pytest.raises(IndexError, match="outside an array of 3"):
        link(kernel, "python", {})(1, Counted(np.zeros(3)))


def mixed(b: int, lane: int, t: Counted) -> None:
    """One name, two kinds of value."""
    found = 7
    if b > 3:
        found = (1, 2)
    t.seen[b] = found


def mixed_at_once(b: int, lane: int, t: Counted) -> None:
    """One expression, two kinds of value."""
    t.seen[b] = (1, 2) if b > 3 else 7


def missing(b: int, lane: int, t: Counted) -> None:
    """Ask for a method that compiled code has not."""
    t.seen[b] = t.seen.shape[0].bit_count()


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (mixed, "mixed cannot be compiled for cpu: found is Tuple(int, int) in one place and int in another; give it"),
        (mixed_at_once, "mixed_at_once cannot be compiled for cpu: an expression is "),
        (missing, "missing cannot be compiled for cpu: "),
    ],
)
def test_a_compilers_complaint_is_one_sentence_with_the_authors_line(kernel: Any, said: str) -> None:
    with pytest.raises(CannotLink) as caught:
        link(kernel, "cpu", {})(1, Counted(np.zeros(3, np.int64)))
    sentence = str(caught.value)
    assert sentence.startswith(said)
    assert "(test_link.py, line " in sentence
    assert sentence.endswith(".")
    assert len(sentence) < 400
    assert "\n" not in sentence


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(ZeroGridError, match=r'target "gpu" is not one of python, cpu, cuda\.') as caught:
        link(count_up, "gpu", {})
    assert "cpu" in str(caught.value)


def test_a_kernel_may_be_linked_to_many_games() -> None:
    def legal_at_start(spec: str, target: str) -> int:
        module = zerogrid.game(spec).module
        return int(kernels.run(kernels.list_legal, target, kernels.no_actions(module), {rules: module}).count[0])

    sizes = {"gomoku:4x5x3": 20, "gomoku:5x5x3": 25, "connect_four:4x6": 6, "tictactoe": 9}
    for target in ("python", "cpu", "python", "cpu"):
        assert {spec: legal_at_start(spec, target) for spec in sizes} == sizes


def test_linked_kernels_know_their_target_and_digest() -> None:
    made = link(count_up, "python", {})
    assert isinstance(made, Linked)
    assert made.target == "python"
    assert len(made.digest) == 64
    assert math.isfinite(int(made.digest, 16))
