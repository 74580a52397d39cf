"""Gumbel AlphaZero (Danihelka et al. 2022): few simulations, and still a better policy.

At the root sequential halving shares the simulations out among a few candidates (section 2); below it the edge is
followed that lags furthest behind the improved policy softmax(log P + sigma(completed Q)) (section 5).
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.draws import NOISE, uniform
from zerogrid.core.exact import exp, log
from zerogrid.kernels import manner
from zerogrid.kernels.root import NEVER, SURE
from zerogrid.kernels.tree import (
    BEFORE,
    BIAS,
    COUNT,
    FINE,
    FIRST,
    LEAST,
    LIMIT,
    MOST,
    MOVER,
    ONE,
    OWN,
    PLY,
    POLICY,
    PRIOR,
    SEEN,
    TRIED,
    WIDTH,
)


def best_edge(b: int, lane: int, node: int, t: Any) -> int:
    if node == 0:
        return candidate(b, lane, t)
    return lagging(b, lane, node, t)


def prepare_root(b: int, lane: int, t: Any) -> None:
    """Draw the Gumbel numbers, g + log P."""
    spmd.sync()
    first = t.node[b, 0, FIRST]
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        u = uniform(t.seed[b], NOISE, t.game[b, PLY], i)
        draw = -log(-log(u)) * t.options.gumbel
        t.root[b, i, BIAS] = draw + log(max(t.edge[b, first + i, PRIOR], 1) / float(FINE))
        t.root[b, i, BEFORE] = float(t.edge[b, first + i, TRIED])
    if lane == 0:
        t.game[b, WIDTH] = min(t.node[b, 0, COUNT], t.options.considered)
    spmd.sync()


def weigh(b: int, lane: int, t: Any) -> None:
    """The improved policy, in whole numbers."""
    first = t.node[b, 0, FIRST]
    scale = sigma_scale(b, lane, 0, t)
    mover = t.node[b, 0, MOVER]
    unvisited = mixed_value(b, lane, 0, t)
    top, _ = improved_sums(b, lane, 0, scale, unvisited, t)
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        t.root[b, i, POLICY] = float(improved_weight(b, first + i, scale, unvisited, top, mover, t))


def leader(b: int, lane: int, t: Any) -> int:
    """Of the root edges that this search visited most, the one with the greatest g + log P + sigma(q)."""
    first = t.node[b, 0, FIRST]
    last = first + t.node[b, 0, COUNT]
    most = 0.0
    for e in range(first + lane, last, spmd.LANES):
        most = max(most, float(new_visits(b, e, t)))
    most = spmd.allmax(most)
    scale = sigma_scale(b, lane, 0, t)
    mover = t.node[b, 0, MOVER]
    unvisited = mixed_value(b, lane, 0, t)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        score = NEVER
        if new_visits(b, e, t) == int(most):
            score = t.root[b, e - first, BIAS] + scale * completed(b, e, unvisited, mover, t)
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def candidate(b: int, lane: int, t: Any) -> int:
    """At the root: of the edges whose turn it is by sequential halving, the greatest by g + log P + sigma(q)."""
    first = t.node[b, 0, FIRST]
    last = first + t.node[b, 0, COUNT]
    turn = 0
    for e in range(first + lane, last, spmd.LANES):
        turn += new_visits(b, e, t)
    wanted = visits_before(t.game[b, WIDTH], t.game[b, LIMIT], spmd.allsum(turn))
    scale = sigma_scale(b, lane, 0, t)
    mover = t.node[b, 0, MOVER]
    unvisited = mixed_value(b, lane, 0, t)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        off = abs(new_visits(b, e, t) - wanted)
        score = -SURE * off  # some edge has just so many, unless the limit was changed under way: then the nearest
        if off == 0:
            score = t.root[b, e - first, BIAS] + scale * completed(b, e, unvisited, mover, t)
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def new_visits(b: int, e: int, t: Any) -> int:
    """Visits of a root edge since this search began: what a kept tree brings along is known, but was not shared out."""
    return t.edge[b, e, TRIED] - int(t.root[b, e - t.node[b, 0, FIRST], BEFORE])


def visits_before(width: int, budget: int, turn: int) -> int:
    """Sequential halving: how many visits an edge has had if it is to get visit number `turn` of the budget.

    Each round visits all candidates left equally often and drops the worse half, to the last two (section 3.3).
    """
    rounds = 1
    while 1 << rounds < width:
        rounds += 1
    visits = 0
    left = max(width, 1)
    each = max(1, budget // (rounds * left))
    while turn >= each * left:
        turn -= each * left
        visits += each
        left = min(left, max(2, left // 2))
        each = max(1, budget // (rounds * left))
    return visits + turn // left


def lagging(b: int, lane: int, node: int, t: Any) -> int:
    """Below the root: the edge with the greatest improved policy less its share of the visits."""
    first = t.node[b, node, FIRST]
    last = first + t.node[b, node, COUNT]
    scale = sigma_scale(b, lane, node, t)
    mover = t.node[b, node, MOVER]
    unvisited = mixed_value(b, lane, node, t)
    top, total = improved_sums(b, lane, node, scale, unvisited, t)
    visits = 0
    for e in range(first + lane, last, spmd.LANES):
        visits += t.edge[b, e, TRIED]
    visits = spmd.allsum(visits)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        share = improved_weight(b, e, scale, unvisited, top, mover, t) / float(total)
        score = share - t.edge[b, e, TRIED] / (1.0 + visits)
        if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = NEVER
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def completed(b: int, e: int, unvisited: float, mover: int, t: Any) -> float:
    """The edge's Q as a chance of winning in [0, 1]; proven results as they are; a stand-in where it has no visits."""
    q = unvisited
    n = t.edge[b, e, TRIED]
    if n > 0:
        q = t.worth[b, e] / (float(n) * FINE)
    if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
        q = t.edge[b, e, LEAST] / float(ONE)
        if mover == 1:
            q = -q
    return 0.5 + 0.5 * q


def sigma_scale(b: int, lane: int, node: int, t: Any) -> float:
    """(c_visit + most visits) * c_scale."""
    most = 0.0
    first = t.node[b, node, FIRST]
    for e in range(first + lane, first + t.node[b, node, COUNT], spmd.LANES):
        most = max(most, float(t.edge[b, e, TRIED]))
    return (t.options.c_visit + spmd.allmax(most)) * t.options.c_scale


def mixed_value(b: int, lane: int, node: int, t: Any) -> float:
    """What unvisited edges are thought to be worth: the node's own value mixed with its visited edges', by prior."""
    first = t.node[b, node, FIRST]
    visits = 0
    weighted = 0
    for e in range(first + lane, first + t.node[b, node, COUNT], spmd.LANES):
        n = t.edge[b, e, TRIED]
        if n > 0:
            visits += n
            weighted += int(t.worth[b, e] / float(n) * (t.edge[b, e, PRIOR] / float(FINE)))
    visits = spmd.allsum(visits)
    weighted = spmd.allsum(weighted)
    own = float(t.node[b, node, OWN])
    if t.node[b, node, MOVER] == 1:
        own = -own
    if visits > 0:
        own = (own + visits * (weighted / (float(max(t.node[b, node, SEEN], 1)) / FINE))) / (1.0 + visits)
    return min(max(own / FINE, -1.0), 1.0)


def improved_weight(b: int, e: int, scale: float, unvisited: float, top: float, mover: int, t: Any) -> int:
    """exp(log P + sigma(completed q) - top), as an integer so that the lanes' sum has no order."""
    strength = log(max(t.edge[b, e, PRIOR], 1) / float(FINE)) + scale * completed(b, e, unvisited, mover, t)
    return int(exp(strength - top) * FINE) + 1


def improved_sums(b: int, lane: int, node: int, scale: float, unvisited: float, t: Any) -> tuple[float, int]:
    """The greatest exponent over a node's edges, and the sum of their weights."""
    first = t.node[b, node, FIRST]
    last = first + t.node[b, node, COUNT]
    top = NEVER
    mover = t.node[b, node, MOVER]
    for e in range(first + lane, last, spmd.LANES):
        top = max(top, log(max(t.edge[b, e, PRIOR], 1) / float(FINE)) + scale * completed(b, e, unvisited, mover, t))
    top = spmd.allmax(top)
    total = 0
    for e in range(first + lane, last, spmd.LANES):
        total += improved_weight(b, e, scale, unvisited, top, mover, t)
    return top, spmd.allsum(total)
