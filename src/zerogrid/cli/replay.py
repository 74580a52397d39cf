"""zerogrid replay: a file of positions, every move checked."""

import sys
from collections.abc import Iterator
from os.path import isdir
from pathlib import Path
from typing import Annotated, Any

from zerogrid.arena.games import GAMES
from zerogrid.cli.inputs import Plugins, use_plugins, write_text
from zerogrid.cli.output import Output
from zerogrid.core.position import Position
from zerogrid.core.positions import Placed, positions_in, read_positions
from zerogrid.core.progress import track


def replay(
    out: Output,
    positions: Annotated[Path, "JSON lines of games and their moves, or a match's folder; - reads standard input"],
    *,
    boards: Annotated[bool, "draw every position on the way"] = False,
    line: Annotated[int | None, "only this line of the file"] = None,
    sgf: Annotated[Path | None, "also write the games of a match into this SGF file (Gomoku, Othello)"] = None,
    plugin: Plugins = (),
) -> None:
    """Replay a file of positions or games from the start and say how each stands.

    Every line holds a game and the moves from its start, by name or number, and a seed for games with chance. Nothing
    is printed before the whole file has been found right; "scores" is null while a game goes on.

    Examples:
      echo '{"game": "gomoku:6x6x4", "moves": ["c3", "d4", 8]}' | zerogrid replay -
      zerogrid replay positions.jsonl --json
      zerogrid replay matches/first/games.jsonl --line 3 --boards
      zerogrid replay matches/first --sgf first.sgf
    """
    use_plugins(plugin)
    if isdir(positions):
        positions = positions / GAMES
    count = 0
    with out.held_back():
        for placed in track(_placed(positions), "replaying", unit="positions"):
            if line is not None and placed.line != line:
                continue
            count += 1
            out.record(_record(placed))
            if boards:
                for words in _on_the_way(placed.position):
                    out.text(words)
            out.text(_sentence(placed))
    if not count:
        out.text("The file holds no positions." if line is None else f"The file holds no position on line {line}.")
    if sgf is not None:
        _export(positions, sgf, line)
        out.text(f"Written to {sgf}.")


def _on_the_way(position: Position) -> Iterator[str]:
    """The board at the start and after every move."""
    shown = position.game.start(position.seed)
    yield shown.terminal()
    for number, move in enumerate(position.moves, start=1):
        player = position.game.players[shown.to_move]
        shown.play(move)
        yield f"{number}. {player} {position.game.action_name(move)}\n{shown.terminal()}"


def _export(positions: Path, sgf: Path, line: int | None) -> None:
    from zerogrid.arena.games import read_games
    from zerogrid.arena.sgf import as_sgf

    games = [record for number, record in enumerate(read_games(positions), start=1) if line in (None, number)]
    write_text(sgf, as_sgf(games))


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
