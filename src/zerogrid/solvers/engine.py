"""What the two engines share: a compact game, a table that grows up to the memory allowed, runs in short pieces.

A piece lasts about a tenth of a second: then the clock, Ctrl-C and the table's size are looked at, and the search goes
on where it stopped.
"""

import time
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.link import link
from zerogrid.solvers import compact
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.memory import WAYS, rehash

Ints = npt.NDArray[np.int64]

FIRST_BUCKETS = 1 << 10
PIECE_SECONDS = 0.1
FIRST_PIECE = 500  # nodes
COUNTED = 1 << 16  # entries of a grown table that are counted at a time


@dataclass(frozen=True)
class CompactGame:
    """A game as the engines see it: stand-ins to link, and how a state of the rules becomes a compact one."""

    interfaces: Mapping[types.ModuleType, Any]
    pack: Callable[[npt.NDArray[np.int16]], Ints]

    def __getattr__(self, name: str) -> Any:
        """STATE_WORDS and the other constants, of this game."""
        if name.isupper():
            return getattr(self.interfaces[compact], name)
        raise AttributeError(name)


def stand_in(module: types.ModuleType, **constants: int) -> types.SimpleNamespace:
    """The names of compact.py: a module's functions, its constants or these, and the rest as it stands there."""
    names = {name: getattr(module, name, getattr(compact, name)) for name in vars(compact) if not name.startswith("_")}
    return types.SimpleNamespace(**{**names, **constants})


class Engine(ABC):
    """A search whose table is kept from one question to the next. Values are for player 0, times the game's UNIT."""

    kernel: Callable[..., None]

    def __init__(self, game: CompactGame, memory: int, target: str = "cpu") -> None:
        self.game = game
        self.target = target
        self._width = game.KEY_WORDS + 2
        # While the table grows, the old one (a quarter of its size) and the new one are there at the same time.
        self._first_buckets = max(1, 4 * memory // (5 * 8 * self._width * WAYS))
        steps = 0
        while self._first_buckets > FIRST_BUCKETS:
            self._first_buckets //= 4
            steps += 1
        self._most_buckets = self._first_buckets << (2 * steps)
        self._search = link(type(self).kernel, target, game.interfaces)
        self._rehash = link(rehash, target, game.interfaces)
        self._nodes = FIRST_PIECE
        self._ready = False
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.buckets = self._first_buckets
        self.table = np.zeros((self.buckets * WAYS, self._width), np.int64)
        self.filled = 0

    def prepare(self) -> None:
        """Compile what is not compiled yet, so that no limit of time is spent on it."""
        if not self._ready:
            self._rest()
            nothing = np.zeros((WAYS, self._width), np.int64)
            self._rehash(1, (nothing, nothing, 1))
            self._ready = True

    @abstractmethod
    def _rest(self) -> None:
        """Run the kernel with nothing to do."""

    @abstractmethod
    def at_least(self, words: Ints, threshold: int, limit: Limit) -> bool | None:
        """Whether the value is at least this; None when the limit was reached."""

    @abstractmethod
    def value(self, words: Ints, lower: int, upper: int, limit: Limit) -> int | None:
        """The value, known to lie from lower to upper; None when the limit was reached."""

    @abstractmethod
    def hint(self, words: Ints, player: int, value: int) -> int | None:
        """A move with which the player to move may keep a value just found, from the table alone."""

    @abstractmethod
    def _piece(self, nodes: int) -> tuple[int, bool]:
        """Go on searching for so many nodes; how many it were, and whether the search has ended."""

    def _run(self, limit: Limit) -> bool:
        """Search piece by piece to the end, or until the limit is reached."""
        while True:
            wanted = limit.chunk(self._nodes)
            began = time.perf_counter()
            nodes, done = self._piece(wanted)
            seconds = time.perf_counter() - began
            limit.spend(nodes)
            if not done and wanted == self._nodes:
                self._nodes = int(self._nodes * min(4.0, max(0.25, PIECE_SECONDS / max(seconds, 1e-6)))) + 1
            if 2 * self.filled > len(self.table) and self.buckets < self._most_buckets:
                self._grow()
            if done or limit.reached:
                return done

    def _grow(self) -> None:
        buckets = 4 * self.buckets
        try:
            table = np.zeros((buckets * WAYS, self._width), np.int64)
        except MemoryError:  # less is to be had than was allowed: the search goes on with the table it has
            self._most_buckets = self.buckets
            return
        self._rehash(1, (self.table, table, buckets))
        self.table, self.buckets = table, buckets
        # Part by part: what a whole column takes would come on top of the memory allowed.
        parts = (table[k : k + COUNTED, -2:] for k in range(0, len(table), COUNTED))
        self.filled = sum(int(np.count_nonzero(part[:, 0] | part[:, 1])) for part in parts)
