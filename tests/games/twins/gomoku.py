"""Gomoku's twin: after each move, every straight chain of stones on the board is followed to its end."""

from games.twins.twin import Place, Result
from zerogrid.core.position import Position

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Gomoku:
    def __init__(self, start: Position, names: tuple[str, str] = ("a row of stones", "the board is full")) -> None:
        chosen = {"rows": 3, "columns": 3, "k": 3, "exact": False} | start.game.settings
        self.rows, self.columns, self.k, self.exact = (chosen[name] for name in ("rows", "columns", "k", "exact"))
        self.places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        self.stones: dict[Place, int] = {}
        self.names = names
        self.mover = 0

    def chain(self, place: Place, way: Place, player: int) -> int:
        """How many stones of a player follow one another from a place."""
        if self.stones.get(place) != player:
            return 0
        return 1 + self.chain((place[0] + way[0], place[1] + way[1]), way, player)

    def winner(self) -> int | None:
        for (row, column), player in self.stones.items():
            for down, right in WAYS:
                if self.stones.get((row - down, column - right)) == player:
                    continue  # not the beginning of its chain
                length = self.chain((row, column), (down, right), player)
                if length == self.k or (length > self.k and not self.exact):
                    return player
        return None

    def result(self) -> Result | None:
        winner = self.winner()
        if winner is not None:
            return self.names[0], *((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
        return (self.names[1], 0.0, 0.0) if len(self.stones) == len(self.places) else None

    def actions(self) -> list[int]:
        if self.result():
            return []
        return [number for number, place in enumerate(self.places) if place not in self.stones]

    def play(self, action: int) -> None:
        self.stones[divmod(action, self.columns)] = self.mover
        self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        return {"board": "".join("xo"[self.stones[place]] if place in self.stones else "." for place in self.places)}
