"""A board: a grid of cells with its coordinates, the players above it and a line of words below.

    black ●                  ○ white        header: pieces, names, scores; a bar under the one to move
       a   b   c   d
    1  .   .   .   .                        cells are numbered row by row, row 0 above (or below: `upwards`)
    2  .   .   .   .
    white to move                           caption
"""

import textwrap
from collections.abc import Callable, Sequence

from zerogrid.views.canvas import Canvas, Point, text_width
from zerogrid.views.look import Look

Chip = Callable[[Canvas, float, float, float, int], None]
"""Draws a player's piece at (x, y) with a radius: chip(canvas, x, y, radius, player)."""

EDGE, HEADER, COORDINATE, LINE = 12.0, 34.0, 20.0, 17.0
LEAST_CELL, LARGEST_CELL, LEAST_WIDTH = 40.0, 75.0, 224.0
COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def column_names(columns: int) -> list[str]:
    """a, b, c ...: as in the names of cells."""
    return [COLUMN_LETTERS[c % 26] * (c // 26 + 1) for c in range(columns)]


def row_numbers(rows: int) -> list[str]:
    """1, 2, 3 ...: as in the names of cells."""
    return [str(r + 1) for r in range(rows)]


class Board(Canvas):
    """A canvas with a grid on it. `cell` is the side of a cell, `box` and `centre` say where one lies."""

    def __init__(self, look: Look, rows: int, columns: int, chip: Chip, *, upwards: bool = False, pad: float = 0,
                 scores: Sequence[object] | None = None, row_names: Sequence[str] | None = None,
                 columns_named: Sequence[str] | None = None) -> None:
        """`pad` is room around the grid, in cells, such as half a dot; `scores` stand beside the players' names."""
        self.rows, self.columns, self.upwards = rows, columns, upwards
        self.cell = min(LARGEST_CELL, max(LEAST_CELL, LEAST_WIDTH / (columns + 2 * pad)))
        inside = (columns + 2 * pad) * self.cell
        self.scale = min(2.0, max(1.0, inside / 420))  # of the words, which must be read on large boards too
        margin = COORDINATE * self.scale if look.coordinates else 0.0
        header = HEADER * self.scale if look.header else 0.0
        width = max(inside, LEAST_WIDTH) + 2 * EDGE + 2 * margin  # with margins on both sides the board stands centred
        lines = _wrapped(look.under, (width - 2 * EDGE) / self.scale)
        self.left = (width - inside) / 2 + pad * self.cell
        self.top = EDGE + header + (0.0 if upwards else margin) + pad * self.cell
        bottom = self.top + (rows + pad) * self.cell + (margin if upwards else 0.0)
        high = LINE * self.scale
        super().__init__(width, bottom + EDGE + high * len(lines) + (3 if lines else 0), look)
        self.rect(0, 0, self.width, self.height, "paper", corner=8)
        if look.header:
            self._header(chip, scores)
        if look.coordinates:
            self._coordinates(row_names or row_numbers(rows), columns_named or column_names(columns), pad)
        won = look.winner is not None
        for place, words in enumerate(lines):
            y = bottom + high * (place + 0.9)
            self.text(width / 2, y, words, 13 * self.scale, "ink" if won else "faint", bold=won)

    def box(self, cell: int) -> Point:
        """The upper left corner of a cell."""
        row, column = divmod(cell, self.columns)
        return self.left + column * self.cell, self.top + (self.rows - 1 - row if self.upwards else row) * self.cell

    def centre(self, cell: int) -> Point:
        """The middle of a cell."""
        x, y = self.box(cell)
        return x + self.cell / 2, y + self.cell / 2

    def ground(self, fill: str, pad: float = 0, stroke: str = "", corner: float = 4) -> None:
        """The surface under all cells."""
        room = pad * self.cell
        width, height = self.columns * self.cell + 2 * room, self.rows * self.cell + 2 * room
        self.rect(self.left - room, self.top - room, width, height, fill, stroke, line=1.5, corner=corner)

    def lattice(self, stroke: str, line: float = 1) -> None:
        """Lines between the cells, and around them."""
        right, bottom = self.left + self.columns * self.cell, self.top + self.rows * self.cell
        for r in range(self.rows + 1):
            self.line(self.left, self.top + r * self.cell, right, self.top + r * self.cell, stroke, line=line)
        for c in range(self.columns + 1):
            self.line(self.left + c * self.cell, self.top, self.left + c * self.cell, bottom, stroke, line=line)

    def _header(self, chip: Chip, scores: Sequence[object] | None) -> None:
        look, k = self.look, self.scale
        y, radius = EDGE + 10 * k, 9 * k
        room = self.width / 2 - EDGE - 2 * radius - 14 * k
        for player in (0, 1):
            name = look.players[player]
            score = "" if scores is None else str(scores[player])
            size = 14 * k * min(1.0, room / max(1.0, text_width(f"{name} {score}", 14 * k)))
            side = -1 if player else 1  # the second player stands on the right, mirrored
            edge = self.width - EDGE if player else EDGE
            chip(self, edge + side * radius, y, radius, player)
            ours = player in (look.to_move, look.winner)
            words = (f"{score} {name}" if player else f"{name} {score}").strip()
            x = edge + side * (2 * radius + 7 * k)
            self.text(x, y, words, size, "ink" if ours else "faint", anchor="end" if player else "start", bold=ours)
            if look.to_move == player:
                self.line(x, y + 13 * k, x + side * text_width(words, size) * 1.06, y + 13 * k, "last", line=2.5 * k)

    def _coordinates(self, row_names: Sequence[str], columns_named: Sequence[str], pad: float) -> None:
        room, away, size = pad * self.cell, COORDINATE * self.scale / 2 - 1, 12 * self.scale
        left, above = self.left - room - away, self.top - room - away
        below = self.top + self.rows * self.cell + room + away
        # names may stand at the cells, or (one more of them) at the lines between the cells
        row_step = 0.5 if len(row_names) == self.rows else 0.0
        column_step = 0.5 if len(columns_named) == self.columns else 0.0
        for r, name in enumerate(row_names):
            down = self.rows - r - row_step if self.upwards else r + row_step
            self.text(left, self.top + down * self.cell, name, size, "faint")
        for c, name in enumerate(columns_named):
            x = self.left + (c + column_step) * self.cell
            self.text(x, below if self.upwards else above, name, size, "faint")


def _wrapped(words: str, width: float) -> list[str]:
    """A caption in lines that fit."""
    letters = max(12, int(width / 7.4))
    return [line for part in words.splitlines() for line in textwrap.wrap(part, letters, break_on_hyphens=False)][:6]
