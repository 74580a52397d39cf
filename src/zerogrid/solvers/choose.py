"""Which solver is for which game.

    solver = solver_for(zerogrid.game("pawn_dama:5x5"), memory="2G")

Games with a file of their own here are searched on bits; every other one is searched by its rules alone, and answers
are as exact. Whether an answer comes in time is another matter: that is what limits are for.
"""

from pathlib import Path

from zerogrid.core.game import Game
from zerogrid.core.link import check_target
from zerogrid.core.position import Position
from zerogrid.solvers import drops, edges, lines, pawns
from zerogrid.solvers.alphabeta import AlphaBeta
from zerogrid.solvers.from_rules import from_rules
from zerogrid.solvers.limit import memory_of
from zerogrid.solvers.proof import ProofSearch
from zerogrid.solvers.solver import EngineSolver, Solver
from zerogrid.solvers.table_solver import TableSolver, table_of

MEMORY = "1G"


def solver_for(game: Game, memory: str | int = MEMORY, target: str = "cpu") -> Solver:
    """The best solver there is for a game; its table takes up to so much memory ("512M", "2G", or bytes)."""
    check_target(target)
    size = memory_of(memory)
    if lines.fits(game):
        return EngineSolver(game, ProofSearch(lines.compact_lines(game), size, target))
    if pawns.fits(game):
        return EngineSolver(game, ProofSearch(pawns.compact_pawns(game), size, target))
    if drops.fits(game):
        return EngineSolver(game, ProofSearch(drops.compact_drops(game), size, target))
    if edges.fits(game):
        return edges.EdgesSolver(game, AlphaBeta(edges.compact_edges(game), size, target))
    return generic_solver(game, size, target)


def solver_with_table(
    position: Position, path: str | Path, memory: str | int = MEMORY, rebuild: bool = False, target: str = "cpu"
) -> Solver:
    """The same with a table of values in front; a file that is not there is made, of all that can follow a position."""
    table = table_of(position, Path(path), memory, rebuild, target)
    return TableSolver(position.game, table, solver_for(position.game, memory, target))


def generic_solver(game: Game, memory: str | int = MEMORY, target: str = "cpu") -> Solver:
    """The solver that knows nothing but the rules: what the others are checked against."""
    return EngineSolver(game, AlphaBeta(from_rules(game), memory_of(memory), target))
