"""Boards whose discs fall to the bottom of a column, four in a row winning: Connect Four.

The cells come as numbers, row 0 at the top: 0 empty, 1 and 2 the discs of the first and the second player. The
discs differ in colour, in lightness, and in what is stamped on them.
"""

from collections.abc import Sequence

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, table
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas
from zerogrid.views.look import Look
from zerogrid.views.overlays import Cell, Spot
from zerogrid.views.rows import all_rows, threats

DISCS = ("yellow", "scarlet")


def disc(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A disc with a ring (first player) or a star of strokes (second player) stamped on it."""
    role, edge = DISCS[player], DISCS[player] + "_edge"
    canvas.circle(x, y, radius, role, edge, line=1)
    if player == 0:
        canvas.circle(x, y, radius * 0.58, "", edge, line=radius * 0.1, opacity=0.75)
    else:
        overlays.cross(canvas, (x, y), radius * 0.36, edge, radius * 0.13)


def landing(cells: Sequence[int], rows: int, columns: int, column: int) -> int | None:
    """The cell where the next disc in a column comes to lie."""
    free = [r for r in range(rows) if not cells[r * columns + column]]
    return free[-1] * columns + column if free else None


def _last_cell(cells: Sequence[int], rows: int, columns: int, column: int | None) -> int | None:
    if column is None:
        return None
    taken = [r for r in range(rows) if cells[r * columns + column]]
    return taken[0] * columns + column if taken else None


def svg(look: Look, rows: int, columns: int, cells: Sequence[int]) -> str:
    """The board as a picture; weights of columns are drawn where a disc would land."""
    board = Board(look, rows, columns, disc, row_names=[""] * rows)
    board.ground("frame", corner=10)
    reach = board.cell * 0.4
    for cell in range(rows * columns):
        board.circle(*board.centre(cell), reach, "hole")
    overlays.attention(board, look.cells)
    for cell in range(rows * columns):
        if cells[cell]:
            disc(board, *board.centre(cell), reach, cells[cell] - 1)
    if look.threats and look.to_move is not None:
        for cell, players in threats(cells, rows, columns, 4, columns + rows).items():
            for player in players:
                x, y = board.centre(cell)
                disc(board, x + (player - 0.5) * reach * 0.7 * (len(players) - 1), y, reach * 0.3, player)
    for run in all_rows(cells, rows, columns, 4, columns + rows):
        (x1, y1), (x2, y2) = board.centre(run[0]), board.centre(run[-1])
        board.line(x1, y1, x2, y2, "white", line=board.cell * 0.2, opacity=0.95)
        board.line(x1, y1, x2, y2, "black", line=board.cell * 0.1)
    last = _last_cell(cells, rows, columns, look.last)
    if last is not None:
        board.circle(*board.centre(last), reach, "", "white", line=3)

    def spot(action: int) -> Spot | None:
        cell = landing(cells, rows, columns, action)
        return None if cell is None else Cell(board.centre(cell), reach)

    overlays.draw(board, spot)
    if look.targets:  # a column may be clicked anywhere
        for column in look.legal:
            x, y = board.box(column)
            board.target(x, y, board.cell, rows * board.cell, f'data-action="{column}"', look.name(column))
    return board.svg()


def terminal(look: Look, rows: int, columns: int, cells: Sequence[int]) -> str:
    """The board in text; a row of four is underlined where there is colour."""
    winning = {cell for run in all_rows(cells, rows, columns, 4, columns + rows) for cell in run}
    signs, styles = ("●○" if look.colour else "xo"), ("yellow", "red")
    marks = {landing(cells, rows, columns, column) for column in look.marks()}

    def tile(cell: int) -> Tile:
        if not cells[cell]:
            return Tile("+" if cell in marks else "·" if look.colour else ".", "pale", "on frame")
        player = cells[cell] - 1
        return Tile(signs[player], styles[player] + (", under" if cell in winning else ""), "on frame")

    spots = {column: landing(cells, rows, columns, column) for column in range(columns)}
    tags = {cell: tag for column, tag in look.tags().items() if (cell := spots[column]) is not None}
    heat = {cell: weight for column, weight in look.heat.items() if (cell := spots[column]) is not None}
    last = _last_cell(cells, rows, columns, look.last)
    marked = [] if last is None else [last]
    board = table(look, rows, columns, tile, last=marked, heat={**look.cells, **heat}, tags=tags, row_names=[""] * rows)
    return framed(look, board, [(signs[player], f"{styles[player]}, on frame") for player in (0, 1)])
