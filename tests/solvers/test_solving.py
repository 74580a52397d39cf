"""Limits, answers, memory: what a solver promises whatever the game."""

import tracemalloc

import numpy as np
import pytest

import zerogrid
from solvers.brute import Brute, random_positions, states
from zerogrid.core.errors import ZeroGridError
from zerogrid.solvers import Solution, engine, generic_solver, memory_of, solve_many, solver_for
from zerogrid.solvers.bits import count, lowest
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.solver import EngineSolver

TARGET = "python"


def solver(spec: str, memory: str | int = "4M") -> EngineSolver:
    made = solver_for(zerogrid.game(spec), memory, TARGET)
    assert isinstance(made, EngineSolver)
    return made


# --- limits ---------------------------------------------------------------------------------------------------------


LARGE = ["gomoku:6x6x4", "dots_and_boxes:3x3", "pawn_dama:6x6", "connect_four:6x7", "othello:6x6"]


@pytest.mark.parametrize("spec", LARGE)
def test_what_the_limit_of_nodes_cuts_off_is_not_solved(spec: str) -> None:
    solution = solver(spec).solve(zerogrid.game(spec).start(), nodes=60)
    assert (solution.solved, solution.value, solution.action_values, solution.best_line) == (False, None, {}, ())
    assert 0 < solution.nodes <= 60


def test_a_limit_of_time_is_kept() -> None:
    solution = solver("connect_four:6x7").solve(zerogrid.game("connect_four:6x7").start(), seconds=0.3)
    assert not solution.solved
    assert 0.3 <= solution.seconds < 30


def test_what_was_found_before_the_limit_is_right_and_the_rest_missing() -> None:
    game = zerogrid.game("tictactoe")
    value, values = Brute(game).solution(game.start())
    found = [solver("tictactoe").solve(game.start(), nodes=nodes) for nodes in range(0, 140, 4)]
    assert {s.solved for s in found} == {False, True}
    assert any(s.value is not None and 0 < len(s.action_values) < 9 for s in found)
    for solution in found:
        assert solution.value in (None, value)
        assert solution.action_values.items() <= values.items()
        assert solution.solved == (len(solution.action_values) == 9)


def test_a_search_that_was_cut_off_is_gone_on_with() -> None:
    game, made = zerogrid.game("tictactoe"), solver("tictactoe")
    for _ in range(40):
        solution = made.solve(game.start(), nodes=10)
        if solution.solved:
            break
    assert solution.value == 0


def test_ctrl_c_stops_a_search_and_nothing_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    game, made = zerogrid.game("tictactoe"), solver("tictactoe")
    made.engine._nodes = 5

    def interrupt(nodes: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made.solve_state(game.start().state, watch=interrupt)
    assert made.solve(game.start()).value == 0


def test_limits_that_make_no_sense_are_refused() -> None:
    for wrong in [{"seconds": -1.0}, {"seconds": float("nan")}, {"nodes": -1}]:
        with pytest.raises(ZeroGridError, match="from 0 up"):
            Limit(**wrong)  # type: ignore[arg-type]


# --- memory ---------------------------------------------------------------------------------------------------------


def test_the_table_grows_to_its_limit_and_stays_right() -> None:
    game = zerogrid.game("dots_and_boxes:2x2")
    made = solver(game.spec, "1M")
    made.engine._nodes = 20  # looked at often
    made.engine._first_buckets, made.engine._most_buckets = 5, 20  # far too few for this game
    made.engine.clear()
    first = made.engine.buckets
    brute = Brute(game)
    assert made.solve(game.start()).value == 2
    for position in random_positions(game, 12, 3, seed=8):
        assert made.solve(position).value == brute.solution(position)[0]
    assert first < made.engine.buckets <= 20
    assert made.engine.table.shape[0] == 4 * made.engine.buckets


def test_a_table_that_cannot_grow_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zerogrid.game("dots_and_boxes:2x2")
    made = solver(game.spec, "16T")
    made.engine._nodes = 20  # looked at often
    made.engine._first_buckets = 5
    made.engine.clear()
    made.prepare()
    asked = 0

    def refused(*_: object) -> None:
        nonlocal asked
        asked += 1
        raise MemoryError

    monkeypatch.setattr(engine.np, "zeros", refused)
    assert made.solve(game.start()).value == 2
    assert (asked, made.engine.buckets) == (1, 5)


def test_growing_loses_nothing() -> None:
    made = solver("dots_and_boxes:2x2", "1M")
    made.engine.buckets = 16
    made.engine.table = np.zeros((64, made.engine.table.shape[1]), np.int64)
    made.solve(zerogrid.game("dots_and_boxes:2x2").start(), nodes=30)
    before = {tuple(row) for row in made.engine.table.tolist() if any(row[-2:])}
    made.engine._grow()
    after = {tuple(row) for row in made.engine.table.tolist() if any(row[-2:])}
    assert before == after
    assert len(before) > 10


def test_table_and_its_larger_copy_stay_within_the_memory_allowed() -> None:
    for spec in ("tictactoe", "dots_and_boxes:3x3", "othello:4x4"):
        made = solver(spec, "1M")
        sizes = [made.engine.table.nbytes]
        while made.engine.buckets < made.engine._most_buckets:
            made.engine._grow()
            sizes.append(made.engine.table.nbytes)
        assert sizes[-1] + (sizes[-2] if len(sizes) > 1 else 0) <= 1 << 20
        assert sizes[-1] > 1 << 19


def test_growing_takes_no_more_than_the_memory_allowed() -> None:
    made = solver("dots_and_boxes:3x3", "4M")
    tracemalloc.start()
    try:
        made.engine.clear()
        while made.engine.buckets < made.engine._most_buckets:
            made.engine._grow()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 3 << 20 < peak < 1.02 * (4 << 20)


@pytest.mark.parametrize("text, size", [("2G", 2 << 30), ("512M", 512 << 20), ("1.5g", 3 << 29), ("2048 KiB", 2 << 20)])
def test_sizes_of_memory(text: str, size: int) -> None:
    assert memory_of(text) == memory_of(size) == size


@pytest.mark.parametrize("text", ["", "much", "-1G", "1X", "1", "99999T"])
def test_sizes_of_memory_that_are_refused(text: str) -> None:
    with pytest.raises(ZeroGridError, match="memory"):
        memory_of(text)


# --- answers --------------------------------------------------------------------------------------------------------


def test_a_finished_game_has_a_value_and_no_moves() -> None:
    position = zerogrid.game("tictactoe").start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position.play(move)
    solution = solver("tictactoe").solve(position)
    assert (solution.solved, solution.value, solution.to_move, solution.action_values) == (True, -1, 1, {})
    boxes = zerogrid.game("dots_and_boxes:1x1").start()
    for edge in range(4):
        boxes.play(edge)
    assert solver("dots_and_boxes:1x1").solve(boxes).value == 0  # nothing is still to come


def test_what_a_move_gives_away() -> None:
    solution = Solution(to_move=0, value=1, action_values={3: 1, 5: -1})
    assert (solution.best_actions, solution.loss(3), solution.loss(5), solution.loss(7)) == ([3], 0, 2, None)


def test_many_positions_are_solved_as_each_one_is() -> None:
    game = zerogrid.game("dots_and_boxes:2x2")
    positions = random_positions(game, 12, 5, seed=6)
    made = solver(game.spec)
    for asked in (positions, states(positions)):
        for position, solution in zip(positions, solve_many(game, asked, solver=made), strict=True):
            assert (solution.value, dict(solution.action_values)) == Brute(game).solution(position)
            assert solution.best_line == ()


def test_many_positions_of_the_wrong_kind_are_refused() -> None:
    game, made = zerogrid.game("tictactoe"), solver("tictactoe")
    for wrong, words in [
        (np.zeros((2, 5), np.int16), "int16"),
        (np.zeros((2, game.STATE_SIZE)), "float64"),
        ([zerogrid.game("othello:4x4").start()], "othello:4x4"),
    ]:
        with pytest.raises(ZeroGridError, match=words):
            solve_many(game, wrong, solver=made)
    with pytest.raises(ZeroGridError, match="this solver is for tictactoe"):
        made.solve(zerogrid.game("othello:4x4").start())


def test_games_without_a_file_of_their_own_are_searched_by_their_rules() -> None:
    for spec in ("gomoku:9x9x5", "dots_and_boxes:6x6", "pawn_dama:8x8", "connect_four:16x16", "battlefield:5x5"):
        game = zerogrid.game(spec)
        assert type(solver_for(game, "1M", TARGET)) is type(generic_solver(game, "1M", TARGET))
        assert not solver_for(game, "1M", TARGET).solve(game.start(), nodes=3).solved


# --- bits -----------------------------------------------------------------------------------------------------------


def test_bits_are_counted_right() -> None:
    draw = np.random.default_rng(1)
    for size in draw.integers(1, 63, 200):
        cells = int(draw.integers(1, 1 << int(size)))
        assert count(cells) == cells.bit_count()
        assert lowest(cells) == (cells & -cells).bit_length() - 1
    assert count((1 << 63) - 1) == 63
