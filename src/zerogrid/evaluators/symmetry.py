"""Averaging over a game's symmetries: a network's answers for all images of a position, turned back, and their mean.

As many times dearer as the game has symmetries; a position and its mirror image get exactly mirrored answers.
"""

from typing import Any

import numpy as np

from zerogrid.core.errors import BadSetting
from zerogrid.evaluators.evaluator import Batch, Evaluator, empty_batch


class Symmetric(Evaluator):
    """The mean of another evaluator's logits and values over all images of each position."""

    def __init__(self, inner: Evaluator) -> None:
        if inner.tokens:
            raise BadSetting("actions shown as tokens have no image under a symmetry; use a network without tokens.")
        if inner.device != "cpu":
            raise BadSetting(f"averaging works in ordinary memory, and this evaluator on {inner.device}.")
        self.inner = inner
        self.name, self.encoding = f"{inner.name}, averaged", inner.encoding
        self._tables = inner.encoding.gathers
        self.images = len(self._tables.cells)

    @property
    def hits(self) -> int:  # type: ignore[override]
        return self.inner.hits

    def evaluate(self, batch: Batch) -> None:
        large = batch.kept.get(self)
        if large is None:
            large = batch.kept[self] = empty_batch(self.encoding, batch.rows * self.images)
            large.asked = lambda: np.tile(batch.asked(), self.images) if batch.asked else np.ones(large.rows, bool)
            large.states = self._images_of(batch)
        rows, tables = batch.rows, self._tables
        for m in range(self.images):
            part = slice(m * rows, (m + 1) * rows)
            large.planes[part] = batch.planes[:, tables.cells[m][:, None], tables.planes[m][None, :]]
        self.inner.evaluate(large)
        total = np.zeros(batch.logits.shape, np.float64)
        for m in range(self.images):
            total[:, tables.slots[m]] += large.logits[m * rows : (m + 1) * rows]
        batch.logits[:] = total / self.images
        batch.values[:] = large.values.reshape(self.images, rows).mean(0, dtype=np.float64)

    def hurry(self, threads: int) -> None:
        self.inner.hurry(threads)

    def close(self) -> None:
        self.inner.close()

    def _images_of(self, batch: Batch) -> Any:
        if batch.states is None:
            return None
        game, states = self.encoding.game, batch.states
        return lambda: np.concatenate([game.image(symmetry, states()) for symmetry in game.symmetries])
