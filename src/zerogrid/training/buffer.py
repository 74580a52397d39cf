"""A ring of examples in columns: NumPy arrays here, or tensors wherever they live.

    buffer = RingBuffer(example_fields(...), 100_000)                       in ordinary memory
    buffer = RingBuffer(fields, 2_000_000, zeros=on_device, host=to_numpy)  in the memory of a card

Example number i lies in row i % capacity, always, so that a buffer filled again from a checkpoint is the same buffer.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from zerogrid.training.parts import Arrays, Buffer, Fields, check_columns

Zeros = Callable[[tuple[int, ...], Any], Any]


def numpy_zeros(shape: tuple[int, ...], dtype: Any) -> Any:
    """Columns in ordinary memory."""
    return np.zeros(shape, dtype)


def torch_zeros(device: str) -> Zeros:
    """Columns as tensors on a device."""
    import torch

    def zeros(shape: tuple[int, ...], dtype: Any) -> Any:
        return torch.zeros(shape, dtype=getattr(torch, np.dtype(dtype).name), device=device)

    return zeros


class RingBuffer(Buffer):
    """The newest `capacity` examples."""

    def __init__(self, fields: Fields, capacity: int, zeros: Zeros = numpy_zeros) -> None:
        self.fields = fields
        self.capacity = capacity
        self.columns = {name: zeros((capacity, *shape), dtype) for name, (dtype, shape) in fields.items()}
        self.total = 0

    @property
    def row_bytes(self) -> int:
        """Memory that one example takes."""
        return sum(np.dtype(dtype).itemsize * int(np.prod(shape, initial=1)) for dtype, shape in self.fields.values())

    def append(self, columns: Mapping[str, Any]) -> None:
        count = check_columns(self.fields, columns)
        skipped = max(0, count - self.capacity)  # would be overwritten at once
        first = self.total + skipped
        for name, column in self.columns.items():
            new = columns[name][skipped:]
            if not isinstance(column, np.ndarray):
                new = _as_tensor(new, column)
            start = first % self.capacity
            fits = min(self.capacity - start, count - skipped)
            column[start : start + fits] = new[:fits]
            column[: count - skipped - fits] = new[fits:]
        self.total += count

    def rows(self, first: int, last: int) -> Arrays:
        assert self.held()[0] <= first <= last <= self.total
        start, count = first % self.capacity, last - first
        ahead = min(count, self.capacity - start)
        found = {}
        for name, column in self.columns.items():
            parts = [_as_numpy(column[start : start + ahead]), _as_numpy(column[: count - ahead])]
            found[name] = np.concatenate(parts)
        return found

    def restore(self, first: int, parts: Iterable[Arrays]) -> None:
        for column in self.columns.values():
            column[:] = 0
        self.total = self.since = first
        for part in parts:
            self.append(part)

    def finite(self, first: int) -> bool:
        first = max(first, self.held()[0])
        start, count = first % self.capacity, self.total - first
        ahead = min(count, self.capacity - start)
        for name, (dtype, _) in self.fields.items():
            if np.dtype(dtype).kind == "f":
                column = self.columns[name]
                for part in (column[start : start + ahead], column[: count - ahead]):
                    whole = np.isfinite(part).all() if isinstance(part, np.ndarray) else part.isfinite().all()
                    if not bool(whole):
                        return False
        return True

    def held(self) -> tuple[int, int]:
        """Numbers of the oldest example held, and of the next one to come."""
        return self.total - len(self), self.total


def _as_numpy(part: Any) -> Any:
    return part.copy() if isinstance(part, np.ndarray) else part.cpu().numpy()


def _as_tensor(part: Any, like: Any) -> Any:
    import torch

    return torch.as_tensor(part, dtype=like.dtype, device=like.device)
