"""Dots-and-Boxes' twin: an edge is the pair of dots that it joins; a box is its four corners."""

from games.twins.twin import Place, Result
from zerogrid.core.position import Position

Edge = frozenset[Place]


class DotsAndBoxes:
    def __init__(self, start: Position) -> None:
        rows, columns = start.game.settings["rows"], start.game.settings["columns"]
        self.margin = start.game.settings["utility"] == "margin"
        across = [frozenset({(r, c), (r, c + 1)}) for r in range(rows + 1) for c in range(columns)]
        upright = [frozenset({(r, c), (r + 1, c)}) for r in range(rows) for c in range(columns + 1)]
        self.edges: list[Edge] = across + upright
        self.boxes = {(r, c): self.sides(r, c) for r in range(rows) for c in range(columns)}
        self.drawn: set[Edge] = set()
        self.owner: dict[Place, int] = {}
        self.mover = 0

    @staticmethod
    def sides(r: int, c: int) -> set[Edge]:
        corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
        return {frozenset({corners[i], corners[(i + 1) % 4]}) for i in range(4)}

    def result(self) -> Result | None:
        if len(self.drawn) < len(self.edges):
            return None
        owners = list(self.owner.values())
        ahead = owners.count(0) - owners.count(1)
        value = ahead / len(self.boxes) if self.margin else float((ahead > 0) - (ahead < 0))
        return "every edge is drawn", value, -value

    def actions(self) -> list[int]:
        return [number for number, edge in enumerate(self.edges) if edge not in self.drawn]

    def play(self, action: int) -> None:
        self.drawn.add(self.edges[action])
        complete = [box for box, sides in self.boxes.items() if sides <= self.drawn and box not in self.owner]
        for box in complete:
            self.owner[box] = self.mover
        if not complete:
            self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        owners = list(self.owner.values())
        return {
            "boxes": "".join(".AB"[self.owner.get(box, -1) + 1] for box in self.boxes),
            "edges": [int(edge in self.drawn) for edge in self.edges],
            "scores": [owners.count(0), owners.count(1)],
        }
