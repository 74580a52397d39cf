"""Pawn Dama on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting
from zerogrid.core.position import Position

REACHED, BARE, BLOCKED = "a pawn reached the far row", "no pawns left", "every pawn is blocked"


def set_up(board: str, turn: str = "white", settings: str = "") -> Position:
    """A position drawn with the highest row first, without its numbers."""
    rows = [line.strip() for line in board.strip().splitlines()]
    columns = len(rows[0].split())
    numbered = "\n".join(f"{len(rows) - place} {row}" for place, row in enumerate(rows))
    return drawn(f"pawn_dama:{len(rows)}x{columns}{settings}", numbered, f"turn {turn}")


def test_each_side_fills_its_two_home_rows_and_white_begins() -> None:
    start = zerogrid.game("pawn_dama:6x5").start()
    rows = [line.split()[1:] for line in str(start).splitlines()[1:7]]
    assert rows == [["B"] * 5] * 2 + [["."] * 5] * 2 + [["W"] * 5] * 2
    assert start.to_move == 0
    assert start.legal == [f"{c}2-{c}3" for c in "abcde"] + [f"{c}2-{c}4" for c in "abcde"]


def test_pawns_step_straight_forward_onto_empty_squares_only() -> None:
    position = set_up("""
        . . .
        . . .
        . b .
        . w .
        . . .
        . . .
    """)  # fmt: skip
    assert ending(position) == (BLOCKED, 0.0, 0.0)
    position = set_up("""
        . . .
        b . .
        . . .
        . w .
        . . .
        . . .
    """)  # fmt: skip
    assert position.legal == ["b3-b4"]
    assert position.play("b3-b4").legal == ["a5-a4", "a5xb4"], "Black moves down"


def test_a_pawn_that_never_moved_may_step_two_over_empty_squares() -> None:
    position = set_up("""
        . . . B
        . . . .
        b . . .
        . b . .
        W W W w
        . . . .
    """)  # fmt: skip
    assert position.legal == ["a2-a3", "a2xb3", "c2xb3", "c2-c3", "d2-d3", "c2-c4"]


def test_a_pawn_in_the_way_stops_the_double_step() -> None:
    position = set_up("""
        . B
        . .
        . .
        . .
        W .
        W .
    """)  # fmt: skip
    assert position.legal == ["a2-a3", "a2-a4"], "the pawn on the first row may not jump"


def test_who_has_stepped_or_captured_has_moved() -> None:
    position = after("pawn_dama:8x8", "a2-a3 h7-h6")
    assert "a3-a5" not in position.legal
    assert "b2-b4" in position.legal
    position = after("pawn_dama:8x8", "a2-a3 h7-h6 a1-a2 h6-h5")
    assert "a2-a4" not in position.legal
    moved = after("pawn_dama:8x8", "a2-a3 h7-h6 a3-a4 h6-h5 a1-a2 h5-h4")
    assert "a2-a3" in moved.legal
    assert "a2-a4" not in moved.legal, "it stands on a home row, but it has moved"


def test_with_double_home_any_pawn_on_its_home_rows_may_step_two() -> None:
    moved = after("pawn_dama:8x8,double=home", "a2-a3 h7-h6 a3-a4 h6-h5 a1-a2 h5-h4")
    assert "a2-a3" in moved.legal
    assert "a2-a4" not in moved.legal, "a4 is taken"
    moved = after("pawn_dama:8x8,double=home", "a2-a4 h7-h6 a4-a5 h6-h5 a1-a2 h5-h4")
    assert "a2-a4" in moved.legal
    assert "a5-a7" not in moved.legal


def test_whether_a_pawn_has_moved_is_part_of_the_position() -> None:
    board = """
        . .
        . .
        . b
        . .
        {} .
        . .
    """
    fresh, moved = set_up(board.format("W")), set_up(board.format("w"))
    assert fresh != moved
    assert fresh.key != moved.key
    home = [set_up(board.format("w"), settings=",double=home") for _ in range(2)]
    assert home[0] == home[1]
    with pytest.raises(BadPosition, match="does not matter"):
        set_up(board.format("W"), settings=",double=home")


def test_captures_go_one_square_diagonally_forward_and_are_optional() -> None:
    position = set_up("""
        . . B
        . . .
        b b b
        . w .
        b . .
        . . .
    """)  # fmt: skip
    assert position.legal == ["b3xa4", "b3xc4"], "not straight, not backwards"
    with_choice = set_up("""
        . . B
        . . .
        b . .
        . w .
        . . .
        . . .
    """)  # fmt: skip
    assert with_choice.legal == ["b3xa4", "b3-b4"]
    taken = with_choice.play("b3xa4")
    assert [line.split()[1:] for line in str(taken).splitlines()[1:7]] == [
        [".", ".", "B"], [".", ".", "."], ["w", ".", "."], [".", ".", "."], [".", ".", "."], [".", ".", "."],
    ]  # fmt: skip


def test_nobody_captures_around_the_edge_or_his_own() -> None:
    position = set_up("""
        . . B
        . . .
        b . w
        . . w
        . . .
        . . .
    """)  # fmt: skip
    assert position.legal == ["c4-c5"]


@pytest.mark.parametrize("move", ["a5-a6", "a5xb6"])
def test_who_first_reaches_the_far_row_wins_at_once(move: str) -> None:
    position = set_up("""
        . B .
        w . .
        . . .
        . . .
        . . b
        . . .
    """)  # fmt: skip
    assert ending(position.play(move)) == (REACHED, 1.0, -1.0)
    assert not position.legal
    black = set_up("""
        . B .
        w . .
        . . .
        . . .
        . . b
        . . .
    """, "black")  # fmt: skip
    assert ending(black.play("c2-c1")) == (REACHED, -1.0, 1.0)


LAST_PAWN = """
    . . .
    . . .
    . b .
    w . .
    . . .
    . . .
"""
BLOCKING = """
    . . .
    . . .
    b . .
    . . .
    w . .
    . . .
"""


@pytest.mark.parametrize("stuck, value", [("mixed", 1.0), ("draw", 0.0), ("loss", 1.0)])
def test_who_has_no_pawns_left_loses_unless_stuck_draws(stuck: str, value: float) -> None:
    position = set_up(LAST_PAWN, settings="" if stuck == "mixed" else f",stuck={stuck}").play("a3xb4")
    assert ending(position) == (BARE, value, -value)


@pytest.mark.parametrize("stuck, value", [("mixed", 0.0), ("draw", 0.0), ("loss", 1.0)])
def test_who_is_blocked_draws_unless_stuck_loses(stuck: str, value: float) -> None:
    position = set_up(BLOCKING, settings="" if stuck == "mixed" else f",stuck={stuck}").play("a2-a3")
    assert ending(position) == (BLOCKED, value, -value)
    assert position.to_move == 1


def test_a_side_with_another_pawn_to_move_is_not_stuck() -> None:
    position = set_up(BLOCKING.replace("b . .", "b . b")).play("a2-a3")
    assert (position.over, position.legal) == (False, ["c4-c3"])


def test_the_smallest_board_is_blocked_from_the_start() -> None:
    start = zerogrid.game("pawn_dama:4x1").start()
    assert ending(start) == (BLOCKED, 0.0, 0.0)
    assert ending(zerogrid.game("pawn_dama:4x1,stuck=loss").start()) == (BLOCKED, -1.0, 1.0)


def test_the_number_of_a_move_is_the_papers() -> None:
    game = zerogrid.game("pawn_dama:6x6")
    n = 6
    x1, y1, x2, y2 = 1, 1, 2, 2  # b2 to c3
    assert game.action("b2xc3") == x1 + y1 * n + x2 * n**2 + y2 * n**3
    oblong = zerogrid.game("pawn_dama:5x3")
    rows, columns = 5, 3
    x1, y1, x2, y2 = 2, 1, 2, 3
    number = x1 + y1 * columns + x2 * columns * rows + y2 * columns * columns * rows
    assert oblong.action("c2-c4") == number
    assert oblong.ACTIONS == 225


def test_a_wide_action_space_costs_the_rules_nothing() -> None:
    """Nothing that grows with the 10,000 actions of the largest board: neither state nor list of moves."""
    game = zerogrid.game("pawn_dama:10x10")
    assert game.ACTIONS == 10_000
    assert game.STATE_SIZE < 110
    assert game.MAX_LEGAL < 70


def test_the_mirror_is_the_only_symmetry() -> None:
    game = zerogrid.game("pawn_dama:6x5")
    identity, mirror = game.symmetries
    assert game.action_name(mirror.actions[game.action("a2xb3")]) == "e2xd3"
    assert identity.actions == tuple(range(game.ACTIONS))


@pytest.mark.parametrize("text", ["b2-b4", "b2b4", "B2 B4", "b2:b4"])
def test_moves_may_be_typed_in_several_ways(text: str) -> None:
    game = zerogrid.game("pawn_dama:6x6")
    assert game.action(text) == game.action("b2-b4")


@pytest.mark.parametrize("spec", ["pawn_dama:3x3", "pawn_dama:11x4", "pawn_dama:4x11", "pawn_dama:4x0",
                                  "pawn_dama:6x6,stuck=win", "pawn_dama:6x6,double=never"])
def test_impossible_boards_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        zerogrid.game(spec)


@pytest.mark.parametrize(
    "board, told",
    [
        ("w .\n. .\n. .\n. b", "won already"),
        (". .\nW .\n. .\n. .", "not on white's two home rows"),
        (". b\n. .\n. .\nw .", "has never moved: write W"),
        ("b b\nb b\nb .\n. .", "black has 5 pawns"),
        (". x\n. .\n. .\n. .", "is none of"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(board: str, told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        set_up(board)
