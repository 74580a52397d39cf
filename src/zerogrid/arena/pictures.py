"""Pictures of strength: crosstables, ratings with their intervals, errors by move, and the final boards of a match.

Drawn with matplotlib (the extra `plots`), as PNG or SVG by the name of the file; boards are our own SVG. Colours
are told apart by everybody (Okabe and Ito's; a map from blue over white to orange), and every cell has its number.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zerogrid.arena.exam import ExamResult
from zerogrid.arena.games import GameRecord
from zerogrid.arena.intervals import Interval, wilson
from zerogrid.arena.openings import Opening
from zerogrid.arena.raster import CannotDraw, write_png
from zerogrid.arena.tournament import Table
from zerogrid.core.drawing import draw_sheet
from zerogrid.core.errors import quote
from zerogrid.core.game import Game

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#595959"
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = "osD^vP"
LONGEST_LABEL = 34
FEWEST = 25  # positions in one point of a curve


def check_picture(*paths: Path | None) -> None:
    """Refuse the name of a picture before hours of play, not after them."""
    for path in paths:
        if path is not None:
            _kind(path)
            if not path.parent.is_dir():
                raise CannotDraw(f"{quote(path)} cannot be written: there is no folder {quote(path.parent)}.")


def crosstable(table: Table, path: Path, title: str = "Score of the row against the column") -> None:
    """Who scored how much against whom, as a map of numbers."""
    n = len(table.players)
    figure, axes = _figure(3.4 + 0.85 * n, 2.2 + 0.62 * n)
    colours = _map()
    axes.imshow(np.ma.masked_invalid(table.scores), vmin=0, vmax=1, cmap=colours, aspect="auto")
    for i in range(n):
        for j in range(n):
            score = table.scores[i, j]
            if math.isnan(score):
                axes.text(j, i, "·" if i == j else "-", ha="center", va="center", color=GREY)
                continue
            colour = _readable(colours(score))
            axes.text(j, i - 0.1, f"{score:.0%}", ha="center", va="center", color=colour, fontsize=11)
            axes.text(j, i + 0.27, f"{table.games[i, j]:.0f} games", ha="center", va="center", color=colour, fontsize=7)
    names = [short(player) for player in table.players]
    axes.set_xticks(range(n), names, rotation=35, ha="right")
    axes.set_yticks(range(n), names)
    axes.set_xticks(np.arange(-0.5, n), minor=True)
    axes.set_yticks(np.arange(-0.5, n), minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_title(title, loc="left")
    _write(figure, path)


def rating_plot(table: Table, path: Path, title: str = "Rating with its 95% interval") -> None:
    """A point and whiskers a player, the strongest on top."""
    if table.ratings is None:
        raise CannotDraw("there are no ratings to draw: some players never met, not even through others.")
    n = len(table.players)
    figure, axes = _figure(7.5, 1.5 + 0.42 * n)
    for place, player in enumerate(table.players):
        found, anchor = table.ratings[player], player in table.ratings.anchors
        spread = [[found.estimate - found.low], [found.high - found.estimate]]
        axes.errorbar(
            [found.estimate],
            [place],
            xerr=spread,
            fmt="s" if anchor else "o",
            color=ORANGE if anchor else BLUE,
            capsize=4,
            markersize=7,
            linewidth=1.8,
        )
        at, number = (found.estimate, place), f"{found.estimate:+.0f}"
        axes.annotate(number, at, (0, 8), textcoords="offset points", ha="center", fontsize=8)
    axes.set_yticks(range(n), [short(player) for player in table.players])
    axes.set_ylim(n - 0.4, -0.7)
    axes.grid(axis="x", color="#DDDDDD")
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("Elo (Bradley-Terry, intervals by bootstrap over pairs of games)")
    axes.set_title(title, loc="left")
    _write(figure, path)


def errors_by_move(results: Mapping[str, ExamResult], path: Path, title: str = "Moves that give value away") -> None:
    """The error rate after so many moves of the game, with intervals, a line for each agent."""
    if not results:
        raise CannotDraw("there are no results of exams to draw.")
    figure, axes = _figure(8.0, 4.4)
    highest = 0.0
    for number, (name, result) in enumerate(results.items()):
        points = pooled(result, FEWEST)
        plies = [ply for ply, _ in points]
        rates = [rate.estimate for _, rate in points]
        shift = 0.12 * (number - (len(results) - 1) / 2)
        spread = np.array([[rate.estimate - rate.low, rate.high - rate.estimate] for _, rate in points]).T
        highest = max([highest, *(rate.high for _, rate in points)])
        axes.errorbar(
            [ply + shift for ply in plies],
            rates,
            yerr=spread,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=5,
            linewidth=1.6,
            elinewidth=0.9,
            capsize=2.5,
            label=f"{short(name)}: {result.rate.estimate:.1%} of {result.positions}",
        )
    axes.set_ylim(0, min(1.0, 1.08 * highest) or 1.0)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.grid(axis="y", color="#DDDDDD")
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel(f"moves played before (neighbours are pooled until there are {FEWEST} positions)")
    axes.set_ylabel("share of positions with an error")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, -0.16), ncols=1)
    axes.set_title(title, loc="left")
    _write(figure, path)


def pooled(result: ExamResult, least: int) -> list[tuple[float, Interval]]:
    """Error rates after so many moves; neighbouring numbers of moves are put together until there is enough to say."""
    points: list[tuple[float, Interval]] = []
    groups: list[list[int]] = [[]]
    counts = {ply: (count.positions, count.errors) for ply, count in sorted(result.by_ply.items())}
    for ply in counts:
        if sum(counts[one][0] for one in groups[-1]) >= least:
            groups.append([])
        groups[-1].append(ply)
    if len(groups) > 1 and sum(counts[one][0] for one in groups[-1]) < least:
        last = groups.pop()
        groups[-1] += last
    for group in groups:
        positions, errors = (sum(counts[ply][k] for ply in group) for k in (0, 1))
        where = sum(ply * counts[ply][0] for ply in group) / max(positions, 1)
        points.append((where, wilson(errors / max(positions, 1), positions)))
    return points


def final_boards(game: Game, records: Sequence[GameRecord], title: str, columns: int = 4) -> str:
    """How the games ended, board by board, as SVG."""
    done = sorted((record for record in records if record.scores is not None), key=lambda record: record.number)
    if not done:
        raise CannotDraw("no game was finished, so there are no final boards to draw.")
    positions, captions = [], []
    for record in done:
        positions.append(Opening(record.seed, record.moves).position(game))
        first = f"{game.players[0]} {short(record.players[0], 16)}"
        captions.append(f"{_result(record)}\n{first}; {len(record.moves)} moves")
    return draw_sheet(positions, columns=columns, heading=title, captions=captions, header=False)


def write_boards(svg: str, path: Path) -> None:
    """One of our own pictures, as PNG or SVG by the name of the file."""
    if _kind(path) == "png":
        write_png(svg, path)
        return
    try:
        path.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise CannotDraw(f"{quote(path)} cannot be written: {error.strerror}.") from error


def _result(record: GameRecord) -> str:
    if record.result == 0.5:
        return f"{short(record.players[0], 16)} and {short(record.players[1], 16)} draw"
    winner, loser = record.players if record.result == 1 else record.players[::-1]
    return f"{short(winner, 16)} beats {short(loser, 16)}"


def short(name: str, longest: int = LONGEST_LABEL) -> str:
    """A label that fits: the end of a path says more than its beginning."""
    return name if len(name) <= longest else f"{name[: longest // 3]}…{name[-(longest - longest // 3 - 1) :]}"


# --- matplotlib -----------------------------------------------------------------------------------------------------


def _figure(width: float, height: float) -> tuple[Any, Any]:
    try:
        import matplotlib
    except ImportError as error:
        raise CannotDraw("pictures need matplotlib; install it with: pip install zerogrid[plots]") from error
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    return figure, figure.add_subplot()


def _map() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("score", [ORANGE, "#F7D9C4", "#FFFFFF", "#C5DDEE", BLUE])
    return colours.with_extremes(bad="#F2F2F2")


def _readable(on: Sequence[float]) -> str:
    """Black or white, whichever stands out more (by relative luminance)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in on[:3])
    return "white" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 else "black"


def _kind(path: Path) -> str:
    kind = path.suffix.lower().lstrip(".")
    if kind not in ("png", "svg"):
        raise CannotDraw(f"a picture is a .png or .svg file, not {quote(path.name)}.")
    return kind


def _write(figure: Any, path: Path) -> None:
    kind = _kind(path)
    metadata = {"Date": None} if kind == "svg" else {}
    try:
        figure.savefig(path, format=kind, metadata=metadata)
    except OSError as error:
        raise CannotDraw(f"{quote(path)} cannot be written: {error.strerror}.") from error
