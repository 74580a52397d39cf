"""The kernels that programs launch: `kernel(b, lane, t)` works on tree b."""

from typing import Any

from zerogrid.kernels import playout
from zerogrid.kernels.receive import receive
from zerogrid.kernels.reroot import plant, play_on
from zerogrid.kernels.root import choose, recommend
from zerogrid.kernels.select import find_leaf
from zerogrid.kernels.tree import CHOICE, COUNT


def plant_trees(b: int, lane: int, t: Any) -> None:
    """Begin a tree at the state that stands in its first row."""
    if lane == 0:
        plant(b, t)


def step(b: int, lane: int, t: Any) -> None:
    """Take the answers for the leaves that wait, then choose the next ones: one simulation for each place."""
    take_answers(b, lane, t)
    choose_leaves(b, lane, t)


def take_answers(b: int, lane: int, t: Any) -> None:
    """The first half of a step. A card is faster with the halves apart: smaller programs, more of them at a time."""
    for place in range(t.leaf.shape[1]):
        receive(b, lane, place, t)


def choose_leaves(b: int, lane: int, t: Any) -> None:
    """The second half of a step."""
    for place in range(t.leaf.shape[1]):
        find_leaf(b, lane, place, t)


def conclude(b: int, lane: int, t: Any) -> None:
    """Write the recommended policy and the best move of a tree that waits for no answers."""
    if t.node[b, 0, COUNT] > 0:
        recommend(b, lane, t)
        choose(b, lane, 0.0, t)


def play_chosen(b: int, lane: int, t: Any) -> None:
    """Play the chosen root edge and keep its subtree; trees with no choice (-1) stay as they are."""
    if t.game[b, CHOICE] >= 0:
        play_on(b, lane, t.game[b, CHOICE], True, t)


search_playouts = playout.search_playouts
