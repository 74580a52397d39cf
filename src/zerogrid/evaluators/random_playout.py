"""The evaluator that plays random games: a position is worth their mean result, and every move is as good as another.

With kind "uct" a search plays its random games itself, which is far quicker; this is for searches that need an
evaluator, such as Gumbel's without a network.
"""

from typing import Any, NamedTuple

import numpy as np

from zerogrid.core import rules
from zerogrid.core.draws import PLAYOUT, mix, word
from zerogrid.core.errors import BadSetting, ZeroGridError, quote
from zerogrid.core.link import link
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator


class Games(NamedTuple):
    """Positions, and room for the games played from them."""

    states: Any  # [rows, STATE_SIZE] int16
    scratch: Any  # [rows, STATE_SIZE] int16
    actions: Any  # [rows, MAX_LEGAL] int32
    values: Any  # [rows] float64
    seed: int
    games: int


def play_games(b: int, lane: int, a: Any) -> None:
    """A kernel: random games from position b; their mean result for the player to move."""
    if lane == 0:
        state = a.scratch[b]
        player = rules.to_move(a.states[b])
        total = 0.0
        for game in range(a.games):
            h = word(a.seed, PLAYOUT, rules.key(a.states[b]) & 0x7FFFFFFFFFFFFFFF, game)
            for i in range(a.states.shape[1]):
                state[i] = a.states[b, i]
            plies = 0
            while rules.ended(state) == 0 and plies < rules.MAX_PLIES:
                h = mix(h, plies)
                count = rules.legal(state, a.actions[b])
                rules.play(state, a.actions[b, (h * count) >> 32])
                plies += 1
            total += rules.score(state, player)
        a.values[b] = total / a.games


class RandomPlayout(Evaluator):
    """The mean of some random games. The same position gets the same games: they follow from its key and the seed."""

    def __init__(self, encoding: Encoding, games: int = 1, seed: int = 0, target: str = "cpu") -> None:
        if not 1 <= games <= 1_000_000:
            raise BadSetting(f"games is a whole number from 1 to 1,000,000, not {quote(games)}.")
        self.name, self.encoding = f"{games} random game{'s' if games > 1 else ''}", encoding
        self.games, self.seed = games, seed
        self._kernel = link(play_games, target, {rules: encoding.game.module})

    def evaluate(self, batch: Batch) -> None:
        if batch.states is None:
            raise ZeroGridError("random games start from positions; this batch knows none.")
        states = batch.states()
        room = batch.kept.get(self)
        if room is None:
            most = self.encoding.game.MAX_LEGAL
            room = batch.kept[self] = (
                np.zeros((batch.rows, states.shape[1]), np.int16),
                np.zeros((batch.rows, most), np.int32),
                np.zeros(batch.rows, np.float64),
            )
        scratch, actions, values = room
        positions = np.ascontiguousarray(states)
        self._kernel(len(states), Games(positions, scratch, actions, values, self.seed, self.games))
        batch.logits[:] = 0.0
        batch.values[:] = values
