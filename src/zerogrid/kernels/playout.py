"""Random games to the end, and a whole search that needs no network: UCT with playouts, "pure MCTS".

Here a leaf gets its edges only when it is visited for the second time: most never are, and a random game is cheap
next to listing the moves of a position.
"""

from typing import Any

from zerogrid.core import rules, spmd
from zerogrid.core.draws import PLAYOUT, mix, word
from zerogrid.kernels import manner
from zerogrid.kernels.receive import back_up
from zerogrid.kernels.select import make, solved, walk
from zerogrid.kernels.tree import (
    ASKED,
    CHILD,
    COUNT,
    DEPTH,
    DONE,
    EDGES,
    FINE,
    FIRST,
    LEAST,
    LIMIT,
    LOW,
    MOST,
    MOVER,
    ONE,
    PLY,
    PRIOR,
    TRIED,
    VISITS,
)


def search_playouts(b: int, lane: int, t: Any) -> None:
    """A kernel: all simulations that tree b may still have, each a walk, an expansion or a random game, a backup."""
    while t.game[b, DONE] < t.game[b, LIMIT] and not solved(b, 0, t):
        simulate(b, lane, t)
    if t.node[b, 0, COUNT] == 0 and t.node[b, 0, MOVER] >= 0:
        open_node(b, lane, 0, t)  # too few simulations for edges, but a move is wanted


def simulate(b: int, lane: int, t: Any) -> None:
    """One simulation with a random game as evaluation."""
    node, depth = follow(b, lane, 0, 0, t)
    spare = t.node.shape[1] - 1
    if t.node[b, node, COUNT] == 0 and t.node[b, node, VISITS] > 1 and node != spare and not solved(b, node, t):
        open_node(b, lane, node, t)
        if t.node[b, node, COUNT] > 0 and depth < t.path.shape[2]:
            spmd.sync()
            if lane == 0:
                t.node[b, node, VISITS] -= 1  # the walk counts it again
            spmd.sync()
            node, depth = follow(b, lane, node, depth, t)
    spmd.sync()
    if lane == 0:
        t.leaf[b, 0, DEPTH] = depth
    spmd.sync()
    if solved(b, node, t):
        value = t.node[b, node, LOW] * (FINE // ONE)
    else:
        value = playout(b, lane, node, t)
        if lane == 0:
            t.game[b, ASKED] += 1
    back_up(b, lane, 0, node, value, t)
    spmd.sync()


def follow(b: int, lane: int, node: int, depth: int, t: Any) -> tuple[int, int]:
    """Walk to a leaf, and make it where it is fresh."""
    node, depth, fresh = walk(b, lane, 0, node, depth, t)
    if fresh and lane == 0:
        make(b, node, t)
    spmd.sync()
    return node, depth


def open_node(b: int, lane: int, node: int, t: Any) -> None:
    """Give a node its edges, all with the same prior, where the pool has room."""
    first = t.game[b, EDGES]
    spmd.sync()
    if first + 2 * rules.MAX_LEGAL > t.edge.shape[1]:
        return
    count = 0
    if lane == 0:
        count = rules.legal(t.states[b, node], t.action[b, first:])
        t.node[b, node, FIRST] = first
        t.node[b, node, COUNT] = count
        t.game[b, EDGES] = first + count
    count = spmd.broadcast(count)
    for i in range(lane, count, spmd.LANES):
        t.edge[b, first + i, PRIOR] = FINE // count
        t.edge[b, first + i, TRIED] = 0
        t.edge[b, first + i, CHILD] = 0
        t.edge[b, first + i, LEAST] = -ONE
        t.edge[b, first + i, MOST] = ONE
        t.worth[b, first + i] = 0
    spmd.sync()
    if node == 0:
        manner.prepare_root(b, lane, t)


def playout(b: int, lane: int, node: int, t: Any) -> int:
    """Play at random from a node to the end, in the state's scratch row: the result for player 0."""
    row = t.states.shape[1] - 1
    free = t.game[b, EDGES]
    result = 0
    if lane == 0:
        for i in range(t.states.shape[2]):
            t.states[b, row, i] = t.states[b, node, i]
        state = t.states[b, row]
        actions = t.action[b, free:]
        h = word(t.seed[b], PLAYOUT, t.game[b, PLY], t.game[b, ASKED])
        plies = 0
        while rules.ended(state) == 0 and plies < rules.MAX_PLIES:
            h = mix(h, plies)
            count = rules.legal(state, actions)
            rules.play(state, actions[(h * count) >> 32])
            plies += 1
        result = int(rules.score(state, 0) * FINE)
    return spmd.broadcast(result)
