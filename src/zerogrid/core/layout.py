"""What the numbers of a state mean, declared once.

    LAYOUT = Layout(board=per_cell(CELLS, ".xo"), turn=number(), last=an_action(remembered=True))
    BOARD, TURN, LAST = LAYOUT.offsets

From this follow the state's size, the text form of a position, its key, and how a symmetry of the board moves a
position. A field that is only `remembered` (the last move, say) has no bearing on the future: it is left out of keys
and comparisons, and such fields come last.

`owners` says which player something belongs to, so that an encoding can show it as one's own or the enemy's: a sign
for each symbol of a field, '0', '1' or '.' for nobody (".0101" for the symbols ".wbWB"), or for each entry of a field
without symbols ("01" for two scores). Three symbols such as ".xo" are nobody's, player 0's and player 1's if nothing
else is said.
"""

from dataclasses import dataclass, replace
from typing import Literal

from zerogrid.core.errors import BadGameFile, quote

Kind = Literal["cells", "actions", "numbers", "cell", "action"]


@dataclass(frozen=True)
class Field:
    """Some neighbouring entries of a state, and what they are about."""

    kind: Kind
    length: int
    symbols: str = ""
    remembered: bool = False
    name: str = ""
    offset: int = 0
    owners: str = ""

    def __post_init__(self) -> None:
        if not self.owners:
            signs = ".01" if len(self.symbols) == 3 else "." * (len(self.symbols) or self.length)
            object.__setattr__(self, "owners", signs)
        if len(self.owners) != (len(self.symbols) or self.length) or set(self.owners) - set(".01"):
            what = f"the {len(self.symbols)} symbols" if self.symbols else f"the {self.length} entries"
            raise BadGameFile(f"layout: owners {quote(self.owners)} must say 0, 1 or . for each of {what} of a field.")


def per_cell(cells: int, symbols: str = "", remembered: bool = False, owners: str = "") -> Field:
    """One entry for each cell of the board; `symbols[v]` is how the value v is written."""
    return Field("cells", cells, symbols, remembered, owners=owners)


def per_action(actions: int, symbols: str = "", remembered: bool = False, owners: str = "") -> Field:
    """One entry for each action (the edges of Dots-and-Boxes, say)."""
    return Field("actions", actions, symbols, remembered, owners=owners)


def number(length: int = 1, remembered: bool = False, owners: str = "") -> Field:
    """Entries that no symmetry changes: whose turn it is, a score, a counter."""
    return Field("numbers", length, "", remembered, owners=owners)


def a_cell(length: int = 1, remembered: bool = False, owners: str = "") -> Field:
    """Entries that hold the number of a cell, or something negative for none."""
    return Field("cell", length, "", remembered, owners=owners)


def an_action(length: int = 1, remembered: bool = False, owners: str = "") -> Field:
    """Entries that hold the number of an action, or something negative for none."""
    return Field("action", length, "", remembered, owners=owners)


class Layout:
    """The fields of a state in their order."""

    def __init__(self, **fields: Field) -> None:
        offset, placed, remembered = 0, [], False
        for name, part in fields.items():
            if remembered and not part.remembered:
                raise BadGameFile(f"layout: field {name} counts for the future and must stand before remembered ones.")
            remembered = part.remembered
            placed.append(replace(part, name=name, offset=offset))
            offset += part.length
        self.fields: tuple[Field, ...] = tuple(placed)
        self.size = offset
        self.key_size = sum(part.length for part in placed if not part.remembered)

    @property
    def offsets(self) -> tuple[int, ...]:
        """Where each field begins, in the order of declaration."""
        return tuple(part.offset for part in self.fields)

    def where(self, index: int) -> str:
        """A state index in words: 'board[7]'."""
        for part in self.fields:
            if part.offset <= index < part.offset + part.length:
                return part.name if part.length == 1 else f"{part.name}[{index - part.offset}]"
        return f"index {index}, outside the state of {self.size}"
