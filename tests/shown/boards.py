"""Positions to show, and their states as dictionaries: what naive twins are made from."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import zerogrid
from zerogrid.core.position import Position

Cell = tuple[int, int]
Plane = dict[Cell, float]  # what is not in it is 0
Fields = dict[str, list[int]]
Twin = Callable[[Fields, int, Any], list[Plane]]  # a state's fields, the viewpoint, the game -> its planes


def played(spec: str, plays: int, seed: int = 0) -> Position:
    """A position after some random plays, and before the end."""
    choose, position = random.Random(f"{spec} {plays} {seed}"), zerogrid.game(spec).start(seed)
    while len(position.moves) < plays:
        position.play(choose.choice(position.actions))
        if position.over:
            return position.undo()
    return position


@cache
def positions(spec: str, count: int = 24) -> list[Position]:
    """Positions of all lengths, of both players to move; tests share them, so play on copies."""
    longest = min(zerogrid.game(spec).MAX_PLIES, 60)
    return [played(spec, i * longest // count, seed=i) for i in range(count)]


def fields(game: Any, state: npt.NDArray[np.int16]) -> Fields:
    """A state as its layout names it."""
    return {part.name: state[part.offset : part.offset + part.length].tolist() for part in game.layout.fields}


def everywhere(value: float, height: int, width: int) -> Plane:
    """A plane of one number."""
    return {(row, column): value for row in range(height) for column in range(width)}


def stacked(twin: Twin, position: Position, history: int, height: int, width: int) -> npt.NDArray[np.float32]:
    """The planes of a position and those before it, newest first, all as the player to move now sees them."""
    game, past = position.game, position.history[::-1]
    base = len(twin(fields(game, past[0]), position.to_move, game))
    out = np.zeros((height, width, base * history), np.float32)
    for step, state in enumerate(past[:history]):
        for number, plane in enumerate(twin(fields(game, state), position.to_move, game)):
            for (row, column), value in plane.items():
                out[row, column, step * base + number] = value
    return out


def drawn_plane(picture: str, signs: dict[str, float] | None = None) -> npt.NDArray[np.float32]:
    """A plane from a picture: a sign for each cell, '.' for 0, digits for themselves, others as told."""
    known = {".": 0.0, **{str(digit): float(digit) for digit in range(10)}, **(signs or {})}
    return np.array([[known[sign] for sign in line.split()] for line in picture.strip().splitlines()], np.float32)
