"""zerogrid sprt: is one agent stronger than another, in as few games as that takes."""

from pathlib import Path
from typing import Annotated, Literal

from zerogrid.cli.inputs import GAME, Plugins, named_game
from zerogrid.cli.match import AGENT, AT_ONCE, FOLDER, OPENINGS
from zerogrid.cli.output import Output

Model = Literal["normalized", "logistic", "trinomial"]
WORDS = {
    "accept": "{a} is stronger than {b}: H1 (Elo {elo1:g}) is accepted over H0 (Elo {elo0:g})",
    "reject": "{a} is not shown to be stronger than {b}: H0 (Elo {elo0:g}) is kept over H1 (Elo {elo1:g})",
    "undecided": "undecided after the most pairs that were allowed",
    "running": "stopped before a verdict",
}


def sprt(
    say: Output,
    a: Annotated[str, AGENT],
    b: Annotated[str, "its opponent"],
    game: Annotated[str, GAME],
    *,
    elo0: Annotated[float, "H0: the first is this much stronger"] = 0.0,
    elo1: Annotated[float, "H1: the first is this much stronger"] = 50.0,
    alpha: Annotated[float, "how often H1 may be accepted though H0 is true"] = 0.05,
    beta: Annotated[float, "how often H0 may be kept though H1 is true"] = 0.05,
    model: Annotated[Model, "the unit of Elo; trinomial: single games"] = "normalized",
    least: Annotated[int, "pairs before a verdict, from as many openings"] = 16,
    most: Annotated[int, "pairs after which it stays undecided"] = 400,
    openings: Annotated[str, OPENINGS] = "random:4",
    seed: Annotated[int, "of openings and agents"] = 0,
    simultaneous: Annotated[int, AT_ONCE] = 0,
    out: Annotated[Path | None, FOLDER] = None,
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    plugin: Plugins = (),
) -> int:
    """Test whether an agent is stronger, and stop as soon as that is known.

    Pairs of games from one opening with sides swapped are counted, in the order of the schedule, so the verdict does
    not depend on how many games run at once. A pair that repeats an earlier one is no evidence. The score at which a
    test stops is no measure of strength: play a match for that.

    Examples:
      zerogrid sprt uct:800 uct:100 connect_four --elo1 100
      zerogrid sprt run:mine run:mine@iteration=20 gomoku:6x6x4 --elo0 0 --elo1 30 --out tests/mine --json
    """
    from zerogrid.arena.event import Event, labels
    from zerogrid.arena.provenance import provenance
    from zerogrid.arena.sequential import SequentialMatch
    from zerogrid.arena.sprt import Sprt
    from zerogrid.cli.matches import agents_for
    from zerogrid.core.progress import Progress

    chosen = named_game(game, plugin)
    test = Sprt(elo0, elo1, alpha, beta, model, least, min(least, most), most)
    first, second = labels([a, b])
    with agents_for([a, b], chosen, threads) as agents:
        players = dict(zip((first, second), agents))
        bounds = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}
        event = Event("sprt", chosen, players, openings, seed, out, simultaneous, **bounds)
        try:
            running = SequentialMatch(event, test, (first, second))
            with Progress(f"{first} against {second}", 2 * most, "games at most") as progress:
                for _ in running.run():
                    progress.advance(1, f"LLR {test.llr:+.2f} of {test.lower:.2f} to {test.upper:.2f}")
        finally:
            event.close()
    said = {**test.as_dict(), "void_pairs": running.left_out, "games": int(test.games.sum())}
    say.record({**event.agreed, **said, **provenance()})
    say.text(WORDS[test.verdict].format(a=first, b=second, elo0=elo0, elo1=elo1) + ".")
    if test.verdict == "undecided" and test.openings < test.min_openings:
        say.text(f"Note: no verdict is given on fewer than {test.min_openings} openings; take others (random:6, book).")
    say.text(
        f"LLR {test.llr:+.3f}, bounds {test.lower:.3f} and {test.upper:.3f}, {int(test.pairs.sum())} pairs from "
        f"{test.openings} openings: lost twice {test.pairs[0]}, lost and drawn {test.pairs[1]}, even {test.pairs[2]}, "
        f"won and drawn {test.pairs[3]}, won twice {test.pairs[4]}"
    )
    for count, words in ((test.repeated, "repeat an earlier one"), (running.left_out, "have a void game")):
        if count:
            say.text(f"Note: {count} pairs {words} and are not counted.")
    return 0
