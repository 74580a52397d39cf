"""Tables of exact values as files: arrays with hashes, memory-mapped, and built so that any moment may be the last.

    FILE                   a header (what it is, its arrays, a SHA-256 of every chunk and of itself), then the data
    FILE.building          the same while it is made, without a header yet
    FILE.building.done     what it is to be, and a line for every chunk that is safely on the disk, with its hash

A table comes from anywhere: it holds numbers only, and is refused as a whole when a single bit of it is wrong.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.progress import track

MAGIC = b"zerogrid table 1\n"
LONGEST_HEADER = 1 << 26
PAGE = 4096
TYPES = ("int8", "int16", "int32", "int64", "uint64")


class BadTable(ZeroGridError):
    """A table is damaged, is no table, or is one of something else."""


class Array(NamedTuple):
    """One array of a table: its type and shape."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """How long it is."""
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


class Table(NamedTuple):
    """An opened table: what it says of itself, and its arrays, mapped from the file."""

    about: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]


def open_table(path: Path) -> Table:
    """Check every hash of a table and map its arrays into memory."""
    try:
        with path.open("rb") as file:
            header, start = _header(path, file)
            arrays = {name: Array(dtype, tuple(shape)) for name, (dtype, shape) in header["arrays"].items()}
            size, chunk, digests = sum(a.bytes for a in arrays.values()), header["chunk"], header["digests"]
            if os.fstat(file.fileno()).st_size != start + size or len(digests) != -(-size // chunk):
                raise _damaged(path, "its length is wrong")
            file.seek(start)
            for number, digest in enumerate(track(digests, f"checking {path.name}", "chunks")):
                if _hash(file.read(chunk if number + 1 < len(digests) else size - number * chunk)) != digest:
                    raise _damaged(path, f"chunk {number + 1} of {len(digests)} does not match its hash")
    except OSError as error:
        raise BadTable(f"the table {quote(path.name)} cannot be read: {error.strerror}.") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(path, "its header makes no sense") from error
    mapped, offset = {}, start
    for name, array in arrays.items():
        if array.dtype not in TYPES:
            raise _damaged(path, "its header makes no sense")
        mapped[name] = np.memmap(path, array.dtype, "r", offset, array.shape) if array.bytes else _nothing(array)
        offset += array.bytes
    return Table(header["about"], mapped)


def _nothing(array: Array) -> npt.NDArray[Any]:
    return np.zeros(array.shape, array.dtype)


def _header(path: Path, file: Any) -> tuple[dict[str, Any], int]:
    if file.read(len(MAGIC)) != MAGIC:
        raise BadTable(f"{quote(path.name)} is not a table of ZeroGrid's.")
    length = int.from_bytes(file.read(8), "little")
    digest = file.read(32)
    words = file.read(length) if length <= LONGEST_HEADER else b""
    if hashlib.sha256(words).digest() != digest:
        raise _damaged(path, "its header does not match its hash")
    header = json.loads(words)
    return header, int(header["start"])


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _damaged(path: Path, what: str) -> BadTable:
    return BadTable(f"the table {quote(path.name)} is damaged ({what}); build it again with --rebuild.")


class Builder:
    """Writes a table chunk by chunk, from wherever an earlier attempt was stopped. Every chunk is on the disk, and its
    hash noted, before it counts as done."""

    def __init__(self, path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array], chunk: int) -> None:
        self.path, self.chunk = path, chunk
        self.size = sum(array.bytes for array in arrays.values())
        self.chunks = -(-self.size // chunk)
        self.start = -(-(PAGE + 80 * self.chunks) // PAGE) * PAGE
        self.digests: list[str] = []
        described = {name: [array.dtype, list(array.shape)] for name, array in arrays.items()}
        self._plan = {"about": dict(about), "arrays": described, "chunk": chunk, "start": self.start}
        self._data = path.with_name(path.name + ".building")
        self._journal = path.with_name(path.name + ".building.done")
        try:
            self._resume()
        except OSError as error:
            raise ZeroGridError(f"the table {quote(path.name)} cannot be written: {error.strerror}.") from error

    @property
    def done(self) -> int:
        """How many chunks are finished."""
        return len(self.digests)

    def _resume(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines: list[Any] = []
        with contextlib.suppress(OSError, ValueError):
            for line in self._journal.read_text().splitlines():
                lines.append(json.loads(line))  # what stands before a torn line still counts
        if not lines or lines[0] != json.loads(json.dumps(self._plan)) or not self._data.exists():
            self._journal.unlink(missing_ok=True)
            self._data.unlink(missing_ok=True)
            self._data.touch()
            lines = [self._plan]
        with self._data.open("rb") as file:
            file.seek(self.start)
            for digest in track(lines[1:], f"checking what there is of {self.path.name}", "chunks"):
                if _hash(file.read(self._length(self.done))) != digest:
                    break
                self.digests.append(digest)
        rest = "".join(json.dumps(line) + "\n" for line in [self._plan, *self.digests])
        self._journal.write_text(rest)

    def _length(self, number: int) -> int:
        return min(self.chunk, self.size - number * self.chunk)

    def read(self, number: int) -> bytes:
        """A chunk that is done."""
        with self._data.open("rb") as file:
            file.seek(self.start + number * self.chunk)
            return file.read(self._length(number))

    def write(self, data: bytes) -> None:
        """Add the next chunk."""
        assert len(data) == self._length(self.done)
        with self._data.open("r+b") as file:
            file.seek(self.start + self.done * self.chunk)
            file.write(data)
            _to_disk(file)
        self.digests.append(_hash(data))
        with self._journal.open("a") as journal:
            journal.write(json.dumps(self.digests[-1]) + "\n")
            _to_disk(journal)

    def finish(self) -> None:
        """Write the header and give the table its name."""
        assert self.done == self.chunks
        words = json.dumps({**self._plan, "digests": self.digests}).encode()
        head = MAGIC + len(words).to_bytes(8, "little") + hashlib.sha256(words).digest() + words
        assert len(head) <= self.start
        with self._data.open("r+b") as file:
            file.write(head)
            file.truncate(self.start + self.size)
            _to_disk(file)
        self._data.replace(self.path)
        self._journal.unlink(missing_ok=True)


def _to_disk(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
