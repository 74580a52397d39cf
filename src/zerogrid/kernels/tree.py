"""The arrays of many search trees, whose memory follows the legal actions.

    tree b    nodes 0 .. NODES-1; node 0 is the root, and parents come before their children
    node      owns the edges FIRST .. FIRST+COUNT-1 of its tree; COUNT is 0 until it is expanded
    edge      one legal action of its node, in increasing order of actions

    states  [ 0 1 2 3 ...   | N - 1           | N ... N + HISTORY - 2           | the last row
              the tree's    | a leaf that     | what was played before the root,| random games
              nodes         | found no room   | newest first, for encodings     | are played here ]

Records hold together what is used together: a card waits for every far place that it looks at. Actions have an array of
their own, for the rules to write into. Numbers that decide anything are integers or float64: every target computes the
same tree. Values and priors are fixed point, FINE is a won game (ONE in proven bounds). What a node knows is from
player 0's viewpoint, what an edge has gained is its mover's.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

ONE = 1 << 14  # 1.0 in proven bounds
FINE = 1 << 30  # 1.0 in values, sums and priors

# a node: its edges, where it hangs, who moves (-1: the game is over), simulations that came here, its own evaluation,
# the prior of its visited edges, what player 0 gets at least and at most, two places for moving it, two potentials
FIRST, COUNT, PARENT, PARENT_EDGE, MOVER, VISITS, OWN, SEEN, LOW, HIGH, MOVED, SHIFT, PHI = range(13)
NODE_SIZE = 16  # the last two are the total

# an edge: node behind it (0: none), prior, visits (TRIED), what player 0 gets at least and at most behind it
CHILD, PRIOR, TRIED, LEAST, MOST = range(5)
EDGE_SIZE = 8  # the last two are the worth

# a tree: past states known, nodes, edges, simulations done and allowed, answers asked for, 1 after an answer that was
# no number, candidates of a Gumbel root, moves since the game's start, the root edge to play, 1 for no noise
PAST, NODES, EDGES, DONE, LIMIT, ASKED, FAULT, WIDTH, PLY, CHOICE, QUIET = range(11)
GAME_SIZE = 11

# a waiting place: the node that waits for an answer (-1: none), its depth, how many legal actions were listed for it,
# the first of the edges set aside for them (-1: no room), what is left to do before it can be shown, then the rows of
# states to show, newest first
LEAF, DEPTH, OFFERED, START, TO_DO, ROWS = range(6)
NOTHING, LIST, MAKE = range(3)  # to do: list its moves; make its position from its parent's first

# a root edge: Gumbel draw plus log prior (or noise in the making), the share that the search recommends, the visits it
# had when the search began, and the weight with which its move is drawn
BIAS, POLICY, BEFORE, WEIGHT = range(4)
ROOT_SIZE = 4

Array = Any  # NumPy array or device array


class Options(NamedTuple):
    """How to search, in numbers; the same for all trees. Meanings and defaults: search/settings.py."""

    c: float  # the weight of exploration
    c_base: float  # > 0: c grows with visits, c + log((1 + visits + c_base) / c_base)
    fpu: float  # how much worse than its parent an unvisited edge is thought to be; < 0: its value is 0
    virtual_loss: int
    gamma: float
    forced: float  # forced playouts at the root: k of KataGo, 0 for none
    c_visit: float  # Gumbel: sigma(q) = (c_visit + most visits) * c_scale * q
    c_scale: float
    gumbel: float  # the scale of the Gumbel draws: 1 for self-play, 0 for playing one's best
    considered: int  # Gumbel: candidates among which the root's simulations are shared out
    noise: float  # share of the root's priors that is Dirichlet noise
    alpha: float  # its parameter; <= 0: 10 / legal actions
    tries: int  # how many finished games a step may meet on its way before it hands a position to the network


class Tree(NamedTuple):
    """The arrays: G trees, N nodes, E edges, L waiting places, D plies."""

    states: Array  # [G, N + HISTORY, STATE_SIZE] int16
    node: Array  # [G, N, NODE_SIZE] int32
    total: Array  # [G, N] int64: the sum of the values that came through a node, for player 0; in its record
    action: Array  # [G, E] int32: of each edge
    edge: Array  # [G, E, EDGE_SIZE] int32
    worth: Array  # [G, E] int64: the sum of the values that came through an edge, for its mover; in its record
    game: Array  # [G, GAME_SIZE] int32
    seed: Array  # [G] int64: of the game, for every draw
    leaf: Array  # [G, L, ROWS + HISTORY] int32
    path: Array  # [G, L, D, 2] int32: from the root, the nodes and the edges that leave them
    root: Array  # [G, MAX_LEGAL, ROOT_SIZE] float64
    scratch: Array  # [G, SCRATCH] int16: for encodings
    planes: Array  # [G * L, CELLS, PLANES] float32, float16 on a card: the network's input
    tokens: Array  # [G * L, T, FEATURES] likewise; T is 0 where there are no tokens
    logits: Array  # [G * L, SLOTS or T] float32
    values: Array  # [G * L] float32: for the player to move
    options: Options


class Capacity(NamedTuple):
    """How large the trees may become."""

    games: int
    nodes: int
    edges: int
    leaves: int = 1


class Sizes(NamedTuple):
    """What the game and the encoding ask for."""

    state: int
    legal: int
    plies: int
    history: int
    scratch: int
    cells: int
    planes: int
    slots: int
    features: int


def arrays(capacity: Capacity, sizes: Sizes, half: bool) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and type of each array; `half` is how networks on a card want their input."""
    games, nodes, edges, leaves = capacity
    depth = min(sizes.plies, nodes) + 1
    rows, real = games * leaves, np.float16 if half else np.float32
    tokens = sizes.legal if sizes.features else 0
    return {
        "states": ((games, nodes + sizes.history, sizes.state), np.int16),
        "node": ((games, nodes, NODE_SIZE), np.int32),
        "action": ((games, edges), np.int32),
        "edge": ((games, edges, EDGE_SIZE), np.int32),
        "game": ((games, GAME_SIZE), np.int32),
        "seed": ((games,), np.int64),
        "leaf": ((games, leaves, ROWS + sizes.history), np.int32),
        "path": ((games, leaves, depth, 2), np.int32),
        "root": ((games, sizes.legal, ROOT_SIZE), np.float64),
        "scratch": ((games, sizes.scratch), np.int16),
        "planes": ((rows, sizes.cells, sizes.planes), real),
        "tokens": ((rows, tokens, sizes.features), real),
        "logits": ((rows, tokens or sizes.slots), np.float32),
        "values": ((rows,), np.float32),
    }


def allocated(shapes: dict[str, tuple[tuple[int, ...], Any]], zeros: Callable[..., Any], wide: Any) -> dict[str, Any]:
    """Arrays made by `zeros(shape, kind)`, with those that lie within others; `wide` is what it calls int64."""
    made = {name: zeros(shape, kind) for name, (shape, kind) in shapes.items()}
    return {**made, "worth": made["edge"].view(wide)[:, :, -1], "total": made["node"].view(wide)[:, :, -1]}


def bytes_per_game(capacity: Capacity, sizes: Sizes) -> int:
    """How much memory one tree takes."""
    shapes = arrays(capacity._replace(games=1), sizes, half=False)
    return sum(int(np.prod(shape)) * np.dtype(kind).itemsize for shape, kind in shapes.values())
