"""naive and beginner: rule-based players of Gomoku, on any board and for any length of row.

naive is the baseline of the SigmaGo paper: it wins, blocks, makes open rows, blocks them, lengthens its longest row.
beginner defends before it wins.
"""

from zerogrid.agents.agent import RuleAgent, UnknownAgent, only_for, pick
from zerogrid.agents.gomoku_lines import broken_run, hole, longer, open_run
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MOST_LEVELS = 3


class GomokuRules(RuleAgent):
    """What both know of a board."""

    def __init__(self, name: str, game: Game) -> None:
        only_for(game, name, "gomoku")
        super().__init__(name, game)
        self.rows, self.columns, self.k = int(game.ROWS), int(game.COLUMNS), int(game.K)

    def seen(self, position: Position) -> tuple[list[int], int, int]:
        """The board, one's own stone, the other's."""
        mine = position.to_move + 1
        return position.state[: self.rows * self.columns].tolist(), mine, 3 - mine


class Naive(GomokuRules):
    """Looks at rows of stones, one rule after the other; `level` says how many lengths it tries to lengthen."""

    def __init__(self, name: str, game: Game, level: int = MOST_LEVELS) -> None:
        super().__init__(name, game)
        if not 0 <= level <= MOST_LEVELS:
            raise UnknownAgent(f"naive has levels from 0 to {MOST_LEVELS}, not {quote(level)}.")
        self.level = level

    def move(self, position: Position, seed: int) -> int:
        board, mine, theirs = self.seen(position)
        shape = (self.rows, self.columns)
        stones = len(board) - board.count(0)
        if stones == 0:
            return self.rows // 2 * self.columns + self.columns // 2
        if stones == 1 and board.count(theirs) == 1:
            return self._beside(board.index(theirs))
        for found in (
            hole(board, *shape, self.k, mine, self.k - 1),
            hole(board, *shape, self.k, theirs, self.k - 1),
            open_run(board, *shape, mine, self.k - 2),
            open_run(board, *shape, theirs, self.k - 2),
            *(longer(board, *shape, mine, self.k - 2 - n) for n in range(min(max(self.level, 1), self.k - 2))),
        ):
            if found is not None:
                return found
        return pick(position.actions, position, seed)

    def _beside(self, stone: int) -> int:
        """The diagonal neighbour towards the larger side of the board."""
        row, column = divmod(stone, self.columns)
        row += 1 if row < self.rows - 1 - row or row == 0 else -1
        column += 1 if column < self.columns - 1 - column or column == 0 else -1
        return row * self.columns + column


class Beginner(GomokuRules):
    """Blocks what threatens, then completes its own rows; else a square beside its last stone."""

    def move(self, position: Position, seed: int) -> int:
        board, mine, theirs = self.seen(position)
        shape = (self.rows, self.columns)
        for found in (
            hole(board, *shape, self.k, theirs, self.k - 1),
            open_run(board, *shape, theirs, self.k - 2),
            broken_run(board, *shape, theirs, self.k - 2) if self.k > 3 else None,  # a pair cannot be broken
            *(hole(board, *shape, self.k, mine, self.k - n) for n in (1, 2, 3) if self.k - n >= 1),
        ):
            if found is not None:
                return found
        return pick(self._around_last(position, board) or position.actions, position, seed)

    def _around_last(self, position: Position, board: list[int]) -> list[int]:
        """The empty squares next to the own last stone, where it is known."""
        if len(position.moves) < 2:
            return []
        row, column = divmod(position.moves[-2], self.columns)
        return [
            r * self.columns + c
            for r in range(max(row - 1, 0), min(row + 2, self.rows))
            for c in range(max(column - 1, 0), min(column + 2, self.columns))
            if board[r * self.columns + c] == 0
        ]
