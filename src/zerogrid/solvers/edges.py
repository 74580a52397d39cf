"""Dots-and-Boxes for the engines: the edges still to be drawn as bits, on boards of up to 62 edges.

    state    edges to draw, whose turn, boxes still open

Boxes are the vertices of a graph, edges to draw join them to one another or to the ground outside the board. A box
with one edge left can be taken. A box with two is a link of a chain: whoever draws one of its edges gives the chain
away. From this follow the moves that need not be tried; each rule was checked on all 2^24 positions of 3x3 and all
2^22 of 2x4 against a search without it (tests, docs/solvers.md).

When a box can be taken by drawing e, and behind e lies
    no box, a box taken with it, or one with three or four edges left    draw e: nothing is lost by it
    a box with two edges left, and more to take behind that              draw e: what is left can still be declined
    a box with two edges left, the last of its chain                     draw e, or decline: draw the edge behind it
When no box can be taken
    a chain of one box, or of three and more, or a ring                  one of its edges stands for all
    a chain of two boxes                                                 the edge between them, which cannot be declined
"""

import types
from array import array

import numpy as np
import numpy.typing as npt

from zerogrid.core.game import Game
from zerogrid.solvers import compact, facts
from zerogrid.solvers.bits import bits_of, count, lowest
from zerogrid.solvers.compact import Moves, Words
from zerogrid.solvers.engine import CompactGame, Ints, stand_in
from zerogrid.solvers.solver import EngineSolver

STATE_WORDS = 3
KEY_WORDS = 1
MOST_EDGES = 62
GROUND = -1
MERGED = 6


def turn(state: Words) -> int:
    mover: int = state[1]
    return mover


def known(state: Words) -> tuple[int, int]:
    return -state[2], state[2]


def play(state: Words, move: int) -> int:
    taken = 0
    for side in range(2):
        box = facts.BESIDE[move, side]
        if box != GROUND and state[0] & facts.AROUND[box] == 1 << move:
            taken += 1
    state[0] &= ~(1 << move)
    if taken == 0:
        state[1] = 1 - state[1]
        return 0
    state[2] -= taken
    return taken if state[1] == 0 else -taken


def choices(state: Words) -> int:
    return 1


def moves(state: Words, out: Moves) -> int:
    left = state[0]
    found = 0
    for box in range(facts.CELLS):
        last = left & facts.AROUND[box]
        if last != 0 and last & (last - 1) == 0:
            edge = lowest(last)
            decline = declining(left, box, edge)
            if decline < 0:
                out[0] = edge
                return 1
            found = add(out, add(out, found, edge), decline)
    return found if found > 0 else openings(left, out)


def declining(left: int, box: int, edge: int) -> int:
    """The edge that declines the last two boxes of a chain or the last four of a ring; -1 while there are more."""
    beyond = behind(edge, box)
    if beyond == GROUND:
        return -1
    rest = left & facts.AROUND[beyond] & ~(1 << edge)
    if rest == 0 or rest & (rest - 1) != 0:
        return -1
    next_edge = lowest(rest)
    third = behind(next_edge, beyond)
    if third == GROUND:
        return next_edge
    after = left & facts.AROUND[third] & ~rest
    if after == 0:
        return -1  # a chain of three, open at both ends
    if after & (after - 1) != 0:
        return next_edge
    fourth = behind(lowest(after), third)
    if fourth != GROUND and left & facts.AROUND[fourth] == after:
        return next_edge  # a ring of four, opened: declined by drawing the edge in its middle
    return -1


def add(out: Moves, found: int, edge: int) -> int:
    """Append an edge if it is not there yet; how many there are."""
    for i in range(found):
        if out[i] == edge:
            return found
    out[found] = edge
    return found + 1


def openings(left: int, out: Moves) -> int:
    """The moves where no box can be taken: those that give nothing away first, then one for each chain."""
    chained = 0
    for box in range(facts.CELLS):
        around = left & facts.AROUND[box]
        if around != 0 and count(around) == 2:
            chained |= around
    found = 0
    free = left & ~chained
    while free != 0:
        out[found] = lowest(free)
        free &= free - 1
        found += 1
    while chained != 0:
        edge = lowest(chained)
        chain, boxes, middle = chain_of(left, edge)
        chained &= ~chain
        out[found] = middle if boxes == 2 else edge
        found += 1
    return found


def chain_of(left: int, edge: int) -> tuple[int, int, int]:
    """The chain an edge belongs to: its edges, how many boxes, and the last edge with such a box on both sides."""
    chain = 1 << edge
    boxes = 0
    middle = edge
    for side in range(2):
        box = facts.BESIDE[edge, side]
        at = edge
        while box != GROUND:
            around = left & facts.AROUND[box]
            if count(around) != 2:
                break
            boxes += 1
            at = lowest(around & ~(1 << at))
            if (chain >> at) & 1:
                break  # a ring
            chain |= 1 << at
            box = behind(at, box)
            if box != GROUND and count(left & facts.AROUND[box]) == 2:
                middle = at
    near = facts.BESIDE[edge, 0]
    far = facts.BESIDE[edge, 1]
    if near != GROUND and far != GROUND:
        links = int(count(left & facts.AROUND[near]) == 2) + int(count(left & facts.AROUND[far]) == 2)
        middle = edge if links == 2 else middle
    return chain, boxes, middle


def behind(edge: int, box: int) -> int:
    """What lies on the other side of an edge of a box: another box or the ground."""
    beyond: int = facts.BESIDE[edge, 0] + facts.BESIDE[edge, 1] - box
    return beyond


def identify(state: Words, key: Words) -> int:
    """Edges between a box and the ground are alike: of those of one box only the number counts. Whoever is to move has
    the same to come, so the key is that of the position with player 0 to move."""
    left = state[0]
    for i in range(len(facts.CORNERS)):
        mine = left & facts.CORNERS[i]
        n = count(mine)
        if n == 0 or mine == facts.CORNERS[i]:
            continue
        left &= ~facts.CORNERS[i]
        rest = facts.CORNERS[i]
        for _ in range(n):
            left |= rest & -rest
            rest &= rest - 1
    key[0] = least_image(left)
    exchanged: int = state[1]
    return exchanged


def least_image(left: int) -> int:
    """The least of the images of a set of edges under the board's symmetries, while few are drawn."""
    if facts.EDGES - count(left) > facts.MERGED:
        return left
    least = left
    for i in range(facts.IMAGES.shape[0]):
        image = 0
        rest = left
        while rest != 0:
            image |= 1 << facts.IMAGES[i, lowest(rest)]
            rest &= rest - 1
        least = min(least, image)
    return least


# --- from a game ----------------------------------------------------------------------------------------------------


def fits(game: Game) -> bool:
    """Whether this file knows the game: Dots-and-Boxes with few enough edges for the bits of a word."""
    return game.name == "dots_and_boxes" and game.EDGES <= MOST_EDGES


def compact_edges(game: Game) -> CompactGame:
    """Dots-and-Boxes for the engines."""
    import zerogrid.solvers.edges as here

    around, beside = graph(game.ROWS, game.COLUMNS)
    grounded = [sum(1 << edge for edge in edges if GROUND in beside[edge]) for edges in around]
    images = [symmetry.actions for symmetry in game.symmetries[1:]]
    board = types.SimpleNamespace(
        CELLS=game.BOXES,
        EDGES=game.EDGES,
        AROUND=np.array([sum(1 << edge for edge in edges) for edges in around], np.int64),
        BESIDE=np.array(beside, np.int64),
        CORNERS=tuple(edges for edges in grounded if edges & (edges - 1)),
        IMAGES=np.array(images, np.int64).reshape(-1, game.EDGES),
        MERGED=MERGED,
    )
    sizes = {"MAX_MOVES": game.EDGES, "MAX_DEPTH": game.EDGES, "MOVE_RANGE": game.EDGES}
    return CompactGame({compact: stand_in(here, **sizes), facts: board}, pack=lambda state: pack(state, game))


def graph(rows: int, columns: int) -> tuple[list[list[int]], list[list[int]]]:
    """The edges around every box, and the boxes beside every edge (or GROUND)."""
    horizontal = (rows + 1) * columns
    around = []
    for box in range(rows * columns):
        left = horizontal + box + box // columns
        around.append([box, box + columns, left, left + 1])
    beside = []
    for edge in range(horizontal + rows * (columns + 1)):
        boxes = [box for box, edges in enumerate(around) if edge in edges]
        beside.append((boxes + [GROUND])[:2])
    return around, beside


def pack(state: npt.NDArray[np.int16], game: Game) -> Ints:
    """The edges to draw as bits, the turn, and how many boxes are open."""
    scores = int(state[game.SCORES]) + int(state[game.SCORES + 1])
    return np.array([bits_of(state[: game.EDGES] == 0), state[game.TURN], game.BOXES - scores], np.int64)


class EdgesSolver(EngineSolver):
    """Values are boxes still to come, whatever the game counts at its end."""

    def bounds(self, state: "array[int]") -> tuple[int, int]:
        module = self.game.module
        left = int(module.BOXES) - state[module.SCORES] - state[module.SCORES + 1]
        return -left, left

    def finished(self, state: "array[int]") -> int:
        return 0

    def earned(self, before: "array[int]", after: "array[int]") -> int:
        first = int(self.game.module.SCORES)
        return (after[first] - after[first + 1]) - (before[first] - before[first + 1])
