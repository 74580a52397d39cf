"""gomocup:COMMAND plays Gomoku through a program that speaks the Piskvork protocol of the Gomocup tournaments.

    we say                      it answers
    START 15                    OK            (RECTSTART 15,12 where the board is no square)
    INFO timeout_turn 10000     nothing
    BEGIN                       7,7           it has the first move: column, row, from 0
    RESTART                     OK            a clean board; a program that does not know it is begun anew
    BOARD ... DONE              8,6           the stones as "column,row,whose", 1 for its own, 2 for the other's
    SWAP2BOARD ... DONE         SWAP, or squares: see swap2.py
    END

Every position is sent whole with BOARD, so that many games can go on at once. The protocol knows five in a row only;
lines that begin with MESSAGE or DEBUG are passed over, and a SUGGEST is agreed to with PLAY.
https://plastovicka.github.io/protocl2en.htm describes it.
"""

import re
import time
from collections.abc import Sequence
from contextlib import suppress

from zerogrid.agents.agent import AgentFailed, RuleAgent, UnknownAgent, only_for
from zerogrid.agents.pipes import Program
from zerogrid.agents.swap2 import SWAP
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
START_SECONDS = 60.0
GRACE = 1.0
PAUSE = 0.02  # seconds after an answer: programs that think in a thread of their own pass over what comes at once
RESTART_SECONDS = 5.0  # without an answer to RESTART a program is begun anew
MEMORY = 350 * 1024 * 1024  # bytes, what Gomocup allows
FIVE = 5
UNLIMITED = 2147483647  # milliseconds left for a match without an end
AFTER = {0: (3,), 3: (1, 2), 5: (1,)}  # squares that a swap2 answer may have, by the stones there are


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
        self.restarts = True  # whether it knows RESTART

    def greet(self) -> None:
        """Start the program on our board, with our rules and its time."""
        rows, columns = int(self.game.ROWS), int(self.game.COLUMNS)
        self.program.start()
        self.program.send(f"START {rows}" if rows == columns else f"RECTSTART {columns},{rows}")
        if not _agrees(answer := self._answer(START_SECONDS)):
            raise self._failed(answer, f"refuses a board of {columns}x{rows}: it answered")
        milliseconds = round(1000 * self.seconds)
        self.program.send(
            f"INFO timeout_turn {milliseconds}",
            "INFO timeout_match 0",
            f"INFO time_left {UNLIMITED}",
            f"INFO max_memory {MEMORY}",
            "INFO game_type 1",
            f"INFO rule {int(bool(self.game.EXACT))}",
        )

    def move(self, position: Position, seed: int) -> int:
        self._clean_board()
        self.program.send(f"INFO time_left {UNLIMITED}", *self._told(position))
        answer = self._answer(self.seconds + GRACE)
        if answer.upper().startswith("SUGGEST "):
            self.program.send(f"PLAY {answer[8:].strip()}")
            answer = self._answer(self.seconds + GRACE)
        return self._squares(answer, (1,))[0]

    def swap2(self, stones: Sequence[int]) -> str | list[int]:
        """What the program does in a swap2 opening with 0, 3 or 5 stones put: squares, or SWAP."""
        columns = int(self.game.COLUMNS)
        self._clean_board()
        put = [f"{stone % columns},{stone // columns}" for stone in stones]
        self.program.send(f"INFO time_left {UNLIMITED}", "SWAP2BOARD", *put, "DONE")
        answer = self._answer(self.seconds + GRACE)
        if answer.upper() == SWAP and stones:
            return SWAP
        return self._squares(answer, AFTER[len(stones)])

    def _clean_board(self) -> None:
        if self.program.running and self.restarts:
            time.sleep(PAUSE)
            with suppress(AgentFailed):  # it stalls or has ended: then it is begun anew
                self.program.send("RESTART")
                if _agrees(answer := self._answer(RESTART_SECONDS)):
                    return
                self.restarts = not answer.upper().startswith("UNKNOWN")
        self.program.end("END")
        self.greet()

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

    def _squares(self, answer: str, counts: tuple[int, ...]) -> list[int]:
        columns, rows, found = int(self.game.COLUMNS), int(self.game.ROWS), []
        for word in re.sub(r"\s*,\s*", ",", answer).split():
            square = MOVE.fullmatch(word)
            if square is None or int(square[1]) >= columns or int(square[2]) >= rows:
                break
            found.append(int(square[2]) * columns + int(square[1]))
        else:
            if len(found) in counts:
                return found
        raise self._failed(answer, "was asked for a square and answered")

    def _answer(self, seconds: float) -> str:
        return self.program.wait_for(lambda line: not _aside(line), seconds)

    def _failed(self, answer: str, words: str) -> AgentFailed:
        self.program.kill()
        return AgentFailed(f"the engine {quote(self.program.command)} {words} {quote(answer)}.")

    def close(self) -> None:
        self.program.end("END")


def _aside(line: str) -> bool:
    """A line that is no answer."""
    return not line or line.split(" ", 1)[0].upper() in ("MESSAGE", "DEBUG")


def _agrees(answer: str) -> bool:
    """OK, and whatever it adds."""
    return answer.split(" ", 1)[0].upper().rstrip(",.!") == "OK"
