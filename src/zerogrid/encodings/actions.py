"""Where a game's actions lie on its board, as far as that is known.

Networks that read an action's logit from the board, and action tokens, need it. A game file may say it in a function
`action_cells(action)` that gives the cells an action goes from and to: the same cell twice where something is put
there, (-1, -1) for one that lies nowhere. Where a file says nothing, actions numbered like the cells (with a few more
behind them, a pass) are taken to be the cells, unless a symmetry moves them otherwise.
"""

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from zerogrid.core.errors import BadGameFile
from zerogrid.encodings import standard

WHOLE_BOARD = -1  # networks.shapes has the same number; neither layer may import the other
MOST_MAPS = 64
LARGEST_TABLE = 8192  # actions; a table of them must fit in a card's constant memory

Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Lie:
    """How a game's actions lie: a form that `standard.describe` knows, with its table, and each action's cells."""

    rows: int
    columns: int
    form: int
    cells: Cells
    table: Any
    digits: int

    @property
    def features(self) -> int:
        """How many numbers describe an action."""
        return self.digits + 1 if self.form == standard.UNKNOWN else 8

    @property
    def names(self) -> tuple[str, ...]:
        """What the numbers that describe an action mean."""
        if self.form == standard.UNKNOWN:
            return (*(f"digit {digit}" for digit in range(self.digits)), "listed")
        return ("from row", "from column", "to row", "to column", "put", "moved", "nowhere", "listed")

    def functions(self) -> dict[str, FunctionType]:
        """start_of, target_of and describe, as plain functions that can be linked."""
        grid = {"GRID_ROWS": self.rows, "GRID_COLUMNS": self.columns}
        names: dict[str, Any] = {**grid, "FORM": self.form, "TABLE": self.table, "DIGITS": self.digits}
        ends = standard.start_of, standard.target_of
        made = {end.__name__: standard.completed(end, names) for end in ends}
        stand = standard.completed(standard.stand, grid)
        return {**made, "describe": standard.completed(standard.describe, {**names, **made, "stand": stand})}


def board_size(game: Any) -> tuple[int, int]:
    """Rows and columns of a game's board; a game that does not say has a single row."""
    if hasattr(game, "ROWS") and hasattr(game, "COLUMNS"):
        return int(game.ROWS), int(game.COLUMNS)
    return 1, max((part.length for part in game.LAYOUT.fields if part.kind == "cells"), default=1)


def lie_of(game: Any) -> Lie:
    """How the actions of a game (its module) lie on its board."""
    rows, columns = board_size(game)
    cells, actions = rows * columns, int(game.ACTIONS)
    digits = max((actions - 1).bit_length(), 1)
    unknown = Lie(rows, columns, standard.UNKNOWN, (), standard.NO_TABLE, digits)
    says = getattr(game, "action_cells", None)
    if says is None:
        if not cells <= actions <= cells + 2 or cells == 1 or not _move_like_cells(game, cells):
            return unknown
        return Lie(rows, columns, standard.CELL, _placed(cells, actions), standard.NO_TABLE, digits)
    told = tuple((int(start), int(target)) for start, target in map(says, range(actions)))
    for action, (start, target) in enumerate(told):
        if (start, target) != (-1, -1) and not (0 <= start < cells and 0 <= target < cells):
            raise BadGameFile(
                f"action_cells({action}) is ({start}, {target}); those are two cells from 0 to {cells - 1} or (-1, -1)."
            )
    if actions <= cells + 2 and told == _placed(cells, actions):
        return Lie(rows, columns, standard.CELL, told, standard.NO_TABLE, digits)
    if told == tuple((action % cells, action // cells) for action in range(actions)):
        return Lie(rows, columns, standard.PAIR, told, standard.NO_TABLE, digits)
    if told == tuple((action // cells, action % cells) for action in range(actions)):
        return Lie(rows, columns, standard.RIAP, told, standard.NO_TABLE, digits)
    if actions > LARGEST_TABLE:
        return unknown
    return Lie(rows, columns, standard.LOOKED_UP, told, np.array(told, np.int16), digits)


def _move_like_cells(game: Any, cells: int) -> bool:
    """Whether every symmetry moves the first actions as it moves the cells (81 orders on 81 cells, say, do not)."""
    made = getattr(game, "symmetries", None)
    return all(tuple(one.actions[:cells]) == tuple(one.cells) for one in (made() if made else ()))


def _placed(cells: int, actions: int) -> Cells:
    return tuple((cell, cell) if cell < cells else (-1, -1) for cell in range(actions))


def places_of(lie: Lie) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Policy planes and places for actions as they are: none where two actions would share a place.

    One map where each action has a cell of its own; else a map for each way to go from one cell to another.
    """
    targets = [target for _, target in lie.cells if target >= 0]
    if not targets:
        return 0, ()
    if len(set(targets)) == len(targets):
        return 1, tuple((target,) if target >= 0 else (WHOLE_BOARD,) for _, target in lie.cells)
    ways = [_way(lie, *pair) for pair in lie.cells]
    kinds = {way: kind for kind, way in enumerate(sorted({way for way in ways if way is not None}))}
    board = lie.rows * lie.columns
    spots = [None if way is None else kinds[way] * board + pair[0] for way, pair in zip(ways, lie.cells)]
    taken = [spot for spot in spots if spot is not None]
    if len(kinds) > MOST_MAPS or len(set(taken)) < len(taken):
        return 0, ()
    return len(kinds), tuple((WHOLE_BOARD,) if spot is None else (spot,) for spot in spots)


def _way(lie: Lie, start: int, target: int) -> tuple[int, int] | None:
    if target < 0:
        return None
    return target // lie.columns - start // lie.columns, target % lie.columns - start % lie.columns
