"""Boards for a terminal: coloured where the terminal shows colours, plain and just as aligned where it does not.

Colour is asked for by FORCE_COLOR, forbidden by NO_COLOR (no-color.org) or TERM=dumb, and else used exactly when the
output is a terminal. Every mark has a form without colour: the last move stands in brackets, heat as a percentage.
"""

import os
import re
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from zerogrid.views.board import column_names, row_numbers
from zerogrid.views.look import Look, strengths

_CODES = {
    "bold": "1", "faint": "2", "under": "4",
    "black": "38;5;16;1", "white": "38;5;231;1", "blue": "38;5;33;1", "orange": "38;5;214;1", "red": "38;5;203;1",
    "yellow": "38;5;227;1",
    "grain": "38;5;52", "pale": "38;5;250",
    "on wood": "48;5;137", "on dark wood": "48;5;101", "on felt": "48;5;29", "on frame": "48;5;17",
    "on danger": "48;5;52", "on last": "48;5;161",
    "on heat 0": "48;5;60", "on heat 1": "48;5;61", "on heat 2": "48;5;97", "on heat 3": "48;5;133",
    "on heat 4": "48;5;169",
}
WIDEST = 78  # characters of a caption in one line
_ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def wants_colour() -> bool:
    """Whether what is printed now may be coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(sys.stdout, "isatty", lambda: False)())


def paint(text: str, style: str, colour: bool) -> str:
    """Text in a style such as "bold" or "black, on wood"."""
    codes = ";".join(_CODES[name.strip()] for name in style.split(",") if name.strip())
    return f"\x1b[{codes}m{text}\x1b[0m" if colour and codes else text


def plain(text: str) -> str:
    """A text without its colours."""
    return _ESCAPE.sub("", text)


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    signs = [sign for sign in plain(text) if not unicodedata.combining(sign)]
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in signs)


@dataclass(frozen=True)
class Tile:
    """One cell: its sign, its style, and the style of the ground around it."""

    sign: str
    style: str = ""
    ground: str = ""


def table(look: Look, rows: int, columns: int, tile: Callable[[int], Tile], *, last: Sequence[int] = (),
          heat: Mapping[int, float] | None = None, tags: Mapping[int, str] | None = None, upwards: bool = False,
          row_names: Sequence[str] | None = None, columns_named: Sequence[str] | None = None) -> str:
    """A grid of tiles with coordinates. `heat` and `tags` are for cells; a tag takes the place of the cell's sign."""
    tags = {cell: text[:8] for cell, text in (tags or {}).items()}
    shares = strengths(heat or {})
    wide = max([1, *(width(text) for text in tags.values())])
    names = row_names or row_numbers(rows)
    edge = max(len(name) for name in names) if look.coordinates else 0
    lines = []
    for row in reversed(range(rows)) if upwards else range(rows):
        cells = range(row * columns, (row + 1) * columns)
        tiles = [tile(cell) for cell in cells]
        parts = [paint(f"{names[row]:>{edge}} ", "faint", look.colour)] if edge else []
        for place, (cell, one) in enumerate(zip(cells, tiles, strict=True)):
            opening = "[" if cell in last else "]" if cell - 1 in last and place else " "
            ground = one.ground or (tiles[place - 1].ground if place else "")
            parts.append(paint(opening, _joined("bold" if opening != " " else "", ground), look.colour))
            style = one.style
            if cell in shares:
                style, ground = "white", f"on heat {min(4, int(5 * shares[cell]))}"
            text = tags.get(cell, one.sign)
            if cell in tags:
                style = style if cell in shares else "bold"
            parts.append(paint(_centred(text, wide), _joined(style, ground), look.colour))
        closing = "]" if cells[-1] in last else " "
        parts.append(paint(closing, _joined("bold" if closing != " " else "", tiles[-1].ground), look.colour))
        lines.append("".join(parts).rstrip())
    if look.coordinates:
        margin = " " * (edge + 1) if edge else ""
        head = margin + "".join(" " + _centred(name, wide) for name in columns_named or column_names(columns))
        head = paint(head.rstrip(), "faint", look.colour)
        lines = [*lines, head] if upwards else [head, *lines]
    return "\n".join(lines)


def _centred(text: str, wide: int) -> str:
    room = wide - width(text)
    return " " * (room // 2) + text + " " * (room - room // 2)


def _joined(*styles: str) -> str:
    return ", ".join(style for style in styles if style)


def framed(look: Look, board: str, signs: Sequence[tuple[str, str]], scores: Sequence[object] | None = None) -> str:
    """The board with the players above it (signs: each one's piece and its style) and the caption below."""
    lines = []
    if look.header:
        parts = []
        for player in (0, 1):
            sign, style = signs[player]
            score = "" if scores is None else f" {scores[player]}"
            name = paint(f"{look.players[player]}{score}", "bold" if look.to_move == player else "", look.colour)
            parts.append(f"{'>' if look.to_move == player else ' '} {paint(sign, style, look.colour)} {name}")
        lines.append("  ".join(parts))
    lines.append(board)
    for part in look.under.splitlines():
        for words in textwrap.wrap(part, WIDEST, break_on_hyphens=False):
            lines.append(paint(words, "bold" if look.winner is not None else "", look.colour))
    return "\n".join(lines)
