"""A game: one game file, run with its settings, and everything that follows from it.

    game = zerogrid.game("gomoku:6x6x4")
    game.ACTIONS, game.legal, game.play ...    constants and plain functions: the rules interface, see rules.py
    game.start()                               a Position for people, see position.py

Beside the functions of the interface, a game file may define (ordinary Python, never compiled)

    TITLE            its name in print                         VARIANT         "{rows}x{columns}": settings after ':'
    PLAYERS          ("black", "white")                        ENDINGS         reasons for an end, see rules.ended
    ROWS, COLUMNS    the board, for drawing and cell names     LAYOUT          the meaning of a state, see layout.py
    symmetries()     see symmetry.py                           action_name(a)  what a person would type
    parse_action(text)   other spellings of an action, or None
    text(state), parse_text(text, state)    the board as text and back, where the layout's own form will not do
    fault(state)     what is wrong with a state that someone typed, as a sentence, or None
    terminal(state, look), svg(state, look)  drawings, see views
"""

from collections.abc import Mapping
from functools import cached_property
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from zerogrid.core import rules
from zerogrid.core.draws import hash_range
from zerogrid.core.errors import BadAction, BadGameFile, quote
from zerogrid.core.layout import Layout
from zerogrid.core.rules import Setting
from zerogrid.core.symmetry import States, Symmetry

if TYPE_CHECKING:
    from zerogrid.core.position import Position

KEY_SIZE = 0  # of the game whose key it is; see Game
LARGEST_STATE = 4096
LARGEST_ACTIONS = 65_536
LARGEST_PLIES = 100_000


def key_from_layout(state: Any) -> int:
    """The key of games that define none: a hash of all that counts for the future."""
    return hash_range(state, 0, KEY_SIZE)


class Game:
    """One game with its settings frozen in. Two games are equal when their specs and files are."""

    def __init__(
        self, name: str, module: ModuleType, settings: Mapping[str, Any], declared: Mapping[str, Setting]
    ) -> None:
        self.name = name
        self.module = module
        self.settings = dict(settings)
        self.declared = dict(declared)
        self._complete()
        self.spec = self._spec()

    # --- the interface ----------------------------------------------------------------------------------------------

    def _complete(self) -> None:
        """Check that the file has all it needs, and add the key where it leaves that to us."""
        module, file = self.module, self.module.__file__
        layout = getattr(module, "LAYOUT", None)
        if not isinstance(layout, Layout):
            example = "LAYOUT = Layout(board=per_cell(CELLS, '.xo'), turn=number())"
            raise BadGameFile(f"{file} has no LAYOUT; write {example}.")
        self.layout = layout
        if not hasattr(module, "STATE_SIZE"):
            module.STATE_SIZE = layout.size  # type: ignore[attr-defined]
        if not hasattr(module, "key"):
            own = {"KEY_SIZE": layout.key_size, "hash_range": hash_range, "__builtins__": __builtins__}
            module.key = FunctionType(key_from_layout.__code__, own, "key")  # type: ignore[attr-defined]
        for name in rules.FUNCTIONS:
            if not isinstance(getattr(module, name, None), FunctionType):
                raise BadGameFile(f"{file} does not define the function {name}; see zerogrid.core.rules.{name}.")
        limits = {
            "STATE_SIZE": LARGEST_STATE,
            "ACTIONS": LARGEST_ACTIONS,
            "MAX_LEGAL": LARGEST_ACTIONS,
            "MAX_PLIES": LARGEST_PLIES,
        }
        for name in rules.CONSTANTS:
            value = getattr(module, name, None)
            if type(value) is not int or not 1 <= value <= limits[name]:
                right = f"a whole number from 1 to {limits[name]}"
                raise BadGameFile(f"{file}: {name} must be {right}, not {quote(value)}.")
        if layout.size != module.STATE_SIZE:
            raise BadGameFile(f"{file}: STATE_SIZE is {module.STATE_SIZE}, but LAYOUT has {layout.size} entries.")
        if not getattr(module, "ENDINGS", ()):
            example = "ENDINGS = ('three in a row',)"
            raise BadGameFile(f"{file} has no ENDINGS; write the reasons for an end, such as {example}.")

    def __getattr__(self, name: str) -> Any:
        """Constants and functions of the rules interface, and whatever else the game file defines."""
        if name.startswith("_") or name == "module":
            raise AttributeError(name)
        try:
            return getattr(self.module, name)
        except AttributeError:
            raise AttributeError(f"{self.spec} has no {name}") from None

    def _spec(self) -> str:
        variant = getattr(self.module, "VARIANT", "")
        text = f"{self.name}:{variant.format(**self.settings)}" if variant else self.name
        for name, declared in self.declared.items():
            if f"{{{name}}}" not in variant and self.settings[name] != declared.default:
                value = self.settings[name]
                text += f",{name}={str(value).lower() if isinstance(value, bool) else value}"
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other._made_from() == self._made_from()

    def _made_from(self) -> tuple[str, str | None, str]:
        """A file that was edited makes another game, so nothing kept for the old one is taken for the new one's."""
        return self.spec, self.module.__file__, getattr(self.module, "SOURCE", "")

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"zerogrid.game({self.spec!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and other processes look the game up by its spec."""
        from zerogrid.core.catalogue import game

        return game, (self.spec,)

    # --- for people -------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The name in print."""
        return str(getattr(self.module, "TITLE", self.name))

    @property
    def players(self) -> tuple[str, str]:
        """What the two sides are called."""
        first, second = getattr(self.module, "PLAYERS", ("first player", "second player"))
        return str(first), str(second)

    def start(self, seed: int = 0) -> "Position":
        """The start position; the seed matters only for games with chance."""
        from zerogrid.core.position import Position

        return Position(self, seed)

    def parse(self, text: str) -> "Position":
        """The position that a text describes, as `str(position)` wrote it."""
        from zerogrid.core.text import parse_position

        return parse_position(self, text)

    def action_name(self, action: int) -> str:
        """What a person would type for an action."""
        named = getattr(self.module, "action_name", None)
        return str(named(action)) if named else str(action)

    @cached_property
    def _actions_by_name(self) -> dict[str, int]:
        return {self.action_name(action): action for action in range(self.module.ACTIONS)}

    def action(self, move: str | int) -> int:
        """The action with this name or number."""
        if isinstance(move, str):
            text = move.strip().lower()
            known = self._actions_by_name
            if text in known:
                return known[text]
            parse = getattr(self.module, "parse_action", None)
            found = parse(text) if parse and len(text) <= 100 else None
            if found is not None:
                return int(found)
            if not (text.isascii() and text.isdigit() and len(text) <= 6):
                raise BadAction(f"{quote(move)} is not a move of {self.spec}; moves look like {self._examples()}.")
            move = int(text)
        if isinstance(move, bool) or not isinstance(move, int | np.integer):
            raise BadAction(f"{quote(move)} is not a move; give its name, such as {self._examples()}, or its number.")
        if not 0 <= move < self.module.ACTIONS:
            last = self.module.ACTIONS - 1
            raise BadAction(f"there is no action {quote(move)}; {self.spec} has actions 0 to {last}.")
        return int(move)

    def _examples(self) -> str:
        first = self.start().legal
        return " or ".join(dict.fromkeys((first[0], first[len(first) // 2])))

    # --- symmetry ---------------------------------------------------------------------------------------------------

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the game, the identity first."""
        made = getattr(self.module, "symmetries", None)
        cells = max((part.length for part in self.layout.fields if part.kind == "cells"), default=0)
        identity = Symmetry("identity", tuple(range(cells)), tuple(range(self.module.ACTIONS)))
        return tuple(made()) if made else (identity,)

    def image(self, symmetry: Symmetry, state: States) -> States:
        """A state, or many, under a symmetry."""
        return symmetry.apply(self.layout, state)
