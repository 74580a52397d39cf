"""An edge's record, in which zeros are an edge that nobody has tried: no child, no visits, nothing gained or proven."""

from typing import Any

from zerogrid.core import spmd
from zerogrid.kernels.tree import LEAST, MOST, ONE


def clear_edges(b: int, lane: int, first: int, count: int, t: Any) -> None:
    """Records of edges that nobody has tried; neighbouring lanes write neighbouring words."""
    words = t.wide.shape[2]
    for i in range(lane, count * words, spmd.LANES):
        t.wide[b, first + i // words, i % words] = 0


def least(b: int, e: int, t: Any) -> int:
    """What player 0 gets behind an edge at least."""
    return t.edge[b, e, LEAST] - ONE


def most(b: int, e: int, t: Any) -> int:
    """And at most."""
    return t.edge[b, e, MOST] + ONE


def is_proven(b: int, e: int, t: Any) -> bool:
    """Whether both are the same."""
    return t.edge[b, e, LEAST] - t.edge[b, e, MOST] == 2 * ONE


def set_bounds(b: int, e: int, low: int, high: int, t: Any) -> None:
    """Note what player 0 gets behind an edge at least and at most."""
    t.edge[b, e, LEAST] = low + ONE
    t.edge[b, e, MOST] = high - ONE
