"""Any game for the engines, from nothing but its rules.

The state is the game's own vector, widened to 64-bit words. A position is named by two hashes: the game's own key and
a second one of all that counts for the future, made in another way; for a wrong answer both would have to collide.
"""

import math
import types

import numpy as np
import numpy.typing as npt

from zerogrid.core import rules
from zerogrid.core.game import Game
from zerogrid.solvers import compact, facts
from zerogrid.solvers.compact import Moves, Words
from zerogrid.solvers.engine import CompactGame, Ints, stand_in

KEY_WORDS = 2
UNIT = 72_072_000  # divisible by most small numbers, so that a score such as 3/25 is exact
LOOKS_AHEAD = True
HALF = 0x7FFFFFFF


def turn(state: Words) -> int:
    return rules.to_move(state)


def known(state: Words) -> tuple[int, int]:
    if rules.ended(state) == 0:
        return -facts.UNIT, facts.UNIT
    value = math.floor(rules.score(state, 0) * facts.UNIT + 0.5)
    return value, value


def moves(state: Words, out: Moves) -> int:
    return rules.legal(state, out)


def choices(state: Words) -> int:
    return 1


def play(state: Words, move: int) -> int:
    rules.play(state, move)
    return 0


def identify(state: Words, key: Words) -> int:
    low = 0x243F6A88
    high = 0x13198A2E
    for i in range(facts.COUNTED):
        low = (low ^ (state[i] & HALF)) * 0x9E3779B1
        low = (low ^ (low >> 32)) & HALF
        high = (high ^ low ^ (state[i] & HALF)) * 0x85EBCA77
        high = (high ^ (high >> 32)) & HALF
    key[0] = rules.key(state)
    key[1] = high * 0x80000000 + low
    return 0


def from_rules(game: Game, unit: int = UNIT) -> CompactGame:
    """A game by its rules alone; with a unit of 1, only for games that are won, drawn or lost."""
    sizes = {"UNIT": unit, "STATE_WORDS": game.STATE_SIZE, "MAX_MOVES": game.MAX_LEGAL, "MAX_DEPTH": game.MAX_PLIES}
    counted = types.SimpleNamespace(COUNTED=game.layout.key_size, UNIT=unit)
    import zerogrid.solvers.from_rules as here

    return CompactGame(
        {compact: stand_in(here, MOVE_RANGE=game.ACTIONS, **sizes), facts: counted, rules: game.module}, pack=widen
    )


def widen(state: npt.NDArray[np.int16]) -> Ints:
    """The same numbers as 64-bit words."""
    return state.astype(np.int64)
