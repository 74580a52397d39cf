"""The root: noise and candidates before a search, the recommended policy and the move to play after it."""

import math
from typing import Any

from zerogrid.core import spmd
from zerogrid.core.draws import NOISE, TEMPERATURE, uniform
from zerogrid.core.exact import exp, log
from zerogrid.kernels.scores import NEVER, improved_sums, improved_weight, mixed_value, sigma_scale
from zerogrid.kernels.tree import (
    BIAS,
    CHOICE,
    COUNT,
    FINE,
    FIRST,
    GUMBEL,
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
    VISITS,
    WIDTH,
)


def prepare_root(b: int, lane: int, t: Any) -> None:
    """Once the root has edges: mix noise into its priors, or draw the Gumbel numbers."""
    spmd.sync()
    if t.options.kind == GUMBEL:
        first = t.node[b, 0, FIRST]
        for i in range(lane, t.node[b, 0, COUNT], spmd.LANES):
            u = uniform(t.seed[b], NOISE, t.game[b, PLY], i)
            draw = -log(-log(u)) * t.options.gumbel
            t.root[b, i, BIAS] = draw + log(max(t.edge[b, first + i, PRIOR], 1) / float(FINE))
        if lane == 0:
            t.game[b, WIDTH] = min(t.node[b, 0, COUNT], t.halving.shape[0] - 1)
    elif t.options.noise > 0.0:
        add_noise(b, lane, t)
    spmd.sync()


def add_noise(b: int, lane: int, t: Any) -> None:
    """P := (1 - noise) P + noise Dirichlet(alpha), from gamma variates whose sum is taken over integers."""
    first = t.node[b, 0, FIRST]
    count = t.node[b, 0, COUNT]
    alpha = t.options.alpha if t.options.alpha > 0.0 else 10.0 / max(count, 1)
    total = 0
    for i in range(lane, count, spmd.LANES):
        part = int(min(gamma_variate(alpha, t.seed[b], t.game[b, PLY], i), 1000.0) * FINE) + 1
        t.root[b, i, BIAS] = float(part)
        total += part
    total = spmd.allsum(total)
    share = t.options.noise
    for i in range(lane, count, spmd.LANES):
        t.edge[b, first + i, PRIOR] = int((1.0 - share) * t.edge[b, first + i, PRIOR] + share * FINE * (t.root[b, i, BIAS] / float(total)))


def gamma_variate(alpha: float, seed: int, ply: int, i: int) -> float:
    """Gamma(alpha) by Marsaglia and Tsang's squeeze, raised by one and brought back with u ** (1 / alpha)."""
    d = alpha + 1.0 - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    found = 1.0
    for attempt in range(64):
        draw = (i * 64 + attempt) * 8
        x = normal(seed, ply, draw)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            u = uniform(seed, NOISE, ply, draw + 6)
            if log(u) < 0.5 * x * x + d - d * v + d * log(v):
                found = d * v
                break
    u = uniform(seed, NOISE, ply, i * 512 + 7)
    return found * exp(log(u) / alpha)


def normal(seed: int, ply: int, draw: int) -> float:
    """A standard normal number by the polar method, three attempts; the last one falls back to the nearest point."""
    x = 0.0
    s = 1.0
    for attempt in range(3):
        x = 2.0 * uniform(seed, NOISE, ply, draw + 2 * attempt) - 1.0
        y = 2.0 * uniform(seed, NOISE, ply, draw + 2 * attempt + 1) - 1.0
        s = x * x + y * y
        if 0.0 < s < 1.0:
            break
    if s >= 1.0:
        x = x / s
        s = 1.0 / s
    s = min(max(s, 1e-12), 1.0 - 1e-12)
    return x * math.sqrt(-2.0 * log(s) / s)


# --- after the search -----------------------------------------------------------------------------------------------


def recommend(b: int, lane: int, t: Any) -> None:
    """Write the policy that the search recommends: shares of visits, or Gumbel's improved policy; proven results rule."""
    count = t.node[b, 0, COUNT]
    first = t.node[b, 0, FIRST]
    exact = t.options.proofs and t.node[b, 0, LOW] == t.node[b, 0, HIGH]
    scale = 0.0
    unvisited = 0.0
    top = 0.0
    if t.options.kind == GUMBEL:
        scale = sigma_scale(b, lane, 0, t)
        unvisited = mixed_value(b, lane, 0, t)
        top, _ = improved_sums(b, lane, 0, scale, unvisited, t)
    best = most_visited(b, lane, t)
    total = 0
    for i in range(lane, count, spmd.LANES):
        e = first + i
        weight = 0
        if exact:
            if t.edge[b, e, LEAST] == t.node[b, 0, LOW] and t.edge[b, e, MOST] == t.node[b, 0, HIGH]:
                weight = 1 + t.edge[b, e, TRIED]
        elif t.options.kind == GUMBEL:
            weight = improved_weight(b, e, scale, unvisited, top, t)
        elif not proven_bad(b, e, t):
            weight = earned_visits(b, e, best, t)
        t.root[b, i, BIAS] = float(weight)
        total += weight
    total = spmd.allsum(total)
    for i in range(lane, count, spmd.LANES):
        if total > 0:
            t.root[b, i, POLICY] = t.root[b, i, BIAS] / float(total)
        else:
            t.root[b, i, POLICY] = 1.0 / count
    for i in range(count + lane, t.root.shape[1], spmd.LANES):
        t.root[b, i, POLICY] = 0.0
    spmd.sync()


def proven_bad(b: int, e: int, t: Any) -> bool:
    """Whether the mover can surely do better than this edge."""
    if not t.options.proofs:
        return False
    if t.node[b, 0, MOVER] == 0:
        return t.edge[b, e, MOST] < t.node[b, 0, LOW]
    return t.edge[b, e, LEAST] > t.node[b, 0, HIGH]


def most_visited(b: int, lane: int, t: Any) -> int:
    """The root edge with the most visits, the first of equals; proven bad ones only where there is no other."""
    first = t.node[b, 0, FIRST]
    best = NEVER * 2.0
    found = first
    for e in range(first + lane, first + t.node[b, 0, COUNT], spmd.LANES):
        score = float(t.edge[b, e, TRIED])
        if proven_bad(b, e, t):
            score = NEVER
        if score > best:
            best = score
            found = e
    return spmd.argmax(best, found)


def earned_visits(b: int, e: int, best: int, t: Any) -> int:
    """Visits less those that only forced playouts caused: as many as PUCT would not have made on its own account."""
    n = t.edge[b, e, TRIED]
    if t.options.forced <= 0.0 or e == best or n == 0:
        return n
    visits = float(max(t.node[b, 0, VISITS] - 1, 1))
    weight = t.options.c * math.sqrt(visits)
    most = t.edge[b, best, TRIED]
    goal = weight * (t.edge[b, best, PRIOR] / float(FINE)) / (1.0 + most)
    if most > 0:
        goal += t.worth[b, best] / (float(most) * FINE)
    q = t.worth[b, e] / (float(n) * FINE)
    forced = int(math.sqrt(t.options.forced * (t.edge[b, e, PRIOR] / float(FINE)) * visits))
    while forced > 0 and n > 0 and q + weight * (t.edge[b, e, PRIOR] / float(FINE)) / float(n) < goal:
        n -= 1
        forced -= 1
    return n if n > 1 else 0


def choose(b: int, lane: int, temperature: float, t: Any) -> None:
    """Write the root edge to play: by share of the recommended policy, sharpened; at temperature 0 the best one."""
    if temperature <= 0.0:
        edge = best_move(b, lane, t)
        if lane == 0:
            t.game[b, CHOICE] = edge
        return
    count = t.node[b, 0, COUNT]
    total = 0.0
    pick = 0
    for i in range(count):  # every lane does the same, in the same order
        if t.root[b, i, POLICY] > 0.0:
            total += exp(log(float(t.root[b, i, POLICY])) / temperature)
    mark = uniform(t.seed[b], TEMPERATURE, t.game[b, PLY], 0) * total
    total = 0.0
    for i in range(count):
        if t.root[b, i, POLICY] > 0.0:
            if total <= mark:
                pick = i
            total += exp(log(float(t.root[b, i, POLICY])) / temperature)
    if lane == 0:
        t.game[b, CHOICE] = t.node[b, 0, FIRST] + pick


def best_move(b: int, lane: int, t: Any) -> int:
    """The most visited edge; a proven one where that is worth at least as much. With Gumbel, the last candidate."""
    first = t.node[b, 0, FIRST]
    sign = 1.0 if t.node[b, 0, MOVER] == 0 else -1.0
    best = NEVER * 2.0
    known = first
    leader = most_visited(b, lane, t)
    if t.options.kind == GUMBEL:
        leader = last_candidate(b, lane, t)
    if not t.options.proofs:
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
    if best <= NEVER or t.edge[b, leader, LEAST] == t.edge[b, leader, MOST] and sign * t.edge[b, leader, LEAST] >= best:
        return leader
    hope = -1.0
    if t.edge[b, leader, LEAST] == t.edge[b, leader, MOST]:
        hope = sign * t.edge[b, leader, LEAST] / float(ONE)
    elif t.edge[b, leader, TRIED] > 0:
        hope = t.worth[b, leader] / (float(t.edge[b, leader, TRIED]) * FINE)
    return known if best / float(ONE) >= hope else leader


def last_candidate(b: int, lane: int, t: Any) -> int:
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
