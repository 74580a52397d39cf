"""Answers from a table where it has them, from a search where it has not."""

from array import array
from pathlib import Path
from typing import Protocol

import numpy as np

from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.solvers.enumeration import Enumerated, Enumeration
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.solver import Solver
from zerogrid.solvers.subsets import Subsets, build_subsets
from zerogrid.solvers.table_file import BadTable, open_table


class Values(Protocol):
    """What a table is asked."""

    unit: int

    def value(self, state: "array[int]") -> int | None:
        """The value of a position for player 0, in units of 1 / unit."""
        ...


def table_of(position: Position, path: Path, memory: str | int, rebuild: bool = False, target: str = "cpu") -> Values:
    """The table in a file; where there is none, or with `rebuild`, one of all that can follow a position is made."""
    game = position.game
    boxes = game.name == "dots_and_boxes"
    if path.is_dir():
        raise BadTable(f"{quote(path)} is a folder; a table is a file.")
    if rebuild or not path.exists():
        if boxes:
            build_subsets(game, position.state, path, memory, target)
        else:
            Enumeration(game, path, memory, target).build(position.state)
    table = open_table(path)
    return Subsets(game, table) if boxes else Enumerated(game, table)


class TableSolver(Solver):
    """A table in front of another solver."""

    def __init__(self, game: Game, table: Values, otherwise: Solver) -> None:
        super().__init__(game)
        self.table, self.otherwise = table, otherwise
        self.unit = otherwise.unit

    def prepare(self) -> None:
        """Nothing: the other solver is made ready when it is first needed."""

    def value_of(self, state: "array[int]", lower: int, upper: int, limit: Limit) -> int | None:
        found = self._found(state)
        if found is None:
            self.otherwise.prepare()
            return self.otherwise.value_of(state, lower, upper, limit)
        return found

    def at_least(self, state: "array[int]", threshold: int, limit: Limit) -> bool | None:
        found = self._found(state)
        if found is None:
            self.otherwise.prepare()
            return self.otherwise.at_least(state, threshold, limit)
        return found >= threshold

    def hint(self, state: "array[int]", value: int) -> int | None:
        return None

    def bounds(self, state: "array[int]") -> tuple[int, int]:
        return self.otherwise.bounds(state)

    def finished(self, state: "array[int]") -> int:
        return self.otherwise.finished(state)

    def earned(self, before: "array[int]", after: "array[int]") -> int:
        return self.otherwise.earned(before, after)

    def _found(self, state: "array[int]") -> int | None:
        found = self.table.value(state)
        if found is None:
            return None
        return int(np.int64(found) * self.unit // self.table.unit)
