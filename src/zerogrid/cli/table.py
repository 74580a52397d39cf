"""A game between a person and an agent: whose turn it is, taking back, what the agent saw, and keeping the game.

Nothing here prints or reads: play.py does, and says what happened here.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerogrid.agents.agent import Agent
from zerogrid.agents.searching import SearchAgent
from zerogrid.cli.inputs import write_text
from zerogrid.core.errors import IllegalMove, ZeroGridError, quote
from zerogrid.core.position import Position
from zerogrid.core.positions import read_positions

PASS = "pass"
HINT_SECONDS, HINT_SIMULATIONS = 2.0, 20_000


@dataclass(frozen=True)
class Seen:
    """A choice of the agent: where it stood, what it chose, and what it saw (None: to be asked)."""

    position: Position
    action: int
    saw: Any


class Table:
    """The board between a person (`me`, player 0 or 1) and an agent."""

    def __init__(self, position: Position, agent: Agent, me: int, seed: int) -> None:
        self.position, self.agent, self.me, self.seed = position, agent, me, seed
        self.resigned = False
        self.choices: list[Seen] = []
        self.turns = _turns(position, me)  # plies at which the person had a choice
        self.own_files: set[Path] = set()

    @property
    def game(self) -> Any:
        """The game that is played."""
        return self.position.game

    @property
    def names(self) -> tuple[str, str]:
        """Who plays first, and who second."""
        return ("you", self.agent.name) if self.me == 0 else (self.agent.name, "you")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.resigned or self.position.over

    @property
    def my_turn(self) -> bool:
        """Whether the person is to move."""
        return not self.over and self.position.to_move == self.me

    @property
    def must_pass(self) -> bool:
        """Whether there is nothing to choose but to pass."""
        return must_pass(self.position)

    def prepare(self) -> None:
        """Have everything compiled before the agent's time runs."""
        if isinstance(self.agent, SearchAgent) and hasattr(self.agent.searcher, "prepare"):
            self.agent.searcher.prepare()

    def play(self, move: str | int) -> int:
        """The person plays a move, by name or number."""
        self.position.play(move)
        self.turns.append(len(self.position.moves) - 1)
        return self.position.moves[-1]

    def pass_on(self) -> None:
        """The person passes, having no choice; that is no turn to come back to."""
        self.position.play(self.position.actions[0])

    def answer(self) -> Seen:
        """The agent moves."""
        before = self.position.copy()
        action, saw = self.agent.think(before, self.seed)
        self.position.play(action)
        self.choices.append(Seen(before, action, saw))
        return self.choices[-1]

    def undo(self) -> int:
        """Back to the person's last turn: how many plies were taken back."""
        if not self.turns:
            raise IllegalMove("there is no move of yours to take back.")
        self.resigned = False
        count = len(self.position.moves) - self.turns.pop()
        self.position.undo(count)
        self.choices = [seen for seen in self.choices if len(seen.position.moves) < len(self.position.moves)]
        return count

    def why(self) -> tuple[Seen, Any]:
        """The agent's last choice and what it saw: an Analysis, a Solution, or None where it has no reasons."""
        if not self.choices:
            raise IllegalMove(f"{self.agent.name} has not moved yet.")
        seen = self.choices[-1]
        saw = self.agent.explain(seen.position, self.seed) if seen.saw is None else seen.saw
        return seen, self._as_analysis(seen.position, saw)

    def hint(self) -> Any:
        """What the agent's own search thinks of the person's position; random games where it has none."""
        from zerogrid.agents.analysing import analyse

        if isinstance(self.agent, SearchAgent) and not self.agent.raw:
            return self._as_analysis(self.position.copy(), self.agent.explain(self.position, self.seed))
        return analyse(self.position.copy(), "uct", HINT_SIMULATIONS, HINT_SECONDS, self.seed, threads=1)

    def _as_analysis(self, position: Position, saw: Any) -> Any:
        from zerogrid.search.analysis import Analysis
        from zerogrid.search.answer import Answer

        return Analysis(position, saw, self.agent.name) if isinstance(saw, Answer) else saw

    # --- keeping the game ---------------------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[float, float] | None:
        """The result for the first and the second player; None while the game goes on."""
        if self.resigned:
            return (-1.0, 1.0) if self.me == 0 else (1.0, -1.0)
        outcome = self.position.outcome
        return None if outcome is None else outcome.scores

    @property
    def ending(self) -> str:
        """Why the game ended; nothing while it goes on."""
        outcome = self.position.outcome
        return "resigned" if self.resigned else outcome.reason if outcome else ""

    def line(self) -> dict[str, Any]:
        """The game as a line of a positions file, see core/positions.py."""
        name = self.game.action_name
        line: dict[str, Any] = {"game": self.game.spec, "seed": self.position.seed, "players": list(self.names)}
        line["moves"] = [name(action) for action in self.position.moves]
        return {**line, "scores": self.scores, "ending": self.ending} if self.over else line

    def save(self, file: Path) -> None:
        """Write the game; over a file only where it is this game's own."""
        if file.exists() and file.resolve() not in self.own_files:
            raise ZeroGridError(f"there is a file {quote(file)} already; choose another name.")
        write_text(file, json.dumps(self.line()) + "\n")
        self.own_files.add(file.resolve())


def must_pass(position: Position) -> bool:
    """Whether the one legal move is to pass."""
    actions = position.actions
    return len(actions) == 1 and bool(position.game.action_name(actions[0]) == PASS)


def _turns(position: Position, me: int) -> list[int]:
    """The plies of a game so far at which a player had a choice."""
    shown, found = position.game.start(position.seed), []
    for ply, move in enumerate(position.moves):
        if shown.to_move == me and not must_pass(shown):
            found.append(ply)
        shown.play(move)
    return found


def loaded(file: Path) -> Position:
    """The game that a positions file holds."""
    found = [placed.position for placed in read_positions(file)]
    if len(found) != 1:
        raise ZeroGridError(f"{quote(file)} holds {len(found)} games; play goes on with a file that holds one.")
    return found[0]
