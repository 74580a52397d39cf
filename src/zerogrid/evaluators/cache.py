"""Answers kept: what was evaluated once is not evaluated again, whichever tree or thread asks.

The key is what the evaluator would see (its planes, and the tokens offered), so positions that look alike to it share
an answer and encodings that look back are safe. Memory is bounded: the newest `entries` answers are held in a ring.
"""

from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np

from zerogrid.core.errors import BadSetting, quote
from zerogrid.evaluators.evaluator import Batch, Evaluator, empty_batch


class Cache(Evaluator):
    """An evaluator that asks another one only for what it does not know. In ordinary memory."""

    def __init__(self, inner: Evaluator, entries: int = 1 << 17) -> None:
        if entries < 1:
            raise BadSetting(f"a cache holds a number of entries from 1 up, not {quote(entries)}.")
        self.inner, self.entries = inner, entries
        self.name, self.encoding, self.tokens, self.device = inner.name, inner.encoding, inner.tokens, inner.device
        if self.device != "cpu":
            raise BadSetting(f"a cache works in ordinary memory, and this evaluator on {self.device}.")
        self.hits = self.misses = 0
        width = inner.encoding.game.MAX_LEGAL if inner.tokens else inner.encoding.slots
        self._logits = np.zeros((entries, width), np.float32)
        self._values = np.zeros(entries, np.float32)
        self._keys: list[bytes | None] = [None] * entries
        self._places: dict[bytes, int] = {}
        self._next = 0
        self._lock = Lock()

    def evaluate(self, batch: Batch) -> None:
        rows = batch.asked_rows()
        keys = [self._key(batch, row) for row in rows]
        unknown: dict[bytes, int] = {}  # each once, though several trees may ask for it
        with self._lock:
            for row, key in zip(rows, keys, strict=True):
                place = self._places.get(key)
                if place is None:
                    unknown.setdefault(key, row)
                else:
                    batch.logits[row], batch.values[row] = self._logits[place], self._values[place]
            self.hits += len(rows) - len(unknown)
            self.misses += len(unknown)
        if not unknown:
            return
        if len(unknown) == batch.rows:
            self.inner.evaluate(batch)
        else:
            self._evaluate_some(batch, list(unknown.values()))
            for row, key in zip(rows, keys, strict=True):
                first = unknown.get(key)
                if first is not None and first != row:
                    batch.logits[row], batch.values[row] = batch.logits[first], batch.values[first]
        with self._lock:
            for key, row in unknown.items():
                if key not in self._places:  # another thread may have been quicker
                    self._keep(key, batch.logits[row], float(batch.values[row]))

    def hurry(self, threads: int) -> None:
        self.inner.hurry(threads)

    def close(self) -> None:
        self.inner.close()

    def _key(self, batch: Batch, row: int) -> bytes:
        seen = blake2b(batch.planes[row].tobytes(), digest_size=16)
        if self.tokens:
            seen.update(batch.tokens[row, : batch.offered[row]].tobytes())
        return seen.digest()

    def _evaluate_some(self, batch: Batch, rows: list[int]) -> None:
        """Only these rows, in a smaller batch; sizes are powers of two, so that runtimes see few of them."""
        size = min(1 << (len(rows) - 1).bit_length(), batch.rows)
        held: dict[int, Any] = batch.kept.setdefault(self, {})
        small = held.get(size)
        if small is None:
            small = held[size] = empty_batch(self.encoding, size, self.tokens)
        chosen = np.array(rows)
        states = batch.states
        small.states = None if states is None else lambda: states()[chosen]
        small.asked = lambda: np.arange(size) < len(rows)
        small.planes[: len(rows)] = batch.planes[chosen]
        if self.tokens:
            small.tokens[: len(rows)] = batch.tokens[chosen]
            small.offered[: len(rows)] = batch.offered[chosen]
            small.offered[len(rows) :] = 1
        self.inner.evaluate(small)
        batch.logits[chosen] = small.logits[: len(rows)]
        batch.values[chosen] = small.values[: len(rows)]

    def _keep(self, key: bytes, logits: Any, value: float) -> None:
        place = self._next
        self._next = (place + 1) % self.entries
        old = self._keys[place]
        if old is not None:
            del self._places[old]
        self._keys[place], self._places[key] = key, place
        self._logits[place], self._values[place] = logits, value
