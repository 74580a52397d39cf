"""Keeping a tree between moves: the subtree of the move played is moved to the front of its arrays, in place.

Parents stand before their children, and edge slices in the order of their nodes, so everything moves towards the
front and nothing is overwritten before it has moved. A node without edges that is not finished (the pool was full)
is dropped: were it given edges later, that order would be lost. Its edge keeps its visits.
"""

from typing import Any

from zerogrid.core import rules, spmd
from zerogrid.kernels import manner
from zerogrid.kernels.select import begin_node
from zerogrid.kernels.tree import (
    ASKED,
    CHILD,
    COUNT,
    DONE,
    EDGES,
    FIRST,
    LEAF,
    LEAST,
    MOST,
    MOVED,
    MOVER,
    NODE_SIZE,
    NODES,
    PARENT,
    PARENT_EDGE,
    PAST,
    PLY,
    PRIOR,
    SHIFT,
    TRIED,
)


def play_on(b: int, lane: int, edge: int, keep: bool, t: Any) -> None:
    """Play a root edge: the tree becomes that of the new position, with what is known about it if `keep`."""
    remember(b, lane, t)
    child = t.edge[b, edge, CHILD]
    if keep and child > 0 and t.node[b, child, COUNT] > 0:
        move_to_front(b, lane, child, t)
        spmd.sync()
        manner.prepare_root(b, lane, t)
        return
    if lane == 0:
        rules.play(t.states[b, 0], t.action[b, edge])
        plant(b, t)
    spmd.sync()


def plant(b: int, t: Any) -> None:
    """A tree of one node, whose state is in place. Lane 0 only."""
    t.game[b, NODES] = 1
    t.game[b, EDGES] = 0
    t.node[b, 0, FIRST] = 0
    t.node[b, 0, PARENT] = 0
    t.node[b, 0, PARENT_EDGE] = 0
    begin_node(b, 0, t)
    begin_search(b, t)


def begin_search(b: int, t: Any) -> None:
    """Counters for a new search of the tree. Lane 0 only."""
    t.game[b, DONE] = 0
    t.game[b, ASKED] = 0
    for place in range(t.leaf.shape[1]):
        t.leaf[b, place, LEAF] = -1


def remember(b: int, lane: int, t: Any) -> None:
    """Put the root's state before the past states, for encodings that look back."""
    nodes = t.node.shape[1]
    places = t.states.shape[1] - nodes - 1  # the last row is scratch, see playout.py
    known = min(t.game[b, PAST] + 1, places)
    spmd.sync()
    for i in range(lane, t.states.shape[2], spmd.LANES):
        for place in range(known - 1, 0, -1):
            t.states[b, nodes + place, i] = t.states[b, nodes + place - 1, i]
        if places > 0:
            t.states[b, nodes, i] = t.states[b, 0, i]
    spmd.sync()
    if lane == 0:
        t.game[b, PAST] = known
        t.game[b, PLY] += 1
    spmd.sync()


def move_to_front(b: int, lane: int, top: int, t: Any) -> None:
    """Compact the subtree below node `top`, which has edges. `moved` and `shift` go by old node numbers."""
    mark_kept(b, lane, top, t)
    nodes = 0
    edges = 0
    for node in range(top, t.game[b, NODES]):
        if t.node[b, node, MOVED] < 0:
            continue
        above = t.node[b, node, PARENT]
        first = t.node[b, node, FIRST]
        count = t.node[b, node, COUNT]
        spmd.sync()
        if lane == 0:
            t.node[b, node, MOVED] = nodes
            t.node[b, node, SHIFT] = first - edges
            if node > top:
                edge = t.node[b, node, PARENT_EDGE] - t.node[b, above, SHIFT]
                t.edge[b, edge, CHILD] = nodes
                t.node[b, nodes, PARENT_EDGE] = edge
                t.node[b, nodes, PARENT] = t.node[b, above, MOVED]
            else:
                t.node[b, nodes, PARENT_EDGE] = 0
                t.node[b, nodes, PARENT] = 0
        move_node(b, lane, node, nodes, t)
        if lane == 0:
            t.node[b, nodes, FIRST] = edges
        move_edges(b, lane, first, edges, count, t)
        nodes += 1
        edges += count
        spmd.sync()
    if lane == 0:
        t.game[b, NODES] = nodes
        t.game[b, EDGES] = edges
        begin_search(b, t)
    spmd.sync()


def mark_kept(b: int, lane: int, top: int, t: Any) -> None:
    """Write into every node's `moved` whether it stays: 0, or -1. Many nodes at a time, each after its parent."""
    last = t.game[b, NODES]
    for base in range(top, last, spmd.LANES):
        node = base + lane
        above = 0
        if node < last:
            t.node[b, node, MOVED] = 0 if node == top else -1
            if t.node[b, node, COUNT] > 0 or t.node[b, node, MOVER] < 0:
                above = t.node[b, node, PARENT]
        spmd.sync()
        found = 1
        while found > 0:  # again while somebody's parent among these nodes was found to stay
            found = 0
            if above >= top and t.node[b, node, MOVED] < 0 and t.node[b, above, MOVED] >= 0:
                t.node[b, node, MOVED] = 0
                found = 1
            found = spmd.allsum(found)
    spmd.sync()


def move_node(b: int, lane: int, old: int, new: int, t: Any) -> None:
    """A node's state and numbers to a place further to the front."""
    for i in range(lane, t.states.shape[2], spmd.LANES):
        t.states[b, new, i] = t.states[b, old, i]
    for i in range(FIRST + lane, NODE_SIZE, spmd.LANES):
        if i not in (PARENT, PARENT_EDGE, MOVED, SHIFT):
            t.node[b, new, i] = t.node[b, old, i]


def move_edges(b: int, lane: int, old: int, new: int, count: int, t: Any) -> None:
    """A slice of edges further to the front; slices may overlap, so each step reads before any lane writes.

    Children are numbered anew when their own turn comes; until then, and for good where dropped, there are none.
    """
    for base in range(0, count, spmd.LANES):
        i = base + lane
        inside = i < count
        source = old + (i if inside else 0)
        action = t.action[b, source]
        prior = t.edge[b, source, PRIOR]
        visits = t.edge[b, source, TRIED]
        total = t.worth[b, source]
        low = t.edge[b, source, LEAST]
        high = t.edge[b, source, MOST]
        spmd.sync()
        if inside:
            t.action[b, new + i] = action
            t.edge[b, new + i, PRIOR] = prior
            t.edge[b, new + i, TRIED] = visits
            t.worth[b, new + i] = total
            t.edge[b, new + i, LEAST] = low
            t.edge[b, new + i, MOST] = high
            t.edge[b, new + i, CHILD] = 0
        spmd.sync()
