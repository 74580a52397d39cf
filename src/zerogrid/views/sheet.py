"""Several pictures in one: the plays of a game as a strip, or the final boards of a match as a grid."""

import re
from collections.abc import Sequence
from dataclasses import replace

from zerogrid.views.canvas import Canvas, number
from zerogrid.views.look import Look

GAP, HEADING = 10.0, 30.0
_ROOT = re.compile(r"<svg\b[^>]*>")
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)"


def size_of(picture: str) -> tuple[float, float]:
    """The width and height of an SVG picture, in its own units."""
    root = _ROOT.search(picture)
    attributes = root.group() if root else ""
    box = re.search(rf'viewBox="[-0-9.]+[ ,]+[-0-9.]+[ ,]+{_NUMBER}[ ,]+{_NUMBER}"', attributes)
    if box:
        return float(box.group(1)), float(box.group(2))
    sides = [re.search(rf'\b{side}="{_NUMBER}', attributes) for side in ("width", "height")]
    wide, high = (float(side.group(1)) if side else 300.0 for side in sides)
    return wide, high


def sheet(pictures: Sequence[str], look: Look, columns: int | None = None, heading: str = "") -> str:
    """The pictures row by row, so many in a row (all in one row if not said), under a heading."""
    columns = max(1, min(columns or len(pictures), len(pictures)))
    sizes = [size_of(picture) for picture in pictures]
    wide = max((width for width, _ in sizes), default=0.0) + GAP
    rows = [range(first, min(first + columns, len(pictures))) for first in range(0, len(pictures), columns)]
    heights = [max(sizes[place][1] for place in row) + GAP for row in rows]
    top = GAP + (HEADING if heading else 0.0)
    canvas = Canvas(columns * wide + GAP, top + sum(heights), replace(look, title=heading or look.title, caption=""))
    canvas.rect(0, 0, canvas.width, canvas.height, "paper", corner=8)
    if heading:
        canvas.text(GAP + 4, GAP + HEADING / 2, heading, 17, anchor="start", bold=True)
    for row, height in zip(rows, heights, strict=True):
        for place in row:
            x = GAP + (place - row.start) * wide + (wide - GAP - sizes[place][0]) / 2
            canvas.inset(_placed(pictures[place], sizes[place], x, top))
        top += height
    return canvas.svg()


def _placed(picture: str, size: tuple[float, float], x: float, y: float) -> str:
    """A picture as a part of another one, at a place."""
    width, height = size
    root = _ROOT.search(picture)
    box = re.search(r'viewBox="[^"]*"', root.group() if root else "")
    seen = box.group() if box else f'viewBox="0 0 {number(width)} {number(height)}"'
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return _ROOT.sub(f'<svg {place} {seen} class="zerogrid">', picture, count=1)
