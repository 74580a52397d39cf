"""Boards of dots whose edges are drawn and whose boxes are won: Dots-and-Boxes.

    +---+---+      edges are numbered horizontal ones first, row by row, then vertical ones, row by row
    | A |   |      a name such as h2.1 or v0.3 gives the row and the column of the dot where the edge begins,
    +---+---+      which are the numbers at the margin; it goes right (h) or down (v)
"""

from collections.abc import Sequence

from zerogrid.views import overlays
from zerogrid.views.ansi import framed, paint
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas
from zerogrid.views.look import Look, strengths
from zerogrid.views.overlays import Edge

TEAMS = ("blue", "orange")
PAD = 0.28
WIDE = 6  # characters from one dot to the next in a terminal


def square(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A filled box in a player's colour."""
    canvas.rect(x - radius, y - radius, 2 * radius, 2 * radius, TEAMS[player], TEAMS[player] + "_edge", corner=3)


def dots_of(rows: int, columns: int, edge: int) -> tuple[int, int, int, int]:
    """The two dots that an edge joins: row and column of each."""
    horizontal = (rows + 1) * columns
    if edge < horizontal:
        r, c = divmod(edge, columns)
        return r, c, r, c + 1
    r, c = divmod(edge - horizontal, columns + 1)
    return r, c, r + 1, c


def edges_of(rows: int, columns: int, box: int) -> tuple[int, int, int, int]:
    """The edges above, below, left and right of a box."""
    left = (rows + 1) * columns + box + box // columns
    return box, box + columns, left, left + 1


def svg(look: Look, rows: int, columns: int, edges: Sequence[int], owners: Sequence[int], scores: Sequence[int]) -> str:
    """The board as a picture: edges, owned boxes with their owner's initial, the score."""
    numbers = [str(n) for n in range(max(rows, columns) + 1)]
    board = Board(look, rows, columns, square, pad=PAD, scores=scores,
                  row_names=numbers[: rows + 1], columns_named=numbers[: columns + 1])
    board.ground("board", PAD, corner=8)
    for box in range(rows * columns):
        _box(board, box, edges, owners[box])
    overlays.attention(board, look.cells)
    thick = min(8.0, board.cell * 0.15)

    def spot(edge: int) -> Edge:
        r1, c1, r2, c2 = dots_of(rows, columns, edge)
        side, left, top = board.cell, board.left, board.top
        return Edge((left + c1 * side, top + r1 * side), (left + c2 * side, top + r2 * side), thick)

    for edge, drawn in enumerate(edges):
        line = spot(edge)
        if drawn:
            board.line(*line.start, *line.end, "last" if edge == look.last else "ink", line=thick * 0.75)
        else:
            board.line(*line.start, *line.end, "rule", line=1.5, dashes="1 6")
    overlays.draw(board, spot)
    for r in range(rows + 1):
        for c in range(columns + 1):
            board.circle(board.left + c * board.cell, board.top + r * board.cell, thick * 0.72, "ink")
    return board.svg()


def _box(board: Board, box: int, edges: Sequence[int], owner: int) -> None:
    x, y = board.box(box)
    side, inset = board.cell, board.cell * 0.09
    if owner:
        board.rect(x + inset, y + inset, side - 2 * inset, side - 2 * inset, TEAMS[owner - 1], corner=5, opacity=0.3)
        board.text(x + side / 2, y + side / 2, board.look.players[owner - 1][:1].upper(), side * 0.42, bold=True)
    elif board.look.threats and sum(edges[edge] != 0 for edge in edges_of(board.rows, board.columns, box)) == 3:
        r = side * 0.14  # a diamond: this box can be taken now
        x, y = x + side / 2, y + side / 2
        board.shape([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], "last")


def terminal(look: Look, rows: int, columns: int, edges: Sequence[int], owners: Sequence[int],
             scores: Sequence[int]) -> str:
    """The board in text: numbers of dots at the margin, labels of edges where they would be drawn."""
    styles, tags, shares = ("blue", "orange"), look.tags(), strengths(look.heat)
    height, length = 2 * rows + 1, WIDE * columns + 1
    picture = [[(" ", "")] * (length + WIDE) for _ in range(height)]

    def write(y: int, middle: int, words: str, style: str = "") -> None:
        start = max(0, middle - (len(words) - 1) // 2)
        for place, sign in enumerate(words):
            picture[y][start + place] = (sign, style)

    for box, owner in enumerate(owners):
        if owner:
            y, x = 2 * (box // columns) + 1, WIDE * (box % columns) + WIDE // 2
            write(y, x, look.players[owner - 1][:1].upper(), styles[owner - 1])
    for r in range(rows + 1):
        for c in range(columns + 1):
            write(2 * r, WIDE * c, "+", "bold")
    for edge, drawn in enumerate(edges):
        r1, c1, r2, c2 = dots_of(rows, columns, edge)
        y, x = r1 + r2, WIDE * (c1 + c2) // 2
        flat = r1 == r2
        if edge in tags:
            ground = f"white, on heat {min(4, int(5 * shares[edge]))}" if edge in shares else "bold"
            write(y, x, tags[edge][: WIDE - 2], ground)
        elif drawn and edge == look.last:
            write(y, x, "=" * (WIDE - 1) if flat else "#", "red")
        elif drawn:
            write(y, x, "-" * (WIDE - 1) if flat else "|")
        elif edge in look.marks():
            write(y, x, ".", "faint")
    lines = ["".join(paint(sign, style, look.colour) for sign, style in line).rstrip() for line in picture]
    if look.coordinates:
        numbers = [f"{y // 2:2}" if y % 2 == 0 else "  " for y in range(height)]
        lines = [f"{paint(n, 'faint', look.colour)} {line}".rstrip() for n, line in zip(numbers, lines, strict=True)]
        head = "".join(f"{c:<{WIDE}}" for c in range(columns + 1)).rstrip()
        lines.insert(0, paint(f"   {head}", "faint", look.colour))
    signs = [(look.players[player][:1].upper(), styles[player]) for player in (0, 1)]
    return framed(look, "\n".join(lines), signs, scores)
