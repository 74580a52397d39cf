"""Symmetric augmentation on the device: every sample of a batch turned by its own symmetry, with one gather each.

    symmetries = Symmetries(encoding.gathers, device="cuda")
    ids = symmetries.draw(len(planes), generator)
    planes, policy = symmetries.planes(planes, ids), symmetries.slots(policy, ids)

Tables say where each entry comes from: turned[entry] = given[table[entry]]. Nothing is drawn but in `draw`.

Networks that take actions as tokens need them described anew: for them turn states before they are encoded (turns.py).
"""

from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from zerogrid.core.errors import BadNetwork

Table = np.ndarray[Any, np.dtype[np.int64]]


class Gathers(Protocol):
    """How the symmetries of an encoding turn cells, planes and slots: tables [symmetries, entries] to gather by."""

    @property
    def cells(self) -> Table: ...

    @property
    def planes(self) -> Table: ...

    @property
    def slots(self) -> Table: ...


class Symmetries:
    """The symmetries of one encoding on a device; `labels` is a table for labels of cells that are not the planes'."""

    def __init__(self, gathers: Gathers, labels: Table | None = None, device: Any = "cpu"):
        self.count = len(gathers.cells)
        self._cells = _table("cells", gathers.cells, self.count).to(device)
        self._planes = _table("planes", gathers.planes, self.count).to(device)
        self._slots = _table("slots", gathers.slots, self.count).to(device)
        self._labels = self._cells if labels is None else _table("labels", labels, self.count).to(device)
        self._planes_stay = bool((self._planes == torch.arange(self._planes.shape[1], device=device)).all())

    def draw(self, batch: int, generator: torch.Generator | None = None) -> Tensor:
        """A symmetry for each sample [batch]."""
        return torch.randint(self.count, (batch,), generator=generator, device=self._slots.device)

    def planes(self, planes: Tensor, ids: Tensor) -> Tensor:
        """planes [B, cells, planes] or [B, height, width, planes], each sample turned by its symmetry."""
        flat = planes.flatten(1, -2)
        turned = flat.gather(1, self._cells[ids].unsqueeze(2).expand(-1, -1, flat.shape[2]))
        if not self._planes_stay:
            turned = turned.gather(2, self._planes[ids].unsqueeze(1).expand(-1, flat.shape[1], -1))
        return turned.view(planes.shape)

    def slots(self, policy: Tensor, ids: Tensor) -> Tensor:
        """Anything with a number for each slot [B, slots]: policies, masks."""
        return policy.gather(1, self._slots[ids])

    def labels(self, labels: Tensor, ids: Tensor) -> Tensor:
        """Labels of cells [B, cells]."""
        return labels.gather(1, self._labels[ids])


def _table(what: str, table: Table, count: int) -> Tensor:
    """A table of permutations, one for each symmetry, as a tensor."""
    given = np.asarray(table, dtype=np.int64)
    if given.ndim != 2 or not given.size or len(given) != count:
        raise BadNetwork(f"symmetries need a table for {what}, a row for each of {count}, the identity at least.")
    if not (np.sort(given, 1) == np.arange(given.shape[1])).all():
        raise BadNetwork(f"a symmetry must move the {what} one to one, each to a place of its own.")
    return torch.from_numpy(given)
