"""UCT: Q + c sqrt(ln(visits) / N), unvisited edges first (Kocsis, Szepesvari 2006)."""

import math
from typing import Any

from zerogrid.core import spmd
from zerogrid.core.exact import log
from zerogrid.kernels import manner
from zerogrid.kernels.root import NEVER, SURE, most_visited, proven_bad
from zerogrid.kernels.tree import COUNT, FINE, FIRST, LEAST, MOST, POLICY, TRIED, VISITS


def best_edge(b: int, lane: int, node: int, t: Any) -> int:
    first = t.node[b, node, FIRST]
    log_visits = log(float(max(t.node[b, node, VISITS], 1)))
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, first + t.node[b, node, COUNT], spmd.LANES):
        n = t.edge[b, e, TRIED]
        score = SURE
        if manner.PROOFS and t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = NEVER  # its value is known: there is nothing more to learn
        elif n > 0:
            score = t.worth[b, e] / (float(n) * FINE) + t.options.c * math.sqrt(log_visits / n)
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def prepare_root(b: int, lane: int, t: Any) -> None:
    spmd.sync()


def weigh(b: int, lane: int, t: Any) -> None:
    """Visits."""
    first = t.node[b, 0, FIRST]
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        weight = 0
        if not proven_bad(b, first + i, t):
            weight = t.edge[b, first + i, TRIED]
        t.root[b, i, POLICY] = float(weight)


def leader(b: int, lane: int, t: Any) -> int:
    return most_visited(b, lane, t)
