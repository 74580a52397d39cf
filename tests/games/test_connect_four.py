"""Connect Four on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting

FOUR, FULL = "four in a row", "the board is full"


def test_discs_fall_to_the_bottom_and_pile_up() -> None:
    lines = str(after("connect_four:4x4", "b b c")).splitlines()
    assert lines[1:5] == [". . . .", ". . . .", ". o . .", ". x x ."]


def test_a_full_column_is_closed() -> None:
    position = after("connect_four:4x5", "c c c c")
    assert position.legal == ["a", "b", "d", "e"]


@pytest.mark.parametrize(
    "moves, winner",
    [
        ("a b a b a b a", 0),  # upright
        ("d d e e f f g", 0),  # across, at the edge
        ("a a b b d d c", 0),  # across, the last disc in the middle
        ("a b b c c d c d d g d", 0),  # rising to the right
        ("g f f e e d e d d a d", 0),  # rising to the left
        ("a b a b a b c b", 1),
    ],
)
def test_four_in_a_row_win(moves: str, winner: int) -> None:
    *before, _ = moves.split()
    assert ending(after("connect_four:6x7", " ".join(before))) is None
    assert ending(after("connect_four:6x7", moves)) == (FOUR, 1.0 - 2 * winner, 2.0 * winner - 1)


def test_a_row_does_not_go_around_the_edge() -> None:
    assert ending(after("connect_four:4x4", "c a d b c a d")) is None
    assert ending(after("connect_four:1x8", "h a g b f c")) is None


def test_a_full_board_is_a_draw() -> None:
    assert ending(after("connect_four:1x4", "a b c d")) == (FULL, 0.0, 0.0)


@pytest.mark.parametrize("spec", ["connect_four:6x7", "connect_four:1x4", "connect_four:4x1", "connect_four:16x16"])
def test_any_board_that_four_fit_on_can_be_played(spec: str) -> None:
    game = zerogrid.game(spec)
    assert game.ACTIONS == game.COLUMNS
    assert game.start().actions == list(range(game.COLUMNS))


@pytest.mark.parametrize("spec", ["connect_four:3x3", "connect_four:0x7", "connect_four:17x7", "connect_four:6"])
def test_impossible_boards_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        zerogrid.game(spec)


def test_left_and_right_may_be_exchanged() -> None:
    game = zerogrid.game("connect_four:6x7")
    _, mirror = game.symmetries
    state = game.image(mirror, after("connect_four:6x7", "a a b").state)
    assert state.tolist() == after("connect_four:6x7", "g g f").state.tolist()


EMPTY = ". . . .\n. . . .\n. . . .\n"


@pytest.mark.parametrize(
    "board, lines, told",
    [
        (". . . .\n. x . .\n. . . .\n. . . .", ("heights 0 1 0 0", "turn 1", "discs 1", "end 0", "last 1"), "under it"),
        (EMPTY + ". x . .", ("heights 0 9 0 0", "turn 1", "discs 1", "end 0", "last 1"), "height of column b is 9"),
        (EMPTY + ". o . .", ("heights 0 1 0 0", "turn 1", "discs 1", "end 0", "last 1"), "0 yellow discs and 1 red"),
        (EMPTY + ". x . .", ("heights 0 1 0 0", "turn 0", "discs 1", "end 0", "last 1"), "turn is 0"),
        (EMPTY + ". x . .", ("heights 0 1 0 0", "turn 1", "discs 3", "end 0", "last 1"), "discs is 3"),
        (EMPTY + ". x . .", ("heights 0 1 0 0", "turn 1", "discs 1", "end 1", "last 1"), "end is 1"),
        (EMPTY + ". x . .", ("heights 0 1 0 0", "turn 1", "discs 1", "end 0", "last 2"), "last is 2"),
        (EMPTY + ". x . .", ("heights 0 1 0 0", "turn 1", "discs 1", "end 0", "last 77"), "last is 77"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(board: str, lines: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        drawn("connect_four:4x4", board, *lines)
