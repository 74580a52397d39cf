"""Openings: the first moves of a game, so that no two pairs of games are the same.

    openings = Openings(game, "random:6", seed=1)
    openings[12]                          the thirteenth opening: the start's seed, and the moves

    none          the start itself
    random:N      N moves by chance
    guided:N      N moves by chance that are no blunders: in Dots-and-Boxes a box is completed if one can be, else a
                  safe edge drawn if there is one; elsewhere no move ends the game or lets the other side win at once
    book, book:FILE    those of a book (see books.py), in an order by chance

The sequence depends on game, kind and seed alone. No opening comes twice before all have come once, as far as chance
finds them; those that are over, won at once, or lost whatever one plays, are left out.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zerogrid.agents.boxes import boxes_of
from zerogrid.core import draws
from zerogrid.core.errors import BadSetting, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

LONGEST = 200
TRIES = 300  # without a new opening: then all are taken for found
KINDS = "book, book:FILE, guided:10, random:6 or none"


@dataclass(frozen=True)
class Opening:
    """How a pair of games begins."""

    seed: int  # of the start, for games with chance
    moves: tuple[int, ...]

    def position(self, game: Game) -> Position:
        """The position it leads to."""
        position = game.start(self.seed)
        for move in self.moves:
            position.play(move)
        return position


@dataclass
class Openings:
    """The sequence of openings of one match."""

    game: Game
    kind: str = "random:4"
    seed: int = 0
    book: Any = None  # the Book, where there is one
    _found: list[Opening] = field(default_factory=list)
    _seen: set[Any] = field(default_factory=set)
    _attempt: int = 0
    _all: bool = False  # chance finds no more; from here on they come again

    def __post_init__(self) -> None:
        self.chance = has_chance(self.game)
        name, colon, number = self.kind.partition(":")
        self.plies = 0
        if name in ("random", "guided") and number.isascii() and number.isdigit() and 0 < int(number[:9]) <= LONGEST:
            self.plies = int(number)
        elif name == "book":
            from zerogrid.arena.books import book_for

            self.book = book_for(self.game, number if colon else "")
            self._found = shuffled(self.book.openings, self.seed)
            self._all = True
        elif self.kind != "none":
            raise BadSetting(f"there are no openings {quote(self.kind)}; there are {KINDS}, with 1 to {LONGEST} moves.")
        self.way = name

    def __getitem__(self, index: int) -> Opening:
        if self.way == "none":
            return Opening(self._start(index), ())
        while index >= len(self._found) and not self._all:
            self._find()
        return self._found[index % len(self._found)]

    def _find(self) -> None:
        for _ in range(TRIES):
            self._attempt += 1
            opening = self._drawn(self._attempt)
            if opening is None:
                continue
            position = opening.position(self.game)
            place = (position._future(), opening.seed)
            if place not in self._seen and not one_sided(position):
                self._seen.add(place)
                self._found.append(opening)
                return
        if not self._found:
            raise BadSetting(
                f"no opening {quote(self.kind)} of {self.game.spec} is worth playing on: each is over, won at once or "
                "lost at once; take fewer moves, or none."
            )
        self._all = True

    def _start(self, index: int) -> int:
        return draws.word(self.seed, draws.OPENING, index, 0) if self.chance else 0

    def _drawn(self, attempt: int) -> Opening | None:
        position = self.game.start(self._start(attempt))
        for ply in range(self.plies):
            options = sensible(position) if self.way == "guided" else position.actions
            if not options:
                return None
            position.play(options[draws.below(len(options), self.seed, draws.OPENING, attempt, ply + 1)])
        return None if position.over else Opening(position.seed, tuple(position.moves))


def has_chance(game: Game) -> bool:
    """Whether games start in more than one way."""
    return any(game.start(seed) != game.start(0) for seed in (1, 2, 3))


def shuffled(openings: Sequence[Opening], seed: int) -> list[Opening]:
    """In an order by chance."""
    order = list(openings)
    for i in range(len(order) - 1, 0, -1):
        j = draws.below(i + 1, seed, draws.OPENING, i, 0xFFFFFFF0)
        order[i], order[j] = order[j], order[i]
    return order


def sensible(position: Position) -> list[int]:
    """The moves of a guided opening."""
    actions = position.actions
    if position.game.name == "dots_and_boxes":
        edges, boxes = position.state[: position.game.EDGES].tolist(), boxes_of(position.game)
        return boxes.completing(edges, actions) or boxes.safe(edges, actions) or actions
    state = position._state
    return [action for action in actions if not _blunders(position.game, state, action)] or actions


def one_sided(position: Position) -> bool:
    """Whether a position is over, won by the next move, or lost whatever the next move is."""
    game, state = position.game, position._state
    if position.over or _wins_at_once(game, state):
        return True
    return all(_blunders(game, state, action) for action in position.actions)


def _blunders(game: Game, state: "array[int]", action: int) -> bool:
    """Whether a move ends the game, or lets the other side win at once."""
    after, player = state[:], game.to_move(state)
    game.module.play(after, action)
    if game.ended(after):
        return True
    return bool(game.to_move(after) != player) and _wins_at_once(game, after)


def _wins_at_once(game: Game, state: "array[int]") -> bool:
    player, buffer = game.to_move(state), [0] * game.MAX_LEGAL
    for action in buffer[: game.legal(state, buffer)]:
        after = state[:]
        game.module.play(after, action)
        if game.ended(after) and game.score(after, player) > 0:
            return True
    return False
