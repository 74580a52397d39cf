"""Evaluators for tests, whose answers are a function of the position alone: a hash of its state, as numbers.

Twins ask `opinion`, which knows nothing of batches; searches get the same numbers through the evaluator interface.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from zerogrid.core.draws import mix
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator

Opinion = tuple[npt.NDArray[np.float32], float]  # logits by slot (or by legal action), value for the player to move


def opinion(state: npt.NDArray[np.int16], width: int, salt: int = 0) -> Opinion:
    """Logits in [-2, 2] and a value in [-0.8, 0.8], the same for equal states."""
    h = 0x12345678 ^ salt
    for number in state.tolist():
        h = mix(h, number)
    logits = np.empty(width, np.float32)
    for slot in range(width):
        h = mix(h, slot)
        logits[slot] = (h % 4001) / 1000.0 - 2.0
    return logits, float(np.float32((mix(h, 77) % 1601) / 1000.0 - 0.8))


class Hashing(Evaluator):
    """Answers with opinions; counts what it is asked."""

    name = "hash"

    def __init__(self, encoding: Encoding, salt: int = 0, tokens: bool = False) -> None:
        self.encoding, self.salt, self.tokens = encoding, salt, tokens
        self.asked = 0
        self._known: dict[bytes, Opinion] = {}

    def evaluate(self, batch: Batch) -> None:
        assert batch.states is not None
        self.asked += batch.rows
        for row, state in enumerate(batch.states()):
            key = state.tobytes()
            if key not in self._known:
                self._known[key] = opinion(state, batch.logits.shape[1], self.salt)
            batch.logits[row], batch.values[row] = self._known[key]


class Answering(Evaluator):
    """Answers with what a function makes of a state: (logits, value)."""

    name = "answering"

    def __init__(self, encoding: Encoding, answer: Callable[[npt.NDArray[np.int16]], tuple[object, object]]) -> None:
        self.encoding, self.answer = encoding, answer

    def evaluate(self, batch: Batch) -> None:
        assert batch.states is not None
        for row, state in enumerate(batch.states()):
            batch.logits[row], batch.values[row] = self.answer(state)
