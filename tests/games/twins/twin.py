"""Naive twins: each game once more, with dictionaries and recursion, to be compared with the rules move by move.

They are written from the description of a game, not from its file: places are pairs (row, column), a board is a
dictionary from places to signs, everything is looked for anew at every move. `compare` plays random games on both.
"""

import random
from typing import Protocol

import zerogrid
from zerogrid.core.position import Position

Place = tuple[int, int]
Result = tuple[str, float, float]  # why it ended, and what it is worth to player 0 and to player 1


class Twin(Protocol):
    """What is asked of a twin at every move."""

    mover: int

    def actions(self) -> list[int]:
        """The legal actions in increasing order, by the numbers of the rules; none when the game is over."""

    def play(self, action: int) -> None: ...

    def result(self) -> Result | None: ...

    def signs(self) -> dict[str, object]:
        """Fields of the layout that are compared: their symbols as one string, or their numbers as a list."""


def shown(position: Position, name: str) -> object:
    """A field of a position as a twin tells it."""
    part = next(part for part in position.game.layout.fields if part.name == name)
    values = position.state[part.offset : part.offset + part.length].tolist()
    return "".join(part.symbols[value] for value in values) if part.symbols else values


def compare(spec: str, make: object, games: int, plays: int = 10_000) -> set[str]:
    """Play random games on both; returns the reasons for which they ended."""
    game, reasons = zerogrid.game(spec), set()
    for seed in range(games):
        choose, position = random.Random(f"{spec} {seed}"), game.start(seed)
        twin: Twin = make(position)  # type: ignore[operator]
        for _ in range(plays):
            said = f"{spec}, seed {seed}, {[game.action_name(move) for move in position.moves]}"
            outcome = position.outcome
            assert (outcome and (outcome.reason, *outcome.scores)) == twin.result(), said
            assert position.actions == twin.actions(), said
            assert {name: shown(position, name) for name in twin.signs()} == twin.signs(), said
            if outcome:
                reasons.add(outcome.reason)
                break
            assert position.to_move == twin.mover, said
            action = choose.choice(position.actions)
            position.play(action)
            twin.play(action)
    return reasons
