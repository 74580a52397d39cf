"""zerogrid tournament: everyone against everyone."""

import sys
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import GAME, Plugins, named_game
from zerogrid.cli.match import AT_ONCE, FOLDER, OPENINGS
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote


def tournament(
    say: Output,
    game: Annotated[str, GAME],
    agents: Annotated[tuple[str, ...], "two or more agents, such as uct:100 uct:1000 random"],
    *,
    games: Annotated[int, "games of each pairing; two from each opening, with sides swapped"] = 20,
    openings: Annotated[str, OPENINGS] = "random:4",
    seed: Annotated[int, "of openings and agents"] = 0,
    simultaneous: Annotated[int, AT_ONCE] = 0,
    anchor: Annotated[tuple[str, ...], "an agent whose rating is given, as random=0; may be given again"] = (),
    out: Annotated[Path | None, FOLDER] = None,
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    crosstable: Annotated[Path | None, "draw the crosstable into this .png or .svg file"] = None,
    ratings: Annotated[Path | None, "draw ratings with their intervals into this .png or .svg file"] = None,
    plugin: Plugins = (),
) -> int:
    """Play a round robin and rate the players.

    All pairings play the same openings, round by round, so that a tournament that is stopped early is still fair.
    Ratings are Bradley-Terry's with draws and first move, intervals by bootstrap over pairs of games; beside them
    stands the Elo of the papers, one game after the other with K = 32. With --out it goes on where it was stopped.

    Examples:
      zerogrid tournament tictactoe random uct:50 uct:500 --games 20
      zerogrid tournament gomoku:6x6x4 random naive uct:200 --openings book --out cups/first --crosstable cross.png
    """
    from zerogrid.arena.event import Event, labels
    from zerogrid.arena.pictures import check_picture
    from zerogrid.arena.provenance import provenance
    from zerogrid.arena.tournament import round_robin, table
    from zerogrid.cli.matches import agents_for
    from zerogrid.cli.rate import anchors_of

    if len(agents) < 2:
        raise ZeroGridError("a tournament needs two agents at least.")
    if games < 2 or games % 2:
        raise ZeroGridError(f"--games is an even number from 2 up, not {quote(games)}: each opening is played twice.")
    check_picture(crosstable, ratings)
    chosen = named_game(game, plugin)
    players = labels(agents)
    anchors = anchors_of(anchor, players)
    with agents_for(agents, chosen, threads) as made:
        event = Event("tournament", chosen, dict(zip(players, made)), openings, seed, out, simultaneous)
        try:
            _play(event, round_robin(players, games // 2), anchors, seed)
        finally:
            event.close()
    found = table(event.records, anchors, seed)
    counted = len({record.number for record in event.records if record.scores is not None})
    say.record({**event.agreed, "games": counted, **found.as_dict(), **provenance()})
    for line in found.sentences():
        say.text(line)
    draw(found, chosen.spec, crosstable, ratings, say)
    return 0


def draw(found: Any, spec: str, crosstable: Path | None, ratings: Path | None, say: Output) -> None:
    """The pictures that were asked for."""
    from zerogrid.arena import pictures

    drawings = (
        (crosstable, pictures.crosstable, "Score of the row against the column"),
        (ratings, pictures.rating_plot, "Rating with its 95% interval"),
    )
    for path, picture, title in drawings:
        if path is not None:
            picture(found, path, f"{title}, {spec}")
            say.text(f"Drawn into {path}.")


def _play(event: Any, schedule: list[Any], anchors: dict[str, float], seed: int) -> None:
    """With the table as it stands where someone looks on, else with a line now and then."""
    from zerogrid.arena.tournament import table
    from zerogrid.core.progress import Progress

    if not sys.stderr.isatty():
        with Progress("tournament", len(schedule), "games") as progress:
            progress.advance(sum(event.settled(one.number) is not None for one in schedule))
            for record in event.play(schedule):
                progress.advance(int(event.settled(record.number) is record))
        return
    import time

    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        shown = 0.0
        for _ in event.play(schedule):
            now = time.monotonic()
            if now - shown > 1.0:
                shown = now
                done = sum(record.scores is not None for record in event.records)
                lines = [f"{done:,} of {len(schedule):,} games", *table(event.records, anchors, seed).sentences()]
                live.update(Text("\n".join(lines)), refresh=True)
