"""A position for people: play by name, look, take back.

    >>> import zerogrid
    >>> p = zerogrid.game("tictactoe").start()
    >>> _ = p.play("b2").play("a1")
    >>> p.to_move, len(p.legal)
    (0, 7)

It runs the rules as plain Python, on an array of 16-bit integers. Programs that play millions of games use kernels.
"""

import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import GameOver, IllegalMove, quote
from zerogrid.core.game import Game


@dataclass(frozen=True)
class Outcome:
    """How a game ended: why, and what it is worth to each player."""

    reason: str
    scores: tuple[float, float]

    @property
    def winner(self) -> int | None:
        """The player who won, or None for a draw."""
        return None if self.scores[0] == self.scores[1] else int(self.scores[1] > self.scores[0])


class Position:
    """A position and how it came about. Equal when the same game stands the same (whatever the way there)."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed
        self.moves: list[int] = []
        self._before: list[array.array[int]] = []
        self._state = array.array("h", bytes(2 * game.STATE_SIZE))
        game.module.start(self._state, seed)

    @classmethod
    def of_state(cls, game: Game, state: Sequence[int] | npt.NDArray[np.int16]) -> "Position":
        """A position from the numbers of its state, without a past."""
        made = cls(game)
        made._state = array.array("h", [int(value) for value in state])
        return made

    # --- looking ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> npt.NDArray[np.int16]:
        """The numbers of the state, as a copy."""
        return np.array(self._state, np.int16)

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        return int(self.game.to_move(self._state))

    @property
    def actions(self) -> list[int]:
        """The numbers of the legal actions."""
        buffer = [0] * self.game.MAX_LEGAL
        return buffer[: self.game.legal(self._state, buffer)]

    @property
    def legal(self) -> list[str]:
        """The names of the legal actions."""
        return [self.game.action_name(action) for action in self.actions]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.ended(self._state))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        why = self.game.ended(self._state)
        if not why:
            return None
        scores = float(self.game.score(self._state, 0)), float(self.game.score(self._state, 1))
        return Outcome(self.game.ENDINGS[why - 1], scores)

    @property
    def key(self) -> int:
        """A 64-bit number, the same for positions with the same future."""
        return int(self.game.key(self._state))

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self, move: str | int) -> "Position":
        """Play a move, by name or number; returns the position itself, so that plays can be chained."""
        action = self.game.action(move)
        if self.over:
            raise GameOver(f"{quote(move)} cannot be played: the game has ended ({self._ending()}).")
        legal = self.actions
        if action not in legal:
            names = [self.game.action_name(one) for one in legal[:6]]
            more = f" and {len(legal) - 6} more" if len(legal) > 6 else ""
            raise IllegalMove(f"{quote(move)} may not be played here; legal are {', '.join(names)}{more}.")
        self._before.append(self._state[:])
        self.moves.append(action)
        self.game.module.play(self._state, action)
        return self

    def _ending(self) -> str:
        outcome = self.outcome
        assert outcome is not None
        players = self.game.players
        return outcome.reason + (f", {players[outcome.winner]} won" if outcome.winner is not None else ", a draw")

    def undo(self, plays: int = 1) -> "Position":
        """Take back the last play, or several."""
        if plays < 0 or plays > len(self.moves):
            raise IllegalMove(f"{plays} plays cannot be taken back; {len(self.moves)} have been made.")
        for _ in range(plays):
            self._state = self._before.pop()
            self.moves.pop()
        return self

    def copy(self) -> "Position":
        """An independent copy, with its past."""
        made = object.__new__(Position)
        made.game, made.seed, made.moves = self.game, self.seed, self.moves[:]
        made._before, made._state = self._before[:], self._state[:]
        return made

    __copy__ = copy

    @property
    def history(self) -> list[npt.NDArray[np.int16]]:
        """The states from the start (or where the past is known from) to now."""
        return [np.array(state, np.int16) for state in (*self._before, self._state)]

    @property
    def last(self) -> int | None:
        """The last action played, where it is known."""
        return self.moves[-1] if self.moves else None

    # --- comparing, showing -----------------------------------------------------------------------------------------

    def _future(self) -> bytes:
        return self._state[: self.game.layout.key_size].tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and other.game == self.game and other._future() == self._future()

    def __hash__(self) -> int:
        return hash((self.game, self._future()))

    def __str__(self) -> str:
        from zerogrid.core.text import write_position

        return write_position(self)

    def __repr__(self) -> str:
        moves = " ".join(self.game.action_name(move) for move in self.moves)
        return f"<{self.game.spec}, {len(self.moves)} plays{': ' + moves if moves else ''}>"

    @staticmethod
    def parse(text: str) -> "Position":
        """The position that a text describes; its first line names the game."""
        from zerogrid.core.text import parse_any

        return parse_any(text)

    def svg(self, **look: Any) -> str:
        """The board as SVG; what may be asked of it stands in zerogrid.views.Look."""
        from zerogrid.core.drawing import draw_svg

        return draw_svg(self, **look)

    def terminal(self, **look: Any) -> str:
        """The board for a terminal, in colour."""
        from zerogrid.core.drawing import draw_terminal

        return draw_terminal(self, **look)

    def _repr_svg_(self) -> str:
        return self.svg()
