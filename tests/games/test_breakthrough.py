"""Breakthrough on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition
from zerogrid.core.position import Position

REACHED, BARE = "a pawn reached the far row", "no pawns left"


def set_up(board: str, turn: str = "white") -> Position:
    """A position drawn with the highest row first, without its numbers."""
    rows = [line.strip() for line in board.strip().splitlines()]
    numbered = "\n".join(f"{len(rows) - place} {row}" for place, row in enumerate(rows))
    return drawn(f"breakthrough:{len(rows)}x{len(rows[0].split())}", numbered, f"turn {turn}")


def test_each_side_fills_its_two_home_rows_and_white_begins() -> None:
    start = zerogrid.game("breakthrough:6x5").start()
    rows = [line.split()[1:] for line in str(start).splitlines()[1:7]]
    assert rows == [["b"] * 5] * 2 + [["."] * 5] * 2 + [["w"] * 5] * 2
    assert start.to_move == 0
    assert " ".join(start.legal) == ("a2-a3 a2-b3 b2-a3 b2-b3 b2-c3 c2-b3 c2-c3 c2-d3 d2-c3 d2-d3 d2-e3 e2-d3 e2-e3")


def test_pawns_step_straight_and_diagonally_and_capture_diagonally_only() -> None:
    board = """
        . . . b
        . . . .
        . b b .
        . w . .
        w . . .
    """
    assert set_up(board).legal == ["a1-a2", "b2-a3", "b2-c3"], "b3 is in the way, c3 may be captured"
    assert str(set_up(board).play("b2xc3")).splitlines()[3].split() == ["3", ".", "b", "w", "."]
    assert sorted(set_up(board, "black").legal) == ["b3-a2", "b3-c2", "c3-b2", "c3-c2", "c3-d2", "d5-c4", "d5-d4"]


def test_a_pawn_neither_passes_the_edge_nor_takes_its_own() -> None:
    position = set_up("""
        . . b
        . . .
        w . b
        . w .
        w . .
    """)  # fmt: skip
    assert position.legal == ["a1-a2", "b2-b3", "b2-c3", "a3-a4", "a3-b4"]


@pytest.mark.parametrize("turn, move, scores", [("white", "a4-b5", (1.0, -1.0)), ("black", "c2-c1", (-1.0, 1.0))])
def test_the_far_row_wins_at_once(turn: str, move: str, scores: tuple[float, float]) -> None:
    position = set_up(
        """
        . b .
        w . .
        . . .
        . . b
        w . .
        """,
        turn,
    )
    assert ending(position.play(move)) == (REACHED, *scores)
    assert position.actions == []


@pytest.mark.parametrize("turn, move, scores", [("white", "b2-c3", (1.0, -1.0)), ("black", "c3-b2", (-1.0, 1.0))])
def test_the_last_capture_wins(turn: str, move: str, scores: tuple[float, float]) -> None:
    position = set_up(
        """
        . . .
        . . .
        . . b
        . w .
        . . .
        """,
        turn,
    )
    assert ending(position.copy().play(position.legal[0])) is None
    assert ending(position.play(move)) == (BARE, *scores)


def test_the_last_capture_on_the_far_row_counts_as_reaching_it_and_is_read_back() -> None:
    position = set_up("""
        . b .
        w . .
        . . .
        . . .
        . . .
    """).play("a4xb5")  # fmt: skip
    assert ending(position) == (REACHED, 1.0, -1.0)
    assert Position.parse(str(position)) == position


def test_whoever_is_to_move_has_a_move() -> None:
    """Even with every square before its pawns taken: the foremost can capture."""
    position = set_up("""
        . . .
        b b b
        w w w
        w w w
        . . .
    """)  # fmt: skip
    assert position.legal == ["a3-b4", "b3-a4", "b3-c4", "c3-b4"]


@pytest.mark.parametrize("text", ["b2-c3", "b2c3", "b2xc3", "b2 c3", "b2:c3"])
def test_moves_may_be_written_as_others_do(text: str) -> None:
    position = after("breakthrough:6x6", "a2-a3 a5-a4").play(text)
    assert position.moves[-1] == position.game.action("b2-c3")


@pytest.mark.parametrize(
    "board, turn, words",
    [
        (". b .|. . .|. . .|. . .|. . .", "black", "white has no pawns left and has lost already"),
        (". b .|. . .|. . .|. . .|. w b", "black", "black is to move, but stands on its far row"),
        ("w b w|. . .|. . .|. . .|. . .", "black", "white has 2 pawns on its far row"),
        ("b b b|b b b|b . .|. . .|. w .", "white", "black has 7 pawns; it begins with 6"),
    ],
)
def test_positions_that_cannot_be_are_refused(board: str, turn: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        set_up(board.replace("|", "\n"), turn)


def test_a_last_move_that_was_not_made_is_refused() -> None:
    text = str(after("breakthrough:6x6", "a2-a3"))
    assert Position.parse(text).last is None
    for last in ("b2-b3", "a5-a4", "a1-a2"):
        with pytest.raises(BadPosition, match=f"last is {last}"):
            Position.parse(text.replace("last a2-a3", f"last {last}"))


def test_the_numbers_of_moves_are_those_of_the_page() -> None:
    """White's y (3 M - 2) + 3 x + d; Black's the same of the turned board, behind them."""
    game = zerogrid.game("breakthrough:6x6")
    assert [game.action(move) for move in ("a1-a2", "a1-b2", "c2-b3", "f5-f6")] == [0, 1, 16 + 6 - 1, 64 + 15]
    assert [game.action(move) for move in ("f6-f5", "d5-e4", "a2-a1")] == [80, 80 + 21, 80 + 79]
