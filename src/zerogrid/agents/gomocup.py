"""gomocup:COMMAND plays Gomoku through a program that speaks the Piskvork protocol of the Gomocup tournaments.

    we say                      it answers
    START 15                    OK            (RECTSTART 15,12 where the board is no square)
    INFO timeout_turn 10000     nothing
    BEGIN                       7,7           it has the first move: column, row, from 0
    RESTART                     OK            a clean board
    BOARD ... DONE              8,6           the stones as "column,row,whose", 1 for its own, 2 for the other's
    END

Every position is sent whole with BOARD, so that many games can go on at once. The protocol knows five in a row only;
lines that begin with MESSAGE or DEBUG are passed over. https://plastovicka.github.io/protocl2en.htm describes it.
"""

import re

from zerogrid.agents.agent import AgentFailed, RuleAgent, UnknownAgent, only_for
from zerogrid.agents.pipes import Program
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
START_SECONDS = 60.0
GRACE = 1.0
MEMORY = 350 * 1024 * 1024  # bytes, what Gomocup allows
FIVE = 5


class GomocupAgent(RuleAgent):
    """Asks a Gomocup engine for each move."""

    together = False

    def __init__(self, name: str, game: Game, command: str, seconds: float) -> None:
        only_for(game, name, "gomoku")
        if game.K != FIVE:
            raise UnknownAgent(f"Gomocup engines play to five in a row, {game.spec} to {game.K}; use engine:COMMAND.")
        super().__init__(name, game)
        self.seconds = seconds
        self.program = Program(command)

    def greet(self) -> None:
        """Start the program on our board, with our rules and its time."""
        rows, columns = int(self.game.ROWS), int(self.game.COLUMNS)
        self.program.start()
        self.program.send(f"START {rows}" if rows == columns else f"RECTSTART {columns},{rows}")
        self._agreed("START")
        milliseconds = round(1000 * self.seconds)
        self.program.send(
            f"INFO timeout_turn {milliseconds}",
            "INFO timeout_match 0",
            f"INFO max_memory {MEMORY}",
            "INFO game_type 1",
            f"INFO rule {int(bool(self.game.EXACT))}",
        )

    def move(self, position: Position, seed: int) -> int:
        fresh = not self.program.running
        if fresh:
            self.greet()
        else:
            self.program.send("RESTART")
            self._agreed("RESTART")
        self.program.send(*self._told(position))
        answer = self.program.wait_for(lambda line: not _aside(line), self.seconds + GRACE)
        found = MOVE.fullmatch(answer)
        columns, rows = int(self.game.COLUMNS), int(self.game.ROWS)
        if found is None or int(found[1]) >= columns or int(found[2]) >= rows:
            self.program.kill()
            raise AgentFailed(f"the engine {quote(self.program.command)} answered {quote(answer)}, which is no square.")
        return int(found[2]) * columns + int(found[1])

    def _told(self, position: Position) -> list[str]:
        """The stones in the order in which they were put, where that is known."""
        columns, cells, mine = int(self.game.COLUMNS), int(self.game.CELLS), position.to_move + 1
        board = position.state[:cells].tolist()
        stones = [cell for cell in range(cells) if board[cell]]
        if not stones:
            return ["BEGIN"]
        if sorted(position.moves) == stones:
            stones = position.moves
        own = (f"{cell % columns},{cell // columns},{1 if board[cell] == mine else 2}" for cell in stones)
        return ["BOARD", *own, "DONE"]

    def _agreed(self, what: str) -> None:
        answer = self.program.wait_for(lambda line: not _aside(line), START_SECONDS)
        if answer.upper() != "OK":
            self.program.kill()
            raise AgentFailed(f"the engine {quote(self.program.command)} answered {what} with {quote(answer)}, not OK.")

    def close(self) -> None:
        self.program.end("END")


def _aside(line: str) -> bool:
    """A line that is no answer."""
    return not line or line.split(" ", 1)[0].upper() in ("MESSAGE", "DEBUG")
