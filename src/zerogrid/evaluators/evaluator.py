"""The evaluator interface: whoever can say how good positions are, and which moves look promising.

    evaluator.encoding              how it wants positions shown
    evaluator.evaluate(batch)       reads batch.planes (and batch.tokens), writes batch.logits and batch.values

A batch is a set of arrays that stay where they are; what an evaluator prepares for one (a request bound to its memory,
say) it keeps in `batch.kept`. On a card the arrays are tensors in device memory and `evaluate` only launches work.
Caching, averaging over symmetries and comparing are evaluators around another one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from zerogrid.core.errors import ZeroGridError
from zerogrid.encodings.encoding import Encoding


class BadAnswer(ZeroGridError):
    """An evaluator answered with something that is no evaluation."""


class Batch:
    """Inputs and answers of one evaluation: NumPy arrays, or tensors on a card."""

    __slots__ = ("__weakref__", "asked", "kept", "logits", "offered", "planes", "rows", "states", "tokens", "values")

    def __init__(
        self,
        planes: Any,  # [rows, cells, planes] what the network sees
        tokens: Any,  # [rows, T, features] the legal actions in their order; T may be 0
        offered: Any,  # [rows] how many of them there are
        logits: Any,  # [rows, slots or T] float32, written by the evaluator
        values: Any,  # [rows] float32 in [-1, 1] for the player to move, written by the evaluator
        states: Callable[[], Any] | None = None,  # the positions themselves, [rows, STATE_SIZE], for who asks
        asked: Callable[[], Any] | None = None,  # which rows wait for an answer, [rows] bool; all, if it is not known
    ) -> None:
        self.planes, self.tokens, self.offered = planes, tokens, offered
        self.logits, self.values = logits, values
        self.states, self.asked = states, asked
        self.rows = int(planes.shape[0])
        self.kept: dict[Any, Any] = {}

    def asked_rows(self) -> list[int]:
        """The rows that wait for an answer."""
        if self.asked is None:
            return list(range(self.rows))
        return [int(row) for row in np.flatnonzero(self.asked())]

    def answer(self, logits: Any, values: Any) -> None:
        """Write answers, after a look at their shapes."""
        shapes = tuple(np.shape(logits)), tuple(np.shape(values))
        wanted = tuple(self.logits.shape), tuple(self.values.shape)
        if shapes != wanted:
            raise BadAnswer(
                f"the evaluator answered with logits of shape {_by(shapes[0])} and values of shape {_by(shapes[1])}; "
                f"{_by(wanted[0])} and {_by(wanted[1])} were asked for."
            )
        self.logits[:], self.values[:] = logits, values


def _by(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "a single number"


class Evaluator(ABC):
    """Says how good positions are."""

    name: str
    encoding: Encoding
    device = "cpu"
    tokens = False  # whether it wants the legal actions described, and answers in their order
    hits = 0  # answers that came out of a cache

    @abstractmethod
    def evaluate(self, batch: Batch) -> None:
        """Fill in the batch's logits and values."""

    def hurry(self, threads: int) -> None:  # noqa: B027 - most have nothing to share out
        """Someone waits for one position: evaluations come one at a time now, and each may use so many threads."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Let go of what is held."""


def empty_batch(encoding: Encoding, rows: int, tokens: bool = False) -> Batch:
    """A batch of zeros in ordinary memory."""
    most = encoding.game.MAX_LEGAL if tokens else 0
    return Batch(
        planes=np.zeros((rows, encoding.height * encoding.width, encoding.planes), np.float32),
        tokens=np.zeros((rows, most, encoding.features), np.float32),
        offered=np.zeros(rows, np.int32),
        logits=np.zeros((rows, most or encoding.slots), np.float32),
        values=np.zeros(rows, np.float32),
    )
