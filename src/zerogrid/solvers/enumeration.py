"""Full enumeration: every position that can be reached, numbered, with its exact value.

Forward, the positions are found layer by layer: layer d holds all that d plays can lead to, each once. Backward, from
the last layer to the first, every position gets the best of the values it leads to. Nothing is left out and nothing is
assumed, so this is also how the other solvers are checked. It is for small games: the finished table has to fit into a
third of the memory allowed, and what needs more is refused.

A position is known by what counts for its future (its first entries, see Layout) and found by a 64-bit hash of them;
two positions that share a hash would be noticed, for the entries are compared as well. Layers are kept beside the
table while it is made, so that a build that was stopped goes on from the layer it had reached.
"""

import contextlib
import shutil
from array import array
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import rules
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.core.progress import Progress
from zerogrid.solvers.from_rules import UNIT
from zerogrid.solvers.limit import memory_of
from zerogrid.solvers.table_file import Array, BadTable, Builder, Table, open_table

KIND = "enumeration"
CHUNK = 1 << 22  # bytes of the finished table that share a hash
LEAST = np.int32(-(2**31) + 1)

Rows = npt.NDArray[np.int16]
Hashes = npt.NDArray[np.uint64]


class Opened(NamedTuple):
    """Some positions, and room for what they lead to."""

    states: Any  # int16[n, STATE_SIZE]
    actions: Any  # int32[n, MAX_LEGAL]
    count: Any  # int64[n]: how many legal actions; 0 where the game has ended
    turn: Any  # int8[n]
    score: Any  # int32[n]: in units of 1 / UNIT, of finished positions
    first: Any  # int64[n]: where a position's children begin
    children: Any  # int16[all children, STATE_SIZE]


def look(b: int, lane: int, o: Opened) -> None:
    """Kernel: legal actions and turn of a position, or its score."""
    state = o.states[b]
    o.turn[b] = rules.to_move(state)
    o.count[b] = 0
    if rules.ended(state) != 0:
        score = rules.score(state, 0) * UNIT
        o.score[b] = int(score + 0.5) if score >= 0 else -int(0.5 - score)
    else:
        o.count[b] = rules.legal(state, o.actions[b])


def expand(b: int, lane: int, o: Opened) -> None:
    """Kernel: write what a position leads to."""
    for i in range(o.count[b]):
        child = o.children[o.first[b] + i]
        for j in range(o.states.shape[1]):
            child[j] = o.states[b, j]
        rules.play(child, o.actions[b, i])


def hashes_of(rows: Rows) -> Hashes:
    """A 64-bit hash of each row."""
    h = np.full(len(rows), 0x9E3779B97F4A7C15, np.uint64)
    for column in range(rows.shape[1]):
        h ^= rows[:, column].astype(np.uint64)
        h *= np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    return h


def distinct(rows: Rows) -> tuple[Rows, Hashes]:
    """Each row once, in the order of their hashes, and these."""
    hashes, index, inverse = np.unique(hashes_of(rows), return_index=True, return_inverse=True)
    kept = rows[index]
    if not np.array_equal(kept[inverse], rows):
        raise ZeroGridError("two different positions share a 64-bit hash; this game cannot be enumerated.")
    return kept, hashes


class Enumeration:
    """The building of a table."""

    def __init__(self, game: Game, path: Path, memory: str | int, target: str = "cpu") -> None:
        self.game, self.path = game, path
        self.memory = memory_of(memory)
        self.width = game.layout.key_size
        self._look = link(look, target, {rules: game.module})
        self._expand = link(expand, target, {rules: game.module})
        self._parts = path.with_name(path.name + ".layers")
        row = 2 * game.STATE_SIZE
        self._piece = max(1, self.memory // (8 * (game.MAX_LEGAL * (2 * row + 4) + 2 * row + 64)))

    def build(self, state: Rows) -> None:
        """Enumerate what can follow a position, and write the table."""
        with Progress(f"enumerating {self.game.spec}") as progress:
            layers = self._forward(state, progress)
            after, done, total = np.zeros(0, np.int32), 0, progress.done
            for layer in reversed(range(layers)):
                progress.stage(f"values of layer {layer}", done, total)
                after = self._backward(layer, after)
                done += len(after)
            self._write(layers)
        shutil.rmtree(self._parts, ignore_errors=True)

    # --- forward ----------------------------------------------------------------------------------------------------

    def _forward(self, state: Rows, progress: Progress) -> int:
        """Find every layer; how many there are."""
        first = state[None, : self.width].copy()
        before = self._part("states", 0)
        if before is None or not np.array_equal(before, first):
            shutil.rmtree(self._parts, ignore_errors=True)
            self._parts.mkdir(parents=True)
            self._keep("states", 0, first)
        progress.advance(1)
        layer = 0
        while True:
            known = self._part("states", layer + 1)
            if known is None:
                rows = self._part("states", layer)
                assert rows is not None
                known = self._following(rows)
                self._keep("states", layer + 1, known)
            progress.advance(len(known), f"layer {layer}")
            if len(known) == 0:
                return layer + 1
            layer += 1
            if 3 * progress.done * (2 * self.width + 12) > self.memory:
                raise self._too_many(progress.done)

    def _following(self, rows: Rows) -> Rows:
        found, waiting = [np.zeros((0, self.width), np.int16)], 0
        for opened in self._pieces(rows):
            found.append(distinct(opened.children[:, : self.width])[0])
            waiting += len(found[-1])
            if 6 * waiting * 2 * self.width > self.memory:
                found = [distinct(np.concatenate(found))[0]]
                waiting = len(found[0])
                if 6 * waiting * 2 * self.width > self.memory:
                    raise self._too_many(waiting)
        return distinct(np.concatenate(found))[0]

    def _too_many(self, positions: int) -> ZeroGridError:
        many = f"more than {positions:,} positions of {self.game.spec} can be reached"
        return ZeroGridError(f"{many}, too many for a table within this memory; give more with --memory.")

    def _pieces(self, rows: Rows) -> Any:
        """Positions, some at a time, with all they lead to."""
        game = self.game
        for begin in range(0, len(rows), self._piece):
            some = rows[begin : begin + self._piece]
            n = len(some)
            states = np.zeros((n, game.STATE_SIZE), np.int16)
            states[:, : self.width] = some
            opened = Opened(
                states,
                np.zeros((n, game.MAX_LEGAL), np.int32),
                np.zeros(n, np.int64),
                np.zeros(n, np.int8),
                np.zeros(n, np.int32),
                np.zeros(n, np.int64),
                np.zeros((0, game.STATE_SIZE), np.int16),
            )
            self._look(n, opened)
            ends = np.cumsum(opened.count)
            children = np.zeros((int(ends[-1]), game.STATE_SIZE), np.int16)
            opened = opened._replace(first=ends - opened.count, children=children)
            self._expand(n, opened)
            yield opened

    # --- backward ---------------------------------------------------------------------------------------------------

    def _backward(self, layer: int, after: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The values of a layer from those of the next one."""
        done: npt.NDArray[np.int32] | None = self._part("values", layer)
        if done is not None:
            return done
        rows, following = self._part("states", layer), self._part("states", layer + 1)
        assert rows is not None
        assert following is not None
        hashes = hashes_of(following)
        values = []
        for opened in self._pieces(rows):
            places = np.searchsorted(hashes, hashes_of(opened.children[:, : self.width]))
            some = opened.score.copy()
            playing = opened.count > 0
            if playing.any():
                sign = np.where(opened.turn[playing] == 0, 1, -1).astype(np.int32)
                signs = np.repeat(sign, opened.count[playing])
                some[playing] = sign * np.maximum.reduceat(signs * after[places], opened.first[playing])
            values.append(some)
        made = np.concatenate(values)
        self._keep("values", layer, made)
        return made

    # --- files ------------------------------------------------------------------------------------------------------

    def _part(self, kind: str, layer: int) -> Any:
        """What an earlier attempt has left, if it is sound; else None."""
        path = self._parts / f"{kind}-{layer}"
        with contextlib.suppress(BadTable):
            table = open_table(path)
            if table.about == self._about():
                return table.arrays[kind]
        return None

    def _keep(self, kind: str, layer: int, rows: npt.NDArray[Any]) -> None:
        write_table(self._parts / f"{kind}-{layer}", self._about(), {kind: rows})

    def _about(self) -> dict[str, Any]:
        return {"kind": KIND, "game": self.game.spec, "unit": UNIT}

    def _write(self, layers: int) -> None:
        """Every position once; one that is reached after different numbers of plays has the same value each time."""
        states = np.concatenate([self._part("states", layer) for layer in range(layers)])
        values = np.concatenate([self._part("values", layer) for layer in range(layers)])
        hashes, index = np.unique(hashes_of(states), return_index=True)
        arrays = {"hashes": hashes, "states": states[index], "values": values[index]}
        write_table(self.path, self._about(), arrays)


def write_table(path: Path, about: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write arrays that are ready as a table."""
    shapes = {name: Array(rows.dtype.name, rows.shape) for name, rows in arrays.items()}
    data = b"".join(rows.tobytes() for rows in arrays.values())
    builder = Builder(path, about, shapes, CHUNK)
    for number in range(builder.done, builder.chunks):
        builder.write(data[number * CHUNK : (number + 1) * CHUNK])
    builder.finish()


class Enumerated:
    """A finished table, to look values up in."""

    unit = UNIT

    def __init__(self, game: Game, table: Table) -> None:
        if (table.about.get("kind"), table.about.get("game")) != (KIND, game.spec):
            says = table.about.get("game", table.about.get("kind"))
            raise BadTable(f"this table is not one of {game.spec}; it says {says}.")
        self._width = game.layout.key_size
        self._hashes, self._states = table.arrays["hashes"], table.arrays["states"]
        self._values = table.arrays["values"]

    def __len__(self) -> int:
        return len(self._hashes)

    def value(self, state: "array[int]") -> int | None:
        """The value for player 0 in units of 1 / UNIT, or None if the position is not in the table."""
        row = np.frombuffer(state, np.int16)[None, : self._width]
        place = int(np.searchsorted(self._hashes, hashes_of(row)[0]))
        if place == len(self) or not np.array_equal(self._states[place], row[0]):
            return None
        return int(self._values[place])
