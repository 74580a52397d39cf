"""greedy (Dots-and-Boxes): takes what can be taken, and gives away as little as possible."""

from array import array
from collections.abc import Sequence
from functools import lru_cache

from zerogrid.agents.agent import RuleAgent, only_for, pick
from zerogrid.core.game import Game
from zerogrid.core.position import Position


class Boxes:
    """Which edges surround which boxes."""

    def __init__(self, game: Game) -> None:
        rows, columns, horizontal = int(game.ROWS), int(game.COLUMNS), int(game.HORIZONTAL)
        self.sides: list[tuple[int, int, int, int]] = []
        for box in range(rows * columns):
            left = horizontal + box + box // columns
            self.sides.append((box, box + columns, left, left + 1))
        self.beside: list[list[int]] = [[] for _ in range(int(game.EDGES))]
        for box, sides in enumerate(self.sides):
            for edge in sides:
                self.beside[edge].append(box)

    def drawn(self, edges: Sequence[int], box: int) -> int:
        """How many sides of a box are drawn."""
        a, b, c, d = self.sides[box]
        return (edges[a] != 0) + (edges[b] != 0) + (edges[c] != 0) + (edges[d] != 0)

    def completing(self, edges: Sequence[int], free: Sequence[int]) -> list[int]:
        """The free edges that complete a box."""
        return [edge for edge in free if any(self.drawn(edges, box) == 3 for box in self.beside[edge])]

    def safe(self, edges: Sequence[int], free: Sequence[int]) -> list[int]:
        """The free edges that give no box its third side."""
        return [edge for edge in free if all(self.drawn(edges, box) != 2 for box in self.beside[edge])]

    def opened(self, edges: Sequence[int], edge: int) -> int:
        """How many boxes the other side can take in a row once this edge is drawn."""
        now = array("h", edges)
        now[edge] = 1
        waiting, taken = list(self.beside[edge]), 0
        while waiting:
            box = waiting.pop()
            if self.drawn(now, box) == 3:
                taken += 1
                last = next(side for side in self.sides[box] if now[side] == 0)
                now[last] = 1
                for other in self.beside[last]:
                    if other != box:
                        # An edge between two boxes of three sides takes both at once.
                        taken += self.drawn(now, other) == 4
                        waiting.append(other)
        return taken


@lru_cache(maxsize=32)
def boxes_of(game: Game) -> Boxes:
    """The boxes of a board, worked out once."""
    return Boxes(game)


class GreedyBoxes(RuleAgent):
    """Completes a box; else draws a safe edge; else opens the shortest chain."""

    def __init__(self, name: str, game: Game) -> None:
        only_for(game, name, "dots_and_boxes")
        super().__init__(name, game)
        self.boxes = boxes_of(game)

    def move(self, position: Position, seed: int) -> int:
        edges, free = position.state[: self.game.EDGES].tolist(), position.actions
        options = self.boxes.completing(edges, free) or self.boxes.safe(edges, free)
        if not options:
            opened = {edge: self.boxes.opened(edges, edge) for edge in free}
            options = [edge for edge in free if opened[edge] == min(opened.values())]
        return pick(options, position, seed)
