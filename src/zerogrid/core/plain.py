"""Arrays as the `python` target sees them: the same memory, but plain Python numbers come out.

NumPy hands out 16-bit scalars whose products overflow; Python's own integers do not, and neither do the 64-bit
registers of compiled code. Indices outside the array, negative ones included, are errors here, so that the python
target finds what compiled code would silently overwrite.
"""

from typing import Any

import numpy as np


class PlainArray:
    """A view of a NumPy array with checked indices: numbers at full depth, views above it."""

    __slots__ = ("array", "shape")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.shape = array.shape

    def __len__(self) -> int:
        return int(self.shape[0])

    def _check(self, index: Any) -> None:
        if type(index) is int:
            if not 0 <= index < self.shape[0]:
                raise IndexError(f"index {index} outside an array of {self.shape[0]}")
            return
        for one, size in zip(index if isinstance(index, tuple) else (index,), self.shape, strict=False):
            if isinstance(one, bool | np.bool_ | float):
                raise IndexError(f"index {one} is no whole number")
            if isinstance(one, int | np.integer) and not 0 <= one < size:
                raise IndexError(f"index {one} outside an array of shape {'x'.join(map(str, self.shape))}")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        found = self.array[index]
        return PlainArray(found) if isinstance(found, np.ndarray) else found.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        self.array[index] = value.array if isinstance(value, PlainArray) else value


def constant(array: np.ndarray) -> PlainArray:
    """An array of a file that rules or kernels are in: they may read it. Compiled code has a copy of its own."""
    kept = array.view()
    kept.flags.writeable = False
    return PlainArray(kept)


def plain(value: Any) -> Any:
    """Arrays wrapped, tuples of arrays wrapped inside, anything else as it is."""
    if isinstance(value, np.ndarray):
        return PlainArray(value)
    if isinstance(value, tuple):
        parts = [plain(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
