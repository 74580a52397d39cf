"""zerogrid runs: what runs there are."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError


def runs(out: Output, folder: Annotated[Path | None, "where to look (default: runs)"] = None) -> int:
    """List the runs: their game and network, how far they are, how good their champion is, and who trains them.

    Examples:
      zerogrid runs
      zerogrid runs --json
    """
    from zerogrid.training.directory import all_runs, runs_folder, summary_of

    places = all_runs(folder)
    if not places:
        out.text(f"There are no runs in {folder or runs_folder()} yet; zerogrid train gomoku:6x6x4 begins one.")
        return 0
    width = max(len(place.name) for place in places)
    for place in places:
        try:
            one = summary_of(place)
        except (ZeroGridError, OSError) as error:
            out.record({"name": place.name, "wrong": str(error)})
            out.text(f"  {place.name:<{width}}  cannot be read: {error}")
            continue
        out.record(one.as_dict())
        rate = f", error {one.error_rate:.1%}" if one.error_rate is not None else ""
        held = f", in use by {one.held_by}" if one.held_by else ""
        far = f"{one.iteration} of {one.iterations} iterations, {one.games:,} games"
        out.text(f"  {place.name:<{width}}  {one.game}, {one.network}: {far}, champion {one.champion}{rate}{held}")
    return 0
