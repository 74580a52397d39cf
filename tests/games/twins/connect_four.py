"""Connect Four's twin: a list of discs for each column, and every set of four squares in a row tried."""

from games.twins.twin import Result
from zerogrid.core.position import Position


class ConnectFour:
    def __init__(self, start: Position) -> None:
        self.rows, self.columns = start.game.settings["rows"], start.game.settings["columns"]
        self.stacks: list[list[int]] = [[] for _ in range(self.columns)]
        self.mover = 0

    def disc(self, column: int, height: int) -> int | None:
        inside = 0 <= column < self.columns and 0 <= height < len(self.stacks[column])
        return self.stacks[column][height] if inside else None

    def winner(self) -> int | None:
        for column in range(self.columns):
            for height in range(self.rows):
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    four = {self.disc(column + i * right, height + i * up) for i in range(4)}
                    if four in ({0}, {1}):
                        return four.pop()
        return None

    def result(self) -> Result | None:
        winner = self.winner()
        if winner is not None:
            return "four in a row", *((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
        full = all(len(stack) == self.rows for stack in self.stacks)
        return ("the board is full", 0.0, 0.0) if full else None

    def actions(self) -> list[int]:
        return [] if self.result() else [c for c, stack in enumerate(self.stacks) if len(stack) < self.rows]

    def play(self, action: int) -> None:
        self.stacks[action].append(self.mover)
        self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        signs = {None: ".", 0: "x", 1: "o"}
        upper_first = [[signs[self.disc(c, h)] for c in range(self.columns)] for h in reversed(range(self.rows))]
        return {"board": "".join(sign for row in upper_first for sign in row)}
