"""The forms in which a checkpoint's files are: JSON and safetensors, read without trust.

Whatever is wrong with what is read is a BadCheckpoint that names the file.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zerogrid.core.errors import ZeroGridError
from zerogrid.training import disk
from zerogrid.training.parts import Arrays

WRONG = (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError, RecursionError)


class BadCheckpoint(ZeroGridError):
    """A checkpoint is damaged, incomplete or from another version."""


def json_bytes(data: dict[str, Any]) -> bytes:
    """JSON for people, the same for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"


@contextlib.contextmanager
def damage_ignored() -> Iterator[None]:
    """A checkpoint that is damaged is left as it is; a disk that fails is not passed over."""
    try:
        yield
    except BadCheckpoint as error:
        if isinstance(error.__cause__, disk.DiskFailed):
            raise error.__cause__ from None


def read_checked(path: Path, most: int) -> bytes:
    """A file's content; if it cannot be read, a BadCheckpoint whose cause says why."""
    try:
        return disk.read_file(path, most)
    except OSError as error:
        raise BadCheckpoint(f"{error.strerror or error}: {path}.") from error


def as_json(path: Path, content: bytes) -> dict[str, Any]:
    """The JSON object in a file's content."""
    try:
        made = json.loads(content)
    except WRONG as error:
        raise BadCheckpoint(f"{path} is not JSON; it is damaged.") from error
    if not isinstance(made, dict):
        raise BadCheckpoint(f"{path} is not a JSON object; it is damaged.")
    return made


def tensor_bytes(arrays: Arrays) -> bytes:
    """Arrays as safetensors, the same for the same arrays."""
    from safetensors.numpy import save

    # Not ascontiguousarray, which gives an array without dimensions (a step count) one of length 1.
    return save({name: np.asarray(array, order="C") for name, array in sorted(arrays.items())})


def as_tensors(path: Path, content: bytes) -> Arrays:
    """The arrays in a file's content."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return dict(load(content))
    except (SafetensorError, *WRONG) as error:
        raise BadCheckpoint(f"{path} does not hold arrays as it should; it is damaged.") from error
