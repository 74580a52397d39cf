"""Othello on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting


def board(position: object) -> list[str]:
    return str(position).splitlines()[1:-3]


def test_black_begins_and_white_stands_on_the_falling_diagonal() -> None:
    start = zerogrid.game("othello:6x6").start()
    assert board(start)[2:4] == [". . o x . .", ". . x o . ."]
    assert (start.to_move, start.legal) == (0, ["c2", "b3", "e4", "d5"])


def test_a_disc_turns_over_what_it_encloses_in_all_eight_directions() -> None:
    position = drawn("othello:6x6", """
        x . x . x .
        . o o o . .
        x o . o o x
        . o o o . .
        x . x . x .
        . o . . . o
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert board(position.play("c3")) == [
        "x . x . x .",
        ". x x x . .",
        "x x x x x x",
        ". x x x . .",
        "x . x . x .",
        ". o . . . o",
    ]


def test_discs_beyond_ones_own_next_disc_or_a_gap_stay() -> None:
    position = drawn("othello:4x8", """
        . o o x o x . .
        . . . . . . . .
        . o o . x . . .
        . . . . . . . .
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert position.legal == ["a1"]
    assert board(position.play("a1"))[0] == "x x x x o x . ."
    assert board(position)[2] == ". o o . x . . .", "another row is not touched"


def test_a_line_does_not_go_around_the_edge() -> None:
    position = drawn("othello:4x4", """
        . . . .
        . . o o
        x . . .
        o x . .
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert "b2" not in position.legal


def test_who_cannot_place_anything_must_pass_and_nobody_else_may() -> None:
    position = drawn("othello:4x4", """
        . x o .
        . . . .
        . . . .
        . . . .
    """, "turn 1", "end 0", "last -1")  # fmt: skip
    assert position.legal == ["a1"]
    position = drawn("othello:4x4", """
        . x o .
        . . . .
        . . . .
        . . . .
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert position.legal == ["d1"]
    stuck = drawn("othello:4x4", """
        . x o o
        . . . .
        . . . .
        . . . .
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert stuck.legal == ["pass"]
    assert stuck.actions == [16]
    before = board(stuck)
    assert board(stuck.play("pass")) == before
    assert (stuck.to_move, stuck.legal, stuck.over) == (1, ["a1"], False)


def test_when_neither_can_place_more_discs_win() -> None:
    position = drawn("othello:4x4", """
        . x o o
        . . . .
        . . . .
        . . . .
    """, "turn 1", "end 0", "last -1")  # fmt: skip
    assert ending(position.play("a1")) == ("neither side can move", -1.0, 1.0)
    draw = drawn("othello:4x4", """
        . o x .
        . . . .
        . . . .
        o . o o
    """, "turn 0", "end 0", "last -1")  # fmt: skip
    assert ending(draw.play("a1")) == ("neither side can move", 0.0, 0.0)


def test_the_shortest_game_ends_with_one_colour_left() -> None:
    """The known shortest game on the full board: nine discs, all black."""
    position = after("othello:8x8", "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert ending(position) == ("neither side can move", 1.0, -1.0)


@pytest.mark.parametrize("spec", ["othello:4x4", "othello:6x8", "othello:16x16"])
def test_even_boards_can_be_played_and_the_pass_comes_last(spec: str) -> None:
    game = zerogrid.game(spec)
    assert game.action_name(game.ROWS * game.COLUMNS) == "pass"
    assert game.ACTIONS == game.ROWS * game.COLUMNS + 1
    assert game.start().legal != ["pass"]


@pytest.mark.parametrize("spec", ["othello:5x6", "othello:6x5", "othello:2x2", "othello:18x18"])
def test_odd_and_impossible_boards_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        zerogrid.game(spec)


@pytest.mark.parametrize(
    "lines, told",
    [
        (("turn 2", "end 0", "last -1"), "turn is 2"),
        (("turn 0", "end 1", "last -1"), "end is 1"),
        (("turn 0", "end 0", "last 0"), "last is 0"),
        (("turn 0", "end 0", "last 17"), "last is 17"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(lines: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        drawn("othello:4x4", ". . . .\n. o x .\n. x o .\n. . . .", *lines)
