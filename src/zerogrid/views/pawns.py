"""Boards of pawns that march at one another: Pawn Dama, and whatever else moves from square to square.

The cells come as numbers: 0 empty, 1 a white pawn, 2 a black one, 3 and 4 the same with a mark (one that has never
moved). Row 0 is at the bottom, White's home. Actions are told by two functions: where a move starts and where it ends.
"""

from collections.abc import Callable, Sequence

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, table
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas, number
from zerogrid.views.look import Look
from zerogrid.views.overlays import Arrow

PIECES = ("white", "black")
SIGNS, PLAIN = ".△▽▲▼", ".wbWB"
Ends = Callable[[int], tuple[int, int]]
"""The cells where a move starts and ends."""


def pawn(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A pawn from the side: head, collar, body, foot."""
    r, n = radius, number
    fill, edge = PIECES[player], PIECES[player] + "_edge"
    body = (
        f"M{n(x - 0.72 * r)} {n(y + 0.92 * r)}L{n(x - 0.72 * r)} {n(y + 0.68 * r)}"
        f"Q{n(x - 0.3 * r)} {n(y + 0.45 * r)} {n(x - 0.24 * r)} {n(y - 0.12 * r)}"
        f"L{n(x + 0.24 * r)} {n(y - 0.12 * r)}Q{n(x + 0.3 * r)} {n(y + 0.45 * r)} {n(x + 0.72 * r)} {n(y + 0.68 * r)}"
        f"L{n(x + 0.72 * r)} {n(y + 0.92 * r)}Z"
    )
    canvas.curve(body, fill, edge, line=1.4)
    canvas.rect(x - 0.42 * r, y - 0.24 * r, 0.84 * r, 0.2 * r, fill, edge, line=1.2, corner=r * 0.1)
    canvas.circle(x, y - 0.55 * r, 0.37 * r, fill, edge, line=1.4)


def svg(look: Look, rows: int, columns: int, cells: Sequence[int], ends: Ends) -> str:
    """The board as a picture; weights of moves are arrows, a pawn that has never moved has a dot on its foot."""
    board = Board(look, rows, columns, pawn, upwards=True, pad=0.1)
    board.ground("board")
    for cell in range(rows * columns):
        if (cell // columns + cell % columns) % 2 == 0:
            board.rect(*board.box(cell), board.cell, board.cell, "other")
    _goals(board)
    overlays.attention(board, look.cells)
    if look.last is not None:
        for cell in ends(look.last):
            x, y = board.box(cell)
            board.rect(x + 2, y + 2, board.cell - 4, board.cell - 4, "", "last", line=2.5, corner=4)
    for cell in range(rows * columns):
        if cells[cell]:
            player = (cells[cell] - 1) % 2
            x, y = board.centre(cell)
            pawn(board, x, y, board.cell * 0.4, player)
            if cells[cell] > 2:
                board.circle(x, y + board.cell * 0.2, board.cell * 0.065, PIECES[1 - player])

    def spot(action: int) -> Arrow:
        start, end = (board.centre(cell) for cell in ends(action))
        return Arrow(start, end, board.cell * 0.22)

    overlays.draw(board, spot)
    return board.svg()


def _goals(board: Board) -> None:
    """A bar along each far row in the colour of the side that wins there."""
    right = board.left + board.columns * board.cell
    for player, y in ((0, board.top - 3), (1, board.top + board.rows * board.cell + 3)):
        board.line(board.left, y, right, y, PIECES[player] + "_edge", line=4.5)
        board.line(board.left, y, right, y, PIECES[player], line=2.5)


def terminal(look: Look, rows: int, columns: int, cells: Sequence[int], ends: Ends, marks: bool = True) -> str:
    """The board in text: capital letters (or full triangles) have never moved; weights of moves are told below.

    Without `marks`, in games that do not tell such pawns apart, all have one sign: the full one, or the small letter.
    """
    signs = SIGNS if look.colour else PLAIN
    if not marks:
        signs = signs[0] + (signs[3:] if look.colour else signs[1:3]) * 2

    def tile(cell: int) -> Tile:
        ground = "on dark wood" if (cell // columns + cell % columns) % 2 == 0 else "on wood"
        style = PIECES[(cells[cell] - 1) % 2] if cells[cell] else ""
        return Tile(" " if look.colour and not cells[cell] else signs[cells[cell]], style, ground)

    look = look.noting(look.weighed)
    last = [] if look.last is None else list(ends(look.last))
    board = table(look, rows, columns, tile, last=last, heat=look.cells, upwards=True)
    return framed(look, board, [(signs[3], "white, on dark wood"), (signs[4], "black, on wood")])
