"""What the generic encoding shows, plane by plane, as read from a game's layout."""

from dataclasses import dataclass
from typing import Any

from zerogrid.core.layout import Field
from zerogrid.encodings import standard
from zerogrid.encodings.actions import Lie

# How a plane's number follows from the state; `at` and `value` depend on who is to move.
CELL_EQUAL = 0  # state[at + cell] == value
CELL_GRADE = 1  # state[at + cell], made small
ALL = 2  # state[at], made small, everywhere
HERE = 3  # state[at] == cell
START = 4  # the action state[at] goes from this cell
TARGET = 5  # ... to this cell
FIRST = 6  # the player to move is the first player


@dataclass(frozen=True)
class Sheet:
    """One plane: (at, value) for player 0 to move, and for player 1 to move."""

    name: str
    kind: int
    at: tuple[int, int] = (0, 0)
    value: tuple[int, int] = (0, 0)
    field: str = ""
    entry: int = -1  # of a field whose entries have a plane each
    per_action: bool = False


def sheets_of(game: Any, lie: Lie) -> tuple[Sheet, ...]:
    """All planes of one position, in the order of the layout; whose turn it is comes last."""
    sheets: list[Sheet] = []
    cells = lie.rows * lie.columns
    for part in game.LAYOUT.fields:
        if part.kind == "action":
            sheets += _actions(part, lie)
        elif part.remembered:
            continue
        elif part.kind == "cell":
            sheets += _entries(part, HERE, range(part.length))
        elif part.kind == "cells" and part.length == cells:
            sheets += _board(part)
        elif part.kind == "actions" and lie.form == standard.CELL:
            sheets += _board(part)
            sheets += _entries(part, ALL, range(cells, part.length))
        else:
            sheets += _entries(part, ALL, range(part.length))
    return (*sheets, Sheet("first player to move", FIRST))


def _board(part: Field) -> list[Sheet]:
    """A plane for each symbol but the first, or one for the numbers themselves."""
    at = (part.offset, part.offset)
    if not part.symbols:
        return [Sheet(part.name, CELL_GRADE, at)]
    made, other = [], _pairs(part.owners)
    for value in range(0 if part.owners[0] != "." else 1, len(part.symbols)):
        name = f"{part.name} {part.symbols[value]}"
        if value in other:
            if part.owners[value] == "1":
                continue  # shown along with player 0's
            sign = f"{part.symbols[value]} or {part.symbols[other[value]]}"
            made.append(Sheet(f"own {part.name} {sign}", CELL_EQUAL, at, (value, other[value])))
            made.append(Sheet(f"enemy {part.name} {sign}", CELL_EQUAL, at, (other[value], value)))
        else:
            made.append(Sheet(name, CELL_EQUAL, at, (value, value)))
    return made


def _entries(part: Field, kind: int, entries: range) -> list[Sheet]:
    """A plane for each entry; where the entries belong to players, those of the player to move stand first."""
    made, other = [], {} if part.symbols else _pairs(part.owners)
    for entry in entries:
        twin = other.get(entry, entry)
        at = part.offset + entry, part.offset + twin
        whose = "" if twin == entry else "own " if part.owners[entry] == "0" else "enemy "
        name = f"{whose}{part.name}" + (f" {min(entry, twin)}" if part.length > 1 else "")
        made.append(Sheet(name, kind, at, field=part.name, entry=entry, per_action=part.kind == "actions"))
    return made


def _actions(part: Field, lie: Lie) -> list[Sheet]:
    """Where an action goes to, and from where it came if that is another cell."""
    if lie.form == standard.UNKNOWN:
        return [] if part.remembered else _entries(part, ALL, range(part.length))
    made = []
    for entry in range(part.length):
        at = part.offset + entry, part.offset + entry
        if any(start != target for start, target in lie.cells):
            made.append(Sheet(f"{part.name} from", START, at, field=f"{part.name} from", entry=entry))
        made.append(Sheet(f"{part.name} to", TARGET, at, field=f"{part.name} to", entry=entry))
    return made


def _pairs(owners: str) -> dict[int, int]:
    """For each thing that a player owns, the enemy's thing of the same rank; what has no twin is left out."""
    first = [index for index, owner in enumerate(owners) if owner == "0"]
    second = [index for index, owner in enumerate(owners) if owner == "1"]
    return dict(zip(first, second)) | dict(zip(second, first))
