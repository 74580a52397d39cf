"""Othello's twin: whether a disc encloses others is found by walking on, recursively, in each of eight directions."""

from games.twins.twin import Place, Result
from zerogrid.core.position import Position

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class Othello:
    def __init__(self, start: Position) -> None:
        self.rows, self.columns = start.game.settings["rows"], start.game.settings["columns"]
        self.places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        low, left = self.rows // 2, self.columns // 2
        black, white = 0, 1
        self.discs = {(low - 1, left - 1): white, (low, left): white, (low - 1, left): black, (low, left - 1): black}
        self.mover = black

    def between(self, place: Place, way: Place, player: int) -> list[Place] | None:
        """The other side's discs from a place up to the player's next disc; None where there is none."""
        owner = self.discs.get(place)
        if owner is None or owner == player:
            return None if owner is None else []
        rest = self.between((place[0] + way[0], place[1] + way[1]), way, player)
        return None if rest is None else [place, *rest]

    def turned(self, place: Place, player: int) -> list[Place]:
        found = []
        for way in AROUND:
            found += self.between((place[0] + way[0], place[1] + way[1]), way, player) or []
        return found

    def squares(self, player: int) -> list[int]:
        free = [(number, place) for number, place in enumerate(self.places) if place not in self.discs]
        return [number for number, place in free if self.turned(place, player)]

    def result(self) -> Result | None:
        if self.squares(0) or self.squares(1):
            return None
        black, white = (list(self.discs.values()).count(player) for player in (0, 1))
        sign = (black > white) - (black < white)
        return "neither side can move", float(sign), float(-sign)

    def actions(self) -> list[int]:
        return [] if self.result() else self.squares(self.mover) or [self.rows * self.columns]

    def play(self, action: int) -> None:
        if action < self.rows * self.columns:
            place = divmod(action, self.columns)
            for one in [place, *self.turned(place, self.mover)]:
                self.discs[one] = self.mover
        self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        return {"board": "".join("xo"[self.discs[place]] if place in self.discs else "." for place in self.places)}
