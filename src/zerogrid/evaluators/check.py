"""Two evaluators side by side: the first one answers, the second is asked the same, and the differences are kept.

    check = Check(OpenVinoEvaluator(network, encoding), TorchEvaluator(network, encoding))
    Searcher(game, check, ...).search(...)
    print(check.report)
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.position import Position
from zerogrid.evaluators.evaluator import Batch, Evaluator, empty_batch


@dataclass(frozen=True)
class Difference:
    """How far two evaluators were apart, over all that was asked of them."""

    first: str
    second: str
    positions: int = 0
    value: float = 0.0  # the greatest difference of values
    mean_value: float = 0.0
    policy: float = 0.0  # the greatest difference of one move's prior
    worst: Position | None = None  # where the sum of the two was greatest

    def __str__(self) -> str:
        if not self.positions:
            return f"{self.first} and {self.second} were asked nothing."
        text = (
            f"{self.first} and {self.second} on {self.positions:,} positions: values differ by {self.value:.5f} at "
            f"most and {self.mean_value:.5f} on average, priors by {self.policy:.5f} at most."
        )
        return f"{text} They differ most here:\n{self.worst}" if self.worst is not None else text


class Check(Evaluator):
    """Answers as the first evaluator does, and compares it with the second. In ordinary memory."""

    def __init__(self, first: Evaluator, second: Evaluator) -> None:
        if first.encoding != second.encoding or first.tokens != second.tokens:
            theirs = " and ".join(f"{one.encoding.game.spec} as {one.encoding.spec}" for one in (first, second))
            raise ZeroGridError(f"two evaluators can be compared on the same input only, not on {theirs}.")
        self.first, self.second = first, second
        self.name, self.encoding, self.tokens = first.name, first.encoding, first.tokens
        self.report = Difference(first.name, second.name)
        self._sum, self._worst = 0.0, -1.0

    def evaluate(self, batch: Batch) -> None:
        other = batch.kept.get(self)
        if other is None:
            other = batch.kept[self] = empty_batch(self.encoding, batch.rows, self.tokens)
            other.states, other.asked = batch.states, batch.asked
        other.planes[:] = batch.planes
        if self.tokens:
            other.tokens[:], other.offered[:] = batch.tokens, batch.offered
        self.first.evaluate(batch)
        self.second.evaluate(other)
        if batch.states is None:
            raise ZeroGridError("evaluators are compared while a search asks them; this batch knows no positions.")
        states = batch.states()
        for row in batch.asked_rows():
            self._compare(states[row], batch, other, row)

    def hurry(self, threads: int) -> None:
        self.first.hurry(threads)
        self.second.hurry(threads)

    def close(self) -> None:
        self.first.close()
        self.second.close()

    def _compare(self, state: npt.NDArray[np.int16], batch: Batch, other: Batch, row: int) -> None:
        slots = self._slots(state)
        value = float(abs(batch.values[row] - other.values[row]))
        policy = float(np.abs(_shares(batch.logits[row, slots]) - _shares(other.logits[row, slots])).max(initial=0.0))
        old, apart = self.report, value + policy
        self._sum += value
        worst = old.worst
        if not apart <= self._worst:  # a NaN is the worst of all
            self._worst, worst = apart, Position.of_state(self.encoding.game, state)
        count = old.positions + 1
        values, policies = max(old.value, value), max(old.policy, policy)
        if np.isnan(apart):
            values = policies = float("nan")
        self.report = Difference(old.first, old.second, count, values, self._sum / count, policies, worst)

    def _slots(self, state: npt.NDArray[np.int16]) -> list[int]:
        """Where in the logits the legal actions lie."""
        game, numbers = self.encoding.game, [int(n) for n in state]
        out = [0] * game.MAX_LEGAL
        actions = out[: game.legal(numbers, out)]
        if self.tokens:
            return list(range(len(actions)))
        return [int(self.encoding.module.slot(numbers, action)) for action in actions]


def _shares(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Softmax."""
    if len(logits) == 0:
        return np.zeros(0)
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(weights / weights.sum())
