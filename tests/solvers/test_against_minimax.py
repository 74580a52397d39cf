"""Every solver and every engine says what plain minimax says, whatever the order of turns."""

import pytest

import zerogrid
from solvers.brute import Brute, random_positions
from zerogrid.solvers import generic_solver, solver_for
from zerogrid.solvers.from_rules import from_rules
from zerogrid.solvers.proof import ProofSearch
from zerogrid.solvers.solver import EngineSolver, Solver

# game, plies to play at random at least, positions
SMALL = [
    ("tictactoe", 0, 40),
    ("gomoku:3x4x3", 4, 25),
    ("gomoku:4x4x4", 9, 15),
    ("gomoku:4x4x4,exact=true", 9, 10),
    ("connect_four:4x4", 7, 25),
    ("connect_four:2x5", 0, 10),
    ("othello:4x4", 5, 12),
    ("dots_and_boxes:1x2", 0, 20),
    ("dots_and_boxes:2x2", 4, 20),
    ("dots_and_boxes:1x4", 5, 15),
    ("pawn_dama:4x2", 0, 25),
    ("pawn_dama:5x2", 2, 25),
    ("pawn_dama:4x3", 4, 15),
    ("pawn_dama:4x3,stuck=loss", 4, 15),
    ("pawn_dama:4x3,stuck=draw", 4, 15),
    ("pawn_dama:5x2,double=home", 2, 15),
    ("pawn_dama:6x2,double=home,stuck=loss", 4, 15),
]


def agrees(solver: Solver, spec: str, fewest: int, count: int, margin: bool = True) -> None:
    game = zerogrid.game(spec)
    brute = Brute(game)
    if not margin:
        brute.margin = False
    for position in random_positions(game, count, fewest, seed=1):
        solution = solver.solve(position)
        value, values = brute.solution(position)
        assert (solution.solved, solution.value, dict(solution.action_values)) == (True, value, values), position
        for action in solution.best_line:
            assert action in solver.solve(position, line=False).best_actions
            position.play(action)
        assert position.over


@pytest.mark.parametrize("spec, fewest, count", SMALL)
def test_the_solver_of_a_game(spec: str, fewest: int, count: int) -> None:
    agrees(solver_for(zerogrid.game(spec), "4M", target="python"), spec, fewest, count)


@pytest.mark.parametrize("spec, fewest, count", SMALL)
def test_alpha_beta_from_the_rules_alone(spec: str, fewest: int, count: int) -> None:
    agrees(generic_solver(zerogrid.game(spec), "4M", target="python"), spec, fewest, -(-count // 3), margin=False)


@pytest.mark.parametrize("spec", ["othello:4x4", "dots_and_boxes:2x2", "pawn_dama:4x2", "connect_four:4x4"])
def test_proof_numbers_from_the_rules_alone(spec: str) -> None:
    game = zerogrid.game(spec)
    compact = from_rules(game, unit=1)
    agrees(EngineSolver(game, ProofSearch(compact, 1 << 22, "python")), spec, 6, 8, margin=False)


def test_scores_that_are_fractions() -> None:
    game = zerogrid.game("dots_and_boxes:1x3,utility=margin")
    agrees(generic_solver(game, "4M", "python"), game.spec, 3, 10, margin=False)


@pytest.mark.parametrize("spec, plies", [("gomoku:5x5x4", 15), ("dots_and_boxes:3x3", 15)])
def test_compiled_and_plain_searches_are_the_same(spec: str, plies: int) -> None:
    game = zerogrid.game(spec)
    plain, compiled = (solver_for(game, "2M", target) for target in ("python", "cpu"))
    for position in random_positions(game, 6, plies, seed=2):
        one, other = plain.solve(position), compiled.solve(position)
        assert one.record() | {"seconds": 0} == other.record() | {"seconds": 0}
