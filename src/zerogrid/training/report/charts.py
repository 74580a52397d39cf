"""The charts of a report, each a function that draws into one pair of axes. Colours can be told apart by everyone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from zerogrid.core.errors import ZeroGridError
from zerogrid.training.report.findings import Findings

BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#777777"
FIRST, DRAWN, SECOND = BLUE, "#BBBBBB", ORANGE


@dataclass(frozen=True)
class Chart:
    """One picture: its title, what it says, whether there is anything to show, and how it is drawn."""

    title: str
    about: str
    there: Callable[[Findings], bool]
    draw: Callable[[Any, Findings], None]


def _lines(axes: Any, found: Findings, named: Mapping[str, tuple[str, ...]], colours: tuple[str, ...]) -> None:
    for (label, path), colour in zip(named.items(), colours):
        at, values = found.series(*path)
        if values:
            axes.plot(at, values, label=label, color=colour, linewidth=1.6, marker=_mark(at))
    axes.legend(frameon=False, fontsize=8)


def _mark(at: Any) -> str | None:
    """Points are seen where there are few; a line through a single one would not be."""
    return "." if len(at) < 40 else None


def losses(axes: Any, found: Findings) -> None:
    named = {"all": ("loss",), "policy": ("policy_loss",), "value": ("value_loss",)}
    named |= {"initiative": ("initiative_loss",), "classes": ("classes_loss",)}
    _lines(axes, found, named, (GREY, BLUE, ORANGE, GREEN, PURPLE))
    axes.set_ylim(bottom=0)


def entropies(axes: Any, found: Findings) -> None:
    named = {"policy": ("policy_entropy",), "search": ("target_entropy",), "spread of values": ("value_spread",)}
    _lines(axes, found, named, (BLUE, GREEN, ORANGE))
    axes.set_ylim(bottom=0)


def gates(axes: Any, found: Findings) -> None:
    """Wins, draws and losses of each candidate as shares, a mark above those promoted."""
    held = [(m["iteration"], m["gate"]) for m in found.metrics if m.get("gate") and m["gate"]["kind"] != "always"]
    at = np.array([iteration for iteration, _ in held])
    counts = np.array([[g["wins"], g["draws"], g["losses"]] for _, g in held], float)
    shares = counts / np.maximum(1.0, counts.sum(axis=1, keepdims=True))
    bottom = np.zeros(len(at))
    width = 0.85 * (np.diff(at).min() if len(at) > 1 else 1)
    for k, (label, colour) in enumerate((("won", BLUE), ("drawn", DRAWN), ("lost", ORANGE))):
        axes.bar(at, shares[:, k], width, bottom=bottom, label=label, color=colour)
        bottom += shares[:, k]
    promoted = at[[bool(g["promoted"]) for _, g in held]]
    axes.plot(promoted, np.full(len(promoted), 1.04), "v", color=GREEN, markersize=5, label="promoted")
    axes.set_ylim(0, 1.1)
    axes.legend(frameon=False, fontsize=8, ncols=4, loc="lower left", bbox_to_anchor=(0, 1))


def results(axes: Any, found: Findings) -> None:
    """How self-play ended, as shares."""
    at = [m["iteration"] for m in found.metrics if m.get("games")]
    counts = np.array([[m["first_wins"], m["draws"], m["second_wins"]] for m in found.metrics if m.get("games")], float)
    shares = (counts / np.maximum(1.0, counts.sum(axis=1, keepdims=True))).T
    labels, colours = ("first won", "drawn", "second won"), (FIRST, DRAWN, SECOND)
    if len(at) > 1:
        axes.stackplot(at, shares, labels=labels, colors=colours, step="mid")
    else:
        for k, (label, colour) in enumerate(zip(labels, colours)):
            axes.bar(at, shares[k], bottom=shares[:k].sum(axis=0), label=label, color=colour)
    axes.set_ylim(0, 1)
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="lower left", bbox_to_anchor=(0, 1))


def errors(axes: Any, found: Findings) -> None:
    """Share of moves that give value away, with Wilson's interval."""
    for label, name, colour in (("with search", "error_rate", BLUE), ("raw policy", "raw_error_rate", ORANGE)):
        at, values = found.series("exam", name)
        _, counts = found.series("exam", "positions")
        if not values:
            continue
        from zerogrid.arena.intervals import wilson_bounds

        low, high = wilson_bounds(np.clip(values, 0, 1), np.array(counts[-len(values) :]))
        axes.plot(at, values, ".-", label=label, color=colour)
        axes.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.legend(frameon=False, fontsize=8)


def ratings(axes: Any, found: Findings) -> None:
    """Champions over iterations with 95% intervals, fixed opponents as lines."""
    names = [rating for rating in found.ratings if "@" in rating["player"]]
    names.sort(key=lambda rating: int(rating["player"].partition("@")[2]))
    at = [int(rating["player"].partition("@")[2]) for rating in names]
    elo = np.array([rating["estimate"] for rating in names])
    low, high = (np.array([rating[side] for rating in names]) for side in ("low", "high"))
    axes.errorbar(at, elo, yerr=[elo - low, high - elo], fmt="o-", color=BLUE, capsize=3, markersize=4)
    for rating in found.ratings:
        if "@" not in rating["player"]:
            axes.axhline(rating["estimate"], color=GREY, linestyle="--", linewidth=1)
            place, beside = (1.01, rating["estimate"]), ("axes fraction", "data")
            axes.annotate(rating["player"], place, xycoords=beside, fontsize=8, color=GREY, va="center", ha="left")
    axes.set_ylabel("Elo")


def duplicates(axes: Any, found: Findings) -> None:
    """Games that repeat another of their iteration."""
    at = [m["iteration"] for m in found.metrics if m.get("games")]
    share = [1 - m["distinct_games"] / m["games"] for m in found.metrics if m.get("games")]
    axes.plot(at, share, color=RED, linewidth=1.6, marker=_mark(at))
    axes.set_ylim(0, max(0.05, *share) * 1.1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")


def rollback(axes: Any, found: Findings) -> None:
    """From which ply on is searched."""
    at, values = found.series("curriculum", "search_from")
    axes.step(at, values, where="post", color=PURPLE, linewidth=1.8)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("ply")


def speed(axes: Any, found: Findings) -> None:
    """Simulations a second while playing."""
    told = [(t["iteration"], t["simulations"] / t["play_s"]) for t in found.timings if t.get("play_s")]
    axes.plot([at for at, _ in told], [rate for _, rate in told], color=GREEN, linewidth=1.6, marker=_mark(told))
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _has(*path: str) -> Callable[[Findings], bool]:
    return lambda found: bool(found.series(*path)[1])


CHARTS = (
    Chart("Losses", "means over the steps of an iteration", _has("loss"), losses),
    Chart("Error rate", "share of moves that give value away, by the exact solver", _has("exam", "error_rate"), errors),
    Chart(
        "Ratings",
        "Bradley-Terry over the games of exams, 95% intervals",
        lambda found: sum("@" in rating["player"] for rating in found.ratings) > 1,
        ratings,
    ),
    Chart(
        "Gate",
        "each candidate's games",
        lambda found: any((m.get("gate") or {}).get("kind", "always") != "always" for m in found.metrics),
        gates,
    ),
    Chart("Self-play", "how games ended", _has("first_wins"), results),
    Chart("Entropy", "nats; how much doubt there is", _has("policy_entropy"), entropies),
    Chart("Rollback", "search begins at this ply", _has("curriculum", "search_from"), rollback),
    Chart("Duplicates", "games that repeat another of the same iteration", _has("distinct_games"), duplicates),
    Chart("Speed", "simulations/s while playing", lambda found: any(t.get("play_s") for t in found.timings), speed),
)


def _pyplot() -> Any:
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise ZeroGridError("a report needs matplotlib; install it with: pip install 'zerogrid[plots]'.") from error
    mpl.use("Agg")
    from matplotlib import pyplot

    return pyplot


STYLE = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "font.size": 9,
    "svg.hashsalt": "zerogrid",
}


def over_iterations(axes: Any) -> None:
    """What all charts have in common; there is no iteration two and a half."""
    axes.set_xlabel("iteration")
    first, last = axes.get_xlim()
    if last - first < 1:
        axes.set_xlim((first + last - 1) / 2, (first + last + 1) / 2)
    axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def svg_of(chart: Chart, found: Findings) -> str:
    """One chart as SVG."""
    pyplot = _pyplot()
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(5.4, 2.7), layout="constrained")
        chart.draw(axes, found)
        over_iterations(axes)
        content = BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
        pyplot.close(figure)
    return content.getvalue().decode()


def png_of(found: Findings) -> bytes:
    """All charts in one picture."""
    pyplot = _pyplot()
    shown = [chart for chart in CHARTS if chart.there(found)]
    if not shown:
        raise ZeroGridError(f"the run {found.name} has not finished an iteration yet; there is nothing to draw.")
    rows = -(-len(shown) // 2)
    with pyplot.rc_context(STYLE):
        figure, places = pyplot.subplots(rows, 2, figsize=(11, 2.9 * rows + 0.5), layout="constrained", squeeze=False)
        for axes, chart in zip(places.ravel(), shown):
            chart.draw(axes, found)
            pad = 22 if chart.title in LEGEND_ABOVE else 6
            axes.set_title(f"{chart.title}: {chart.about}", fontsize=9, loc="left", pad=pad)
            over_iterations(axes)
        for axes in places.ravel()[len(shown) :]:
            axes.set_visible(False)
        figure.suptitle(f"{found.name}: {found.config.game.spec}, {found.config.network.name}")
        content = BytesIO()
        figure.savefig(content, format="png", dpi=110)
        pyplot.close(figure)
    return content.getvalue()


LEGEND_ABOVE = ("Gate", "Self-play")
