"""Naive twins of the encodings of Dots-and-Boxes: dictionaries of places on the board of dots, and recursion.

A place is (y, x) on the board of 2 rows + 1 by 2 columns + 1: dots where both are even, boxes where both are odd.
"""

from typing import Any

from shown.boards import Fields, Plane, everywhere

Place = tuple[int, int]
Drawn = dict[Place, bool]  # every edge of the board
RIGHT, UP, LEFT, DOWN = (0, 1), (-1, 0), (0, -1), (1, 0)


def drawn_edges(state: Fields, game: Any) -> Drawn:
    """Horizontal edges first, row by row, then vertical ones."""
    rows, columns = game.ROWS, game.COLUMNS
    places = [(2 * r, 2 * c + 1) for r in range(rows + 1) for c in range(columns)]
    places += [(2 * r + 1, 2 * c) for r in range(rows) for c in range(columns + 1)]
    return {place: bool(value) for place, value in zip(places, state["edges"], strict=True)}


def sides(box: Place) -> list[Place]:
    """The edges of a box: right, upper, left, lower."""
    return [(box[0] + y, box[1] + x) for y, x in (RIGHT, UP, LEFT, DOWN)]


def beside(edge: Place, drawn: Drawn) -> list[Place]:
    """The boxes on the board beside an edge."""
    steps = (UP, DOWN) if edge[0] % 2 == 0 else (LEFT, RIGHT)
    boxes = [(edge[0] + y, edge[1] + x) for y, x in steps]
    return [box for box in boxes if all(side in drawn for side in sides(box))]


def count(box: Place, drawn: Drawn) -> int:
    """How many edges of a box are drawn."""
    return sum(drawn[side] for side in sides(box))


def structures(drawn: Drawn) -> list[set[Place]]:
    """Chain-loop detection: from each unvisited free edge on, through boxes with exactly two drawn edges."""
    visited: set[Place] = set()

    def spread(edge: Place, found: set[Place]) -> set[Place]:
        if edge in visited or drawn[edge]:
            return found
        visited.add(edge)
        found.add(edge)
        for box in beside(edge, drawn):
            if count(box, drawn) == 2:
                for side in sides(box):
                    spread(side, found)
        return found

    in_order = sorted(drawn, key=lambda edge: (edge[0] % 2, edge))
    return [found for found in (spread(edge, set()) for edge in in_order) if found]


def baseline(state: Fields, me: int, game: Any) -> list[Plane]:
    height, width = 2 * game.ROWS + 1, 2 * game.COLUMNS + 1
    drawn = drawn_edges(state, game)
    difference = state["scores"][me] - state["scores"][1 - me]
    return [
        {(y, x): 1.0 for y in range(height) for x in range(width) if (y, x) not in drawn},
        dict.fromkeys(drawn, 1.0),
        {edge: 1.0 for edge in drawn if drawn[edge]},
        everywhere(difference / 4, height, width),
    ]


def chainloop6(state: Fields, me: int, game: Any) -> list[Plane]:
    drawn = drawn_edges(state, game)
    alone: Plane = {}
    lengths: Plane = {}
    for structure in structures(drawn):
        for edge in structure:
            if len(structure) == 1 and any(count(box, drawn) == 3 for box in beside(edge, drawn)):
                alone[edge] = 1.0
            if len(structure) > 2:
                lengths[edge] = float(len(structure))
    return [*baseline(state, me, game), alone, lengths]


def chainloop64(state: Fields, me: int, game: Any) -> list[Plane]:
    found = sorted(structures(drawn_edges(state, game)), key=lambda structure: len(structure) == 1)[:60]
    planes: list[Plane] = [dict.fromkeys(structure, 1.0) for structure in found]
    return [*baseline(state, me, game), *planes, *({} for _ in range(60 - len(planes)))]


def edgequad4(state: Fields, me: int, game: Any) -> list[Plane]:
    drawn = drawn_edges(state, game)
    boxes = [(r, c) for r in range(game.ROWS) for c in range(game.COLUMNS)]
    return [{(r, c): float(drawn[sides((2 * r + 1, 2 * c + 1))[side]]) for r, c in boxes} for side in range(4)]


def edgequad9(state: Fields, me: int, game: Any) -> list[Plane]:
    drawn = drawn_edges(state, game)
    boxes = [(r, c) for r in range(game.ROWS) for c in range(game.COLUMNS)]
    degree = {(r, c): count((2 * r + 1, 2 * c + 1), drawn) for r, c in boxes}
    return [*edgequad4(state, me, game), *({box: 1.0 for box in boxes if degree[box] == n} for n in range(5))]


def edgequad44(state: Fields, me: int, game: Any) -> list[Plane]:
    """With a ring of boxes around the board, drawn on all sides but the one they share with it."""
    drawn = drawn_edges(state, game)
    planes: list[Plane] = [{} for _ in range(44)]
    for r in range(game.ROWS):
        for c in range(game.COLUMNS):
            for side, edge in enumerate(sides((2 * r + 1, 2 * c + 1))):
                steps = (LEFT, RIGHT) if edge[0] % 2 else (UP, DOWN)
                before, behind = [(edge[0] + y, edge[1] + x) for y, x in steps]
                planes[11 * side][r, c] = float(drawn[edge])
                for first, box in ((1, before), (6, behind)):
                    degree = sum(drawn.get(one, True) for one in sides(box))
                    planes[11 * side + first + degree][r, c] = 1.0
    return planes


# --- labels ---------------------------------------------------------------------------------------------------------


def classes(state: Fields, game: Any) -> dict[Place, str]:
    """The class of every place on the board, by name."""
    drawn = drawn_edges(state, game)
    found = {}
    for y in range(2 * game.ROWS + 1):
        for x in range(2 * game.COLUMNS + 1):
            counts = [] if drawn.get((y, x), True) else [count(box, drawn) for box in beside((y, x), drawn)]
            if drawn.get((y, x), True):
                found[y, x] = "forbidden"
            elif 3 in counts:
                found[y, x] = "scoring"
            else:
                found[y, x] = "conceding" if 2 in counts else "safe"
    return found


def initiative(before: Fields, after: Fields) -> str:
    """Told from what a move led to: whether a box could be taken, and whether it was."""
    if sum(after["scores"]) > sum(before["scores"]):
        return "capture"
    return "sacrifice" if before["could_take"] else "neutral"
