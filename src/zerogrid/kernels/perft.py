"""Perft: how many sequences of exactly n plays there are, counted one by one from the rules.

The counts of many games are known from independent programs, and a wrong rule rarely leaves them all right. Nothing is
merged: sequences that lead to the same position count separately. A finished game has no continuation.

The host goes breadth-first until there are enough sequences to share out; each becomes the root of one block, whose
lanes split the root's moves and go on depth-first, each on a stack of its own.

    states[b, lane, ply]     the position after `ply` plays from root b
    actions[b, lane, ply]    its legal actions, of which `left[b, lane, ply]` are still to be played
"""

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import rules, spmd
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link
from zerogrid.core.progress import Progress

LEFT_TO_KERNEL = 2  # plies that the host never counts, however few sequences there are
Counts = npt.NDArray[np.int64]


class Stacks(NamedTuple):
    """What the kernel works on; see the top of this file."""

    roots: Any  # int16[blocks, STATE_SIZE]
    depth: int
    states: Any  # int16[blocks, lanes, depth + 1, STATE_SIZE]
    actions: Any  # int32[blocks, lanes, depth + 1, MAX_LEGAL]
    left: Any  # int32[blocks, lanes, depth + 1]
    leaves: Any  # int64[blocks, lanes, depth + 1]
    finished: Any  # int64[blocks, lanes, depth + 1]


def count_below(b: int, lane: int, s: Stacks) -> None:
    """Count all sequences below root b, up to `depth` more plays."""
    for i in range(rules.STATE_SIZE):
        s.states[b, lane, 0, i] = s.roots[b, i]
    s.left[b, lane, 0] = rules.legal(s.states[b, lane, 0], s.actions[b, lane, 0])
    ply = 0
    played = 0
    while ply >= 0:
        if s.left[b, lane, ply] == 0:
            ply -= 1
            continue
        s.left[b, lane, ply] -= 1
        if ply == 0:
            played += 1
            if (played - 1) % spmd.LANES != lane:
                continue
        for i in range(rules.STATE_SIZE):
            s.states[b, lane, ply + 1, i] = s.states[b, lane, ply, i]
        rules.play(s.states[b, lane, ply + 1], s.actions[b, lane, ply, s.left[b, lane, ply]])
        s.leaves[b, lane, ply + 1] += 1
        if rules.ended(s.states[b, lane, ply + 1]) != 0:
            s.finished[b, lane, ply + 1] += 1
        elif ply + 1 < s.depth:
            ply += 1
            s.left[b, lane, ply] = rules.legal(s.states[b, lane, ply], s.actions[b, lane, ply])


@dataclass(frozen=True)
class Perft:
    """The counts by ply; the first element is ply 1."""

    leaves: tuple[int, ...]
    finished: tuple[int, ...]


def perft(game: Game, depth: int, target: str = "cpu", seed: int = 0) -> Perft:
    """Count all sequences of 1 to `depth` plays, and how many of each length end the game."""
    if depth < 1:
        raise ZeroGridError(f"perft counts plies from 1 on, not {quote(depth)}.")
    kernel = link(count_below, target, {rules: game.module})
    depth_reached = min(depth, game.MAX_PLIES)
    leaves, finished = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    roots, ply = _spread(game, depth_reached, _wanted_roots(target), seed, leaves, finished)
    with Progress(f"perft {game.spec}", total=len(roots), unit="roots") as progress:
        chunk = _chunk(target)
        for first in range(0, len(roots), chunk):
            some = roots[first : first + chunk]
            below = _count(game, kernel, some, depth_reached - ply)
            leaves[ply + 1 : depth_reached + 1] += below[0]
            finished[ply + 1 : depth_reached + 1] += below[1]
            progress.advance(len(some))
    return Perft(tuple(map(int, leaves[1:])), tuple(map(int, finished[1:])))


def _spread(
    game: Game, depth: int, wanted: int, seed: int, leaves: Counts, finished: Counts
) -> tuple[list["array[int]"], int]:
    """Unfinished positions after so many plays that there are enough of them; counts what it passes on the way."""
    module, buffer = game.module, [0] * game.MAX_LEGAL
    root = array("h", bytes(2 * game.STATE_SIZE))
    module.start(root, seed)
    roots, ply = [root], 0
    while roots and len(roots) < wanted and ply < depth - LEFT_TO_KERNEL:
        ply += 1
        after = []
        for state in roots:
            for action in buffer[: module.legal(state, buffer)]:
                child = state[:]
                module.play(child, action)
                leaves[ply] += 1
                if module.ended(child):
                    finished[ply] += 1
                else:
                    after.append(child)
        roots = after
    return roots, ply


def _count(game: Game, kernel: Linked, roots: Sequence["array[int]"], depth: int) -> tuple[Counts, Counts]:
    from zerogrid.core import cuda

    blocks, lanes = len(roots), cuda.LANES if kernel.target == "cuda" else 1
    stacks = Stacks(
        roots=np.array(roots, np.int16),
        depth=depth,
        states=np.zeros((blocks, lanes, depth + 1, game.STATE_SIZE), np.int16),
        actions=np.zeros((blocks, lanes, depth + 1, game.MAX_LEGAL), np.int32),
        left=np.zeros((blocks, lanes, depth + 1), np.int32),
        leaves=np.zeros((blocks, lanes, depth + 1), np.int64),
        finished=np.zeros((blocks, lanes, depth + 1), np.int64),
    )
    if kernel.target == "cuda":
        on_card = cuda.to_device(stacks)
        kernel(blocks, on_card)
        stacks = cuda.to_host(on_card)
    else:
        kernel(blocks, stacks, threads=_cores())
    return stacks.leaves.sum((0, 1))[1:], stacks.finished.sum((0, 1))[1:]


def _wanted_roots(target: str) -> int:
    """Enough to share out evenly, few enough to be made in plain Python at once."""
    return {"python": 200, "cpu": 64, "cuda": 512}[target]


def _chunk(target: str) -> int:
    """How many roots are counted between two looks at the progress bar and at Ctrl-C."""
    return {"python": 1, "cpu": 16, "cuda": 1024}[target]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
