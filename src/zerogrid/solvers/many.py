"""Many positions of one game, solved one after the other: exam sets, openings, the training loop.

    solutions = solve_many(game, states, seconds=10)        # int16[n, STATE_SIZE], or Positions
    exams = [s for s in solutions if s.solved]

What is learnt from one position helps with the next. A position that is not solved within its limit has solved=False.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.core.progress import Progress
from zerogrid.solvers.choose import MEMORY, solver_for
from zerogrid.solvers.solution import Solution
from zerogrid.solvers.solver import Solver


def solve_many(
    game: Game,
    states: npt.NDArray[np.int16] | Sequence[npt.NDArray[np.int16] | Position],
    seconds: float | None = None,
    nodes: int | None = None,
    memory: str | int = MEMORY,
    moves: bool = True,
    line: bool = False,
    solver: Solver | None = None,
) -> list[Solution]:
    """Solve every position, each within so many seconds and nodes; a solver one has may be handed over and kept."""
    with Progress(f"solving {game.spec}", len(states), "positions") as progress:
        found = []
        for solution in solve_each(game, states, seconds, nodes, memory, moves, line, solver, progress):
            found.append(solution)
            progress.advance()
        return found


def solve_each(
    game: Game,
    states: Iterable[npt.NDArray[np.int16] | Position],
    seconds: float | None = None,
    nodes: int | None = None,
    memory: str | int = MEMORY,
    moves: bool = True,
    line: bool = False,
    solver: Solver | None = None,
    progress: Progress | None = None,
) -> Iterator[Solution]:
    """The same, one solution after the other as they are found; `progress` is told how long a hard position takes."""
    solver = solver or solver_for(game, memory)
    searched = 0

    def watch(nodes: int) -> None:
        nonlocal searched
        searched += nodes
        if progress is not None:
            progress.advance(0, f"{searched:,} nodes")

    for one in states:
        state = one.state if isinstance(one, Position) else np.asarray(one)
        if isinstance(one, Position) and one.game != game:
            raise ZeroGridError(f"the positions are of {game.spec}, but one is of {one.game.spec}.")
        if state.dtype != np.int16 or state.shape != (game.STATE_SIZE,):
            right = f"int16[{game.STATE_SIZE}]"
            raise ZeroGridError(f"a state of {game.spec} is {right}, not {state.dtype}{list(state.shape)}.")
        yield solver.solve_state(state, seconds, nodes, moves, line, watch)
