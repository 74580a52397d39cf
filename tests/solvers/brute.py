"""Plain minimax over the rules, with a dictionary: slow, and too simple to be wrong."""

import random
from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from zerogrid.core.game import Game
from zerogrid.core.position import Position


class Brute:
    """Values of one game for player 0; `margin` counts boxes still to come instead of who wins."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.margin = game.name == "dots_and_boxes"
        self.known: dict[bytes, float] = {}

    def children(self, state: "array[int]") -> Iterator[tuple[int, float, "array[int]"]]:
        module, buffer = self.game.module, [0] * self.game.MAX_LEGAL
        for action in buffer[: module.legal(state, buffer)]:
            child = state[:]
            module.play(child, action)
            yield action, self.boxes(child) - self.boxes(state), child

    def boxes(self, state: "array[int]") -> float:
        scores = self.game.module.SCORES if self.margin else 0
        return state[scores] - state[scores + 1] if self.margin else 0

    def value(self, state: "array[int]") -> float:
        name = state[: self.game.layout.key_size].tobytes()
        if name not in self.known:
            module = self.game.module
            if module.ended(state):
                self.known[name] = 0 if self.margin else module.score(state, 0)
            else:
                best = max if module.to_move(state) == 0 else min
                self.known[name] = best(earned + self.value(child) for _, earned, child in self.children(state))
        return self.known[name]

    def solution(self, position: Position) -> tuple[float, dict[int, float]]:
        """Value and action values for the side to move."""
        state = array("h", position.state.tobytes())
        sign = 1 - 2 * position.to_move
        values = {action: sign * (earned + self.value(child)) for action, earned, child in self.children(state)}
        return sign * self.value(state), values


def random_positions(game: Game, count: int, fewest: int, seed: int, most: int | None = None) -> list[Position]:
    """Unfinished positions (with a few finished ones) after at least so many random plays."""
    draw = random.Random(f"{game.spec} {seed}")
    found = []
    while len(found) < count:
        position = game.start(draw.randrange(1000))
        for _ in range(draw.randint(fewest, most if most is not None else game.MAX_PLIES)):
            if position.over:
                break
            position.play(draw.choice(position.actions))
        if not position.over or draw.random() < 0.05:
            found.append(position)
    return found


def states(positions: list[Position]) -> Any:
    return np.array([position.state for position in positions], np.int16)
