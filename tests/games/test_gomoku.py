"""Gomoku and tic-tac-toe on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting

ROW, FULL = "a row of stones", "the board is full"


def placed(spec: str, black: str, white: str) -> tuple[str, float, float] | None:
    """How a game stands after stones are set in turn, black's first."""
    one, other = black.split(), white.split()
    moves = [move for pair in zip(one, other, strict=False) for move in pair] + one[len(other) :]
    return ending(after(spec, " ".join(moves)))


@pytest.mark.parametrize(
    "row",
    ["a1 b1 c1 d1", "f6 e6 d6 c6", "c1 c2 c3 c4", "a3 b4 c5 d6", "c6 d5 e4 f3", "c1 d2 e3 f4", "a4 b3 c2 d1"],
)
def test_rows_in_every_direction_and_up_to_the_edge_win(row: str) -> None:
    apart = "b2 e5 b5"
    assert placed("gomoku:6x6x4", row, apart) == (ROW, 1.0, -1.0)
    first, *rest = row.split()
    assert placed("gomoku:6x6x4", " ".join([*rest, first]), apart) == (ROW, 1.0, -1.0), "whichever stone comes last"
    assert placed("gomoku:6x6x4", " ".join(rest), apart) is None


def test_a_row_does_not_go_around_the_edge() -> None:
    assert placed("gomoku:6x6x4", "e1 f1 a2 b2", "a5 c5 e5") is None
    assert placed("gomoku:5x3x3", "c1 a2 c3 a4 c5", "b1 b3 b5 a5") is None


def test_white_wins_too() -> None:
    assert placed("gomoku:5x5x3", "a1 b1 a5", "c2 c3 c4") == (ROW, -1.0, 1.0)


def test_longer_rows_win_unless_exactly_k_is_asked() -> None:
    black, white = "a1 b1 d1 e1 c1", "a3 c3 e3 b5"
    assert placed("gomoku:6x6x4", black, white) == (ROW, 1.0, -1.0)
    assert placed("gomoku:6x6x4,exact=true", black, white) is None


def test_with_exact_a_stone_may_make_a_long_row_and_an_exact_one() -> None:
    """Five across do not win, but the same stone ends four upright."""
    black, white = "a1 b1 d1 e1 c2 c3 c4 c1", "a6 b6 e6 f6 a5 f5 a3"
    assert placed("gomoku:6x6x4,exact=true", black, white) == (ROW, 1.0, -1.0)


def test_a_full_board_without_a_row_is_a_draw() -> None:
    assert placed("gomoku:3x3x3", "a1 b2 c2 a3 b1", "c3 a2 c1 b3") == (FULL, 0.0, 0.0)


def test_a_row_made_by_the_last_stone_wins() -> None:
    position = after("gomoku:3x3x3", "a1 b1 b2 c1 c2 a3 b3 a2 c3")
    assert ending(position) == (ROW, 1.0, -1.0)
    assert not position.legal


def test_players_alternate_and_every_empty_square_is_legal() -> None:
    position = after("gomoku:4x5x4", "b2 e4")
    assert position.to_move == 0
    assert position.actions == sorted(set(range(20)) - {6, 19})
    assert after("gomoku:4x5x4", "b2").to_move == 1


@pytest.mark.parametrize("spec", ["gomoku:6x6x4", "gomoku:7x7x5", "gomoku:5x5x3", "gomoku:6x6x3", "gomoku:8x8x5",
                                  "gomoku:10x10x5", "gomoku:15x15x5", "gomoku:19x19x6", "gomoku:3x3x3"])
def test_the_boards_of_the_papers_exist(spec: str) -> None:
    game = zerogrid.game(spec)
    assert game.spec == spec
    assert len(game.symmetries) == 8
    assert game.ACTIONS == game.ROWS * game.COLUMNS


def test_an_oblong_board_has_four_symmetries() -> None:
    assert len(zerogrid.game("gomoku:4x6x4").symmetries) == 4


@pytest.mark.parametrize("spec", ["gomoku:2x3x3", "gomoku:21x3x3", "gomoku:6x6x2", "gomoku:9x9x7", "gomoku:4x4x5",
                                  "gomoku:6x6", "gomoku:6x6x4,exact=maybe"])
def test_impossible_boards_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        zerogrid.game(spec)


def test_tic_tac_toe_is_gomoku_3x3x3_under_its_own_name() -> None:
    one, other = zerogrid.game("tictactoe"), zerogrid.game("gomoku:3x3x3")
    for name in ("STATE_SIZE", "ACTIONS", "MAX_LEGAL", "MAX_PLIES"):
        assert getattr(one, name) == getattr(other, name)
    assert [s.actions for s in one.symmetries] == [s.actions for s in other.symmetries]
    for moves in ("b2 a1 c1", "a1 b1 a2 b2 a3", "a1 b2 c3 b1 b3 a3 c1 c2 a2"):
        p, q = after("tictactoe", moves), after("gomoku:3x3x3", moves)
        assert (p.legal, p.outcome and p.outcome.scores) == (q.legal, q.outcome and q.outcome.scores)


@pytest.mark.parametrize(
    "board, lines, told",
    [
        (". . . . x . . . .", ("turn 0", "stones 1", "end 0", "last -1"), "turn is 0"),
        ("o . . . . . . . .", ("turn 1", "stones 1", "end 0", "last -1"), "1 white"),
        ("x . . . . . . . .", ("turn 1", "stones 2", "end 0", "last -1"), "stones is 2"),
        ("x x x o o . . . .", ("turn 1", "stones 5", "end 0", "last -1"), "end is 0"),
        ("x x x o o . o . .", ("turn 0", "stones 6", "end 1", "last -1"), "won already"),
        ("x . . . . . . . .", ("turn 1", "stones 1", "end 0", "last 4"), "last is 4"),
        ("x . . . . . . . .", ("turn 1", "stones 1", "end 0", "last 9"), "last is 9"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(board: str, lines: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        drawn("gomoku:3x3x3", board, *lines)
