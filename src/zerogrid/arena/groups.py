"""Which players can be compared at all, and which only in one direction.

Ratings exist when every player is connected with every other through games. They are bounded from both sides when,
besides, nobody is cut off upward or downward: however the players are split in two, each side took at least half a
point off the other (L. Ford 1957). Where that fails, the players fall into groups of which none ever took a point off
an earlier one; between such groups a rating is a bound, not an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from zerogrid.arena.evidence import Evidence
from zerogrid.core.errors import BadResults

BoolArray = npt.NDArray[np.bool_]


def require_connected(evidence: Evidence, anchors: Sequence[str]) -> None:
    """Refuse results in which some players never met the others, not even through third ones."""
    n = len(evidence.players)
    met = np.eye(n, dtype=bool)
    a, b = evidence.pairings.T
    met[a, b] = met[b, a] = True
    known = [evidence.players.index(name) for name in anchors]
    met[np.ix_(known, known)] = True  # anchors know their distance without a game
    reached = reachable(met)[known[0] if known else 0]
    if not reached.all():
        cut = [p for p, there in zip(evidence.players, reached) if not there]
        core = [p for p, there in zip(evidence.players, reached) if there]
        raise BadResults(
            f"{', '.join(cut[:5])} never met {', '.join(core[:5])}, not even through others; play games between them."
        )


def groups_by_strength(evidence: Evidence) -> tuple[tuple[str, ...], ...]:
    """Groups of players, strongest first, none of which took a point off an earlier one. One group is the good case."""
    n = len(evidence.players)
    above = np.eye(n, dtype=bool)  # above[i, j]: i took something off j, perhaps through others
    counts = evidence.counts(evidence.units[None].astype(np.float64))[0]
    first, second = evidence.meetings.T
    scored, conceded = counts[:, 1:].sum(axis=1) > 0, counts[:, :2].sum(axis=1) > 0
    above[first[scored], second[scored]] = True
    above[second[conceded], first[conceded]] = True
    above = reachable(above)
    same = above & above.T
    # A group that reaches more players stands higher: nothing above it can be reached from it.
    order = sorted(range(n), key=lambda i: (-int(above[i].sum()), int(same[i].argmax()), i))
    groups: dict[int, list[str]] = {}
    for i in order:
        groups.setdefault(int(same[i].argmax()), []).append(evidence.players[i])
    return tuple(tuple(group) for group in groups.values())


def reachable(edges: BoolArray) -> BoolArray:
    """[n, n] whether there is a way along the edges (each player reaches itself)."""
    reach = edges | np.eye(len(edges), dtype=bool)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return reach
        reach = further
