"""Our own SVG as a picture of points, for whoever wants PNG: a page of a paper, a slide, a mail.

    write_png(svg, Path("boards.png"))

It knows the shapes that `zerogrid.views.canvas` writes for boards and no others: rectangles, circles, paths of M, L, Q
and Z, texts, and pictures within pictures that are moved and not scaled. One unit of the picture is two points.
"""

import re
from pathlib import Path as File
from typing import Any
from xml.etree import ElementTree

from zerogrid.core.errors import ZeroGridError, quote

SHARPNESS = 2  # points a unit
_WORDS = re.compile(r"[A-Za-z]|-?\d*\.?\d+(?:e-?\d+)?")
_NUMBERS = {"M": 2, "L": 2, "Q": 4, "Z": 0}  # that follow each letter of a path


class CannotDraw(ZeroGridError):
    """A picture was asked for that cannot be drawn or written."""


def write_png(svg: str, path: File) -> None:
    """Draw one of our pictures in its light colours."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CannotDraw("pictures need matplotlib; install it with: pip install zerogrid[plots]") from error
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    # A figure's inch has 72 units, which is what line widths and letters are measured in.
    figure = Figure(figsize=(width / 72, height / 72), dpi=72 * SHARPNESS)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    _draw(root, axes, 0.0, 0.0)
    try:
        figure.savefig(path, format="png", transparent=True)
    except OSError as error:
        raise CannotDraw(f"{quote(path)} cannot be written: {error.strerror}.") from error


def _draw(element: ElementTree.Element, axes: Any, dx: float, dy: float) -> None:
    for part in element:
        tag = part.tag.rpartition("}")[2]
        if tag == "svg":
            _draw(part, axes, dx + _number(part, "x"), dy + _number(part, "y"))
        elif tag == "text":
            _text(part, axes, dx, dy)
        elif tag in ("rect", "circle", "path"):
            axes.add_patch(_patch(tag, part, dx, dy))
        elif tag != "style":
            raise CannotDraw(f"a picture holds {quote(tag)}, which cannot be drawn as PNG; take .svg.")


def _patch(tag: str, part: ElementTree.Element, dx: float, dy: float) -> Any:
    from matplotlib import patches

    paint = _paint(part)
    if tag == "circle":
        return patches.Circle((dx + _number(part, "cx"), dy + _number(part, "cy")), _number(part, "r"), **paint)
    if tag == "rect":
        corner, width, height = _number(part, "rx"), _number(part, "width"), _number(part, "height")
        box = f"round,pad=0,rounding_size={corner}" if corner else "square,pad=0"
        place = (dx + _number(part, "x"), dy + _number(part, "y"))
        return patches.FancyBboxPatch(place, width, height, boxstyle=box, **paint)
    ends = {"round": "round"}.get(part.attrib.get("stroke-linecap", ""), "butt")
    joins = {"round": "round"}.get(part.attrib.get("stroke-linejoin", ""), "miter")
    return patches.PathPatch(_path(part.attrib["d"], dx, dy), capstyle=ends, joinstyle=joins, **paint)


def _path(commands: str, dx: float, dy: float) -> Any:
    from matplotlib.path import Path

    codes = {"M": [Path.MOVETO], "L": [Path.LINETO], "Q": [Path.CURVE3] * 2, "Z": [Path.CLOSEPOLY]}
    words, at, letter = _WORDS.findall(commands), 0, ""
    points: list[tuple[float, float]] = []
    kinds: list[Any] = []
    while at < len(words):
        if words[at].isalpha():
            letter, at = words[at], at + 1
        if letter not in codes:
            raise CannotDraw(f"a path holds {quote(letter or commands)}, which cannot be drawn as PNG; take .svg.")
        values = [float(word) for word in words[at : at + _NUMBERS[letter]]]
        at += _NUMBERS[letter]
        points += [(dx + x, dy + y) for x, y in zip(values[::2], values[1::2])] or [points[-1]]
        kinds += codes[letter]
    return Path(points, kinds)


def _text(part: ElementTree.Element, axes: Any, dx: float, dy: float) -> None:
    from matplotlib.patheffects import withStroke

    side = {"start": "left", "end": "right"}.get(part.attrib.get("text-anchor", ""), "center")
    halo = part.attrib.get("stroke")
    axes.text(
        dx + _number(part, "x"),
        dy + _number(part, "y"),
        (part.text or "").replace("$", r"\$"),
        size=_number(part, "font-size"),
        ha=side,
        va="baseline",
        color=part.attrib.get("fill", "#000000"),
        alpha=_number(part, "opacity", 1.0),
        weight="bold" if part.attrib.get("font-weight") == "700" else "normal",
        path_effects=[withStroke(linewidth=_number(part, "stroke-width"), foreground=halo)] if halo else None,
    )


def _paint(part: ElementTree.Element) -> dict[str, Any]:
    look: dict[str, Any] = {
        "facecolor": _colour(part.attrib.get("fill", "none")),
        "edgecolor": _colour(part.attrib.get("stroke", "none")),
        "linewidth": _number(part, "stroke-width", 1.0),
        "alpha": _number(part, "opacity", 1.0),
    }
    if "stroke-dasharray" in part.attrib:
        look["linestyle"] = (0, [float(word) / max(look["linewidth"], 1e-6) for word in _dashes(part)])
    return look


def _dashes(part: ElementTree.Element) -> list[str]:
    return _WORDS.findall(part.attrib["stroke-dasharray"])


def _colour(name: str) -> str:
    return "none" if name == "transparent" else name


def _number(part: ElementTree.Element, name: str, missing: float = 0.0) -> float:
    return float(part.attrib.get(name, missing))
