"""Boards of two-sided discs on green felt, counted at the end: Othello.

The cells come as numbers: 0 empty, 1 and 2 the discs of the first and the second player. Actions beyond the cells,
such as a pass, are told in words.
"""

from collections.abc import Sequence
from dataclasses import replace

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, table
from zerogrid.views.board import Board
from zerogrid.views.look import Look
from zerogrid.views.overlays import Cell, Spot
from zerogrid.views.stones import PIECES, stone


def _told(look: Look, cells: int) -> Look:
    """The look with passes told in its caption: the one just played, and the weight of one to come."""
    if look.last is not None and look.last >= cells:
        words = f"{look.name(look.last)}; {look.status}" if look.caption is None else look.caption
        look = replace(look, last=None, caption=words)
    return look.noting(action for action in look.weighed if action >= cells)


def _counts(cells: Sequence[int], size: int) -> list[int]:
    return [sum(cells[cell] == player + 1 for cell in range(size)) for player in (0, 1)]


def svg(look: Look, rows: int, columns: int, cells: Sequence[int]) -> str:
    """The board as a picture, with the counts of discs; legal squares have a dot."""
    size = rows * columns
    look = _told(look, size)
    board = Board(look, rows, columns, stone, scores=_counts(cells, size))
    board.ground("felt", stroke="seam", corner=2)
    board.lattice("seam", line=1.5)
    overlays.attention(board, look.cells)
    for cell in range(size):
        if cells[cell]:
            stone(board, *board.centre(cell), board.cell * 0.41, cells[cell] - 1)
    if look.last is not None:
        overlays.ring(board, board.centre(look.last), board.cell * 0.12)

    def spot(action: int) -> Spot | None:
        return Cell(board.centre(action), board.cell * 0.41) if action < size else None

    overlays.draw(board, spot, habit=True, ink="white" if look.to_move == 1 else "black")
    return board.svg()


def terminal(look: Look, rows: int, columns: int, cells: Sequence[int]) -> str:
    """The board in text; legal squares have a plus."""
    size = rows * columns
    look = _told(look, size)
    marks, signs = set(look.marks(habit=True)), ("●●" if look.colour else "xo")

    def tile(cell: int) -> Tile:
        if not cells[cell]:
            return Tile("+" if cell in marks else "·" if look.colour else ".", "pale", "on felt")
        return Tile(signs[cells[cell] - 1], PIECES[cells[cell] - 1], "on felt")

    heat = {action: weight for action, weight in look.heat.items() if action < size}
    tags = {action: tag for action, tag in look.tags().items() if action < size}
    last = [] if look.last is None else [look.last]
    board = table(look, rows, columns, tile, last=last, heat={**look.cells, **heat}, tags=tags)
    pieces = [(signs[player], f"{PIECES[player]}, on felt") for player in (0, 1)]
    return framed(look, board, pieces, _counts(cells, size))
