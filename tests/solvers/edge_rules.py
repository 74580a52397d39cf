"""A kernel that looks at sets of edges one by one: do the moves that edges.py leaves over keep the value?"""

from typing import Any, NamedTuple

import numpy as np

import zerogrid
from zerogrid.core.link import link
from zerogrid.solvers import compact, edges
from zerogrid.solvers.subsets import Subsets, build_subsets
from zerogrid.solvers.table_file import open_table


class Looked(NamedTuple):
    values: Any  # int8[2^edges], by subsets.py, which leaves no move out
    first: int
    step: int
    boxes: Any  # int64[boxes]: the edges around each
    states: Any  # int64[1, 3]
    moves: Any  # int64[edges]
    wrong: Any  # int64[1]
    left_out: Any  # int64[1]


def look_at_rules(b: int, lane: int, o: Looked) -> None:
    left = o.first + b * o.step
    if left == 0 or left >= o.values.shape[0]:
        return
    state = o.states[0]
    o.states[0, 0] = left
    o.states[0, 1] = 0
    o.states[0, 2] = 0
    for i in range(o.boxes.shape[0]):
        o.states[0, 2] += int(left & o.boxes[i] != 0)
    found = compact.moves(state, o.moves)
    best = -100
    for i in range(found):
        o.states[0, 0] = left
        o.states[0, 1] = 0
        taken = compact.play(state, o.moves[i])
        value = int(o.values[o.states[0, 0]])
        best = max(best, taken + value if taken > 0 else -value)
    o.wrong[0] += int(best != o.values[left])
    o.left_out[0] += int(found < edges.count(left))


def wrong_sets(spec: str, path: Any, step: int, first: int = 0, target: str = "cpu") -> tuple[int, int, int]:
    """How many of the sets looked at are wrong, how many have a move left out, and how many there were."""
    game = zerogrid.game(spec)
    if not path.exists():
        build_subsets(game, game.start().state, path, "256M", target)
    table = Subsets(game, open_table(path))
    around, _ = edges.graph(game.ROWS, game.COLUMNS)
    boxes = np.array([sum(1 << edge for edge in box) for box in around], np.int64)
    sets = (1 << game.EDGES) // step
    one = np.zeros(1, np.int64)
    room = np.zeros((1, 3), np.int64), np.zeros(game.EDGES, np.int64)
    looked = Looked(np.asarray(table._values), first, step, boxes, *room, one, one.copy())
    link(look_at_rules, target, edges.compact_edges(game).interfaces)(sets, looked)
    return int(looked.wrong[0]), int(looked.left_out[0]), sets
