"""The encoding interface: how a position is shown to a network, and where in its answer the actions lie.

One game has many encodings; they are apart from its rules. An encoding file is run once for each game it is made for
and each choice of its settings, as a game file is. It asks for both at the top, and describes its planes:

    GAME = game_module("gomoku", "tictactoe")      # the rules of this instance; refuses other games
    HISTORY = setting("history", 1, least=1, most=16)
    HEIGHT, WIDTH = GAME.ROWS, GAME.COLUMNS
    PLANE_NAMES = ("own stones", "enemy stones")

    def show(state, me, cell, plane):              # the number on a plane at a cell, as player `me` sees it
        return 1.0 if state[cell] == 1 + (me ^ plane) else 0.0

That is all: `encode` is made from `show`, and shows HISTORY positions one behind the other, newest first. A file that
must look at a position as a whole before it can show cells defines, instead of `show`,

    def paint(state, me, lane, scratch, out, first):    # all planes of one position, out[cell, first + plane]

with the lanes sharing the work. Or it defines `encode` itself.

Names
    plane       a map of HEIGHT x WIDTH numbers; all planes of one input are written as out[cell, plane]
    slot        a place in the network's policy vector; SLOTS of them. Two legal actions never share one
    token       a legal action as FEATURES numbers, for networks that take actions as tokens (0: not offered)
    HISTORY     how many positions encode may look back on, the newest included

Contracts that `check_encoding` tests
    every number of out[:HEIGHT * WIDTH, :PLANES] is written, the same on every target
    slots of the legal actions of a position differ, each in 0..SLOTS-1
    encode of an image under a symmetry is the image of the encoding, see `move`
All planes are from the viewpoint of the player to move, older positions too. `rows[0]` is the newest position and
`rows[i]` the one i plays before it, for i < known; earlier ones do not exist and count as zeros.

Left out, `slot` is the action itself, and `describe` gives what is known of the action's cells (encodings/actions.py).

Ordinary Python that a file may add, never compiled
    move(symmetry)  how cells, planes and slots change places under one of the game's symmetries, as a Move; needed
                    unless cells and actions move as the game's own do and the planes stay
    places()        for each slot, where in a stack of POLICY_PLANES maps its logit lies (see networks.shapes)
    UNORDERED       (first, last): planes of a position, first to last - 1, that may come in any order in an image
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from zerogrid.core.errors import BadSetting, quote

HISTORY: int = 1
PLANES: int = 0
HEIGHT: int = 0
WIDTH: int = 0
SLOTS: int = 0
SCRATCH: int = 1
FEATURES: int = 0


def encode(states: Any, rows: Any, known: int, lane: int, scratch: Any, out: Any) -> None:
    """Write the planes of states[rows[0]] into out[cell, plane]; the lanes share the work; scratch: int16 [SCRATCH]."""
    raise _unlinked()


def slot(state: Any, action: int) -> int:
    """Where in the policy vector a legal action of this position lies."""
    raise _unlinked()


def describe(state: Any, action: int, out: Any) -> None:
    """Write the FEATURES numbers of a legal action."""
    raise _unlinked()


FUNCTIONS = ("encode", "slot", "describe")
CONSTANTS = ("HISTORY", "PLANES", "HEIGHT", "WIDTH", "SLOTS", "SCRATCH", "FEATURES")


def _unlinked() -> Exception:
    return RuntimeError("this is the interface; link() puts an encoding's own function in its place")


class NotThisGame(BadSetting):
    """The encoding is made for other games."""


@dataclass(frozen=True)
class Move:
    """A symmetry as a network sees it: cell c goes to cells[c], plane p to planes[p], slot s to slots[s]."""

    cells: tuple[int, ...]
    planes: tuple[int, ...]
    slots: tuple[int, ...]


_given: ContextVar[ModuleType | None] = ContextVar("_given", default=None)


@contextmanager
def making_encoding(game: ModuleType) -> Iterator[None]:
    """While an encoding file runs inside this, `game_module` answers with this game's rules."""
    token = _given.set(game)
    try:
        yield
    finally:
        _given.reset(token)


def game_module(*names: str) -> Any:
    """The rules of the game that the encoding is made for; none of these names (if any are given) is refused."""
    module = _given.get()
    if module is None:
        raise RuntimeError("an encoding file is run by zerogrid.encodings.encoding(game, name), not imported")
    name = module.__name__.removeprefix("zerogrid_game_")
    if names and name not in names:
        raise NotThisGame(f"this encoding is for {', '.join(names)}, not for {quote(name)}.")
    return module
