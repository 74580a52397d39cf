"""Symmetries: ways to move the board, and with it the actions and the state, that leave the game the same.

A game file gives them as a list made by `symmetries()`; for a board whose actions are its cells,

    def symmetries():
        return board_symmetries(ROWS, COLUMNS)

The first one is always the identity. `check_game` plays games and their images side by side and compares everything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from zerogrid.core.layout import Layout

States = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Symmetry:
    """Cell c goes to cells[c], action a to actions[a]. Entry i of the field `name` goes to entry entries[name][i]."""

    name: str
    cells: tuple[int, ...]
    actions: tuple[int, ...]
    entries: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def apply(self, layout: Layout, state: States) -> States:
        """The image of a state, or of many: [..., STATE_SIZE] -> the same shape."""
        image = np.array(state)
        for part in layout.fields:
            old = state[..., part.offset : part.offset + part.length]
            new = image[..., part.offset : part.offset + part.length]
            if part.name in self.entries:
                goes_to: Sequence[int] = self.entries[part.name]
            elif part.kind == "cells":
                goes_to = self.cells
            elif part.kind == "actions":
                goes_to = self.actions
            else:
                goes_to = range(part.length)
            values = old
            if part.kind in ("cell", "action"):
                table = np.array(self.cells if part.kind == "cell" else self.actions, np.int16)
                values = np.where(old >= 0, table[np.maximum(old, 0)], old)
            new[..., list(goes_to)] = values
        return image


def board_maps(rows: int, columns: int) -> list[tuple[str, Callable[[int, int], tuple[int, int]]]]:
    """The names of a board's symmetries and where each puts (row, column): 8 on a square, 4 on an oblong."""
    last_row, last_column = rows - 1, columns - 1
    maps: list[tuple[str, Callable[[int, int], tuple[int, int]]]] = [
        ("identity", lambda r, c: (r, c)),
        ("mirror left-right", lambda r, c: (r, last_column - c)),
        ("mirror up-down", lambda r, c: (last_row - r, c)),
        ("half turn", lambda r, c: (last_row - r, last_column - c)),
    ]
    if rows == columns:
        maps += [
            ("diagonal", lambda r, c: (c, r)),
            ("quarter turn right", lambda r, c: (c, last_row - r)),
            ("quarter turn left", lambda r, c: (last_column - c, r)),
            ("anti-diagonal", lambda r, c: (last_column - c, last_row - r)),
        ]
    return maps


def cells_under(rows: int, columns: int, place: Callable[[int, int], tuple[int, int]]) -> tuple[int, ...]:
    """Where each cell goes, as a table."""
    spots = (place(*divmod(cell, columns)) for cell in range(rows * columns))
    return tuple(r * columns + c for r, c in spots)


def board_symmetries(rows: int, columns: int, more_actions: int = 0) -> list[Symmetry]:
    """All symmetries of a board whose actions are its cells, then `more_actions` that stay as they are (a pass)."""
    fixed = tuple(range(rows * columns, rows * columns + more_actions))
    tables = [(name, cells_under(rows, columns, place)) for name, place in board_maps(rows, columns)]
    return [Symmetry(name, cells, cells + fixed) for name, cells in tables]
