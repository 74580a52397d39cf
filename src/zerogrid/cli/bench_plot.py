"""The picture of `zerogrid bench search`: for each game, search and bare network against the number of games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zerogrid.core.errors import ZeroGridError, quote

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#595959"
COLOURS = (BLUE, ORANGE, GREEN, "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = "osD^vP"


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """One panel for each game and network; each point of a search has its ratio beside it."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ZeroGridError("a picture needs matplotlib; install it with: pip install 'zerogrid[plots]'.") from error
    panels = list(dict.fromkeys((row["game"], row["network"]) for row in rows))
    if not panels:
        raise ZeroGridError("no row was measured; there is nothing to draw.")
    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    figure = Figure(figsize=(4.6 * columns, 3.6 * lines + 0.3), dpi=150, layout="constrained")
    for place, (game, network) in enumerate(panels, start=1):
        axes = figure.add_subplot(lines, columns, place)
        _panel(axes, [row for row in rows if (row["game"], row["network"]) == (game, network)])
        axes.set_title(f"{game}\n{network}", fontsize=10, loc="left")
        if place == 1:
            axes.legend(fontsize=7, frameon=False)
    figure.supxlabel("games side by side", fontsize=9)
    figure.supylabel("a second", fontsize=9)
    try:
        figure.savefig(path, format=path.suffix.lstrip("."))
    except OSError as error:
        raise ZeroGridError(f"{quote(path)} cannot be written: {error.strerror}.") from error


def _panel(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Bare evaluations dashed, one line of search for each number of simulations (several leaves: open marks)."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    best: dict[int, float] = {}
    for row in rows:
        if row["leaves"] == 1:
            best[row["games"]] = max(best.get(row["games"], 0.0), row["bare_evals_per_s"])
    counts = sorted(best)
    axes.plot(counts, [best[n] for n in counts], "--", color=GREY, label="bare network, evaluations")
    kinds = sorted({(row["leaves"], row["simulations"]) for row in rows})
    for place, (leaves, sims) in enumerate(kinds):
        mine = sorted((row for row in rows if (row["leaves"], row["simulations"]) == (leaves, sims)),
                      key=lambda row: row["games"])  # fmt: skip
        colour = COLOURS[place % len(COLOURS)]
        label = f"search, {sims:,} simulations" + (f", {leaves} leaves" if leaves > 1 else "")
        axes.plot(
            [row["games"] for row in mine], [row["sims_per_s"] for row in mine], color=colour, label=label,
            marker=MARKERS[place % len(MARKERS)], markersize=5, fillstyle="none" if leaves > 1 else "full",
        )  # fmt: skip
        above = place % 2 == 0
        for row in mine:
            axes.annotate(
                f"{row['ratio']:.2f}", (row["games"], row["sims_per_s"]), textcoords="offset points",
                xytext=(0, 7 if above else -12), ha="center", fontsize=7, color=colour,
            )  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    counts = sorted({row["games"] for row in rows})
    axes.set_xticks(counts, [f"{n:,}" for n in counts], fontsize=8)
    axes.minorticks_off()
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.margins(0.18, 0.2)
    axes.grid(alpha=0.25)
    axes.tick_params(axis="y", labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
