"""zerogrid export: a run's champion as a folder to give away."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.output import Output


def export(
    output: Output,
    run: Annotated[str, "the run's name, or its folder"],
    *,
    out: Annotated[Path, "the new folder"],
    iteration: Annotated[int | None, "that of another checkpoint than the champion's"] = None,
    exam: Annotated[bool, "sit the game's held exam, and put what comes out into the card"] = False,
) -> int:
    """Write a model folder: the weights as safetensors, a card (how made, how strong, how to use), the configuration.

    Examples:
      zerogrid export mine --out strong-player
      zerogrid export mine --out early --iteration 10
      zerogrid export mine --out measured --exam
    """
    from zerogrid.training.directory import existing
    from zerogrid.training.export import export as exported

    made = exported(existing(run), out, iteration, exam)
    told = {"folder": str(made.folder), "champion": made.champion, "sha256": made.sha256, "bytes": made.bytes}
    output.record(told)
    output.text(f"{made.folder}: {made.champion}, {made.bytes:,} bytes")
    return 0
