"""A forest: the search trees of many games side by side, in memory of one target, and the kernels that work on them.

    forest = Forest(game, settings, games=64, encoding=encoding)
    forest.plant(states, seeds)            one tree for each state
    while forest.step():                   each call: one simulation of every tree (or several leaves of it)
        evaluator.evaluate(forest.batch)   whoever judges positions
    forest.settle()                        the last answers in, the recommended policy written

A forest of kind "uct" needs no encoding and no evaluator: `forest.playouts(simulations)` does it all.
Here arrays are NumPy's, for the targets python and cpu and for simulated CUDA; card.py puts them on a real one.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core import encoding as encoding_interface
from zerogrid.core import potential as potential_interface
from zerogrid.core import rules
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import BadAnswer, Batch
from zerogrid.kernels import manner, tree
from zerogrid.kernels import step as kernels
from zerogrid.kernels.tree import Capacity, Sizes, Tree
from zerogrid.search.settings import SearchSettings

States = npt.NDArray[np.int16]
LARGEST_EDGES = 1 << 26  # of one tree


def capacity_for(game: Game, settings: SearchSettings, games: int, keep: bool = False) -> Capacity:
    """Room for all that a search of these settings can grow; with `keep`, for what an earlier one left as well."""
    nodes = settings.simulations * (2 if keep else 1) + settings.leaves + 2
    edges = min((nodes + 2) * game.MAX_LEGAL, LARGEST_EDGES)
    return Capacity(games, nodes, edges, settings.leaves)


def capacity_within(memory: int, capacity: Capacity, sizes: Sizes) -> Capacity:
    """The same, or with less room for nodes and edges where one tree would come to take more bytes than that."""
    whole = tree.bytes_per_game(capacity, sizes)
    share = min(1.0, memory / whole)
    nodes = max(capacity.leaves + 2, int(capacity.nodes * share))
    return capacity._replace(nodes=nodes, edges=max(4 * sizes.legal, int(capacity.edges * share)))


def sizes_for(game: Game, encoding: Encoding | None, tokens: bool = False) -> Sizes:
    """What the arrays must hold for this game, shown in this way, its actions as tokens or not."""
    if encoding is None:
        return Sizes(game.STATE_SIZE, game.MAX_LEGAL, game.MAX_PLIES, 1, 1, 1, 1, 1, 0)
    return Sizes(
        state=game.STATE_SIZE,
        legal=game.MAX_LEGAL,
        plies=game.MAX_PLIES,
        history=encoding.history,
        scratch=encoding.scratch,
        cells=encoding.height * encoding.width,
        planes=encoding.planes,
        slots=encoding.slots,
        features=encoding.features if tokens else 0,
    )


def interfaces_for(
    game: Game, settings: SearchSettings, encoding: Encoding | None, tokens: bool = False, potential: Any = None
) -> dict[Any, Any]:
    """The modules that kernels reach, each with what stands in its place."""
    given: dict[Any, Any] = {rules: game.module, manner: settings.manner()}
    if encoding is not None:
        features = encoding.features if tokens else 0
        given[encoding_interface] = SimpleNamespace(**{**vars(encoding.module), "FEATURES": features})
    if potential is not None:
        given[potential_interface] = potential
    return given


class Forest:
    """Trees in ordinary memory."""

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        games: int,
        encoding: Encoding | None = None,
        target: str = "cpu",
        keep: bool = False,
        capacity: Capacity | None = None,
        potential: Any = None,
        tokens: bool = False,
    ) -> None:
        if encoding is None and settings.kind != "uct":
            raise ZeroGridError(f"a {settings.kind} search needs an encoding, in which its evaluator sees positions.")
        if encoding is not None and encoding.game != game:
            raise ZeroGridError(f"the encoding is for {encoding.game.spec}, and the search for {game.spec}.")
        if tokens and (encoding is None or encoding.features == 0):
            raise ZeroGridError(f"the network takes actions as tokens, and {game.spec} describes none.")
        if settings.shaping and potential is None:
            raise ZeroGridError("shaping needs a potential; this search was given none.")
        self.game, self.settings, self.encoding, self.target = game, settings, encoding, target
        self.games = games
        self.capacity = capacity or capacity_for(game, settings, games, keep)
        self.sizes = sizes_for(game, encoding, tokens)
        least = Capacity(1, 2, 2 * game.MAX_LEGAL)
        if self.capacity.nodes < least.nodes or self.capacity.edges < least.edges:
            raise ZeroGridError(
                f"a tree of {game.spec} needs room for {least.nodes} nodes and {least.edges} edges at least, "
                f"not {self.capacity.nodes} and {self.capacity.edges}."
            )
        self.trees = self._allocate()
        self.planted = 0
        self._interfaces = interfaces_for(game, settings, encoding, tokens, potential)
        self._linked: dict[Any, Linked] = {}

    # --- memory -------------------------------------------------------------------------------------------------------

    def _allocate(self) -> Tree:
        shapes = tree.arrays(self.capacity, self.sizes, half=False)
        return Tree(**tree.allocated(shapes, np.zeros, np.int64), options=self.settings.options())

    @property
    def bytes_per_game(self) -> int:
        """Memory that one tree takes."""
        return tree.bytes_per_game(self.capacity, self.sizes)

    @property
    def batch(self) -> Batch:
        """The leaves that wait for an answer, as an evaluator sees them."""
        if "_batch" not in self.__dict__:
            t = self.trees
            offered = t.leaf.reshape(-1, t.leaf.shape[2])[:, tree.OFFERED]  # a view, so that it is always the newest
            self._batch = Batch(t.planes, t.tokens, offered, t.logits, t.values, self.waiting, self.asked)
        return self._batch

    def waiting(self) -> States:
        """The states of the leaves that wait, a row for each waiting place; the root's where none waits."""
        t = self.trees
        nodes = np.maximum(t.leaf[:, :, tree.LEAF], 0)
        found: States = t.states[np.arange(self.games)[:, None], nodes].reshape(-1, t.states.shape[2])
        return found

    def asked(self) -> npt.NDArray[np.bool_]:
        """Which waiting places hold a leaf."""
        held: npt.NDArray[np.bool_] = (self.trees.leaf[:, :, tree.LEAF] >= 0).reshape(-1)
        return held

    # --- the work -----------------------------------------------------------------------------------------------------

    def plant(
        self,
        states: States,
        seeds: Sequence[int] | npt.NDArray[np.int64],
        limits: int | Sequence[int] | npt.NDArray[np.int32] | None = None,
        pasts: Sequence[Sequence[States]] | None = None,
        plies: Sequence[int] | npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Begin a tree at each state. `pasts` holds what was before it, the oldest first; seeds are for every draw."""
        count = len(states)
        if not 1 <= count <= self.games:
            raise ZeroGridError(f"this forest has room for 1 to {self.games} trees, not {count}.")
        t = self.trees
        t.game[:] = 0
        t.leaf[:, :, tree.LEAF] = -1
        t.states[:count, 0] = states
        t.seed[:count] = seeds
        t.game[:count, tree.LIMIT] = self.settings.simulations if limits is None else limits
        for b, past in enumerate(pasts or ()):
            known = list(past)[::-1][: t.states.shape[1] - self.capacity.nodes - 1]
            t.game[b, tree.PAST] = len(known)
            for back, state in enumerate(known):
                t.states[b, self.capacity.nodes + back] = state
        if plies is not None:
            t.game[:count, tree.PLY] = plies
        self.planted = count
        self.run(kernels.plant_trees)

    def run(self, kernel: Any, threads: int = 1) -> None:
        """Run a kernel of kernels/step.py on every planted tree."""
        self.linked(kernel)(self.planted, self.trees, threads)

    def compile(self, kernel: Any) -> None:
        """Compile a kernel, or find it on the disk, without running it."""
        self.linked(kernel).prepare(self.trees)

    def linked(self, kernel: Any) -> Linked:
        """A kernel of kernels/step.py, for this forest's game and manner of searching."""
        if kernel not in self._linked:
            self._linked[kernel] = link(kernel, self.target, self._interfaces, alone=kernel in kernels.ALONE)
        return self._linked[kernel]

    def step(self, threads: int = 1) -> bool:
        """Take the answers that have come and choose the next leaves; whether there is more to do."""
        self.run(kernels.step, threads)
        leaf = self.trees.leaf
        if leaf.item(0, 0, tree.LEAF) >= 0:  # nearly always: a search of one tree is in a hurry
            return True
        return bool((leaf[: self.planted, :, tree.LEAF] >= 0).any()) or self._has_left()

    def _has_left(self) -> bool:
        """Whether a tree waits for nothing, having met finished games only, but has simulations left."""
        root, game = self.trees.node[: self.planted, 0], self.trees.game[: self.planted]
        known = (root[:, tree.LOW] == root[:, tree.HIGH]) & (self.settings.proofs | (root[:, tree.MOVER] < 0))
        return bool(((game[:, tree.DONE] < game[:, tree.LIMIT]) & ~known).any())

    def settle(self, threads: int = 1) -> None:
        """Take the last answers; then write the recommended policy and the best move of every tree."""
        self.trees.game[: self.planted, tree.LIMIT] = 0  # a step then takes answers and asks for nothing
        self.run(kernels.step, threads)
        self.run(kernels.conclude, threads)
        self.check_answers()

    def playouts(self, threads: int = 1) -> None:
        """All simulations up to the limits, with random games as evaluation."""
        self.run(kernels.search_playouts, threads)

    def check_answers(self) -> None:
        """Complain of an evaluator whose answers were no numbers."""
        faulty = np.flatnonzero(self.trees.game[: self.planted, tree.FAULT])
        if len(faulty):
            what = "answers that are no evaluations (NaN or out of range)"
            raise BadAnswer(f"the evaluator gave {what}, in tree {faulty[0]} and {len(faulty) - 1} others.")
