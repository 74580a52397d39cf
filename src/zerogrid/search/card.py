"""Forests in the memory of a CUDA card, and searches that never leave it.

A simulation of all trees is the network on the leaves that wait, then a step: the kernels that take the answers and
choose the next leaves (`pieces` in kernels/step.py). All is recorded into one CUDA graph that is replayed, and the
kernels read the network's answers where the network wrote them. Games are split into groups, each on a stream of its
own, so that one group is in the network while another is in its trees:

    stream 1    network A | step A | network A | step A | ...
    stream 2         step B | network B | step B | network B | ...
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor

from zerogrid.core.errors import GameOver
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators import device
from zerogrid.evaluators.card import CardEvaluator
from zerogrid.evaluators.evaluator import BadAnswer
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.kernels.tree import Capacity, Tree
from zerogrid.search.answer import Answer, read_answer
from zerogrid.search.forest import Forest, States
from zerogrid.search.settings import SearchSettings

CLOCK_EVERY = 16  # simulations between two looks at the clock


class CardForest(Forest):
    """Trees on a card, with the stream they grow on. Answers come from where the network writes them."""

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        games: int,
        encoding: Encoding | None = None,
        keep: bool = False,
        capacity: Capacity | None = None,
        potential: Any = None,
        tokens: bool = False,
    ) -> None:
        self.stream = device.stream()
        super().__init__(game, settings, games, encoding, "cuda", keep, capacity, potential, tokens)

    def _allocate(self) -> Tree:
        shapes = tree.arrays(self.capacity, self.sizes, half=True)
        for name in ("logits", "values"):  # theirs is the network's memory, see `listen`
            shapes[name] = ((1,) * len(shapes[name][0]), np.float32)
        self.tensors: dict[str, Tensor] = tree.allocated(shapes, device.zeros, device.KINDS[np.int64])
        seen = {name: device.seen_by_kernels(one) for name, one in self.tensors.items()}
        return Tree(**seen, options=self.settings.options())

    def listen(self, logits: Tensor, values: Tensor) -> None:
        """From now on the kernels read their answers from these tensors."""
        self.tensors["logits"], self.tensors["values"] = logits, values
        self.trees = self.trees._replace(
            logits=device.seen_by_kernels(logits), values=device.seen_by_kernels(values)
        )

    def begin(
        self,
        states: States,
        seeds: Sequence[int] | np.ndarray,
        limits: int | np.ndarray | None = None,
        pasts: Sequence[Sequence[States]] | None = None,
        plies: Sequence[int] | np.ndarray | None = None,
    ) -> None:
        """Begin a tree at each state; everything is copied to the card once."""
        count, t = len(states), self.tensors
        game = np.zeros((self.games, tree.GAME_SIZE), np.int32)
        game[:count, tree.LIMIT] = self.settings.simulations if limits is None else limits
        if plies is not None:
            game[:count, tree.PLY] = plies
        with device.on(self.stream):
            for b, past in enumerate(pasts or ()):
                known = list(past)[::-1][: t["states"].shape[1] - self.capacity.nodes - 1]
                game[b, tree.PAST] = len(known)
                if known:
                    rows = slice(self.capacity.nodes, self.capacity.nodes + len(known))
                    t["states"][b, rows] = device.put(np.stack(known), np.int16)
            t["game"].copy_(device.put(game, np.int32))
            t["leaf"][:, :, tree.LEAF] = -1
            t["states"][:count, 0] = device.put(states, np.int16)
            t["seed"][:count] = device.put(list(seeds), np.int64)
        self.planted = count
        self.run(kernels.plant_trees)

    def run(self, kernel: Any, threads: int = 1) -> None:
        """Launch a kernel on this forest's stream: on all trees, for a recorded launch is for as many ever after.

        Trees that were not planted have no limit to reach and wait for nothing.
        """
        count = self.planted if kernel is kernels.plant_trees else self.games
        linked = self.linked(kernel)
        device.launch_on(self.stream, lambda: linked(count, self.trees))

    @property
    def any_waiting(self) -> bool:
        """Whether any tree waits for an answer or has simulations left to do; waits for the card."""
        self.stream.synchronize()
        t, count = self.tensors, self.planted
        root, game = t["node"][:count, 0], t["game"][:count]
        known = (root[:, tree.LOW] == root[:, tree.HIGH]) & (self.settings.proofs | (root[:, tree.MOVER] < 0))
        left = (game[:, tree.DONE] < game[:, tree.LIMIT]) & ~known
        return bool((t["leaf"][:count, :, tree.LEAF] >= 0).any() or left.any())

    def on_host(self) -> Tree:
        """All that answers are read from, as NumPy arrays."""
        self.stream.synchronize()
        names = ("node", "total", "action", "edge", "worth", "game", "root")
        copies = {name: self.tensors[name][: self.planted].cpu().numpy() for name in names}
        nothing = np.zeros(0)
        return Tree(**{name: copies.get(name, nothing) for name in self.tensors}, options=self.trees.options)


class Group:
    """A forest, the network that judges its leaves, and the graph of one simulation (or several in a row)."""

    def __init__(self, forest: CardForest, evaluator: CardEvaluator, unroll: int = 1) -> None:
        self.forest, self.evaluator, self.unroll = forest, evaluator, unroll
        self.recording: device.Recording | None = None

    def judge(self) -> None:
        """The network on the leaves that wait; the kernels read its answers where it writes them."""
        t = self.forest.tensors
        self.forest.listen(*self.evaluator.answers(t["planes"], t["tokens"], t["leaf"][:, :, tree.OFFERED].reshape(-1)))

    def simulate(self) -> None:
        """What is recorded: a simulation of every tree, or several."""
        for _ in range(self.unroll):
            self.judge()
            self.take_and_choose()

    def record(self) -> None:
        """Compile everything by doing it once, then capture it. The trees must be planted."""
        forest = self.forest
        with device.on(forest.stream):
            for _ in range(3):
                self.judge()
            self.take_and_choose()
            self.settle()
            forest.run(kernels.plant_trees)
            self.recording = device.Recording(forest.stream, self.simulate)

    def start(self) -> None:
        """Choose the first leaves."""
        if self.recording is None:
            self.record()
        self.take_and_choose()

    def settle(self) -> None:
        """Take the last answers; then write the recommended policy and the best move of every tree."""
        self.forest.run(kernels.take_answers)
        self.forest.run(kernels.conclude)

    def stop(self) -> None:
        """Let the trees ask for nothing more."""
        with device.on(self.forest.stream):
            self.forest.tensors["game"][:, tree.LIMIT] = 0

    def take_and_choose(self) -> None:
        """One step of every tree."""
        for kernel in kernels.pieces(self.forest.capacity.leaves):
            self.forest.run(kernel)

    def advance(self) -> None:
        """One more simulation of every tree (`unroll` of them)."""
        with device.on(self.forest.stream):
            assert self.recording is not None
            self.recording.replay()


def grow_together(groups: Sequence[Group], simulations: int, until: float | None = None) -> None:
    """Search with all groups at once until every tree has done its simulations, or the time has come."""
    for group in groups:
        group.start()
    for done in range(-(-simulations // (groups[0].unroll * groups[0].forest.capacity.leaves))):
        for group in groups:
            group.advance()
        if until is not None and done % CLOCK_EVERY == 0:
            device.wait()
            if time.perf_counter() >= until:
                for group in groups:
                    group.stop()
                break
    for group in groups:
        while group.forest.any_waiting:
            group.advance()
        group.settle()


class CardSearcher:
    """Searches positions on a card: what `Searcher` is on the CPU, with half of the games on each of two streams."""

    def __init__(self, game: Game, evaluator: CardEvaluator, settings: SearchSettings, games: int = 64) -> None:
        self.game, self.evaluator, self.settings = game, evaluator, settings
        self.rooms = -(-games // 2)
        self._groups = [
            Group(CardForest(game, settings, self.rooms, evaluator.encoding, tokens=evaluator.tokens), evaluator)
            for _ in range(2 if games > 1 else 1)
        ]

    def search(
        self,
        positions: Sequence[Position],
        seeds: Sequence[int] | None = None,
        seconds: float | None = None,
        simulations: int | None = None,
    ) -> list[Answer]:
        """An answer for each unfinished position. Time is looked at between simulations of all positions together."""
        for position in positions:
            if position.over:
                raise GameOver("a finished game has no moves to search.")
        wanted = self.settings.simulations if simulations is None else simulations
        seeds = list(range(len(positions))) if seeds is None else list(seeds)
        room, answers = self.rooms * len(self._groups), []
        for first in range(0, len(positions), room):
            part = slice(first, first + room)
            answers += self._together(positions[part], seeds[part], wanted, seconds)
        return answers

    def _together(
        self, positions: Sequence[Position], seeds: Sequence[int], wanted: int, seconds: float | None
    ) -> list[Answer]:
        began = time.perf_counter()
        used = []
        for i, group in enumerate(self._groups):
            mine = range(i * self.rooms, min((i + 1) * self.rooms, len(positions)))
            if len(mine):
                used.append(group)
                group.forest.begin(
                    np.array([positions[k].state for k in mine]),
                    [seeds[k] for k in mine],
                    limits=wanted,
                    pasts=[positions[k].history[:-1] for k in mine],
                    plies=[len(positions[k].moves) for k in mine],
                )
        grow_together(used, wanted, None if seconds is None else began + seconds)
        spent = time.perf_counter() - began
        answers = []
        for group in used:
            trees = group.forest.on_host()
            if trees.game[:, tree.FAULT].any():
                raise BadAnswer("the evaluator gave answers that are no evaluations (NaN or out of range).")
            answers += [
                read_answer(self.game, trees, b, self.settings.proofs, spent) for b in range(group.forest.planted)
            ]
        return answers
