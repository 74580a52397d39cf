"""zerogrid analyse: what a search thinks of a position."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import GAME, Plugins, check_seed, named_game, position_after, write_text
from zerogrid.cli.output import Output

PAUSE = 0.2  # seconds between two pictures while it searches


def analyse(
    out: Output,
    game: Annotated[str, GAME],
    *,
    moves: Annotated[str, "moves from the start, by name or number, with commas between"] = "",
    agent: Annotated[str, "who searches: uct (random games), uniform, net:FILE, run:NAME"] = "uct",
    sims: Annotated[int | None, "how many simulations; left out, 10,000 random games or 800 evaluations"] = None,
    seconds: Annotated[float | None, "how long; with --sims, whichever comes first"] = None,
    leaves: Annotated[int | None, "with a network: how many leaves of the tree at a time"] = None,
    most: Annotated[int, "how many moves to list"] = 12,
    seed: Annotated[int, "of the search, and for games with chance of the start"] = 0,
    svg: Annotated[Path | None, "also draw the board with the visits into this SVG file"] = None,
    plugin: Plugins = (),
) -> None:
    """Search a position and show what was found: visits, priors and values of the moves, the best line, and the board.

    Values are between -1 and 1, for the player to move; "proven" is exact. On a terminal the picture grows while it
    searches, and Ctrl-C ends the search with what is known by then. With --sims the answer is the same each time.

    Examples:
      zerogrid analyse gomoku:6x6x4 --moves c3,d4 --seconds 2
      zerogrid analyse dots_and_boxes:3x3 --sims 20000 --svg visits.svg
      zerogrid analyse connect_four --agent net:mine.safetensors --sims 800 --json
    """
    from zerogrid.agents.analysing import analyse as search
    from zerogrid.core.errors import ZeroGridError

    if most < 1:
        raise ZeroGridError(f"--most is a whole number from 1, not {most}.")
    if leaves is not None and not 1 <= leaves <= 1024:
        raise ZeroGridError(f"--leaves is a whole number from 1 to 1,024, not {leaves}.")
    check_seed(seed)
    position = position_after(named_game(game, plugin), moves, seed)
    with _growing(most) as watch:
        found = search(position, agent, sims, seconds, seed, leaves=leaves, watch=watch)
    if svg is not None:
        write_text(svg, found.svg())
    out.record({**found.record(), "svg": None if svg is None else str(svg)})
    out.text(found.text(most))
    if svg is not None:
        out.text(f"Drawn into {svg}.")


@contextmanager
def _growing(most: int) -> Iterator[Any]:
    """On a terminal, a picture on standard error that is drawn anew while the search goes on; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with Live(Text("getting ready"), console=console, auto_refresh=False, transient=True) as live:
        last = 0.0

        def watch(found: Any) -> None:
            nonlocal last
            now = console.get_time()
            if now - last >= PAUSE:
                last = now
                words = found.text(most, colour=console.color_system is not None)
                live.update(Text.from_ansi(words), refresh=True)

        live.refresh()
        yield watch
