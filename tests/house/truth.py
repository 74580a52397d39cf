"""Known numbers of move sequences, and how deep a test can afford to count."""

import json
from pathlib import Path

import zerogrid
from zerogrid.kernels.perft import perft

TRUTH = json.loads((Path(__file__).parent.parent / "data/truth/perft.json").read_text())["games"]


def affordable_depth(spec: str, most_leaves: int) -> int:
    """How many plies can be counted without meeting more than this many sequences."""
    total = 0
    for depth, leaves in enumerate(TRUTH[spec]["leaves"]):
        total += leaves
        if total > most_leaves:
            return depth
    return len(TRUTH[spec]["leaves"])


def counted_and_known(spec: str, target: str, most_leaves: int) -> tuple[object, object]:
    """What perft counts on a target, and what is known, to the depth that can be afforded."""
    depth = max(1, affordable_depth(spec, most_leaves))
    counts = perft(zerogrid.game(spec), depth, target)
    known = TRUTH[spec]["leaves"][:depth], TRUTH[spec]["finished"][:depth]
    return (list(counts.leaves), list(counts.finished)), known
