"""What the search engines ask of a game: a few functions on a small vector of 64-bit integers.

The engines (proof.py, alphabeta.py) are written once against these stand-ins; `link` puts one game's own in their
place, as it does for the rules. `from_rules.py` makes them from the plain rules of any game; `lines.py`, `pawns.py`,
`drops.py` and `edges.py` are faster ones, for Gomoku, Pawn Dama, Connect Four and Dots-and-Boxes.

All values are those still to come, for player 0: what play() has already earned is not counted again. A win is +1 and
a loss -1, times UNIT.

Contracts, tested against the rules on random positions
    known(s)            lower <= value(s) <= upper; equal at least for every finished game
    moves(s, out)       asked only while known() leaves something open; never none. Moves may be left out where
                        another one is at least as good
    play(s, m)          returns what player 0 earns at once (0 in games where only the end counts)
    identify(s, key)    equal keys only for positions of equal value; symmetric positions may share one. A key may also
                        stand for the position with the two sides exchanged, whose value is the negative; then 1 is
                        returned, else 0
"""

from typing import Any

Words = Any  # an int64 vector
Moves = Any  # an int64 vector to write moves into

STATE_WORDS: int = 0
KEY_WORDS: int = 0
MAX_MOVES: int = 0
MOVE_RANGE: int = 0  # moves are numbers below this
MAX_DEPTH: int = 0
UNIT: int = 1
LOOKS_AHEAD: bool = False  # whether it pays to look at the rules of all moves before searching one


def turn(state: Words) -> int:
    """The player to move, 0 or 1."""
    raise _unlinked()


def known(state: Words) -> tuple[int, int]:
    """Bounds on the value to come for player 0, without search."""
    raise _unlinked()


def moves(state: Words, out: Moves) -> int:
    """Write the moves worth trying, the most promising first; return how many."""
    raise _unlinked()


def choices(state: Words) -> int:
    """How many moves there are to answer: a first guess of how hard it is to beat the mover. 1 is no guess."""
    raise _unlinked()


def play(state: Words, move: int) -> int:
    """Play a move in place; return what player 0 earns by it at once."""
    raise _unlinked()


def identify(state: Words, key: Words) -> int:
    """Write the KEY_WORDS numbers that name this position; return 1 if they name it with the sides exchanged."""
    raise _unlinked()


def _unlinked() -> Exception:
    return RuntimeError("this is the interface; link() puts a game's own function in its place")
