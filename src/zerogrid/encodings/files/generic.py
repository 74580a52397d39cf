"""The encoding that fits any game: what its layout says of a state, as planes.

    board         a plane for each symbol but the first (where the first means empty): own, enemy, nobody's
    cells         a plane for each entry that holds a cell, and two for the last action (from, to)
    numbers       a plane full of v / (|v| + 8) for each
    turn          all ones when the player to move is the first player

Fields that are only remembered are left out, but for actions. Actions that lie on no known cell are shown by no plane;
entries for each action then get a plane each. A field's `owners` (core/layout.py) make planes own and enemy.
"""

from typing import Any

import numpy as np

from zerogrid.core.encoding import Move, game_module
from zerogrid.core.rules import setting
from zerogrid.encodings.actions import lie_of
from zerogrid.encodings.sheets import ALL, CELL_EQUAL, CELL_GRADE, FIRST, HERE, START, sheets_of

GAME = game_module()
HISTORY = setting("history", 1, least=1, most=16, help="positions shown, the newest and those before it")
LIE = lie_of(GAME)
HEIGHT, WIDTH = LIE.rows, LIE.columns
SHEETS = sheets_of(GAME, LIE)
PLANE_NAMES = tuple(sheet.name for sheet in SHEETS)
start_of, target_of = (LIE.functions()[name] for name in ("start_of", "target_of"))

KIND = np.array([sheet.kind for sheet in SHEETS], np.int16)
AT = np.array([[sheet.at[me] for sheet in SHEETS] for me in (0, 1)], np.int16)
VALUE = np.array([[sheet.value[me] for sheet in SHEETS] for me in (0, 1)], np.int16)


def show(state: Any, me: int, cell: int, plane: int) -> float:
    kind = KIND[plane]
    if kind == FIRST:
        return 1.0 - me
    at = int(AT[me, plane])
    if kind == CELL_EQUAL:
        return 1.0 if state[at + cell] == VALUE[me, plane] else 0.0
    if kind == CELL_GRADE:
        return grade(state[at + cell])
    value = state[at]
    if kind == ALL:
        return grade(value)
    if kind == HERE:
        return 1.0 if value == cell else 0.0
    if value < 0:
        return 0.0
    if kind == START:
        return 1.0 if start_of(value) == cell else 0.0
    return 1.0 if target_of(value) == cell else 0.0


def grade(value: int) -> float:
    """Any number between -1 and 1, small ones nearly in proportion."""
    return value / (abs(value) + 8.0)


def move(symmetry: Any) -> Move:
    cells = symmetry.cells if len(symmetry.cells) == HEIGHT * WIDTH else tuple(range(HEIGHT * WIDTH))
    where = {(sheet.field, sheet.entry): plane for plane, sheet in enumerate(SHEETS) if sheet.entry >= 0}
    planes = list(range(len(SHEETS)))
    for plane, sheet in enumerate(SHEETS):
        goes_to = symmetry.entries.get(sheet.field, symmetry.actions if sheet.per_action else None)
        if sheet.entry >= 0 and goes_to is not None:
            planes[plane] = where[sheet.field, goes_to[sheet.entry]]
    return Move(cells, tuple(planes), symmetry.actions)
