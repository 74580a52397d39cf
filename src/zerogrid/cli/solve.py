"""zerogrid solve: exact values of positions."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import GAME, Plugins, Seed, named_game, position_after
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.core.positions import Placed, positions_in, read_positions
from zerogrid.core.progress import Progress, duration
from zerogrid.solvers.solution import Solution

SECONDS = 300.0


def solve(
    out: Output,
    game: Annotated[str, GAME],
    *,
    moves: Annotated[str, "the moves to the position, with commas or spaces between them"] = "",
    positions: Annotated[Path | None, "many: JSON lines with a game and its moves each; - reads standard input"] = None,
    memory: Annotated[str, "how much the table may take"] = "1G",
    table: Annotated[Path | None, "a file of all values that can follow the position; made if it is not there"] = None,
    rebuild: Annotated[bool, "make the table anew"] = False,
    seconds: Annotated[float, "how long to try, for each position"] = SECONDS,
    seed: Seed = 0,
    plugin: Plugins = (),
) -> None:
    """Find the exact value of a position, of each of its moves, and best play to the end.

    Values are for the side to move: 1 won, 0 drawn, -1 lost; for Dots-and-Boxes the margin still to come, in boxes.
    Where the limit is reached first, the answer is "not solved", and what is shown was proven all the same. A table
    holds every position that can follow; a table half made is gone on with.

    Examples:
      zerogrid solve tictactoe
      zerogrid solve gomoku:6x6x4 --moves c3,d4 --json
      zerogrid solve dots_and_boxes:3x3 --table boxes.table
      zerogrid solve pawn_dama:5x5 --positions positions.jsonl --memory 2G --seconds 60 --json
    """
    from zerogrid.solvers import solve_each, solver_for, solver_with_table

    if moves and positions is not None:
        raise ZeroGridError("--moves and --positions exclude one another; a positions file has the moves of each.")
    if not 0 < seconds < float("inf"):
        raise ZeroGridError(f"--seconds is a number above 0, not {quote(seconds)}.")
    if rebuild and table is None:
        raise ZeroGridError("--rebuild makes a table anew; name its file with --table.")
    chosen = named_game(game, plugin)
    if positions is None:
        asked = [Placed(0, position_after(chosen, moves, seed))]
    else:
        asked = list(_placed(positions, chosen))
    if table is None:
        solver = solver_for(chosen, memory)
    else:
        whole = asked[0].position if positions is None else chosen.start(seed)
        solver = solver_with_table(whole, table, memory, rebuild)
    with Progress(f"solving {chosen.spec}", len(asked), "positions") as progress:
        states = (placed.position for placed in asked)
        answers = solve_each(chosen, states, seconds, line=True, solver=solver, progress=progress)
        for placed, solution in zip(asked, answers, strict=True):
            place = {"line": placed.line} if placed.line else {}
            position = placed.position
            out.record({**place, "game": chosen.spec, "to_move": position.to_move, **solution.record()})
            for line in explained(placed, solution, seconds):
                out.text(line)
            progress.advance()
    if not asked:
        out.text("The file holds no positions.")


def _placed(positions: Path, game: Game) -> Iterator[Placed]:
    found = positions_in(sys.stdin.buffer, "standard input") if str(positions) == "-" else read_positions(positions)
    for placed in found:
        if placed.position.game != game:
            other = placed.position.game.spec
            raise ZeroGridError(f"line {placed.line} has a position of {other}, but {game.spec} is to be solved.")
        yield placed


# --- for people -----------------------------------------------------------------------------------------------------


def explained(placed: Placed, solution: Solution, seconds: float) -> Iterator[str]:
    """A solution in words."""
    position = placed.position
    game, mover = position.game, position.game.players[solution.to_move]
    where = f"line {placed.line}: " if placed.line else ""
    plies = len(position.moves)
    yield f"{where}{game.spec} after {plies} {'ply' if plies == 1 else 'plies'}, {_standing(position, mover)}"
    if solution.value is None:
        yield f"  not solved within {duration(seconds)} ({solution.nodes:,} nodes)"
        return
    yield f"  value  {_words(game, solution.value, mover)}"
    for value in sorted(set(solution.action_values.values()), reverse=True):
        names = [game.action_name(action) for action, worth in solution.action_values.items() if worth == value]
        yield f"  {value:+5g}  {' '.join(names)}" if value else f"      0  {' '.join(names)}"
    if not solution.solved:
        yield f"  the other moves were not solved within {duration(seconds)}"
    if solution.best_line:
        yield f"  best   {' '.join(map(game.action_name, solution.best_line))}"
    yield f"  {solution.nodes:,} nodes, {solution.seconds:.3f} s"


def _standing(position: Position, mover: str) -> str:
    outcome = position.outcome
    return f"{mover} to move" if outcome is None else f"over: {outcome.reason}"


def _words(game: Game, value: Any, mover: str) -> str:
    if game.name == "dots_and_boxes":
        return f"{value:+g} boxes still to come for {mover}" if value else "as many boxes to come for each side"
    return {1: f"1: {mover} wins", 0: "0: a draw", -1: f"-1: {mover} loses"}.get(value, f"{value:g} for {mover}")
