"""The report as one HTML file that needs nothing else: no script, no font, no picture from anywhere."""

import base64
from html import escape
from typing import Any

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.progress import duration
from zerogrid.training.config import to_toml
from zerogrid.training.report.charts import CHARTS, svg_of
from zerogrid.training.report.findings import Findings

GAMES_SHOWN = 6
STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1120px; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 1rem 1.5rem; }
figure { margin: 0; } figcaption { font-size: .9rem; } img { max-width: 100%; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.wrong { border-left: 4px solid #d55e00; padding: .2rem .8rem; margin: .6rem 0; background: #fff6f0; }
.well { border-left: 4px solid #009e73; padding: .2rem .8rem; background: #f2fbf8; }
pre { background: #f6f6f6; padding: .8rem; overflow: auto; font-size: .85rem; }
"""


def html_of(found: Findings) -> str:
    """The whole page."""
    charts = "".join(_figure(chart.title, chart.about, svg_of(chart, found)) for chart in CHARTS if chart.there(found))
    body = [
        f"<h1>{escape(found.name)}</h1>",
        f"<p>{escape(_summary(found))}</p>",
        _diagnosis(found),
        f'<div class="charts">{charts}</div>' if charts else "<p>No iteration is finished yet.</p>",
        _exam(found),
        _ratings(found),
        _gates(found),
        _games(found),
        f"<h2>Configuration</h2><pre>{escape(to_toml(found.config))}</pre>",
    ]
    head = f'<meta charset="utf-8"><title>{escape(found.name)}</title><style>{STYLE}</style>'
    meta = '<meta name="viewport" content="width=device-width">'
    return f'<!doctype html>\n<html lang="en"><head>{meta}{head}</head><body>\n{"".join(body)}\n</body></html>\n'


def _summary(found: Findings) -> str:
    last = found.last
    return (
        f"{found.config.game.spec} with {found.config.network.name}, seed {found.config.run.seed}: "
        f"{last.get('iteration', 0)} of {found.config.run.iterations} iterations, "
        f"{last.get('total_games', 0):,} games, {last.get('total_positions', 0):,} positions, "
        f"{last.get('total_simulations', 0):,} simulations in "
        f"{duration(found.seconds())} on {found.config.run.device}; champion {last.get('champion', 'none yet')}."
    )


def _picture(svg: str, alt: str) -> str:
    """A drawing as an image of its own, so that names inside two drawings cannot meet."""
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}">'


def _figure(title: str, about: str, svg: str) -> str:
    caption = f"<figcaption><b>{escape(title)}</b>: {escape(about)}</figcaption>"
    return f"<figure>{caption}{_picture(svg, title)}</figure>"


def _diagnosis(found: Findings) -> str:
    if not found.diagnosis:
        return '<p class="well">Nothing looks wrong.</p>' if len(found.metrics) >= 5 else ""
    words = (f"<b>{escape(one.name)}</b>: {escape(one.seen)}.<br>{escape(one.advice)}." for one in found.diagnosis)
    return "<h2>Diagnosis</h2>" + "".join(f'<div class="wrong">{said}</div>' for said in words)


def _table(head: list[str], rows: list[list[Any]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = ""
    for row in rows:
        cells = "".join(f'<td class="{"n" if k else ""}">{escape(str(cell))}</td>' for k, cell in enumerate(row))
        body += f"<tr>{cells}</tr>"
    return f"<table><tr>{top}</tr>{body}</table>"


def _exam(found: Findings) -> str:
    exam = found.exam()
    if exam is None:
        return ""
    rows = []
    for name, s in exam["scores"].items():
        interval = f"{s['estimate']:.1%} [{s['low']:.1%}, {s['high']:.1%}]"
        rows.append([name, s["wins"], s["draws"], s["losses"], interval])
    words = f"<h2>The last exam, of {escape(str(exam['who']))}</h2>"
    if exam.get("error_interval"):
        e = exam["error_interval"]
        rate = f"{e['estimate']:.2%} [{e['low']:.2%}, {e['high']:.2%}]"
        words += f"<p>Gives value away in {rate} of {exam['positions']:.0f} positions, by the exact solver.</p>"
    return words + (_table(["against", "won", "drawn", "lost", "score, 95%"], rows) if rows else "")


def _ratings(found: Findings) -> str:
    if not found.ratings:
        return ""
    rows = []
    for one in found.ratings:
        interval = "anchor" if one["anchor"] else f"[{one['low']:.0f}, {one['high']:.0f}]"
        rows.append([one["player"], f"{one['estimate']:.0f}", interval])
    return "<h2>Ratings</h2>" + _table(["player", "Elo", "95%"], rows)


def _gates(found: Findings) -> str:
    rows = []
    for metrics in found.metrics:
        gate = metrics.get("gate")
        if gate and gate["kind"] != "always":
            numbers = ", ".join(
                f"{name} {value:.3g}" for name, value in gate.items() if isinstance(value, float) and name != "value"
            )
            verdict = "promoted" if gate["promoted"] else "rejected"
            rows.append([metrics["iteration"], gate["wins"], gate["draws"], gate["losses"], verdict, numbers])
    if not rows:
        return ""
    head = ["iteration", "won", "drawn", "lost", "verdict", "numbers"]
    title = f"<summary><h2 style='display:inline'>Gates ({len(rows)})</h2></summary>"
    return f"<details>{title}{_table(head, rows)}</details>"


def _games(found: Findings) -> str:
    parts = []
    for title, games in (("of the first iteration", found.first_games), ("of the last", found.last_games)):
        drawn = drawing_of(found.config.game.spec, games[:GAMES_SHOWN])
        if drawn:
            parts.append(f"<h2>Games {title}, as they ended</h2>{_picture(drawn, f'games {title}')}")
    return "".join(parts)


def drawing_of(spec: str, games: list[dict[str, Any]]) -> str:
    """The final boards of some games on one sheet; games that cannot be replayed are left out."""
    from zerogrid.core import catalogue
    from zerogrid.core.drawing import draw_sheet

    positions, captions = [], []
    try:
        game = catalogue.game(spec)
    except ZeroGridError:
        return ""
    for told in games:
        try:
            position = game.start(int(told.get("seed", 0)))
            for move in told["moves"]:
                position.play(int(move))
        except (ZeroGridError, KeyError, TypeError, ValueError):
            continue
        positions.append(position)
        captions.append(f"{len(position.moves)} plies" + (f", {told['opened']} random" if told.get("opened") else ""))
    return draw_sheet(positions, columns=3, captions=captions, theme="light") if positions else ""
