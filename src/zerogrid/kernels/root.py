"""The root after a search: the recommended policy, and the move to play."""

from typing import Any

from zerogrid.core import spmd
from zerogrid.core.draws import TEMPERATURE, uniform
from zerogrid.core.exact import exp, log
from zerogrid.kernels import manner
from zerogrid.kernels.tree import (
    CHOICE,
    COUNT,
    FINE,
    FIRST,
    HIGH,
    LEAST,
    LOW,
    MOST,
    MOVER,
    ONE,
    PLY,
    POLICY,
    PRIOR,
    TRIED,
    WEIGHT,
)

NEVER = -1e30  # the score of an edge that may not be chosen
SURE = 1e20  # and of one that must be


def recommend(b: int, lane: int, t: Any) -> None:
    """Write the policy that the search recommends, by the manner's weights; where a result is proven, it rules."""
    count = t.node[b, 0, COUNT]
    first = t.node[b, 0, FIRST]
    manner.weigh(b, lane, t)
    spmd.sync()
    exact = manner.PROOFS and t.node[b, 0, LOW] == t.node[b, 0, HIGH]
    total = 0
    for i in range(lane, count, spmd.LANES):
        if exact:
            keeps = t.edge[b, first + i, LEAST] == t.node[b, 0, LOW]
            keeps = keeps and t.edge[b, first + i, MOST] == t.node[b, 0, HIGH]
            t.root[b, i, POLICY] = 1.0 + t.edge[b, first + i, TRIED] if keeps else 0.0
        total += int(t.root[b, i, POLICY])
    total = spmd.allsum(total)
    if total == 0:  # nothing was searched, or nothing but lost moves: the priors are all there is
        share_by_prior(b, lane, t)
    else:
        for i in range(lane, count, spmd.LANES):
            t.root[b, i, POLICY] = t.root[b, i, POLICY] / float(total)
    for i in range(count + lane, t.root.shape[1], spmd.LANES):
        t.root[b, i, POLICY] = 0.0
    spmd.sync()


def share_by_prior(b: int, lane: int, t: Any) -> None:
    """The priors as the policy, without what is proven bad."""
    first = t.node[b, 0, FIRST]
    total = 0
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        if not proven_bad(b, first + i, t):
            total += t.edge[b, first + i, PRIOR] + 1
    total = spmd.allsum(total)
    for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
        share = 0.0
        if not proven_bad(b, first + i, t):
            share = (t.edge[b, first + i, PRIOR] + 1) / float(total)
        t.root[b, i, POLICY] = share


def proven_bad(b: int, e: int, t: Any) -> bool:
    """Whether the mover can surely do better than this edge, or may hope to and here has lost for sure."""
    if not manner.PROOFS:
        return False
    low = t.node[b, 0, LOW]
    high = t.node[b, 0, HIGH]
    if t.node[b, 0, MOVER] == 0:
        return t.edge[b, e, MOST] < low or (t.edge[b, e, MOST] == -ONE and high > -ONE)
    return t.edge[b, e, LEAST] > high or (t.edge[b, e, LEAST] == ONE and low < ONE)


def most_visited(b: int, lane: int, t: Any) -> int:
    """The root edge with the most visits, of equals the likeliest; proven bad ones only where there is no other."""
    first = t.node[b, 0, FIRST]
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, first + t.node[b, 0, COUNT], spmd.LANES):
        score = t.edge[b, e, TRIED] + t.edge[b, e, PRIOR] / (2.0 * FINE)
        if proven_bad(b, e, t):
            score = NEVER
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def choose(b: int, lane: int, temperature: float, t: Any) -> None:
    """Write the root edge to play: by share of the recommended policy, sharpened; at temperature 0 the best one."""
    if temperature <= 0.0:
        edge = best_move(b, lane, t)
        if lane == 0:
            t.game[b, CHOICE] = edge
        return
    count = t.node[b, 0, COUNT]
    top = 0.0
    for i in range(lane, count, spmd.LANES):
        top = max(top, float(t.root[b, i, POLICY]))
    top = spmd.allmax(top)
    for i in range(lane, count, spmd.LANES):
        t.root[b, i, WEIGHT] = sharper(float(t.root[b, i, POLICY]), top, temperature)
    spmd.sync()
    total = 0.0
    pick = 0
    for i in range(count):  # every lane does the same, in the same order
        total += t.root[b, i, WEIGHT]
    mark = uniform(t.seed[b], TEMPERATURE, t.game[b, PLY], 0) * total
    total = 0.0
    for i in range(count):
        weight = t.root[b, i, WEIGHT]
        if weight > 0.0 and total <= mark:
            pick = i
        total += weight
    spmd.sync()
    if lane == 0:
        t.game[b, CHOICE] = t.node[b, 0, FIRST] + pick


def sharper(share: float, top: float, temperature: float) -> float:
    """(share / top) ** (1 / temperature): against the greatest share, which so never vanishes."""
    if share <= 0.0:
        return 0.0
    return exp(log(share / top) / temperature)


def best_move(b: int, lane: int, t: Any) -> int:
    """The most visited edge; a proven one where that is worth at least as much. With Gumbel, the last candidate."""
    first = t.node[b, 0, FIRST]
    sign = 1.0 if t.node[b, 0, MOVER] == 0 else -1.0
    best = NEVER * 2.0
    known = first
    leader = manner.leader(b, lane, t)
    if not manner.PROOFS:
        return leader
    for e in range(first + lane, first + t.node[b, 0, COUNT], spmd.LANES):
        score = NEVER
        if t.edge[b, e, LEAST] == t.edge[b, e, MOST]:
            score = sign * t.edge[b, e, LEAST]
        if score > best:
            best = score
            known = e
    best = spmd.allmax(best)
    score = NEVER * 2.0
    if known >= first and t.edge[b, known, LEAST] == t.edge[b, known, MOST] and sign * t.edge[b, known, LEAST] == best:
        score = best
    known = spmd.argmax(score, known)
    if best <= NEVER:
        return leader
    sure = t.edge[b, leader, LEAST] == t.edge[b, leader, MOST]
    if sure and sign * t.edge[b, leader, LEAST] >= best:
        return leader
    if best <= -ONE:
        return leader  # whatever else there is, it cannot be worse
    hope = -1.0
    if sure:
        hope = sign * t.edge[b, leader, LEAST] / float(ONE)
    elif t.edge[b, leader, TRIED] > 0:
        hope = t.worth[b, leader] / (float(t.edge[b, leader, TRIED]) * FINE)
    return known if best / float(ONE) >= hope else leader
