"""The manner of a search, as the other kernels reach it: puct.py, uct.py or gumbel.py stands in its place when linked.

Beside its functions there are switches, settled when a search is linked: what is switched off is not compiled in.
"""

from typing import Any

PROOFS: bool = True  # use proven results
SHAPING: bool = False  # add potential differences along the path
FORCED: bool = False  # forced playouts at the root
NOISE: bool = False  # Dirichlet noise at the root


def best_edge(b: int, lane: int, node: int, t: Any) -> int:
    """The edge to follow from an expanded node that is not solved."""
    raise _unlinked()


def prepare_root(b: int, lane: int, t: Any) -> None:
    """What a root needs before it is searched, once it has edges."""
    raise _unlinked()


def weigh(b: int, lane: int, t: Any) -> None:
    """Write a whole number into each root edge's POLICY: its weight in the recommended policy."""
    raise _unlinked()


def leader(b: int, lane: int, t: Any) -> int:
    """The root edge to play, as far as nothing is proven."""
    raise _unlinked()


FUNCTIONS = ("best_edge", "prepare_root", "weigh", "leader")


def _unlinked() -> Exception:
    return RuntimeError("this is the interface; link() puts a manner of searching in its place")
