"""PUCT: Q + c P sqrt(sum N) / (1 + N) (Silver et al. 2017), with first-play reduction and forced playouts (Wu 2019)."""

import math
from typing import Any

from zerogrid.core import spmd
from zerogrid.core.exact import log
from zerogrid.kernels import manner
from zerogrid.kernels.noise import add_noise
from zerogrid.kernels.root import NEVER, SURE, most_visited, proven_bad
from zerogrid.kernels.tree import COUNT, FINE, FIRST, LEAST, MOST, MOVER, POLICY, PRIOR, QUIET, SEEN, TRIED, VISITS


def best_edge(b: int, lane: int, node: int, t: Any) -> int:
    o = t.options
    first = t.node[b, node, FIRST]
    visits = t.node[b, node, VISITS]
    unvisited = value_of_unvisited(b, node, t)
    weight = exploration(visits, t) / FINE
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, first + t.node[b, node, COUNT], spmd.LANES):
        n = t.edge[b, e, TRIED]
        prior = t.edge[b, e, PRIOR]
        q = unvisited
        if n > 0:
            q = t.worth[b, e] / (float(n) * FINE)
        score = q + weight * prior / (1.0 + n)
        forcing = manner.FORCED and node == 0 and n > 0 and t.game[b, QUIET] == 0
        if forcing and n * n * float(FINE) < o.forced * prior * (visits - 1):
            score = SURE + prior
        if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = NEVER  # its value is known: there is nothing more to learn
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def exploration(visits: int, t: Any) -> float:
    """c sqrt(sum N) of a node that was visited so often; the first visit was its own."""
    o = t.options
    c = o.c if o.c_base <= 0.0 else o.c + log((1.0 + visits + o.c_base) / o.c_base)
    return c * math.sqrt(float(max(visits - 1, 1)))


def value_of_unvisited(b: int, node: int, t: Any) -> float:
    """First-play urgency: the parent's value less fpu * sqrt(prior visited so far), or 0 as in the papers."""
    if t.options.fpu < 0.0:
        return 0.0
    mean = t.total[b, node] / (float(max(t.node[b, node, VISITS], 1)) * FINE)
    if t.node[b, node, MOVER] == 1:
        mean = -mean
    return mean - t.options.fpu * math.sqrt(t.node[b, node, SEEN] / float(FINE))


def prepare_root(b: int, lane: int, t: Any) -> None:
    spmd.sync()
    if manner.NOISE and t.game[b, QUIET] == 0:
        add_noise(b, lane, t)
        spmd.sync()


def weigh(b: int, lane: int, t: Any) -> None:
    """Visits, less those that only forced playouts caused."""
    first = t.node[b, 0, FIRST]
    best = most_visited(b, lane, t)
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        weight = 0
        if not proven_bad(b, first + i, t):
            weight = earned_visits(b, first + i, best, t)
        t.root[b, i, POLICY] = float(weight)


def earned_visits(b: int, e: int, best: int, t: Any) -> int:
    """As many visits as PUCT would have made on its own account."""
    n = t.edge[b, e, TRIED]
    if not manner.FORCED or e == best or n == 0 or t.game[b, QUIET] == 1:
        return n
    visits = t.node[b, 0, VISITS]
    weight = exploration(visits, t)
    most = t.edge[b, best, TRIED]
    goal = weight * (t.edge[b, best, PRIOR] / float(FINE)) / (1.0 + most)
    if most > 0:
        goal += t.worth[b, best] / (float(most) * FINE)
    q = t.worth[b, e] / (float(n) * FINE)
    forced = int(math.sqrt(t.options.forced * (t.edge[b, e, PRIOR] / float(FINE)) * (visits - 1)))
    while forced > 0 and n > 0 and q + weight * (t.edge[b, e, PRIOR] / float(FINE)) / float(n) < goal:
        n -= 1
        forced -= 1
    return n if n > 1 else 0


def leader(b: int, lane: int, t: Any) -> int:
    return most_visited(b, lane, t)
