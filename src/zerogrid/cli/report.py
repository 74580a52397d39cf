"""zerogrid report: how a run went."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError


def report(
    output: Output,
    run: Annotated[str, "the run's name, or its folder"],
    *,
    out: Annotated[Path | None, "a file, .html or .png (default: report.html in the run's folder)"] = None,
) -> int:
    """Show how a run went: losses, gates, ratings with intervals, error rate, duplicates, games, and what is wrong.

    Examples:
      zerogrid report mine
      zerogrid report mine --out mine.png
      zerogrid report mine --json
    """
    from zerogrid.training import disk
    from zerogrid.training.directory import existing
    from zerogrid.training.report.findings import findings_of

    place = existing(run)
    found = findings_of(place)
    output.record(found.as_dict())
    for finding in found.diagnosis:
        output.text(f"{finding.name}: {finding.seen}.")
        output.text(f"  What may help: {finding.advice}.")
    if output.as_json and out is None:
        return 0
    file = out or place / "report.html"
    if file.suffix not in (".html", ".png"):
        raise ZeroGridError(f'a report is an .html or a .png file, not "{file.name}".')
    if not file.parent.is_dir():
        raise ZeroGridError(f'there is no folder "{file.parent}" to put the report into.')
    if file.suffix == ".png":
        from zerogrid.training.report.charts import png_of

        disk.write_file(file, png_of(found))
    else:
        from zerogrid.training.report.page import html_of

        disk.write_file(file, html_of(found).encode())
    output.text(f"{file}")
    return 0
