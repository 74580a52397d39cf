"""greedy (Pawn Dama): wins at once; captures the pawn nearest to its own home; else advances the freest pawn."""

from zerogrid.agents.agent import RuleAgent, only_for, pick
from zerogrid.core.game import Game
from zerogrid.core.position import Position


class GreedyPawns(RuleAgent):
    """Three rules, ties by chance."""

    def __init__(self, name: str, game: Game) -> None:
        only_for(game, name, "pawn_dama")
        super().__init__(name, game)
        self.rows, self.columns, self.cells = int(game.ROWS), int(game.COLUMNS), int(game.CELLS)

    def move(self, position: Position, seed: int) -> int:
        actions, mover = position.actions, position.to_move
        winning = [action for action in actions if self._wins(position, action, mover)]
        if winning:
            return pick(winning, position, seed)
        captures = [action for action in actions if action % self.cells % self.columns != self._column_to(action)]
        if captures:
            from_home = {action: self._row_from_home(action // self.cells, mover) for action in captures}
            nearest = min(from_home.values())
            return pick([action for action in captures if from_home[action] == nearest], position, seed)
        board = position.state[: self.cells].tolist()
        hindered = {action: self._enemies_ahead(board, action % self.cells, mover) for action in actions}
        least = min(hindered.values())
        return pick([action for action in actions if hindered[action] == least], position, seed)

    def _column_to(self, action: int) -> int:
        return action // self.cells % self.columns

    def _row_from_home(self, cell: int, player: int) -> int:
        row = cell // self.columns
        return row if player == 0 else self.rows - 1 - row

    def _wins(self, position: Position, action: int, mover: int) -> bool:
        if self._row_from_home(action // self.cells, mover) == self.rows - 1:
            return True
        outcome = position.play(action).outcome  # the other side may be left without pawns or moves
        position.undo()
        return outcome is not None and outcome.winner == mover

    def _enemies_ahead(self, board: list[int], cell: int, player: int) -> int:
        """Enemies that can still block or capture a pawn: ahead of it, in its own column or the next ones."""
        column, far = cell % self.columns, self._row_from_home(cell, player)
        return sum(
            board[other] in (2 - player, 4 - player)
            and abs(other % self.columns - column) <= 1
            and self._row_from_home(other, player) > far
            for other in range(self.cells)
        )
