"""zerogrid replay: a file of positions, every move checked."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import Plugins, use_plugins
from zerogrid.cli.output import Output
from zerogrid.core.position import Position
from zerogrid.core.positions import Placed, positions_in, read_positions
from zerogrid.core.progress import track


def replay(
    out: Output,
    positions: Annotated[Path, "JSON lines with a game and its moves each; - reads standard input"],
    *,
    plugin: Plugins = (),
) -> None:
    """Replay a positions file from the start and say how each position stands.

    Every line holds a game and the moves from its start, by name or number, and a seed for games with chance. Nothing
    is printed before the whole file has been found right; "scores" is null while a game goes on.

    Examples:
      echo '{"game": "gomoku:6x6x4", "moves": ["c3", "d4", 8]}' | zerogrid replay -
      zerogrid replay positions.jsonl --json
    """
    use_plugins(plugin)
    count = 0
    with out.held_back():
        for placed in track(_placed(positions), "replaying", unit="positions"):
            count += 1
            out.record(_record(placed))
            out.text(_sentence(placed))
    if not count:
        out.text("The file holds no positions.")


def _placed(positions: Path) -> Iterator[Placed]:
    if str(positions) == "-":
        return positions_in(sys.stdin.buffer, "standard input")
    return read_positions(positions)


def _record(placed: Placed) -> dict[str, Any]:
    position = placed.position
    outcome = position.outcome
    return {
        "line": placed.line,
        "game": position.game.spec,
        "to_move": position.to_move,
        "legal": position.actions,
        "over": position.over,
        "scores": outcome.scores if outcome else None,
    }


def _sentence(placed: Placed) -> str:
    position = placed.position
    return f"line {placed.line}: {position.game.spec} after {len(position.moves)} plies, {_standing(position)}"


def _standing(position: Position) -> str:
    players, outcome = position.game.players, position.outcome
    if outcome is None:
        return f"{players[position.to_move]} to move, {len(position.actions)} legal moves"
    if outcome.winner is None:
        return f"a draw: {outcome.reason}"
    return f"{players[outcome.winner]} won: {outcome.reason}"
