"""The drawing of a game whose file has none: a grid of discs, each with its sign, from the layout alone.

Actions find their place by their names: "c4" is a cell, "b2-b3" or "b2xc3" an arrow between two. A game without a
grid is shown as its text.
"""

import re
from collections.abc import Sequence

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, table
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas
from zerogrid.views.colours import VALUES
from zerogrid.views.look import Look
from zerogrid.views.overlays import Arrow, Cell, Spot

EMPTY_SIGNS = ". _-"
_CELL_NAME = re.compile(r"(?<![a-z0-9])([a-z])([1-9][0-9]?)(?![0-9])")
TEXT_STYLES = ("blue", "orange", "red", "pale")


def cells_named(name: str, rows: int, columns: int) -> list[int]:
    """The cells that a move's name speaks of, in order: column letter, then row number from 1."""
    found = ((ord(letter) - ord("a"), int(row) - 1) for letter, row in _CELL_NAME.findall(name.replace("x", "-")))
    return [r * columns + c for c, r in found if r < rows and c < columns]


def nothing(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """No piece beside a player's name, where it cannot be told which are whose."""


def svg(look: Look, rows: int, columns: int, cells: Sequence[int], symbols: str) -> str:
    """The grid as a picture."""
    kinds = _kinds(symbols)

    def chip(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
        canvas.circle(x, y, radius, VALUES[player], "ink", line=1)
        canvas.text(x, y, sorted(kinds, key=lambda sign: kinds[sign])[player], radius * 1.1, "print", bold=True)

    placed = {action: cells_named(look.name(action), rows, columns) for action in look.weighed}
    look = look.noting(action for action, named in placed.items() if not named)
    board = Board(look, rows, columns, chip if len(kinds) == 2 else nothing)
    board.ground("board", stroke="line")
    for cell in range(rows * columns):
        if (cell // columns + cell % columns) % 2:
            board.rect(*board.box(cell), board.cell, board.cell, "other")
    overlays.attention(board, look.cells)
    for cell in range(rows * columns):
        sign = symbols[cells[cell]] if 0 <= cells[cell] < len(symbols) else "?"
        if sign not in EMPTY_SIGNS:
            x, y = board.centre(cell)
            board.circle(x, y, board.cell * 0.38, VALUES[kinds.get(sign.lower(), 5) % len(VALUES)], "ink", line=1)
            board.text(x, y, sign, board.cell * 0.4, "print", bold=True)

    def spot(action: int) -> Spot | None:
        named = cells_named(look.name(action), rows, columns)
        if len(named) == 1:
            return Cell(board.centre(named[0]), board.cell * 0.4)
        return Arrow(board.centre(named[0]), board.centre(named[-1]), board.cell * 0.2) if named else None

    if look.last is not None:
        for cell in cells_named(look.name(look.last), rows, columns):
            x, y = board.box(cell)
            board.rect(x + 1.5, y + 1.5, board.cell - 3, board.cell - 3, "", "last", line=3, corner=3)
    overlays.draw(board, spot)
    return board.svg()


def _kinds(symbols: str) -> dict[str, int]:
    """A colour for each sign; a small and a capital letter share one."""
    letters = dict.fromkeys(sign.lower() for sign in symbols if sign not in EMPTY_SIGNS)
    return {letter: place for place, letter in enumerate(letters)}


def terminal(look: Look, rows: int, columns: int, cells: Sequence[int], symbols: str) -> str:
    """The grid in text."""
    kinds = _kinds(symbols)

    def tile(cell: int) -> Tile:
        sign = symbols[cells[cell]] if 0 <= cells[cell] < len(symbols) else "?"
        kind = kinds.get(sign.lower(), 3) % len(TEXT_STYLES)
        return Tile(sign, "faint" if sign in EMPTY_SIGNS else TEXT_STYLES[kind])

    spots = {action: cells_named(look.name(action), rows, columns) for action in look.weighed}
    single = {action: named[0] for action, named in spots.items() if len(named) == 1}
    tags = {single[action]: tag for action, tag in look.tags().items() if action in single}
    heat = {**look.cells, **{single[action]: weight for action, weight in look.heat.items() if action in single}}
    last = [] if look.last is None else cells_named(look.name(look.last), rows, columns)
    board = table(look, rows, columns, tile, last=last, heat=heat, tags=tags)
    signs = list(kinds) if len(kinds) == 2 else ["1", "2"]
    look = look.noting(set(spots) - set(single))
    return framed(look, board, [(signs[0], TEXT_STYLES[0]), (signs[1], TEXT_STYLES[1])])


def text_svg(look: Look, text: str) -> str:
    """A game that has no grid: its text, as it is."""
    look = look.noting(look.weighed)
    lines = [*text.splitlines()[:60], *look.under.splitlines()]
    board = Canvas(max(224.0, 24 + 8.2 * max(map(len, lines), default=0)), 24 + 18.0 * len(lines), look)
    board.rect(0, 0, board.width, board.height, "paper", corner=8)
    for place, line in enumerate(lines):
        board.text(12, 21 + 18 * place, line, 13, anchor="start")
    return board.svg()
