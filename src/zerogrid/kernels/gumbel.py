"""Gumbel AlphaZero (Danihelka et al. 2022): few simulations, and still a better policy.

At the root sequential halving shares the simulations out among a few candidates (section 2); below it the edge is
followed that lags furthest behind the improved policy softmax(log P + sigma(completed Q)) (section 5).
"""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.draws import NOISE, uniform
from zerogrid.core.exact import exp, log
from zerogrid.kernels import manner
from zerogrid.kernels.root import NEVER
from zerogrid.kernels.tree import (
    BIAS,
    CHILD,
    COUNT,
    DONE,
    FINE,
    FIRST,
    LEAF,
    LEAST,
    MOST,
    MOVER,
    ONE,
    OWN,
    PARENT,
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
    if lane == 0:
        t.game[b, WIDTH] = min(t.node[b, 0, COUNT], t.halving.shape[0] - 1)
    spmd.sync()


def weigh(b: int, lane: int, t: Any) -> None:
    """The improved policy, in whole numbers."""
    first = t.node[b, 0, FIRST]
    scale = sigma_scale(b, lane, 0, t)
    unvisited = mixed_value(b, lane, 0, t)
    top, _ = improved_sums(b, lane, 0, scale, unvisited, t)
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        t.root[b, i, POLICY] = float(improved_weight(b, first + i, scale, unvisited, top, t))


def leader(b: int, lane: int, t: Any) -> int:
    """Of the most visited root edges, the one with the greatest g + log P + sigma(q)."""
    first = t.node[b, 0, FIRST]
    last = first + t.node[b, 0, COUNT]
    most = 0.0
    for e in range(first + lane, last, spmd.LANES):
        most = max(most, float(t.edge[b, e, TRIED]))
    most = spmd.allmax(most)
    scale = sigma_scale(b, lane, 0, t)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        score = NEVER
        if t.edge[b, e, TRIED] == int(most):
            score = t.root[b, e - first, BIAS]
            if most > 0.0:
                score += scale * (0.5 + 0.5 * t.worth[b, e] / (most * FINE))
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def candidate(b: int, lane: int, t: Any) -> int:
    """At the root: of the edges whose turn it is by sequential halving, the greatest by g + log P + sigma(q)."""
    first = t.node[b, 0, FIRST]
    last = first + t.node[b, 0, COUNT]
    turn = min(t.game[b, DONE] - 1 + in_flight(b, t), t.halving.shape[1] - 1)  # the first simulation was the root's own
    wanted = t.halving[t.game[b, WIDTH], turn]
    scale = sigma_scale(b, lane, 0, t)
    unvisited = mixed_value(b, lane, 0, t)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        n = t.edge[b, e, TRIED]
        score = t.root[b, e - first, BIAS] + scale * completed(b, e, unvisited, t)
        if n != wanted:
            score = NEVER - abs(n - wanted)  # where a kept tree has no edge with just so many visits, the nearest
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def in_flight(b: int, t: Any) -> int:
    """How many leaves of this tree wait for an answer."""
    waiting = 0
    for leaf in range(t.leaf.shape[1]):
        if t.leaf[b, leaf, LEAF] >= 0:
            waiting += 1
    return waiting


def lagging(b: int, lane: int, node: int, t: Any) -> int:
    """Below the root: the edge with the greatest improved policy less its share of the visits."""
    first = t.node[b, node, FIRST]
    last = first + t.node[b, node, COUNT]
    scale = sigma_scale(b, lane, node, t)
    unvisited = mixed_value(b, lane, node, t)
    top, total = improved_sums(b, lane, node, scale, unvisited, t)
    visits = 0
    for e in range(first + lane, last, spmd.LANES):
        visits += t.edge[b, e, TRIED]
    visits = spmd.allsum(visits)
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, last, spmd.LANES):
        share = improved_weight(b, e, scale, unvisited, top, t) / float(total)
        score = share - t.edge[b, e, TRIED] / (1.0 + visits)
        if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = NEVER
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def completed(b: int, e: int, unvisited: float, t: Any) -> float:
    """The edge's Q as a chance of winning in [0, 1]; proven results as they are; a stand-in where it has no visits."""
    q = unvisited
    n = t.edge[b, e, TRIED]
    if n > 0:
        q = t.worth[b, e] / (float(n) * FINE)
    if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
        q = t.edge[b, e, LEAST] / float(ONE)
        if edge_mover(b, e, t) == 1:
            q = -q
    return 0.5 + 0.5 * q


def edge_mover(b: int, e: int, t: Any) -> int:
    """Who moves along an edge that has a child."""
    return t.node[b, t.node[b, t.edge[b, e, CHILD], PARENT], MOVER]


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


def improved_weight(b: int, e: int, scale: float, unvisited: float, top: float, t: Any) -> int:
    """exp(log P + sigma(completed q) - top), as an integer so that the lanes' sum has no order."""
    strength = log(max(t.edge[b, e, PRIOR], 1) / float(FINE)) + scale * completed(b, e, unvisited, t)
    return int(exp(strength - top) * FINE) + 1


def improved_sums(b: int, lane: int, node: int, scale: float, unvisited: float, t: Any) -> tuple[float, int]:
    """The greatest exponent over a node's edges, and the sum of their weights."""
    first = t.node[b, node, FIRST]
    last = first + t.node[b, node, COUNT]
    top = NEVER
    for e in range(first + lane, last, spmd.LANES):
        top = max(top, log(max(t.edge[b, e, PRIOR], 1) / float(FINE)) + scale * completed(b, e, unvisited, t))
    top = spmd.allmax(top)
    total = 0
    for e in range(first + lane, last, spmd.LANES):
        total += improved_weight(b, e, scale, unvisited, top, t)
    return top, spmd.allsum(total)
