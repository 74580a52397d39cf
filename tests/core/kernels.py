"""Kernels for tests of linking: the same source for the python target, the cpu target, and the CUDA simulator."""

import math
from typing import Any, NamedTuple

import numpy as np

from zerogrid.core import cuda, draws, exact, rules, spmd
from zerogrid.core.link import link

STEPS = (3, -5, 7)
TABLE = np.array([11, -13, 17, 19], np.int16)
WIDE = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
INTEGERS, FLOATS = 14, 12


class Numbers(NamedTuple):
    """Pairs of numbers, and what a kernel makes of them."""

    whole: Any  # int64[n, 2]
    real: Any  # float64[n, 2]
    small: Any  # int16[n, 2]
    made: Any  # int64[n, INTEGERS]
    drawn: Any  # float64[n, FLOATS]
    narrow: Any  # float32[n]


def arithmetic(b: int, lane: int, t: Numbers) -> None:
    """Everything that could come out differently: signs in divisions, rounding, overflow of small numbers, casts."""
    if lane != 0:
        return
    x, y = t.whole[b, 0], t.whole[b, 1]
    t.made[b, 0] = x // y
    t.made[b, 1] = x % y
    t.made[b, 2] = x >> 3
    t.made[b, 3] = (x ^ y) & 0xFFFF
    t.made[b, 4] = x * 3 - y
    t.made[b, 5] = min(x, y, 7) + max(x, y) + abs(x)
    quotient, rest = divmod(x, 12)
    t.made[b, 6] = quotient * 100 + rest
    t.made[b, 7] = t.small[b, 0] * t.small[b, 1] * 3  # beyond 16 and 32 bits
    t.made[b, 8] = STEPS[b % 3] + TABLE[b % 4] * 5000
    t.made[b, 9] = WIDE[b % 2, b % 3] - 9  # below zero, from numbers that have no sign
    t.made[b, 10] = int(t.real[b, 0])
    t.made[b, 11] = total(t.small[b])
    t.made[b, 12] = 1 if x < y or not x else (2 if x == y else 3)
    t.made[b, 13] = rules.ACTIONS * 1000 + rules.MAX_PLIES
    u, v = t.real[b, 0], t.real[b, 1]
    t.drawn[b, 0] = u * v + u  # one rounding less where they are fused
    t.drawn[b, 1] = u / v
    t.drawn[b, 2] = math.sqrt(abs(u))
    t.drawn[b, 3] = exact.exp(u)
    t.drawn[b, 4] = exact.log(abs(v) + 0.001)
    t.drawn[b, 5] = x / 3
    t.drawn[b, 6] = math.floor(u) + math.ceil(v)
    t.drawn[b, 7] = float(t.narrow[b]) * 3.0
    t.drawn[b, 8] = u - v * math.floor(u / v)
    t.drawn[b, 9] = exact.exp(exact.log(abs(u) + 1.0) * 0.75)
    t.drawn[b, 10] = max(u, v) - min(u, v)
    t.drawn[b, 11] = -u if u < 0.0 else u
    t.narrow[b] = u / 3.0


def total(vector: Any) -> int:
    """The sum of a vector that is handed on as a view."""
    found = 0
    for i in range(len(vector)):
        found += vector[i]
    return found


def numbers(count: int = 60) -> Numbers:
    """Pairs that bring out differences: small and large, with both signs."""
    dice = np.random.default_rng(5)
    whole = dice.integers(-(2**40), 2**40, (count, 2))
    whole[: count // 2] = dice.integers(-20, 20, (count // 2, 2))
    whole[whole[:, 1] == 0, 1] = -7
    real = dice.normal(size=(count, 2)) * 10.0 ** dice.integers(-4, 3, (count, 2))
    small = dice.integers(-32768, 32768, (count, 2)).astype(np.int16)
    made, drawn = np.zeros((count, INTEGERS), np.int64), np.zeros((count, FLOATS))
    return Numbers(whole, real, small, made, drawn, real[:, 1].astype(np.float32))


class Drawn(NamedTuple):
    """Draws from many seeds and streams."""

    seeds: Any  # int64[n]
    words: Any  # int64[n, 6]
    uniform: Any  # float64[n]


def draw(b: int, lane: int, t: Drawn) -> None:
    """Each kind of draw once."""
    if lane != 0:
        return
    seed = t.seeds[b]
    t.words[b, 0] = draws.word(seed, draws.START, b, 3)
    t.words[b, 1] = draws.word(seed, draws.NOISE, b, 3)
    t.words[b, 2] = draws.below(b + 1, seed, draws.TEST, 2**40 + b, b)
    t.words[b, 3] = draws.mix(draws.mix(0, seed), -b)
    t.words[b, 4] = draws.hash_range(t.seeds, 0, b)
    t.words[b, 5] = draws.philox(b, 1, 2, 3, 4, 5)[3]
    t.uniform[b] = draws.uniform(seed, draws.PLAYOUT, b, 0)


def seeds(count: int = 40) -> Drawn:
    """Small seeds, and such as fill 63 bits."""
    made = np.arange(count, dtype=np.int64)
    made[1::2] = np.random.default_rng(3).integers(0, 2**63, count // 2)
    return Drawn(made, np.zeros((count, 6), np.int64), np.zeros(count))


class Joined(NamedTuple):
    """Rows of numbers whose best and whose sum the lanes find together."""

    real: Any  # float64[n, k]
    whole: Any  # int64[n, k]
    best: Any  # int64[n]: where the greatest number is
    most: Any  # float64[n]
    sums: Any  # int64[n, 3]: the sum, lane 0's share of it, and the sum weighed by the places, counted from behind
    mirror: Any  # int64[n, k]: the row again, read by other lanes than those that wrote it
    lanes: Any  # int64[n]


def join(b: int, lane: int, t: Joined) -> None:
    """Every primitive once; each lane looks at every LANES-th number."""
    width = t.real.shape[1]
    value, index, share = -math.inf, width, 0
    for i in range(lane, width, spmd.LANES):
        if t.real[b, i] > value:
            value = t.real[b, i]
            index = i
        share += t.whole[b, i]
        t.mirror[b, i] = t.whole[b, i]
    t.best[b] = spmd.argmax(value, index)
    t.most[b] = spmd.allmax(value)
    whole = spmd.allsum(share)
    first = spmd.broadcast(share)
    spmd.sync()
    weighed = 0  # what stands at the other end was put there by another lane
    for i in range(lane, width, spmd.LANES):
        weighed += t.mirror[b, width - 1 - i] * (i + 1)
    weighed = spmd.allsum(weighed)
    if lane == 0:
        t.sums[b, 0] = whole
        t.sums[b, 1] = first
        t.sums[b, 2] = weighed
        t.lanes[b] = spmd.LANES


def rows(count: int = 7, width: int = 11) -> Joined:
    """Rows with equal greatest numbers, with infinities, and all alike."""
    dice = np.random.default_rng(1)
    real = dice.integers(-3, 4, (count, width)).astype(np.float64)
    real[1] = -2.5
    real[2, 4] = math.inf
    whole = dice.integers(0, 1000, (count, width))
    return Joined(
        real, whole, np.zeros(count, np.int64), np.zeros(count), np.zeros((count, 3), np.int64),
        np.zeros((count, width), np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


class OneSided(NamedTuple):
    """What each lane brings, "no number" among it."""

    brought: Any  # float64[n, 64]
    best: Any  # int64[n, 64], by lane
    most: Any  # float64[n, 64]


def bring(b: int, lane: int, t: OneSided) -> None:
    """Join what lanes bring, and write down what each was told."""
    t.best[b, lane] = spmd.argmax(t.brought[b, lane], 100 - lane)
    t.most[b, lane] = spmd.allmax(t.brought[b, lane])


def brought() -> OneSided:
    """What is hard to compare, a row each; see `told`."""
    lane = np.arange(64)
    least = np.full(64, -math.inf)
    values = np.stack([
        np.full(64, math.nan),
        np.where(lane % 2, -7.0, math.nan),
        np.full(64, 3.0),
        lane * 1.0,
        np.where(lane % 2, 0.0, -0.0),
        1.0 + lane * 2.0**-50,
        -1.0 - lane * 2.0**-50,
        np.where(lane == 2, -1e308, -math.inf),
        least,
        np.where(lane == 1, 5e-324, 0.0),
    ])  # fmt: skip
    return OneSided(values, np.zeros((10, 64), np.int64), np.zeros((10, 64)))


def told(lanes: int) -> list[tuple[int, float]]:
    """What every lane must be told of each row: the index (100 - lane) of the greatest, the smallest of equals."""
    last, most = 100 - (lanes - 1), lanes - 1.0
    return [
        (last, -math.inf), (last, -7.0), (last, 3.0), (last, most), (last, 0.0), (last, 1.0 + most * 2.0**-50),
        (100, -1.0), (98, -1e308), (last, -math.inf), (99, 5e-324),
    ]  # fmt: skip


class Listed(NamedTuple):
    """Room to list actions."""

    state: Any  # int16[1, STATE_SIZE]
    actions: Any  # int32[1, MAX_LEGAL]
    count: Any  # int64[1]


def list_legal(b: int, lane: int, t: Listed) -> None:
    """The actions that are legal at the start."""
    if lane == 0:
        rules.start(t.state[b], 1)
        t.count[b] = rules.legal(t.state[b], t.actions[b])


def no_actions(module: Any) -> Listed:
    """Empty room for a game."""
    state, actions = np.zeros((1, module.STATE_SIZE), np.int16), np.zeros((1, module.MAX_LEGAL), np.int32)
    return Listed(state, actions, np.zeros(1, np.int64))


def run(kernel: Any, target: str, args: Any, interfaces: Any = None, threads: int = 1) -> Any:
    """The arguments after a kernel has run on every row of the first."""
    linked = link(kernel, target, interfaces or {})
    count = len(args[0])
    if target != "cuda":
        linked(count, args, threads=threads)
        return args
    on_card = cuda.to_device(args)
    linked(count, on_card)
    return cuda.to_host(on_card)


def same(one: Any, other: Any) -> bool:
    """Whether all arrays agree to the last bit."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))
