"""Breakthrough's twin: pawns are places in two sets, and a move is a place and a side to step to."""

from games.twins.twin import Place, Result
from zerogrid.core.position import Position


class Breakthrough:
    def __init__(self, start: Position) -> None:
        self.rows, self.columns = (start.game.settings[name] for name in ("rows", "columns"))
        last = self.rows - 1
        homes: tuple[tuple[int, int], ...] = ((0, 1), (last, last - 1))
        self.pawns: list[set[Place]] = [{(y, x) for y in home for x in range(self.columns)} for home in homes]
        self.mover = 0

    def moves(self) -> list[tuple[Place, Place]]:
        found, ahead = [], (1, -1)[self.mover]
        own, enemy = self.pawns[self.mover], self.pawns[1 - self.mover]
        for y, x in own:
            for side in (-1, 0, 1):
                place = (y + ahead, x + side)
                if 0 <= x + side < self.columns and place not in own and (side != 0 or place not in enemy):
                    found.append(((y, x), place))
        return found

    def result(self) -> Result | None:
        white, black = self.pawns
        if any(y == self.rows - 1 for y, _ in white):
            return "a pawn reached the far row", 1.0, -1.0
        if any(y == 0 for y, _ in black):
            return "a pawn reached the far row", -1.0, 1.0
        if not black:
            return "no pawns left", 1.0, -1.0
        return None if white else ("no pawns left", -1.0, 1.0)

    def number(self, move: tuple[Place, Place]) -> int:
        """White's moves row by row, 3n - 2 from each, then Black's as White would see them from the other side."""
        (y, x), (_, to_x) = move
        each = 3 * self.columns - 2
        if self.mover == 0:
            return y * each + 3 * x + (to_x - x)
        y, x, to_x = self.rows - 1 - y, self.columns - 1 - x, self.columns - 1 - to_x
        return (self.rows - 1) * each + y * each + 3 * x + (to_x - x)

    def actions(self) -> list[int]:
        return [] if self.result() else sorted(map(self.number, self.moves()))

    def play(self, action: int) -> None:
        start, target = next(move for move in self.moves() if self.number(move) == action)
        self.pawns[self.mover].remove(start)
        self.pawns[self.mover].add(target)
        self.pawns[1 - self.mover].discard(target)
        self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        places = [(y, x) for y in range(self.rows) for x in range(self.columns)]
        signs = ("w" if place in self.pawns[0] else "b" if place in self.pawns[1] else "." for place in places)
        return {"board": "".join(signs)}
