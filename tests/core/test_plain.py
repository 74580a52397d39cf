"""Arrays of the python target: plain numbers, checked indices, the same memory."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from zerogrid.core.plain import PlainArray, constant, plain


def test_numbers_come_out_as_pythons_own() -> None:
    small = plain(np.array([30000, -5], np.int16))
    assert type(small[0]) is int
    assert small[0] * small[0] == 900_000_000
    assert type(plain(np.array([0.5], np.float32))[0]) is float
    assert type(plain(np.array([True]))[0]) is bool


def test_views_share_the_memory() -> None:
    array = np.zeros((3, 4), np.int32)
    view = plain(array)
    view[1, 2] = 5
    view[2][3] = 7
    view[0][1:3][0] = 9
    view[0, 2:] = 4
    assert array[1, 2] == 5
    assert array[2, 3] == 7
    assert array[0].tolist() == [0, 9, 4, 4]
    assert (len(view), view.shape, len(view[0])) == (3, (3, 4), 4)
    view[1] = view[0]
    assert array[1].tolist() == array[0].tolist()


@pytest.mark.parametrize("index", [3, -1, (0, 4), (3, 0), (0, -1), np.int64(3), (np.int32(-1), 0), 0.0, True, (0, 1.5)])
def test_indices_outside_and_odd_ones_are_errors(index: Any) -> None:
    array = np.zeros((3, 4))
    with pytest.raises(IndexError):
        plain(array)[index]
    with pytest.raises(IndexError):
        plain(array)[index] = 1
    assert not array.any()


def test_constants_cannot_be_written() -> None:
    table = np.array([1, 2])
    with pytest.raises(ValueError, match="read-only"):
        constant(table)[0] = 5
    table[0] = 3  # its owner may
    assert constant(table)[0] == 3


class Pair(NamedTuple):
    """Two of anything."""

    one: Any
    other: Any


def test_tuples_keep_their_names() -> None:
    made = plain(Pair(np.zeros(2), Pair(3, (np.ones(1), "x"))))
    assert isinstance(made, Pair)
    assert isinstance(made.one, PlainArray)
    assert isinstance(made.other, Pair)
    assert made.other.one == 3
    assert isinstance(made.other.other[0], PlainArray)
    assert made.other.other[1] == "x"
