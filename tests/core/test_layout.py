"""Layouts give numbers their meaning, and symmetries move states by it."""

import numpy as np
import pytest

from zerogrid.core.errors import BadGameFile
from zerogrid.core.layout import Layout, a_cell, an_action, number, per_action, per_cell
from zerogrid.core.symmetry import Symmetry, board_maps, board_symmetries, cells_under

LAYOUT = Layout(
    board=per_cell(6, ".xo"),
    edges=per_action(4, ".#"),
    turn=number(),
    scores=number(2, owners="01"),
    king=a_cell(2),
    last=an_action(remembered=True),
)


def test_fields_follow_one_another() -> None:
    assert LAYOUT.offsets == (0, 6, 10, 11, 13, 15)
    assert (LAYOUT.size, LAYOUT.key_size) == (16, 15)
    assert [LAYOUT.where(i) for i in (0, 5, 10, 12, 14, 15)] == [
        "board[0]", "board[5]", "turn", "scores[1]", "king[1]", "last",
    ]  # fmt: skip
    assert "outside the state of 16" in LAYOUT.where(16)


def test_symbols_say_who_owns_what() -> None:
    owners = {part.name: part.owners for part in LAYOUT.fields}
    assert owners == {"board": ".01", "edges": "..", "turn": ".", "scores": "01", "king": "..", "last": "."}


@pytest.mark.parametrize("owners", ["01", "abc", ".0", ".012"])
def test_owners_that_do_not_fit_are_refused(owners: str) -> None:
    with pytest.raises(BadGameFile, match="owners"):
        per_cell(9, ".xo", owners=owners)


def test_what_counts_stands_before_what_is_remembered() -> None:
    with pytest.raises(BadGameFile, match="field turn counts for the future and must stand before"):
        Layout(last=an_action(remembered=True), turn=number())


def test_a_symmetry_moves_each_field_by_its_kind() -> None:
    """2 rows x 3 columns, mirrored left-right; the four edges turn round."""
    mirror = Symmetry("mirror", (2, 1, 0, 5, 4, 3), (3, 2, 1, 0), {"scores": (1, 0)})
    state = np.array([1, 0, 2, 0, 1, 0, 1, 0, 0, 0, 1, 7, 8, 3, -1, 2], np.int16)
    image = mirror.apply(LAYOUT, state)
    assert image.tolist() == [2, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 8, 7, 5, -1, 1]
    assert mirror.apply(LAYOUT, image).tolist() == state.tolist()
    many = np.stack([state, image])
    assert mirror.apply(LAYOUT, many).tolist() == [image.tolist(), state.tolist()]
    assert state[0] == 1  # the state itself stays as it was


def test_cell_c_goes_to_cells_c() -> None:
    """A quarter turn, which taken twice is not nothing."""
    board = Layout(board=per_cell(9, ".xo"), last=an_action())
    turn = next(symmetry for symmetry in board_symmetries(3, 3) if symmetry.name == "quarter turn right")
    state = np.array([1, 2, 0, 0, 0, 0, 0, 0, 0, 0], np.int16)
    image = turn.apply(board, state)
    assert image.tolist() == [0, 0, 1, 0, 0, 2, 0, 0, 0, 2]
    for cell in range(9):
        assert image[turn.cells[cell]] == state[cell]


@pytest.mark.parametrize(("rows", "columns", "count"), [(3, 3, 8), (4, 4, 8), (2, 3, 4), (5, 4, 4)])
def test_the_symmetries_of_a_board_are_a_group(rows: int, columns: int, count: int) -> None:
    tables = [cells_under(rows, columns, place) for _, place in board_maps(rows, columns)]
    assert len(set(tables)) == count
    assert tables[0] == tuple(range(rows * columns))
    for one in tables:
        assert sorted(one) == list(range(rows * columns))
        for other in tables:
            assert tuple(one[cell] for cell in other) in tables


def test_symmetries_of_a_square_are_named_rightly() -> None:
    """Drawn by hand: where the upper left corner of 2x2 and its right neighbour go."""
    corners = {s.name: (s.cells[0], s.cells[1]) for s in board_symmetries(2, 2, more_actions=1)}
    assert corners == {
        "identity": (0, 1),
        "mirror left-right": (1, 0),
        "mirror up-down": (2, 3),
        "half turn": (3, 2),
        "diagonal": (0, 2),
        "quarter turn right": (1, 3),
        "quarter turn left": (2, 0),
        "anti-diagonal": (3, 1),
    }
    assert all(s.actions == (*s.cells, 4) for s in board_symmetries(2, 2, more_actions=1))
