"""zerogrid perft: all sequences of moves, counted."""

import time
from typing import Annotated, Literal

from zerogrid.cli.inputs import GAME, Plugins, Seed, check_seed, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError

DEEPEST = 1000


def perft(
    out: Output,
    game: Annotated[str, GAME],
    *,
    depth: Annotated[int, "how many plies deep"],
    target: Annotated[Literal["python", "cpu", "cuda"], "what the rules are linked to"] = "cpu",
    seed: Seed = 0,
    plugin: Plugins = (),
) -> None:
    """Count every sequence of moves from the start, ply by ply.

    "leaves" are the sequences of that length; "finished" those of them that end the game, and so are not continued.
    The counts of many games are known, so a wrong rule shows; and all targets must agree.

    Examples:
      zerogrid perft connect_four --depth 6
      zerogrid perft pawn_dama:5x5 --depth 5 --target python
      zerogrid perft othello:6x6 --depth 6 --json
    """
    from zerogrid.kernels.perft import perft as count

    if not 1 <= depth <= DEEPEST:
        raise ZeroGridError(f"--depth is a number of plies from 1 to {DEEPEST}, not {depth}.")
    check_seed(seed)
    chosen = named_game(game, plugin)
    began = time.perf_counter()
    counts = count(chosen, depth, target, seed)
    seconds = time.perf_counter() - began
    out.record(
        {
            "game": chosen.spec,
            "depth": depth,
            "target": target,
            "leaves": counts.leaves,
            "finished": counts.finished,
            "seconds": round(seconds, 6),
        }
    )
    out.text(f"{'ply':>4} {'leaves':>20} {'finished':>20}")
    for ply, (leaves, finished) in enumerate(zip(counts.leaves, counts.finished, strict=True), start=1):
        out.text(f"{ply:>4} {leaves:>20,} {finished:>20,}")
    out.text(f"{seconds:.2f} s on target {target}")
