"""zerogrid show: one position, drawn."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.inputs import GAME, Plugins, Seed, named_game, position_after, write_text
from zerogrid.cli.output import Output


def show(
    out: Output,
    game: Annotated[str, GAME],
    *,
    moves: Annotated[str, "moves from the start, by name or number, with commas between"] = "",
    svg: Annotated[Path | None, "also draw the board into this SVG file"] = None,
    seed: Seed = 0,
    plugin: Plugins = (),
) -> None:
    """Draw a position in the terminal, and as SVG where asked.

    Examples:
      zerogrid show gomoku:6x6x4 --moves c3,d4,c4
      zerogrid show dots_and_boxes:3x3 --moves h0.0,v0.0 --svg board.svg
      zerogrid show connect_four --moves 3,3,4 --json
    """
    position = position_after(named_game(game, plugin), moves, seed)
    if svg is not None:
        write_text(svg, position.svg())
    outcome = position.outcome
    out.record(
        {
            "game": position.game.spec,
            "seed": seed,
            "moves": position.moves,
            "names": [position.game.action_name(action) for action in position.moves],
            "to_move": position.to_move,
            "legal": position.actions,
            "legal_names": position.legal,
            "over": position.over,
            "scores": outcome.scores if outcome else None,
            "reason": outcome.reason if outcome else None,
            "text": str(position),
            "svg": None if svg is None else str(svg),
        }
    )
    out.text(position.terminal())
    if svg is not None:
        out.text(f"Drawn into {svg}.")
