"""The kernels that programs launch: `kernel(b, lane, t)` works on tree b."""

from collections.abc import Callable
from typing import Any

from zerogrid.kernels import playout
from zerogrid.kernels.receive import receive
from zerogrid.kernels.reroot import plant, play_on
from zerogrid.kernels.root import choose, recommend
from zerogrid.kernels.select import arrive, find_leaf, seek, show, solved, take_solved
from zerogrid.kernels.tree import CHOICE, COUNT, LEAF


def plant_trees(b: int, lane: int, t: Any) -> None:
    """Begin a tree at the state that stands in its first row."""
    if lane == 0:
        plant(b, t)


def step(b: int, lane: int, t: Any) -> None:
    """Take the answers for the leaves that wait, then choose the next ones: one simulation for each place."""
    take_answers(b, lane, t)
    choose_leaves(b, lane, t)


def take_answers(b: int, lane: int, t: Any) -> None:
    """The first half of a step."""
    for place in range(t.leaf.shape[1]):
        receive(b, lane, place, t)


def choose_leaves(b: int, lane: int, t: Any) -> None:
    """The second half of a step."""
    for place in range(t.leaf.shape[1]):
        find_leaf(b, lane, place, t)


# --- the second half in pieces, for a card: smaller programs, more of them at a time, and what one lane does for a tree
# --- the lanes of a warp do for many. Of trees with one waiting place; each new place depends on those before.


def seek_leaves(b: int, lane: int, t: Any) -> None:
    """Walk to a leaf."""
    seek(b, lane, 0, t)


def reach_leaves(b: int, lane: int, t: Any) -> None:
    """Ask the rules about the leaves that were found. One lane."""
    if t.leaf[b, 0, LEAF] >= 0:
        arrive(b, 0, t)


def show_leaves(b: int, lane: int, t: Any) -> None:
    """Show the leaves to the network; a finished game is taken for what it is, and the network's answer not used."""
    node = t.leaf[b, 0, LEAF]
    if node < 0:
        return
    if solved(b, node, t):
        take_solved(b, lane, 0, t)
    else:
        show(b, lane, 0, t)


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
ALONE = (plant_trees, reach_leaves)  # kernels with work for one lane only


def pieces(leaves: int) -> tuple[Callable[[int, int, Any], None], ...]:
    """The kernels that are one step together, for trees with so many waiting places."""
    if leaves > 1:
        return take_answers, choose_leaves
    return take_answers, seek_leaves, reach_leaves, show_leaves
