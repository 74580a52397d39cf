"""A leaf's answer: give it edges, add its value to every edge above it, and carry proven results upward.

Values go to players. A leaf's value is turned to player 0's once; each edge adds it as its own mover sees it, so extra
turns and passes need no care. Bounds prove results: a node's value lies between low and high (for player 0); its mover
can have the best of its edges' bounds. Where they meet, the value is exact, draws and margins included.
"""

from typing import Any

from zerogrid.core import encoding, spmd
from zerogrid.core.exact import exp
from zerogrid.kernels import manner
from zerogrid.kernels.tree import (
    ASKED,
    CHILD,
    COUNT,
    DEPTH,
    DONE,
    FAULT,
    FINE,
    FIRST,
    HIGH,
    LEAF,
    LEAST,
    LOW,
    MOST,
    MOVER,
    OFFERED,
    ONE,
    OWN,
    PHI,
    PRIOR,
    START,
    TRIED,
)

LOGIT = 1 << 20  # 1.0 in logits
LARGEST_LOGIT = 1000.0


def receive(b: int, lane: int, place: int, t: Any) -> None:
    """Take the answer for the leaf in the waiting place, if there is one."""
    node = t.leaf[b, place, LEAF]
    if node < 0:
        return
    answer = float(t.values[b * t.leaf.shape[1] + place])
    if not -1.5 <= answer <= 1.5:  # not a number, or not a value
        if lane == 0:
            t.game[b, FAULT] = 1
        answer = 0.0
    value = int(min(max(answer, -1.0), 1.0) * FINE)
    if t.node[b, node, MOVER] == 1:
        value = -value
    if lane == 0:
        t.node[b, node, OWN] = value
        t.game[b, ASKED] += 1
    expand(b, lane, place, node, t)
    if node == 0:
        manner.prepare_root(b, lane, t)
    back_up(b, lane, place, node, value, t)
    spmd.sync()
    if lane == 0:
        t.leaf[b, place, LEAF] = -1
    spmd.sync()


def expand(b: int, lane: int, place: int, node: int, t: Any) -> None:
    """Give a node the edges that were set aside for it, with priors from the logits."""
    first = t.leaf[b, place, START]
    if first < 0:
        return
    count = t.leaf[b, place, OFFERED]
    if lane == 0:
        t.node[b, node, FIRST] = first
        t.node[b, node, COUNT] = count
    set_priors(b, lane, b * t.leaf.shape[1] + place, node, first, count, t)


def set_priors(b: int, lane: int, row: int, node: int, first: int, count: int, t: Any) -> None:
    """Softmax of the logits over the legal actions, in whole numbers: their sum has no order, so lanes do not matter.

    The prior's place holds first the logit in units of 1 / LOGIT, then its weight, then the prior.
    """
    state = t.states[b, node]
    top = -LARGEST_LOGIT
    faulty = False
    for i in range(lane, count, spmd.LANES):
        slot = i
        if encoding.FEATURES == 0:
            slot = encoding.slot(state, t.action[b, first + i])
        x = float(t.logits[row, slot])
        if not -1e30 < x < 1e30:  # not a number, or infinite
            faulty = True
            x = -LARGEST_LOGIT
        x = min(max(x, -LARGEST_LOGIT), LARGEST_LOGIT)
        top = max(top, x)
        t.edge[b, first + i, PRIOR] = int(x * LOGIT)
    if faulty:
        t.game[b, FAULT] = 1
    highest = int(spmd.allmax(top) * LOGIT)
    total = 0
    for i in range(lane, count, spmd.LANES):
        weight = int(exp((t.edge[b, first + i, PRIOR] - highest) / float(LOGIT)) * FINE) + 1
        t.edge[b, first + i, PRIOR] = weight
        total += weight
    share = FINE / float(spmd.allsum(total))
    for i in range(lane, count, spmd.LANES):
        t.edge[b, first + i, PRIOR] = int(t.edge[b, first + i, PRIOR] * share)
        t.edge[b, first + i, TRIED] = 0
        t.edge[b, first + i, CHILD] = 0
        t.edge[b, first + i, LEAST] = -ONE
        t.edge[b, first + i, MOST] = ONE
        t.worth[b, first + i] = 0


def back_up(b: int, lane: int, place: int, node: int, value: int, t: Any) -> None:
    """Add a leaf's value (for player 0) to the node and to all above it."""
    depth = t.leaf[b, place, DEPTH]
    for d in range(lane, depth + 1, spmd.LANES):
        above = node
        if d < depth:
            above = t.path[b, place, d, 0]
        bounded = value
        if manner.PROOFS:
            for deeper in range(depth - 1, d, -1):
                between = t.path[b, place, deeper, 0]
                low = t.node[b, between, LOW] * (FINE // ONE)
                high = t.node[b, between, HIGH] * (FINE // ONE)
                bounded = min(max(bounded, low), high)
        t.total[b, above] += bounded
        if d < depth:
            edge = t.path[b, place, d, 1]
            mover = t.node[b, above, MOVER]
            gain = bounded if mover == 0 else -bounded
            if manner.SHAPING:
                gain += promised(b, place, node, d, depth, mover, t)
            t.worth[b, edge] += gain + t.options.virtual_loss * FINE
    if lane == 0:
        t.game[b, DONE] += 1
    spmd.sync()
    if manner.PROOFS and t.node[b, node, LOW] == t.node[b, node, HIGH]:
        prove(b, lane, place, node, depth, t)


def promised(b: int, place: int, node: int, d: int, depth: int, mover: int, t: Any) -> int:
    """The mover's potential differences, gamma * next - now, over the moves it made from depth d on."""
    gain = 0
    for k in range(d, depth):
        now = t.path[b, place, k, 0]
        if t.node[b, now, MOVER] == mover:
            after = node if k == depth - 1 else t.path[b, place, k + 1, 0]
            gain += int(t.options.gamma * t.node[b, after, PHI + mover]) - t.node[b, now, PHI + mover]
    return gain


def prove(b: int, lane: int, place: int, node: int, depth: int, t: Any) -> None:
    """Carry a leaf's exact value upward as far as it changes what is known."""
    low = t.node[b, node, LOW]
    high = t.node[b, node, HIGH]
    for d in range(depth - 1, -1, -1):
        edge = t.path[b, place, d, 1]
        above = t.path[b, place, d, 0]
        spmd.sync()
        if lane == 0:
            t.edge[b, edge, LEAST] = low
            t.edge[b, edge, MOST] = high
        spmd.sync()
        mover = t.node[b, above, MOVER]
        sign = 1 if mover == 0 else -1
        first = t.node[b, above, FIRST]
        best_low = -2.0 * ONE
        best_high = -2.0 * ONE
        for e in range(first + lane, first + t.node[b, above, COUNT], spmd.LANES):
            one_low = t.edge[b, e, LEAST]
            one_high = t.edge[b, e, MOST]
            best_low = max(best_low, float(sign * (one_low if sign == 1 else one_high)))
            best_high = max(best_high, float(sign * (one_high if sign == 1 else one_low)))
        best_low = spmd.allmax(best_low)
        best_high = spmd.allmax(best_high)
        new_low = int(best_low) if sign == 1 else -int(best_high)
        new_high = int(best_high) if sign == 1 else -int(best_low)
        if new_low == t.node[b, above, LOW] and new_high == t.node[b, above, HIGH]:
            return
        spmd.sync()
        if lane == 0:
            t.node[b, above, LOW] = new_low
            t.node[b, above, HIGH] = new_high
        low = new_low
        high = new_high
