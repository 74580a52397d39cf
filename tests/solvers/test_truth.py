"""Values that independent programs found. The rest of them, which takes longer, is in benchmarks/solvers.py."""

import json
from pathlib import Path

import numpy as np
import pytest

import zerogrid
from zerogrid.core.position import Position
from zerogrid.solvers import Solution, solver_for
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.lines import line_game
from zerogrid.solvers.proof import ProofSearch

TRUTH = json.loads((Path(__file__).parent.parent / "data/truth/values.json").read_text())
DAMA = TRUTH["pawn_dama"]["boards"]
LINES = TRUTH["mnk"]["boards"]
BOXES = TRUTH["dots_boxes"]["boards"]
DROPS = TRUTH["connect_four"]["boards"]


def solution_of(spec: str, target: str, moves: bool = True) -> tuple[Position, Solution]:
    game = zerogrid.game(spec)
    start = game.start()
    solution = solver_for(game, "64M", target).solve(start, moves=moves, line=False)
    assert solution.solved
    return start, solution


# --- Pawn Dama ------------------------------------------------------------------------------------------------------

SMALL_DAMA = ["4x1", "4x2", "4x3", "5x1", "5x2", "6x1", "6x2", "7x1", "7x2", "8x1"]


@pytest.mark.parametrize("board", SMALL_DAMA)
def test_small_boards_of_pawn_dama(board: str) -> None:
    start, solution = solution_of(f"pawn_dama:{board}", "python")
    cells = start.game.CELLS
    found = {f"{action % cells}-{action // cells}": value for action, value in solution.action_values.items()}
    assert solution.value == DAMA[board]["value"]
    assert found == DAMA[board]["move_values"]


@pytest.mark.parametrize("board", SMALL_DAMA)
def test_small_boards_of_pawn_dama_where_the_blocked_lose(board: str) -> None:
    _, solution = solution_of(f"pawn_dama:{board},stuck=loss", "python", moves=False)
    sign = 1 if solution.to_move == 0 else -1
    assert sign * solution.value == DAMA[board]["value_if_blocked_loses"]


def test_pawn_dama_5x4() -> None:
    _, solution = solution_of("pawn_dama:5x4", "cpu")
    assert set(solution.action_values.values()) == set(DAMA["5x4"]["move_values"].values())
    assert len(solution.action_values) == len(DAMA["5x4"]["move_values"])


# --- rows of stones -------------------------------------------------------------------------------------------------

QUICK = [name for name, board in LINES.items() if board["rows"] * board["cols"] <= 12 or board["k"] == 3]


@pytest.mark.parametrize("name", QUICK)
def test_small_boards_of_gomoku(name: str) -> None:
    board = LINES[name]
    for rows, columns in {(board["rows"], board["cols"]), (board["cols"], board["rows"])}:
        game = line_game(rows, columns, board["k"])
        words = game.pack(np.zeros(rows * columns + 1, np.int16))
        assert ProofSearch(game, 1 << 22, "python").value(words, -1, 1, Limit()) == board["value"]


@pytest.mark.parametrize("name", ["5x5x4", "6x6x4"])
def test_large_boards_of_gomoku(name: str) -> None:
    _, solution = solution_of(f"gomoku:{name}", "cpu", moves=False)
    assert solution.value == LINES[name]["value"]


def test_tic_tac_toe() -> None:
    _, solution = solution_of("tictactoe", "python")
    assert (solution.value, set(solution.action_values.values())) == (LINES["3x3x3"]["value"], {0})


# --- Dots-and-Boxes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["1x1", "1x2", "2x1", "1x3", "3x1", "1x4", "2x2"])
def test_small_boards_of_dots_and_boxes(board: str) -> None:
    _, solution = solution_of(f"dots_and_boxes:{board}", "python")
    assert solution.value == BOXES[board]["margin"]
    assert list(solution.action_values.values()) == BOXES[board]["move_margins"]


def test_dots_and_boxes_3x3_by_search() -> None:
    _, solution = solution_of("dots_and_boxes:3x3", "cpu")
    assert solution.value == BOXES["3x3"]["margin"]
    assert list(solution.action_values.values()) == BOXES["3x3"]["move_margins"]


# --- Connect Four, Othello ------------------------------------------------------------------------------------------


def test_connect_four_4x5() -> None:
    _, solution = solution_of("connect_four:4x5", "cpu")
    assert solution.value == DROPS["4x5"]["value"]
    assert list(solution.action_values.values()) == DROPS["4x5"]["first_moves"]


def test_othello_4x4_is_lost() -> None:
    _, solution = solution_of("othello:4x4", "python", moves=False)
    assert TRUTH["othello"]["boards"]["4x4"]["disc_difference"] < 0
    assert solution.value == -1
