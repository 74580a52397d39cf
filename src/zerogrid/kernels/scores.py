"""What an edge is worth to the player who may choose it.

    PUCT     Q + c P sqrt(sum N) / (1 + N)                         (Silver et al. 2017)
    UCT      Q + c sqrt(ln(visits) / N), unvisited edges first     (Kocsis, Szepesvari 2006)
    Gumbel   at the root by sequential halving; below it the edge that lags furthest behind the improved policy
             softmax(log P + sigma(completed Q))                   (Danihelka et al. 2022, sections 3 and 5)
"""

import math
from typing import Any

from zerogrid.core import spmd
from zerogrid.core.exact import exp, log
from zerogrid.kernels.tree import (
    BIAS,
    CHILD,
    COUNT,
    DONE,
    FINE,
    FIRST,
    GUMBEL,
    LEAF,
    LEAST,
    MOST,
    MOVER,
    ONE,
    OWN,
    PARENT,
    PRIOR,
    SEEN,
    TRIED,
    UCT,
    VISITS,
    WIDTH,
)

NEVER = -1e30  # the score of an edge that may not be chosen
SURE = 1e20  # and of one that must be


def best_edge(b: int, lane: int, node: int, t: Any) -> int:
    """The edge to follow from an expanded node that is not solved."""
    if t.options.kind == GUMBEL:
        if node == 0:
            return candidate(b, lane, t)
        return lagging(b, lane, node, t)
    o = t.options
    first = t.node[b, node, FIRST]
    visits = t.node[b, node, VISITS]
    unvisited = value_of_unvisited(b, node, t)
    if o.kind == UCT:
        log_visits = log(float(max(visits, 1)))
        weight = o.c
    else:
        log_visits = 0.0
        weight = o.c if o.c_base <= 0.0 else o.c + log((1.0 + visits + o.c_base) / o.c_base)
        weight *= math.sqrt(float(max(visits - 1, 1)))
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, first + t.node[b, node, COUNT], spmd.LANES):
        n = t.edge[b, e, TRIED]
        if o.proofs and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = NEVER  # its value is known: there is nothing more to learn
        elif o.kind == UCT:
            score = SURE
            if n > 0:
                score = t.worth[b, e] / (float(n) * FINE) + weight * math.sqrt(log_visits / n)
        else:
            prior = t.edge[b, e, PRIOR] / float(FINE)
            q = unvisited
            if n > 0:
                q = t.worth[b, e] / (float(n) * FINE)
            score = q + weight * prior / (1.0 + n)
            if node == 0 and o.forced > 0.0 and n > 0 and n * n < o.forced * prior * visits:
                score = SURE + prior
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def value_of_unvisited(b: int, node: int, t: Any) -> float:
    """First-play urgency: the parent's value less fpu * sqrt(prior visited so far), or 0 as in the papers."""
    if t.options.fpu < 0.0:
        return 0.0
    mean = t.total[b, node] / (float(max(t.node[b, node, VISITS], 1)) * FINE)
    if t.node[b, node, MOVER] == 1:
        mean = -mean
    return mean - t.options.fpu * math.sqrt(t.node[b, node, SEEN] / float(FINE))


# --- Gumbel ---------------------------------------------------------------------------------------------------------


def candidate(b: int, lane: int, t: Any) -> int:
    """At the root: of the edges whose turn it is by sequential halving, the one with the greatest g + log P + sigma(q)."""
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
        if t.options.proofs and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
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
    if t.options.proofs and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
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
    return int(exp(log(max(t.edge[b, e, PRIOR], 1) / float(FINE)) + scale * completed(b, e, unvisited, t) - top) * FINE) + 1


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
