"""Boards where pieces are set on cells and rows count: Gomoku's stones, and noughts and crosses.

The cells come as numbers: 0 empty, 1 and 2 the pieces of the first and the second player. `k` in a row win, rows
longer than `most` do not.
"""

from collections.abc import Sequence

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, table
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas
from zerogrid.views.look import Look
from zerogrid.views.overlays import Cell
from zerogrid.views.rows import all_rows, threats

STARS = {9: (2, 4, 6), 11: (2, 5, 8), 13: (3, 6, 9), 15: (3, 7, 11), 17: (3, 8, 13), 19: (3, 9, 15)}
PIECES = ("black", "white")


def stone(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A black or a white stone, with a little light on it."""
    canvas.circle(x + radius * 0.05, y + radius * 0.09, radius, "black_edge", opacity=0.22)
    canvas.circle(x, y, radius, PIECES[player], PIECES[player] + "_edge", line=1)
    canvas.circle(x - radius * 0.34, y - radius * 0.36, radius * 0.2, "white", opacity=0.22 if player == 0 else 0.9)


def pen(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A cross or a nought."""
    if player == 0:
        overlays.cross(canvas, (x, y), radius * 0.82, "blue", radius * 0.34)
    else:
        canvas.circle(x, y, radius * 0.82, "", "orange", line=radius * 0.34)


def svg(look: Look, rows: int, columns: int, k: int, cells: Sequence[int], *,
        most: int = 99, pencil: bool = False) -> str:
    """The board as a picture: stones on the crossings of a wooden board, or crosses and noughts in ruled squares."""
    piece = pen if pencil else stone
    board = Board(look, rows, columns, piece)
    reach = board.cell * (0.36 if pencil else 0.44)
    if pencil:
        _ruled(board)
    else:
        _wooden(board)
    overlays.attention(board, look.cells)
    for cell in range(rows * columns):
        if cells[cell]:
            piece(board, *board.centre(cell), reach, cells[cell] - 1)
    if look.to_move is not None and look.threats:
        for cell, players in threats(cells, rows, columns, k, most).items():
            for player in players:
                x, y = board.centre(cell)
                piece(board, x + (player - 0.5) * reach * 0.8 * (len(players) - 1), y, reach * 0.32, player)
    _winning_rows(board, cells, k, most)
    if look.last is not None:
        overlays.ring(board, board.centre(look.last), reach * (1.28 if pencil else 0.3))
    overlays.draw(board, lambda action: Cell(board.centre(action), board.cell * 0.44), ink="ink" if pencil else "grain")
    return board.svg()


def _wooden(board: Board) -> None:
    """Lines cross in the middle of the cells."""
    board.ground("wood", stroke="grain")
    last_row, last_column = (board.rows - 1) * board.columns, board.columns - 1
    for r in range(board.rows):
        board.line(*board.centre(r * board.columns), *board.centre(r * board.columns + last_column), "grain")
    for c in range(board.columns):
        board.line(*board.centre(c), *board.centre(last_row + c), "grain")
    stars = STARS.get(board.rows, ()) if board.rows == board.columns else ()
    for place in ((r, c) for r in stars for c in stars):
        board.circle(*board.centre(place[0] * board.columns + place[1]), 3.2, "grain")


def _ruled(board: Board) -> None:
    """Only the lines between cells, as on paper."""
    right, bottom = board.left + board.columns * board.cell, board.top + board.rows * board.cell
    for r in range(1, board.rows):
        board.line(board.left, board.top + r * board.cell, right, board.top + r * board.cell, "line", line=3)
    for c in range(1, board.columns):
        board.line(board.left + c * board.cell, board.top, board.left + c * board.cell, bottom, "line", line=3)


def _winning_rows(board: Board, cells: Sequence[int], k: int, most: int) -> None:
    for run in all_rows(cells, board.rows, board.columns, k, most):
        (x1, y1), (x2, y2) = board.centre(run[0]), board.centre(run[-1])
        board.line(x1, y1, x2, y2, "halo", line=board.cell * 0.2, opacity=0.9)
        board.line(x1, y1, x2, y2, "win", line=board.cell * 0.11)


def terminal(look: Look, rows: int, columns: int, k: int, cells: Sequence[int], *,
             most: int = 99, pencil: bool = False) -> str:
    """The board in text; a winning row is underlined where there is colour."""
    winning = {cell for run in all_rows(cells, rows, columns, k, most) for cell in run}
    ground, empty = ("", "faint") if pencil else ("on wood", "grain")
    styles = ("blue", "orange") if pencil else PIECES
    signs = "xo" if pencil or not look.colour else "●●"
    marks = set(look.marks())

    def tile(cell: int) -> Tile:
        if not cells[cell]:
            return Tile("+" if cell in marks else "·" if look.colour else ".", empty, ground)
        player = cells[cell] - 1
        return Tile(signs[player], styles[player] + (", under" if cell in winning else ""), ground)

    last = [] if look.last is None else [look.last]
    board = table(look, rows, columns, tile, last=last, heat={**look.cells, **look.heat}, tags=look.tags())
    return framed(look, board, [(signs[0], _sign(styles[0], pencil)), (signs[1], _sign(styles[1], pencil))])


def _sign(style: str, pencil: bool) -> str:
    return style if pencil else f"{style}, on wood"
