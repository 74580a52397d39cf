"""The shapes of the games that come with the project, from sizes alone.

Whoever has a game and an encoding at hand makes the shape from those; the numbers here are the same, and serve
tables, benchmarks and tests that have no game.
"""

from zerogrid.core.errors import BadNetwork, quote
from zerogrid.networks.shapes import WHOLE_BOARD, Shape, one_map

DOTS_ENCODINGS = {"baseline": 4, "chainloop6": 6, "chainloop64": 64, "edgequad4": 4, "edgequad9": 9, "edgequad44": 44}


def gomoku(rows: int, columns: int, planes: int = 4, history: int = 1, game: str = "gomoku") -> Shape:
    """Gomoku and tic-tac-toe: action = cell."""
    cells = rows * columns
    return Shape(game, planes * history, rows, columns, cells, history, 8, policy_planes=1, places=one_map(cells))


def connect_four(rows: int = 6, columns: int = 7, planes: int = 4) -> Shape:
    """Action = column: its logit is the mean over the cells of the column."""
    places = tuple(tuple(range(column, rows * columns, columns)) for column in range(columns))
    return Shape("connect_four", planes, rows, columns, columns, 1, 3, policy_planes=1, places=places)


def othello(rows: int = 8, columns: int = 8, planes: int = 4) -> Shape:
    """Action = cell, and one more for the pass."""
    cells = rows * columns
    places = (*one_map(cells), (WHOLE_BOARD,))
    return Shape("othello", planes, rows, columns, cells + 1, 1, 8, policy_planes=1, places=places)


def dots_and_boxes(rows: int, columns: int, encoding: str = "baseline") -> Shape:
    """Edges on the (2R+1) x (2C+1) grid; under EdgeQuad on the R x C boxes, four maps (right, up, left, down)."""
    if encoding not in DOTS_ENCODINGS:
        known = ", ".join(DOTS_ENCODINGS)
        raise BadNetwork(f"Dots-and-Boxes has the encodings {known}, not {quote(encoding)}.")
    planes = DOTS_ENCODINGS[encoding]
    horizontal, edges = (rows + 1) * columns, (rows + 1) * columns + rows * (columns + 1)
    places: list[tuple[int, ...]] = []
    quad = encoding.startswith("edgequad")
    boxes, across = rows * columns, 2 * columns + 1
    right, up, left, down = (side * boxes for side in range(4))
    for edge in range(edges):
        if edge < horizontal:
            r, c = divmod(edge, columns)
            sides = [down + (r - 1) * columns + c] if r > 0 else []
            sides += [up + r * columns + c] if r < rows else []
            places.append(tuple(sides) if quad else (2 * r * across + 2 * c + 1,))
        else:
            r, c = divmod(edge - horizontal, columns + 1)
            sides = [right + r * columns + c - 1] if c > 0 else []
            sides += [left + r * columns + c] if c < columns else []
            places.append(tuple(sides) if quad else ((2 * r + 1) * across + 2 * c,))
    height, width = (rows, columns) if quad else (2 * rows + 1, across)
    return Shape(
        "dots_and_boxes",
        planes,
        height,
        width,
        edges,
        action_features=7,
        boxes=(rows, columns),
        policy_planes=4 if quad else 1,
        places=tuple(places),
    )


def pawn_dama(rows: int, columns: int, planes: int = 1, compact: bool = False) -> Shape:
    """The paper's (from, to) actions, or the compact ones: kind * cells + square.

    The mover walks towards higher rows. Kinds: one step, two steps, capture to the lower column, to the higher.
    """
    cells = rows * columns
    steps = ((0, 1), (0, 2), (-1, 1), (1, 1))
    table: list[tuple[int, ...]] = [() for _ in range(4 * cells if compact else cells * cells)]
    for kind, (dx, dy) in enumerate(steps):
        for y in range(rows):
            for x in range(columns):
                if not (0 <= x + dx < columns and y + dy < rows):
                    continue
                square, target = y * columns + x, (y + dy) * columns + x + dx
                table[kind * cells + square if compact else square + target * cells] = (kind * cells + square,)
    return Shape("pawn_dama", planes, rows, columns, len(table), 1, 8, policy_planes=4, places=tuple(table))


def battlefield(
    height: int = 7, width: int = 7, agents: int = 2, planes: int | None = None, action_features: int = 15
) -> Shape:
    """Joint orders of a team; a plane for each agent of either side and eight more."""
    given = 2 * agents + 8 if planes is None else planes
    return Shape("battlefield", given, height, width, 9**agents, action_features=action_features, agents=agents)
