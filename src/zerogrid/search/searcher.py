"""Searching positions: positions in, answers out, for one person waiting or for a thousand games.

    searcher = Searcher(game, evaluator, SearchSettings(simulations=400), games=64, threads=2)
    answers = searcher.search(positions, seeds)           one Answer a position
    answer = searcher.search([position], seconds=2.0)[0]

A position's answer depends on the position, its past, the seed and the settings, and on nothing else that is searched
beside it. Positions are shared out among groups, one for each thread; a group's trees are in step with one another,
so that the evaluator gets them as one batch, and while one group's positions are evaluated another group searches.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np

from zerogrid.core.errors import GameOver, ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.evaluators.evaluator import Evaluator
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.search.answer import Answer, read_answer
from zerogrid.search.forest import Forest, capacity_for, capacity_within, sizes_for
from zerogrid.search.settings import MOST_SIMULATIONS, SearchSettings

Look = Callable[[Answer], bool | None]  # called now and then while a position is searched; True stops it

CLOCK_EVERY = 16  # steps between two looks at the clock
PIECE = 256  # random games between two looks at the clock, at first
SOON = 0.005  # seconds; pieces that take less are made larger
LOOK_SECONDS = 0.1


class Searcher:
    """Searches positions of one game with one evaluator (none for kind "uct") and one way to search."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator | None = None,
        settings: SearchSettings | None = None,
        games: int = 1,
        threads: int = 1,
        target: str = "cpu",
        potential: Any = None,
        memory: int | None = None,
    ) -> None:
        """`memory`: bytes that all trees together may come to take; a tree that is full goes on being searched."""
        settings = settings or SearchSettings(kind="puct" if evaluator else "uct")
        if settings.kind == "uct" and evaluator is not None:
            raise ZeroGridError("a search of kind uct plays random games and takes no evaluator; use puct or gumbel.")
        if settings.kind != "uct" and evaluator is None:
            raise ZeroGridError(f"a search of kind {settings.kind} needs an evaluator; kind uct needs none.")
        if evaluator is not None and evaluator.encoding.game != game:
            raise ZeroGridError(f"the evaluator is for {evaluator.encoding.game.spec}, not for {game.spec}.")
        if games < 1 or threads < 1:
            raise ZeroGridError(f"games and threads are numbers from 1 up, not {quote(games)} and {quote(threads)}.")
        self.game, self.evaluator, self.settings, self.games = game, evaluator, settings, games
        self.threads = 1 if target == "python" else min(threads, games)
        each = -(-games // self.threads)
        encoding = evaluator.encoding if evaluator else None
        tokens = evaluator.tokens if evaluator else False
        capacity = capacity_for(game, settings, each)
        if memory is not None:
            capacity = capacity_within(memory // (each * self.threads), capacity, sizes_for(game, encoding, tokens))
        self._forests = [
            Forest(game, settings, each, encoding, target, capacity=capacity, potential=potential, tokens=tokens)
            for _ in range(self.threads)
        ]

    def prepare(self) -> None:
        """Compile all that a search needs, so that its time is its own."""
        grow = kernels.search_playouts if self.evaluator is None else kernels.step
        for forest in self._forests:
            for kernel in (kernels.plant_trees, grow, kernels.conclude):
                forest.compile(kernel)
            if self.evaluator is not None:
                self.evaluator.evaluate(forest.batch)

    def search(
        self,
        positions: Sequence[Position],
        seeds: Sequence[int] | None = None,
        seconds: float | None = None,
        simulations: int | None = None,
        look: Look | None = None,
    ) -> list[Answer]:
        """An answer for each unfinished position; `simulations` below the settings' number, and time, make it shorter.

        `look` sees the answer of the first position while the search goes on, ten times a second at most; all searches
        end when it says so.
        """
        for position in positions:
            if position.game != self.game:
                theirs = position.game.spec
                raise ZeroGridError(f"this search is for {self.game.spec}; the position is one of {theirs}.")
            if position.over:
                raise GameOver("a finished game has no moves to search.")
        if seconds is not None and not seconds >= 0:
            raise ZeroGridError(f"a time budget is a number of seconds from 0 up, not {quote(seconds)}.")
        wanted = self.settings.simulations if simulations is None else simulations
        if not 1 <= wanted <= self.settings.simulations:
            most = self.settings.simulations
            raise ZeroGridError(f"this search has room for 1 to {most:,} simulations, not {quote(simulations)}.")
        seeds = list(range(len(positions))) if seeds is None else list(seeds)
        answers: list[Answer] = []
        room = sum(forest.games for forest in self._forests)
        for first in range(0, len(positions), room):
            part = slice(first, first + room)
            answers += self._together(positions[part], seeds[part], wanted, seconds, look)
        return answers

    def _together(
        self, positions: Sequence[Position], seeds: Sequence[int], wanted: int, seconds: float | None, look: Look | None
    ) -> list[Answer]:
        """As many positions as the forests have room for, shared out evenly."""
        began = time.perf_counter()
        until = None if seconds is None else began + seconds
        groups = [group for group in _shares(list(range(len(positions))), len(self._forests)) if group]
        for forest, group in zip(self._forests, groups, strict=False):
            forest.plant(
                [positions[i].state for i in group],  # type: ignore[arg-type]
                [seeds[i] for i in group],
                limits=wanted,
                pasts=[positions[i].history[:-1] for i in group],
                plies=[len(positions[i].moves) for i in group],
            )
        hits = self.evaluator.hits if self.evaluator else 0
        if len(groups) == 1:
            self._grow(self._forests[0], until, look)
        else:
            forests = self._forests[: len(groups)]
            for forest in forests:
                self._prepare(forest)  # compiles, if need be, before threads ask for it together
            stop = Event()  # heard by all when the one who looks at the first has seen enough

            def first(answer: Answer) -> bool:
                if look is not None and look(answer):
                    stop.set()
                return stop.is_set()

            looks: list[Look | None] = [None] * len(forests)
            if look is not None:
                looks = [first, *(lambda _: stop.is_set() for _ in forests[1:])]
            with ThreadPoolExecutor(len(forests)) as pool:
                list(pool.map(lambda forest, looker: self._grow(forest, until, looker), forests, looks))
        spent = time.perf_counter() - began
        hits = (self.evaluator.hits if self.evaluator else 0) - hits
        found: dict[int, Answer] = {}
        for forest, group in zip(self._forests, groups, strict=False):
            forest.check_answers()
            for b, i in enumerate(group):
                found[i] = read_answer(self.game, forest.trees, b, self.settings.proofs, spent, hits)
        return [found[i] for i in range(len(positions))]

    def _prepare(self, forest: Forest) -> None:
        if self.evaluator is not None and forest.step():
            self.evaluator.evaluate(forest.batch)

    def _grow(self, forest: Forest, until: float | None, look: Look | None) -> None:
        """Search until the limits or the time are reached, or whoever looks on has seen enough."""
        if self.evaluator is None:
            self._play_out(forest, until, look)
            return
        evaluator, batch, steps = self.evaluator, forest.batch, 0
        seen = time.perf_counter()
        while forest.step():
            evaluator.evaluate(batch)
            steps += 1
            if (until is None and look is None) or steps % CLOCK_EVERY:
                continue
            now = time.perf_counter()
            if until is not None and now >= until and steps > 1:
                break
            if look is not None and now - seen >= LOOK_SECONDS:
                seen = now
                if look(self._glance(forest)):
                    break
        forest.settle()

    def _play_out(self, forest: Forest, until: float | None, look: Look | None) -> None:
        game = forest.trees.game[: forest.planted]
        limits = game[:, tree.LIMIT].copy()
        piece = int(limits.max()) if until is None and look is None else PIECE
        allowed, seen = 0, time.perf_counter()
        now = seen
        while True:
            allowed, before = allowed + piece, now
            game[:, tree.LIMIT] = np.minimum(limits, allowed)
            forest.playouts()
            now = time.perf_counter()
            done = game[:, tree.DONE]
            over = bool(((done >= limits) | (done < game[:, tree.LIMIT])).all())  # fewer than allowed: it is solved
            if over or (until is not None and now >= until):
                break
            piece = min(piece * 2, MOST_SIMULATIONS) if now - before < SOON else piece
            if look is not None and now - seen >= LOOK_SECONDS:
                seen = now
                if look(self._glance(forest)):
                    break
        forest.run(kernels.conclude)

    def _glance(self, forest: Forest) -> Answer:
        """What the first tree says so far."""
        forest.run(kernels.conclude)
        return read_answer(self.game, forest.trees, 0, self.settings.proofs)


def _shares(items: list[int], parts: int) -> Iterator[list[int]]:
    for part in range(parts):
        yield items[len(items) * part // parts : len(items) * (part + 1) // parts]
