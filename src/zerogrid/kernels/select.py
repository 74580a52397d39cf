"""From the root to a leaf: follow the best edges, make the new node, show it to the network.

    seek      all lanes    walk to a leaf, with room for a new node
    arrive    one lane     all that asks the rules: play the move, has the game ended, list what may be played next
    show      all lanes    planes and tokens for the network

A finished game, or a node whose value is proven, needs no network: its value is backed up at once and the walk begins
anew, up to `tries` times. A leaf that already waits for an answer (several at a time) ends the walk too: the visits
are taken back and this place stays empty.
"""

from typing import Any

from zerogrid.core import encoding, potential, rules, spmd
from zerogrid.kernels import manner
from zerogrid.kernels.receive import back_up
from zerogrid.kernels.tree import (
    CHILD,
    COUNT,
    DEPTH,
    DONE,
    EDGES,
    FINE,
    HIGH,
    LEAF,
    LIMIT,
    LIST,
    LOW,
    MAKE,
    MOVER,
    NODES,
    NOTHING,
    OFFERED,
    ONE,
    OWN,
    PARENT,
    PARENT_EDGE,
    PAST,
    PHI,
    PRIOR,
    ROWS,
    SEEN,
    START,
    TO_DO,
    TRIED,
    VISITS,
)


def find_leaf(b: int, lane: int, place: int, t: Any) -> None:
    """Choose the next leaf of tree b for the waiting place; leaf is -1 where there is nothing to ask."""
    if lane == 0:
        t.leaf[b, place, LEAF] = -1
    spmd.sync()
    tries = 0
    while tries < t.options.tries:
        tries += 1
        if not seek(b, lane, place, t):
            return
        if lane == 0:
            arrive(b, place, t)
        spmd.sync()
        if not solved(b, t.leaf[b, place, LEAF], t):
            show(b, lane, place, t)
            return
        take_solved(b, lane, place, t)


def seek(b: int, lane: int, place: int, t: Any) -> bool:
    """Walk to a leaf and say what is left to do there; False where there is nothing to look for."""
    if t.game[b, DONE] + waiting_before(b, place, t) >= t.game[b, LIMIT] or solved(b, 0, t):
        return False
    node, depth, fresh = walk(b, lane, place, 0, 0, t)
    if node < 0:
        return False
    if lane == 0:
        t.leaf[b, place, LEAF] = node
        t.leaf[b, place, DEPTH] = depth
        t.leaf[b, place, TO_DO] = MAKE if fresh else LIST
    spmd.sync()
    return True


def arrive(b: int, place: int, t: Any) -> None:
    """Do at a leaf what is left to do: all that asks the rules. One lane only."""
    node = t.leaf[b, place, LEAF]
    if t.leaf[b, place, TO_DO] == MAKE:
        make(b, node, t)
    t.leaf[b, place, TO_DO] = NOTHING
    if not solved(b, node, t):
        list_moves(b, place, node, t)


def list_moves(b: int, place: int, node: int, t: Any) -> None:
    """List a leaf's legal actions at the edge pool's free end, and set them aside for it where there is room.

    There is none in the spare node. Without room they are listed only for a network that takes them as tokens.
    """
    first = t.game[b, EDGES]
    room = node != t.node.shape[1] - 1 and t.node[b, node, COUNT] == 0
    room = room and first + 2 * rules.MAX_LEGAL <= t.edge.shape[1]
    t.leaf[b, place, START] = -1
    if room or encoding.FEATURES > 0:
        t.leaf[b, place, OFFERED] = rules.legal(t.states[b, node], t.action[b, first:])
    if room:
        t.leaf[b, place, START] = first
        t.game[b, EDGES] = first + t.leaf[b, place, OFFERED]


def take_solved(b: int, lane: int, place: int, t: Any) -> None:
    """Back up the value of a leaf that needs no answer; the place is free again."""
    node = t.leaf[b, place, LEAF]
    back_up(b, lane, place, node, t.node[b, node, LOW] * (FINE // ONE), t)
    spmd.sync()
    if lane == 0:
        t.leaf[b, place, LEAF] = -1
    spmd.sync()


def waiting_before(b: int, place: int, t: Any) -> int:
    """How many of the earlier places hold a leaf."""
    count = 0
    for earlier in range(place):
        if t.leaf[b, earlier, LEAF] >= 0:
            count += 1
    return count


def solved(b: int, node: int, t: Any) -> bool:
    """Whether the node's value is proven (a finished game is)."""
    return t.node[b, node, LOW] == t.node[b, node, HIGH] and (manner.PROOFS or t.node[b, node, MOVER] < 0)


def walk(b: int, lane: int, place: int, node: int, depth: int, t: Any) -> tuple[int, int, bool]:
    """Follow the best edges to a node that has no edges or is solved, counting visits.

    (node, depth, whether the node is fresh and still to be made); (-1, 0, False) where another place waits already.
    """
    spare = t.node.shape[1] - 1
    longest = t.path.shape[2]
    fresh = False
    while not fresh and t.node[b, node, COUNT] > 0 and (node == 0 or not solved(b, node, t)) and depth < longest:
        edge = manner.best_edge(b, lane, node, t)
        child = t.edge[b, edge, CHILD]
        if child == 0:
            fresh = True
            child = min(t.game[b, NODES], spare)
        spmd.sync()
        if lane == 0:
            if t.edge[b, edge, TRIED] == 0:
                t.node[b, node, SEEN] += t.edge[b, edge, PRIOR]
            t.edge[b, edge, TRIED] += 1
            if t.leaf.shape[1] > 1:  # otherwise nobody looks at this edge again before its answer has come
                t.worth[b, edge] -= t.options.virtual_loss * FINE
            t.node[b, node, VISITS] += 1
            t.path[b, place, depth, 0] = node
            t.path[b, place, depth, 1] = edge
        depth += 1
        if fresh and (child < spare or place == 0):  # an earlier place may wait for what is in the spare place
            grow(b, lane, node, edge, child, t)
        node = child
        spmd.sync()
    if is_waiting(b, place, node, t) or (node == spare and place > 0):
        give_up(b, lane, place, depth, t)
        return -1, 0, False
    if lane == 0:
        t.node[b, node, VISITS] += 1
    spmd.sync()
    return node, depth, fresh


def grow(b: int, lane: int, node: int, edge: int, child: int, t: Any) -> None:
    """Room for the node behind an edge: its own place, or the spare one where the pool is full. Its state is copied."""
    for i in range(lane, t.states.shape[2], spmd.LANES):
        t.states[b, child, i] = t.states[b, node, i]
    if lane == 0:
        if child < t.node.shape[1] - 1:
            t.game[b, NODES] = child + 1
            t.edge[b, edge, CHILD] = child
        t.node[b, child, PARENT] = node
        t.node[b, child, PARENT_EDGE] = edge
        clear(b, child, t)


def make(b: int, node: int, t: Any) -> None:
    """The position of a node that was grown: its parent's, and one move. One lane only."""
    rules.play(t.states[b, node], t.action[b, t.node[b, node, PARENT_EDGE]])
    ask_rules(b, node, t)


def begin_node(b: int, node: int, t: Any) -> None:
    """A node before its first visit; its state is in place. One lane only."""
    clear(b, node, t)
    ask_rules(b, node, t)


def clear(b: int, node: int, t: Any) -> None:
    """A node of which nothing is known yet."""
    t.node[b, node, COUNT] = 0
    t.node[b, node, VISITS] = 0
    t.total[b, node] = 0
    t.node[b, node, OWN] = 0
    t.node[b, node, SEEN] = 0


def ask_rules(b: int, node: int, t: Any) -> None:
    """What the rules say of a node's state: who moves, or how the game ended."""
    state = t.states[b, node]
    if rules.ended(state) != 0:
        result = rules.score(state, 0)
        exact = int(result * ONE + (0.5 if result >= 0.0 else -0.5))
        t.node[b, node, MOVER] = -1
        t.node[b, node, LOW] = exact
        t.node[b, node, HIGH] = exact
        t.node[b, node, OWN] = exact * (FINE // ONE)
    else:
        t.node[b, node, MOVER] = rules.to_move(state)
        t.node[b, node, LOW] = -ONE
        t.node[b, node, HIGH] = ONE
    if manner.SHAPING:
        for player in range(2):
            t.node[b, node, PHI + player] = int(potential.potential(state, player) * FINE)


def is_waiting(b: int, place: int, node: int, t: Any) -> bool:
    """Whether an earlier place waits for this node's answer."""
    for earlier in range(place):
        if t.leaf[b, earlier, LEAF] == node:
            return True
    return False


def give_up(b: int, lane: int, place: int, depth: int, t: Any) -> None:
    """Take back the visits of a walk that led nowhere."""
    spmd.sync()
    if lane == 0:
        for d in range(depth):
            node = t.path[b, place, d, 0]
            edge = t.path[b, place, d, 1]
            t.node[b, node, VISITS] -= 1
            t.edge[b, edge, TRIED] -= 1
            t.worth[b, edge] += t.options.virtual_loss * FINE
            if t.edge[b, edge, TRIED] == 0:
                t.node[b, node, SEEN] -= t.edge[b, edge, PRIOR]
    spmd.sync()


def show(b: int, lane: int, place: int, t: Any) -> None:
    """Write the leaf, with as much of its past as the encoding looks at, into the network's input."""
    row = b * t.leaf.shape[1] + place
    node = t.leaf[b, place, LEAF]
    depth = t.leaf[b, place, DEPTH]
    history = t.leaf.shape[2] - ROWS
    known = min(history, depth + 1 + t.game[b, PAST])
    if lane == 0:
        t.leaf[b, place, ROWS] = node
        for back in range(1, known):
            if back <= depth:
                t.leaf[b, place, ROWS + back] = t.path[b, place, depth - back, 0]
            else:
                t.leaf[b, place, ROWS + back] = t.node.shape[1] + back - depth - 1
    spmd.sync()
    encoding.encode(t.states[b], t.leaf[b, place, ROWS:], known, lane, t.scratch[b], t.planes[row])
    if encoding.FEATURES > 0:
        first = t.leaf[b, place, START]
        first = t.game[b, EDGES] if first < 0 else first
        for i in range(lane, t.leaf[b, place, OFFERED], spmd.LANES):
            encoding.describe(t.states[b, node], t.action[b, first + i], t.tokens[row, i])
    spmd.sync()
