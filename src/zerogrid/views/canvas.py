"""A canvas: shapes in, the text of an SVG picture out.

No identifiers and no definitions are used, so that several pictures may stand in one page. With the theme "auto" each
shape has its light colours as attributes, which any program shows, and classes by which browsers turn dark.
"""

import re
from collections.abc import Sequence

from zerogrid.views.colours import DARK, LIGHT, palette
from zerogrid.views.look import Look

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}

Point = tuple[float, float]


def escape(text: object) -> str:
    """Any text as it may stand in XML, between tags or in an attribute; characters XML forbids are replaced."""
    clean = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", str(text))
    return "".join(_ESCAPES.get(sign, sign) for sign in clean)


def number(value: float) -> str:
    """A coordinate with two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def text_width(text: str, size: float) -> float:
    """About how wide a text will be in a common sans-serif face."""
    return sum(0.3 if sign in "iljtfr.,:;'|!() " else 0.85 if sign in "mwMW—%@" else 0.58 for sign in text) * size


class Canvas:
    """Collects shapes; `svg` gives the picture. Colours are roles, see colours.py."""

    def __init__(self, width: float, height: float, look: Look) -> None:
        self.width, self.height, self.look = width, height, look
        self._colours = palette(look.theme)
        self._shapes: list[str] = []
        self._used: set[tuple[str, str]] = set()

    # --- shapes -----------------------------------------------------------------------------------------------------

    def rect(self, x: float, y: float, width: float, height: float, fill: str = "", stroke: str = "", *,
             line: float = 1, corner: float = 0, opacity: float = 1) -> None:
        """A rectangle, with rounded corners if wished."""
        corners = f' rx="{number(corner)}"' if corner else ""
        place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{corners}'
        self._add("rect", place, fill, stroke, line, opacity)

    def circle(self, x: float, y: float, radius: float, fill: str = "", stroke: str = "", *,
               line: float = 1, opacity: float = 1) -> None:
        """A circle."""
        place = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self._add("circle", place, fill, stroke, line, opacity)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, *,
             line: float = 1, opacity: float = 1, dashes: str = "") -> None:
        """A straight line with round ends."""
        place = f'd="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" stroke-linecap="round"'
        self._add("path", place + (f' stroke-dasharray="{dashes}"' if dashes else ""), "", stroke, line, opacity)

    def shape(self, points: Sequence[Point], fill: str = "", stroke: str = "", *,
              line: float = 1, opacity: float = 1) -> None:
        """A closed shape with straight sides."""
        corners = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self._add("path", f'd="M{corners}Z" stroke-linejoin="round"', fill, stroke, line, opacity)

    def curve(self, commands: str, fill: str = "", stroke: str = "", *, line: float = 1, opacity: float = 1) -> None:
        """A path in SVG's own words."""
        self._add("path", f'd="{commands}" stroke-linecap="round"', fill, stroke, line, opacity)

    def text(self, x: float, y: float, words: object, size: float, fill: str = "ink", *, anchor: str = "middle",
             bold: bool = False, halo: str = "", opacity: float = 1) -> None:
        """Words centred on a height; `halo` draws an outline behind them, to be read on any ground."""
        place = f'x="{number(x)}" y="{number(y + 0.355 * size)}" font-size="{number(size)}" text-anchor="{anchor}"'
        place += ' font-weight="700"' if bold else ""
        place += ' paint-order="stroke" stroke-linejoin="round"' if halo else ""
        self._add("text", place, fill, halo, size * 0.24, opacity, escape(words))

    def arrow(self, start: Point, end: Point, stroke: str, *, line: float,
              opacity: float = 1, dashed: bool = False) -> None:
        """An arrow whose point lies exactly at its end."""
        (x1, y1), (x2, y2) = start, end
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-6)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        head = min(line * 2.2 + 5, length * 0.6)
        bx, by = x2 - ux * head, y2 - uy * head
        half = head * 0.55
        if dashed:
            self.line(x1, y1, bx, by, stroke, line=line, opacity=opacity, dashes=f"{number(line)} {number(line * 2.2)}")
            head_shape = [(x2, y2), (bx - uy * half, by + ux * half), (bx + uy * half, by - ux * half)]
            self.shape(head_shape, stroke, opacity=opacity)
            return
        t = line / 2
        self.shape(  # one outline for shaft and head, so that where they meet is no darker than the rest
            [(x1 - uy * t, y1 + ux * t), (bx - uy * t, by + ux * t), (bx - uy * half, by + ux * half), (x2, y2),
             (bx + uy * half, by - ux * half), (bx + uy * t, by - ux * t), (x1 + uy * t, y1 - ux * t)],
            stroke, opacity=opacity,
        )

    def target(self, x: float, y: float, width: float, height: float, data: str, name: str) -> None:
        """An invisible shape that says what lies there."""
        place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self._shapes.append(f'<rect {place} fill="transparent" {data}><title>{escape(name)}</title></rect>')

    def inset(self, picture: str) -> None:
        """Another picture, which says itself where it stands."""
        self._shapes.append(picture)

    def _add(self, tag: str, place: str, fill: str, stroke: str, line: float, opacity: float,
             words: str | None = None) -> None:
        paint = f' fill="{self._colours[fill]}"' if fill else ' fill="none"'
        if stroke:
            paint += f' stroke="{self._colours[stroke]}" stroke-width="{number(line)}"'
        if opacity < 1:
            paint += f' opacity="{number(opacity)}"'
        if self.look.theme == "auto":
            roles = [("fill", fill)] * bool(fill) + [("stroke", stroke)] * bool(stroke)
            self._used.update(roles)
            paint += f' class="{" ".join(f"{kind[0]}-{role}" for kind, role in roles)}"' if roles else ""
        end = "/>" if words is None else f">{words}</{tag}>"
        self._shapes.append(f"<{tag} {place}{paint}{end}")

    # --- the picture ------------------------------------------------------------------------------------------------

    def svg(self) -> str:
        """The whole picture, named for those who do not see it."""
        look = self.look
        width = look.size or round(self.width)
        height = max(1, round(self.height * width / self.width))
        name = escape(" — ".join(part for part in (look.title, look.under or look.status) if part))
        root = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {number(self.width)} {number(self.height)}" class="zerogrid" role="img" '
            f'aria-label="{name}" font-family="{FONT}">'
        )
        return "\n".join([root, *self._style(), *self._shapes, "</svg>"])

    def _style(self) -> list[str]:
        dark = [
            f".zerogrid .{kind[0]}-{role}{{{kind}:{DARK[role]}}}"
            for kind, role in sorted(self._used)
            if DARK[role] != LIGHT[role]
        ]
        return [f"<style>@media (prefers-color-scheme:dark){{{''.join(dark)}}}</style>"] if dark else []
