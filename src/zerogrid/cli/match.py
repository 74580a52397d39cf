"""zerogrid match: two agents, many games, and what they say."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.inputs import GAME, Plugins, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError

AGENT = "an agent, such as uct:1000 or net:FILE@sims=200; docs/agents.md has them all"
OPENINGS = "how games begin: book, book:FILE, guided:10, random:6 or none"
FOLDER = "keep every game in this folder; the same command goes on where it was stopped"
AT_ONCE = "how many games run side by side; 0: 128, or 2,048 on a card; the results do not depend on it"


def match(
    say: Output,
    a: Annotated[str, AGENT],
    b: Annotated[str, "its opponent"],
    game: Annotated[str, GAME],
    *,
    games: Annotated[int, "how many games; two from each opening, with sides swapped"] = 100,
    openings: Annotated[str, OPENINGS] = "random:4",
    seed: Annotated[int, "of openings and agents"] = 0,
    simultaneous: Annotated[int, AT_ONCE] = 0,
    out: Annotated[Path | None, FOLDER] = None,
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    boards: Annotated[Path | None, "draw the final boards of the first games into this .png or .svg file"] = None,
    plugin: Plugins = (),
) -> int:
    """Play a match of two agents and say how strong the first is, with intervals.

    Every opening is played twice with sides swapped, and the interval to believe is the one over these pairs. A game
    in which an agent crashes or stalls is void and played again once; an illegal move loses. With --out every game is
    kept as it ends, and a match that was interrupted goes on.

    Examples:
      zerogrid match uct:200 random tictactoe --games 20
      zerogrid match uct:400 naive gomoku:6x6x4 --games 100 --openings book --out matches/naive
      zerogrid match net:new.safetensors net:old.safetensors gomoku:6x6x4 --games 1000 --json
    """
    from zerogrid.arena.event import Event, labels, paired
    from zerogrid.arena.pictures import check_picture
    from zerogrid.arena.provenance import provenance
    from zerogrid.arena.report import report
    from zerogrid.cli.matches import agents_for, at_work, draw_final_boards

    if games < 1:
        raise ZeroGridError(f"--games is a number from 1 up, not {games}.")
    check_picture(boards)
    chosen = named_game(game, plugin)
    first, second = labels([a, b])
    with agents_for([a, b], chosen, threads) as agents:
        event = Event("match", chosen, dict(zip((first, second), agents)), openings, seed, out, simultaneous)
        try:
            at_work(event, paired((first, second), games), f"{first} against {second}", first)
        finally:
            event.close()
    records = [record for record in event.records if record.number < games]
    found = report(records, first, second)
    say.record({**event.agreed, **found.as_dict(), **provenance()})
    for line in found.sentences():
        say.text(line)
    if boards is not None:
        draw_final_boards(chosen, records, boards, f"{first} against {second}")
        say.text(f"Final boards drawn into {boards}.")
    return 0
