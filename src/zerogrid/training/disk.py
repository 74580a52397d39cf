"""Every file operation of a run, in one place.

What is written appears whole or not at all, and stays: into a temporary file, fsync, rename, fsync of the folder. A
log (metrics.jsonl and the like) is appended to and cut back to a known length when a run goes on.

Each operation is announced to `operation` first. Tests put themselves there: they number the operations, make the
k-th one fail, or kill the process at it.
"""

import contextlib
import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

CURES = {
    errno.ENOSPC: "the disk is full; make room and give the same command again",
    errno.EDQUOT: "your share of the disk is used up; make room and give the same command again",
    errno.EACCES: "it may not be accessed; give yourself the right to and give the same command again",
    errno.EPERM: "it may not be accessed; give yourself the right to and give the same command again",
    errno.EROFS: "this disk can only be read; copy the run to another one",
    errno.EIO: "the disk does not work as it should; copy the run to another one",
    errno.EMFILE: "this process has too many files open; raise the limit (ulimit -n) and give the same command again",
    errno.ENOENT: "it is gone",
}
TEMPORARY = ".new"
PIECE = 1 << 20


class DiskFailed(OSError):
    """A file operation failed. Says what it was, which file, and how to go on; what was saved before is intact."""


def nothing(operation: str, path: str) -> None:
    """What is done before an operation: nothing."""


# Whoever wants to see, fail or end at every operation. Called with its name and the file.
operation: Callable[[str, str], None] = nothing


@contextlib.contextmanager
def step(name: str, path: Path) -> Iterator[None]:
    """One operation: announced, and its failure put into words."""
    try:
        operation(name, str(path))
        yield
    except DiskFailed:
        raise
    except OSError as error:
        said = CURES.get(error.errno or 0, (error.strerror or str(error)).lower())
        raise DiskFailed(error.errno, f"could not {name} a file of this run: {said}", str(path)) from error


# --- writing --------------------------------------------------------------------------------------------------------


def make_folder(path: Path) -> None:
    """A folder and those above it; nothing if it is there."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        with step("make", folder):
            folder.mkdir(exist_ok=True)
        flush_folder(folder.parent)


def write_file(path: Path, content: bytes, flush: bool = True) -> None:
    """Write a whole file. Without `flush` its folder is not flushed: for files of which only the last one counts."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with step("open", temporary):
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o644)
        try:
            with step("write", temporary):
                _write(handle, content)
            with step("flush", temporary):
                os.fsync(handle)
        finally:
            os.close(handle)
        with step("rename", path):
            os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if flush:
        flush_folder(path.parent)


def append_to(path: Path, content: bytes) -> int:
    """Put something at the end of a log and flush it; returns the length of the log."""
    new = not path.exists()
    with step("open", path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
    try:
        with step("write", path):
            _write(handle, content)
        with step("flush", path):
            os.fsync(handle)
        length = os.fstat(handle).st_size
    finally:
        os.close(handle)
    if new:
        flush_folder(path.parent)
    return length


def cut(path: Path, length: int) -> None:
    """Cut a log back to a length; a log of length 0 is removed."""
    if not path.exists():
        return
    if length == 0:
        remove(path)
    elif path.stat().st_size > length:
        with step("cut", path):
            os.truncate(path, length)


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it."""
    with step("remove", path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def flush_folder(path: Path) -> None:
    """Make the names in a folder last."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with step("flush", path):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write(handle: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest[: 64 * PIECE]) :]


# --- reading --------------------------------------------------------------------------------------------------------


def read_file(path: Path, most: int) -> bytes:
    """A whole file of at most so many bytes; only a plain file, no link."""
    with step("read", path):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        try:
            size = os.fstat(handle).st_size
            if size > most:
                raise OSError(errno.EFBIG, f"it has {size:,} bytes where {most:,} are the most")
            parts = []
            while part := os.read(handle, PIECE):
                parts.append(part)
            return b"".join(parts)
        finally:
            os.close(handle)


def digest_of(content: bytes) -> str:
    """SHA-256, as manifests write it."""
    return hashlib.sha256(content).hexdigest()


def free_bytes(path: Path) -> int:
    """How much room there is on the disk of a path that need not exist yet."""
    while not path.exists():
        path = path.parent
    return shutil.disk_usage(path).free
