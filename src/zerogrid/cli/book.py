"""zerogrid book: an opening book."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.inputs import GAME, Plugins, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote


def book(
    say: Output,
    game: Annotated[str, GAME],
    *,
    out: Annotated[Path, "the file to write"],
    plies: Annotated[str, "moves of an opening; several lengths with commas between, as 3,4"] = "4",
    count: Annotated[int, "how many openings"] = 200,
    seed: Annotated[int, "of the moves by chance"] = 0,
    sims: Annotated[int, "random games by which each opening is judged"] = 400,
    spare: Annotated[int, "openings tried for each one kept"] = 3,
    boards: Annotated[Path | None, "draw the first ones into this .png or .svg file"] = None,
    plugin: Plugins = (),
) -> int:
    """Make an opening book: moves by chance, of which the most balanced are kept.

    The book is written with its seed and a hash, which every result that used it names. Openings that are over, won
    or lost at once are left out, and of symmetric ones all but one.

    Examples:
      zerogrid book gomoku:6x6x4 --plies 3,4 --count 200 --seed 1 --out gomoku.jsonl
      zerogrid match uct:400 naive gomoku:6x6x4 --openings book:gomoku.jsonl
    """
    from zerogrid.arena.books import make_book
    from zerogrid.arena.pictures import check_picture
    from zerogrid.cli.matches import cores

    check_picture(boards)
    chosen = named_game(game, plugin)
    lengths = plies.split(",")
    if not all(length.strip().isdigit() and 0 < int(length) < 200 for length in lengths):
        raise ZeroGridError(f"--plies is a number of moves, or several as in 3,4; not {quote(plies)}.")
    made = make_book(chosen, tuple(map(int, lengths)), count, seed, sims, spare, cores())
    made.save(out)
    said = {"game": chosen.spec, "openings": len(made.openings), "sha256": made.sha256, "file": str(out)}
    say.record({**made.about, **said})
    say.text(f"{len(made.openings)} openings of {chosen.spec} written to {out} (sha256 {made.sha256[:16]}…).")
    if len(made.openings) < count:
        say.text(f"Note: {count} were wanted; there are no more that differ and are worth playing.")
    if boards is not None:
        from zerogrid.arena.pictures import write_boards
        from zerogrid.core.drawing import draw_sheet

        shown = [opening.position(chosen) for opening in made.openings[:24]]
        write_boards(draw_sheet(shown, columns=6, heading=f"Openings of {chosen.spec}"), boards)
    return 0
