"""The rules interface: what a game is, in seven functions and a handful of constants.

A game is one plain Python file. It defines the functions below, undecorated, on a *state*: a vector of `STATE_SIZE`
16-bit integers. `link` turns the same functions into compiled code for the CPU and for CUDA, so inside them only
numbers, loops, tuples of numbers, indexing and other such functions may be used: no lists, no strings, no objects, no
exceptions, no allocation. Everything else in the file (names of actions, drawing) is ordinary Python, never compiled.

Names
    player      0 or 1; player 0 moves first
    action      a number from 0 to ACTIONS - 1, the same thing in every position
    cell        a number from 0 to ROWS * COLUMNS - 1, row by row
    state       int16 vector, all zeros before `start`

Contracts, as identities that `check_game` tests on thousands of positions
    start(s, seed)              the same seed gives the same state, on every target
    n = legal(s, out)           out[:n] strictly increasing, each in 0..ACTIONS-1; s unchanged; n <= MAX_LEGAL
    legal(s, out) > 0           exactly while ended(s) == 0
    play(s, a)                  defined for legal a only; touches s and nothing else
    ended(s) == 0               while the game goes on; else the number (from 1) of a line in ENDINGS
    ended(s) > 0                after at most MAX_PLIES plays
    score(s, 0) + score(s, 1) == 0, each in [-1, 1]; asked for finished games only
    key(s) == key(t)            exactly when s and t have the same future (same legal actions, same results)
    to_move(s)                  0 or 1; who is to move may follow any pattern: extra turns and passes need no care,
                                for values belong to players and never to plies

A kernel that works for any game calls the stand-ins below, as `rules.play(state, action)`; `link` puts the functions
and constants of a particular game in their place.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from zerogrid.core.errors import BadSetting, quote

State = Any  # an int16 vector: NumPy array, device array, or memoryview, by target
Buffer = Any  # an int32 vector to write actions into

STATE_SIZE: int = 0
ACTIONS: int = 0
MAX_LEGAL: int = 0
MAX_PLIES: int = 0


def start(state: State, seed: int) -> None:
    """Write the start position into an all-zero state; every chance in the game is drawn here, from the seed."""
    raise _unlinked()


def to_move(state: State) -> int:
    """The player to move, 0 or 1."""
    raise _unlinked()


def legal(state: State, actions: Buffer) -> int:
    """Write the legal actions in increasing order; return how many. None when the game is over."""
    raise _unlinked()


def play(state: State, action: int) -> None:
    """Play a legal action in place."""
    raise _unlinked()


def ended(state: State) -> int:
    """0 while the game goes on, else which of ENDINGS, counted from 1."""
    raise _unlinked()


def score(state: State, player: int) -> float:
    """The result of a finished game for a player: 1 won, 0 drawn, -1 lost (or any value in [-1, 1])."""
    raise _unlinked()


def key(state: State) -> int:
    """A 64-bit number that is the same exactly for positions with the same future. Optional: made from the layout."""
    raise _unlinked()


FUNCTIONS = ("start", "to_move", "legal", "play", "ended", "score", "key")
CONSTANTS = ("STATE_SIZE", "ACTIONS", "MAX_LEGAL", "MAX_PLIES")


def _unlinked() -> Exception:
    return RuntimeError("this is the interface; link() puts a game's own function in its place")


# --- settings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """One thing that may be chosen about a game, as declared in its file."""

    name: str
    default: Any
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] | None = None
    help: str = ""

    def check(self, value: Any) -> Any:
        """The value as its proper type, or a sentence that says what would be right."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            if value in ("true", "false"):
                return value == "true"
            raise BadSetting(f"setting {self.name} is true or false, not {quote(value)}.")
        if self.choices is not None:
            if value not in self.choices:
                raise BadSetting(f"setting {self.name} is one of {', '.join(self.choices)}, not {quote(value)}.")
            return value
        text = str(value)
        number: float
        if isinstance(self.default, float):
            if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", text):
                raise BadSetting(f"setting {self.name} is a number such as 0.25, not {quote(value)}.")
            number = float(text)
        elif re.fullmatch("-?[0-9]{1,8}", text):
            number = int(text)
        else:
            raise BadSetting(f"setting {self.name} is a whole number, not {quote(value)}.")
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise BadSetting(f"setting {self.name} must lie from {self.least} to {self.most}, not {number}.")
        return number


@dataclass
class _Instance:
    """What is being made of a game file at this moment: the values asked for, and the settings it declares."""

    values: dict[str, Any]
    declared: dict[str, Setting] = field(default_factory=dict)


_instance: ContextVar[_Instance | None] = ContextVar("_instance", default=None)


@contextmanager
def making_instance(values: dict[str, Any]) -> Iterator[dict[str, Setting]]:
    """While a game file runs inside this, `setting` answers with these values. Yields the settings it declares."""
    instance = _Instance(values)
    token = _instance.set(instance)
    try:
        yield instance.declared
    finally:
        _instance.reset(token)


def setting(
    name: str,
    default: Any,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] | None = None,
    help: str = "",
) -> Any:
    """Declare a setting at the top of a game file: `ROWS = setting("rows", 6, least=3, most=19)`.

    The file runs once for every instance of the game; what this returns is a constant of that instance, and compiled
    into its code. Read as an ordinary module, the file has the defaults.
    """
    declared = Setting(name, default, least, most, choices, help)
    instance = _instance.get()
    if instance is None:
        return default
    instance.declared[name] = declared
    return declared.check(instance.values[name]) if name in instance.values else default


def refuse(sentence: str) -> None:
    """Refuse a combination of settings: `if K > max(ROWS, COLUMNS): refuse("k does not fit on the board")`."""
    raise BadSetting(sentence)
