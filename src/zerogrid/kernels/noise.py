"""Dirichlet noise for the root's priors, the same on every target."""

import math
from typing import Any

from zerogrid.core import spmd
from zerogrid.core.draws import NOISE, uniform
from zerogrid.core.exact import exp, log
from zerogrid.kernels.tree import BIAS, COUNT, FINE, FIRST, PLY, PRIOR, SEEN, TRIED


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
    seen = 0
    for i in range(lane, count, spmd.LANES):
        drawn = share * FINE * (t.root[b, i, BIAS] / float(total))
        prior = int((1.0 - share) * t.edge[b, first + i, PRIOR] + drawn)
        t.edge[b, first + i, PRIOR] = prior
        if t.edge[b, first + i, TRIED] > 0:
            seen += prior
    seen = spmd.allsum(seen)
    if lane == 0:
        t.node[b, 0, SEEN] = seen


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
