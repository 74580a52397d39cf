"""Dots-and-Boxes endings: the value of every set of edges still to be drawn, by dynamic programming.

The margin still to come depends on the edges to draw alone, seen from the side to move: with S the set,

    value(S) = the greatest, over its edges e, of   taken + value(S - e)   if e takes a box or two
                                                    -value(S - e)          if not: the other side moves

and S - e is a smaller number than S when sets are bits. Every move is looked at and nothing is assumed; this is what
the rules of edges.py are checked against. A table is made chunk by chunk, a chunk being the sets that agree in their
upper edges, so that two chunks in memory are enough whatever the size of the table.
"""

from array import array
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link
from zerogrid.core.progress import Progress
from zerogrid.solvers.bits import lowest
from zerogrid.solvers.edges import GROUND, graph
from zerogrid.solvers.limit import memory_of
from zerogrid.solvers.table_file import Array, BadTable, Builder, Table

KIND = "dots_and_boxes endings"
MOST_FREE = 36
LARGEST_CHUNK = 22  # binary digits; the same for all but the smallest memories, so that either can go on building
BLOCK = 1 << 14  # sets of a chunk that one call of a kernel looks at
LOWEST = -127


class Fill(NamedTuple):
    """A chunk being made."""

    values: Any  # int8[chunk]
    known: Any  # int8[chunk]: the chunk without one of the upper edges
    around: Any  # int64[free, 2]: the edges around the two boxes beside an edge; 0 where there is none
    upper: int  # the upper edges of this chunk's sets
    edge: int  # the one that is drawn to come to `known`


def taken_by(left: int, edge: int, around: Any) -> int:
    """How many boxes drawing an edge takes."""
    line = 1 << edge
    return int(left & around[edge, 0] == line) + int(left & around[edge, 1] == line)


def draw_upper(b: int, lane: int, f: Fill) -> None:
    """Kernel: what drawing one upper edge is worth, for a block of the chunk's sets."""
    for lower in range(b * BLOCK, min((b + 1) * BLOCK, f.values.shape[0])):
        taken = taken_by(f.upper | lower, f.edge, f.around)
        value = taken + f.known[lower] if taken > 0 else -f.known[lower]
        if value > f.values[lower]:
            f.values[lower] = value


def draw_lower(b: int, lane: int, f: Fill) -> None:
    """Kernel: the chunk's own edges, from the smallest set to the largest."""
    for lower in range(f.values.shape[0]):
        best = int(f.values[lower])
        rest = lower
        while rest != 0:
            edge = lowest(rest)
            rest &= rest - 1
            taken = taken_by(f.upper | lower, edge, f.around)
            value = int(f.values[lower & ~(1 << edge)])
            best = max(best, taken + value if taken > 0 else -value)
        f.values[lower] = best


def build_subsets(game: Game, state: npt.NDArray[np.int16], path: Path, memory: str | int, target: str = "cpu") -> None:
    """Make the table of all positions that can follow one; an unfinished one is gone on with."""
    free = [int(edge) for edge in np.flatnonzero(state[: game.EDGES] == 0)]
    if len(free) > MOST_FREE:
        most = f"a table of Dots-and-Boxes endings has at most {MOST_FREE} edges to draw"
        raise ZeroGridError(f"{most}, but {len(free)} are left in this position; draw some with --moves.")
    # A chunk being made, one that is known, and one as it is read or written.
    digits = min(len(free), LARGEST_CHUNK, (memory_of(memory) // 3).bit_length() - 1)
    about = {"kind": KIND, "rows": game.ROWS, "columns": game.COLUMNS, "free": free}
    builder = Builder(path, about, {"values": Array("int8", (1 << len(free),))}, 1 << digits)
    kernels = link(draw_upper, target, {}), link(draw_lower, target, {})
    around = surroundings(game, free)
    with Progress(f"building {path.name}", builder.chunks, "chunks") as progress:
        progress.advance(builder.done)
        while builder.done < builder.chunks:
            builder.write(_chunk(builder, kernels, around, digits).tobytes())
            progress.advance()
    builder.finish()


def _chunk(builder: Builder, kernels: tuple[Linked, Linked], around: Any, digits: int) -> npt.NDArray[np.int8]:
    number = builder.done
    values = np.full(1 << digits, LOWEST, np.int8)
    if number == 0:
        values[0] = 0
    fill = Fill(values, values, around, number << digits, 0)
    for upper in range(number.bit_length()):
        if number >> upper & 1:
            known = np.frombuffer(builder.read(number ^ (1 << upper)), np.int8)
            kernels[0](-(-len(values) // BLOCK), fill._replace(known=known, edge=digits + upper))
    kernels[1](1, fill)
    return values


def surroundings(game: Game, free: list[int]) -> npt.NDArray[np.int64]:
    """For every edge to draw, the edges to draw around the two boxes beside it."""
    around, beside = graph(game.ROWS, game.COLUMNS)
    bit = {edge: 1 << i for i, edge in enumerate(free)}
    boxes = [sum(bit.get(edge, 0) for edge in edges) for edges in around]
    sides = [[boxes[box] if box != GROUND else 0 for box in beside[edge]] for edge in free]
    return np.array(sides, np.int64).reshape(-1, 2)


class Subsets:
    """A finished table, to look values up in."""

    unit = 1

    def __init__(self, game: Game, table: Table) -> None:
        about = table.about
        if (about.get("kind"), about.get("rows"), about.get("columns")) != (KIND, game.ROWS, game.COLUMNS):
            raise BadTable(f"this table is not one of endings of {game.spec}; it says {about.get('kind')}.")
        self.game = game
        self.free = [int(edge) for edge in about["free"]]
        self._covered = set(self.free)
        self._values = table.arrays["values"]

    def value(self, state: "array[int]") -> int | None:
        """The margin still to come for player 0, or None if the position is not in the table."""
        left = [edge for edge in range(self.game.EDGES) if state[edge] == 0]
        if not self._covered.issuperset(left):
            return None
        value = int(self._values[sum(1 << i for i, edge in enumerate(self.free) if state[edge] == 0)])
        return value if state[self.game.TURN] == 0 else -value
