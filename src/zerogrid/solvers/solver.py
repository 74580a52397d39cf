"""Solvers as people and the other layers use them: positions in, exact values out.

    solver = solver_for(zerogrid.game("gomoku:6x6x4"))
    solver.solve(position)                 value, value of every legal move, best line
    solver.solve(position, seconds=10)     the same, or as much of it as was found

A solver keeps what it learnt from one position to the next. The moves from the position asked about are made by the
plain rules; what searches only ever sees the positions after them.

Inside, values are whole numbers for player 0, in units of 1 / `unit`, of what is still to come.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.solvers.engine import CompactGame, Engine
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.solution import Solution

State = npt.NDArray[np.int16]


class Branch(NamedTuple):
    """A legal move, what player 0 earns by it at once, and where it leads."""

    action: int
    earned: int
    state: "array[int]"


class Solver(ABC):
    """Finds exact values of one game's positions."""

    unit = 1

    def __init__(self, game: Game) -> None:
        self.game = game

    # --- what each solver brings --------------------------------------------------------------------------------------

    @abstractmethod
    def prepare(self) -> None:
        """Whatever takes time before the first question; limits do not count it."""

    @abstractmethod
    def value_of(self, state: "array[int]", lower: int, upper: int, limit: Limit) -> int | None:
        """The value of an unfinished position, known to lie from lower to upper; None when the limit was reached."""

    @abstractmethod
    def at_least(self, state: "array[int]", threshold: int, limit: Limit) -> bool | None:
        """Whether the value of an unfinished position is at least this; None when the limit was reached."""

    def hint(self, state: "array[int]", value: int) -> int | None:
        """A move that probably keeps a value just found."""
        return None

    def bounds(self, state: "array[int]") -> tuple[int, int]:
        """Between what values an unfinished position lies for certain."""
        return -self.unit, self.unit

    def finished(self, state: "array[int]") -> int:
        """The value still to come in a finished position."""
        return round(float(self.game.module.score(state, 0)) * self.unit)

    def earned(self, before: "array[int]", after: "array[int]") -> int:
        """What player 0 has earned by the move between two positions."""
        return 0

    def likely(self, position: Position) -> bool:
        """Whether a few minutes will probably do, as far as experience goes."""
        return True

    # --- asking -------------------------------------------------------------------------------------------------------

    def solve(
        self,
        position: Position,
        seconds: float | None = None,
        nodes: int | None = None,
        moves: bool = True,
        line: bool = True,
    ) -> Solution:
        """The value of a position; with `moves` the value of every legal move too, with `line` best play to the end.

        Where the limit is reached first, the best line may break off, and `solved` says whether the rest is complete.
        """
        if position.game != self.game:
            raise ZeroGridError(f"this solver is for {self.game.spec}; the position is one of {position.game.spec}.")
        return self.solve_state(position.state, seconds, nodes, moves, line)

    def solve_state(
        self,
        state: State,
        seconds: float | None = None,
        nodes: int | None = None,
        moves: bool = True,
        line: bool = True,
        watch: Callable[[int], None] | None = None,
    ) -> Solution:
        """The same for the numbers of a state; `watch` is told now and then how many nodes were just searched."""
        self.prepare()
        limit = Limit(seconds, nodes, watch)
        root = array("h", state.tobytes())
        mover = int(self.game.module.to_move(root))
        sign = 1 - 2 * mover
        value = self._value(root, limit)
        values: dict[int, int] = {}
        complete = value is not None
        if value is not None and moves:
            for branch in self._branches(root):
                found = self._branch_value(branch, mover, value, limit)
                if found is None:
                    complete = False
                    break
                values[branch.action] = found
        return Solution(
            to_move=mover,
            value=None if value is None else self._outward(sign * value),
            action_values={action: self._outward(sign * found) for action, found in values.items()},
            best_line=tuple(self._line(root, value, limit)) if line and value is not None else (),
            nodes=limit.nodes,
            seconds=limit.seconds,
            solved=complete,
        )

    # --- inside -------------------------------------------------------------------------------------------------------

    def _outward(self, value: int) -> float:
        """A value in whole units: an int where it is one."""
        return value // self.unit if value % self.unit == 0 else value / self.unit

    def _value(self, state: "array[int]", limit: Limit) -> int | None:
        if self.game.module.ended(state):
            return self.finished(state)
        return self.value_of(state, *self.bounds(state), limit)

    def _branches(self, state: "array[int]") -> Iterator[Branch]:
        module, buffer = self.game.module, [0] * self.game.MAX_LEGAL
        for action in buffer[: module.legal(state, buffer)]:
            after = state[:]
            module.play(after, action)
            yield Branch(action, self.earned(state, after), after)

    def _branch_value(self, branch: Branch, mover: int, best: int, limit: Limit) -> int | None:
        """What a move is worth, when no move is better than `best`."""
        if self.game.module.ended(branch.state):
            return branch.earned + self.finished(branch.state)
        lower, upper = self.bounds(branch.state)
        if mover == 0:
            upper = min(upper, best - branch.earned)
        else:
            lower = max(lower, best - branch.earned)
        found = self.value_of(branch.state, lower, upper, limit)
        return None if found is None else branch.earned + found

    def _line(self, state: "array[int]", value: int, limit: Limit) -> Iterator[int]:
        """Best moves from a position whose value is known, to the end of the game or until the limit is reached."""
        while not self.game.module.ended(state):
            branch = self._keeping(state, value, limit)
            if branch is None:
                return
            yield branch.action
            state, value = branch.state, value - branch.earned

    def _keeping(self, state: "array[int]", value: int, limit: Limit) -> Branch | None:
        """The first move that keeps the value of a position: one that ends the game, then the hint, then the others."""
        mover = int(self.game.module.to_move(state))
        hint = self.hint(state, value)

        def order(branch: Branch) -> tuple[bool, bool]:
            return not self.game.module.ended(branch.state), branch.action != hint

        for branch in sorted(self._branches(state), key=order):
            target = value - branch.earned
            if self.game.module.ended(branch.state):
                found = self.finished(branch.state)
                keeps: bool | None = found >= target if mover == 0 else found <= target
            elif mover == 0:
                keeps = self.at_least(branch.state, target, limit)
            else:
                better = self.at_least(branch.state, target + 1, limit)
                keeps = None if better is None else not better
            if keeps is None:
                return None
            if keeps:
                return branch
        raise AssertionError("no move keeps the value found")


class EngineSolver(Solver):
    """A solver that asks a search engine."""

    def __init__(self, game: Game, engine: Engine) -> None:
        super().__init__(game)
        self.engine = engine
        self.unit = int(engine.game.UNIT)

    @property
    def compact(self) -> CompactGame:
        """The game as the engine sees it."""
        return self.engine.game

    def prepare(self) -> None:
        self.engine.prepare()

    def value_of(self, state: "array[int]", lower: int, upper: int, limit: Limit) -> int | None:
        return self.engine.value(self._words(state), lower, upper, limit)

    def at_least(self, state: "array[int]", threshold: int, limit: Limit) -> bool | None:
        return self.engine.at_least(self._words(state), threshold, limit)

    def hint(self, state: "array[int]", value: int) -> int | None:
        return self.engine.hint(self._words(state), self.game.module.to_move(state), value)

    def _words(self, state: "array[int]") -> npt.NDArray[np.int64]:
        return self.compact.pack(np.frombuffer(state, np.int16))
