"""Symmetric augmentation on the device: every sample of a batch turned by its own symmetry, with one gather each.

    symmetries = Symmetries(moves, device="cuda")          # moves: from the encoding
    ids = symmetries.draw(len(planes), generator)
    planes, policy = symmetries.planes(planes, ids), symmetries.slots(policy, ids)

A move says where cells, planes and slots go: cell c goes to cells[c]. Nothing is drawn but in `draw`.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from zerogrid.core.errors import BadNetwork


class Move(Protocol):
    """A symmetry as a network sees it: cell c goes to cells[c], plane p to planes[p], slot s to slots[s]."""

    @property
    def cells(self) -> Sequence[int]: ...  # noqa: D102

    @property
    def planes(self) -> Sequence[int]: ...  # noqa: D102

    @property
    def slots(self) -> Sequence[int]: ...  # noqa: D102


class Symmetries:
    """The moves of one encoding as tables on a device. `labels` are permutations for labels that are not per cell."""

    def __init__(self, moves: Sequence[Move], labels: Sequence[Sequence[int]] | None = None, device: Any = "cpu"):
        if not moves:
            raise BadNetwork("an encoding has at least one symmetry, the one that changes nothing.")
        if labels is not None and len(labels) != len(moves):
            raise BadNetwork(f"{len(moves)} symmetries need as many permutations of labels, not {len(labels)}.")
        cells = _origins("cells", [move.cells for move in moves])
        planes = _origins("planes", [move.planes for move in moves])
        slots = _origins("slots", [move.slots for move in moves])
        both = cells[:, :, None] * planes.shape[1] + planes[:, None, :]
        self.count = len(moves)
        self._both = torch.from_numpy(both.reshape(len(moves), -1)).to(device)
        self._slots = torch.from_numpy(slots).to(device)
        self._labels = torch.from_numpy(cells if labels is None else _origins("labels", labels)).to(device)

    def draw(self, batch: int, generator: torch.Generator | None = None) -> Tensor:
        """A symmetry for each sample [batch]."""
        return torch.randint(self.count, (batch,), generator=generator, device=self._slots.device)

    def planes(self, planes: Tensor, ids: Tensor) -> Tensor:
        """planes [B, cells, planes], as an encoding writes them, each turned by its symmetry."""
        return planes.flatten(1).gather(1, self._both[ids]).view_as(planes)

    def slots(self, policy: Tensor, ids: Tensor) -> Tensor:
        """Anything with a number for each slot [B, slots]: policies, masks."""
        return policy.gather(1, self._slots[ids])

    def labels(self, labels: Tensor, ids: Tensor) -> Tensor:
        """Labels of cells [B, cells]."""
        return labels.gather(1, self._labels[ids])


def _origins(what: str, permutations: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where each entry comes from: the inverse of where each goes, [symmetries, entries]."""
    goes = np.array(permutations, dtype=np.int64)
    if goes.ndim != 2 or not (np.sort(goes, 1) == np.arange(goes.shape[1])).all():
        raise BadNetwork(f"a symmetry must move the {what} one to one, each to a place of its own.")
    return np.argsort(goes, 1)
