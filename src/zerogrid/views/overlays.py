"""What lies over a board: heat, labels, marks for legal moves. A spot says where an action is to be drawn.

    Cell     a square: a disc of heat in it         (Gomoku, Othello)
    Edge     a line between two dots                (Dots-and-Boxes)
    Arrow    from one place to another              (Pawn Dama; an order in Battlefield, dashed for a shot)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas, Point
from zerogrid.views.look import strengths


@dataclass(frozen=True)
class Cell:
    """A place with room for a disc of this radius."""

    centre: Point
    radius: float


@dataclass(frozen=True)
class Edge:
    """A line that would be drawn this thick."""

    start: Point
    end: Point
    line: float


@dataclass(frozen=True)
class Arrow:
    """A move from one place to another."""

    start: Point
    end: Point
    line: float
    dashed: bool = False
    label: float = 0.6
    """How far along the way a label stands."""


Spot = Cell | Edge | Arrow


Spots = Callable[[int], Spot | None]
"""Where an action is drawn; None where it has no place on the board, as a pass."""


def heat(canvas: Canvas, spots: Spots, weights: Mapping[int, float], tags: Mapping[int, str]) -> None:
    """Weights of actions, and their labels above all of them; actions without a spot are left out."""
    glow(canvas, spots, weights)
    labels(canvas, spots, weights, tags)


def glow(canvas: Canvas, spots: Spots, weights: Mapping[int, float]) -> None:
    """Weights of actions, strongest last so that they lie above."""
    for action, share in sorted(strengths(weights).items(), key=lambda one: (one[1], one[0])):
        spot = spots(action)
        if spot is not None:
            _glow(canvas, spot, share)


def labels(canvas: Canvas, spots: Spots, weights: Mapping[int, float], tags: Mapping[int, str]) -> None:
    """A few characters at each action."""
    shares = strengths(weights)
    for action in sorted(tags, key=lambda one: (shares.get(one, 0.0), one)):
        spot = spots(action)
        if spot is not None:
            _label(canvas, spot, tags[action], shares.get(action, 0.0))


def _glow(canvas: Canvas, spot: Spot, share: float) -> None:
    strength = 0.12 + 0.78 * share
    if isinstance(spot, Cell):
        canvas.circle(*spot.centre, spot.radius * (0.55 + 0.45 * share**0.5), "heat", opacity=strength)
    elif isinstance(spot, Edge):
        canvas.line(*spot.start, *spot.end, "heat", line=spot.line * (0.5 + 0.7 * share), opacity=strength)
    else:
        thick = max(1.5, spot.line * (0.25 + 0.75 * share))
        canvas.arrow(spot.start, spot.end, "heat", line=thick, opacity=strength, dashed=spot.dashed)


def _label(canvas: Canvas, spot: Spot, words: str, share: float) -> None:
    words = words[:8]
    if isinstance(spot, Cell):
        size = min(spot.radius * 0.86, spot.radius * 3.1 / max(1, len(words)))
        strong = 0.12 + 0.78 * share > 0.55
        canvas.text(*spot.centre, words, size, "paper" if strong else "ink", bold=True, halo="" if strong else "halo")
        return
    (x1, y1), (x2, y2) = spot.start, spot.end
    along = 0.5 if isinstance(spot, Edge) else spot.label
    x, y = x1 + (x2 - x1) * along, y1 + (y2 - y1) * along
    canvas.text(x, y, words, 11.5 if len(words) < 4 else 10, "ink", bold=True, halo="halo")


def attention(board: Board, weights: Mapping[int, float]) -> None:
    """Weights of cells as a wash over them; the strength says all, there are no numbers."""
    for cell, share in sorted(strengths(weights).items()):
        x, y = board.box(cell)
        board.rect(x, y, board.cell, board.cell, "heat", opacity=0.05 + 0.75 * share)


def hint(canvas: Canvas, spot: Spot, ink: str = "ink", opacity: float = 0.45) -> None:
    """A quiet mark where an action may be played."""
    if isinstance(spot, Cell):
        canvas.circle(*spot.centre, spot.radius * 0.3, ink, opacity=opacity)
    elif isinstance(spot, Edge):
        canvas.line(*spot.start, *spot.end, ink, line=spot.line * 0.5, opacity=opacity * 0.7)
    else:
        canvas.arrow(spot.start, spot.end, ink, line=2.5, opacity=opacity, dashed=spot.dashed)


def draw(board: Board, spots: Spots, *, habit: bool = False, ink: str = "ink") -> None:
    """Hints, then heat and labels."""
    look = board.look
    for action in look.marks(habit):
        spot = spots(action)
        if spot is not None:
            hint(board, spot, ink)
    heat(board, spots, look.heat, look.tags())
    if look.targets:
        targets(board, spots)


def targets(board: Board, spots: Spots) -> None:
    """Invisible shapes: one for each cell, and above them one for each legal action that has a place of its own."""
    for cell in range(board.rows * board.columns):
        board.target(*board.box(cell), board.cell, board.cell, f'data-cell="{cell}"', f"cell {cell}")
    for action in board.look.legal:
        spot, name = spots(action), board.look.name(action)
        if isinstance(spot, Cell):
            (x, y), r = spot.centre, spot.radius
            board.target(x - r, y - r, 2 * r, 2 * r, f'data-action="{action}"', name)
        elif isinstance(spot, Edge):
            (x1, y1), (x2, y2), room = spot.start, spot.end, board.cell * 0.22
            wide, high = (room, 0.0) if x1 == x2 else (0.0, room)  # as wide as its cell leaves room for
            x, y, width, height = x1 - wide + high, y1 - high + wide, x2 - x1 + 2 * wide, y2 - y1 + 2 * high
            board.target(x, y, width - 2 * high, height - 2 * wide, f'data-action="{action}"', name)


def ring(canvas: Canvas, centre: Point, radius: float, role: str = "last") -> None:
    """A mark on the piece just played, or around it, that does not hide it."""
    canvas.circle(*centre, radius, "", role, line=2.5)


def cross(canvas: Canvas, centre: Point, radius: float, role: str, line: float) -> None:
    """Two strokes crossing."""
    (x, y), r = centre, radius
    canvas.line(x - r, y - r, x + r, y + r, role, line=line)
    canvas.line(x + r, y - r, x - r, y + r, role, line=line)
