"""One process to a run: a lock of the operating system, held for life, that no dead process can leave behind."""

import contextlib
import json
import os
import platform
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from zerogrid.core.errors import ZeroGridError, quote


class RunInUse(ZeroGridError):
    """Another process trains in this run directory."""


class Lock:
    """The lock of one run directory; the file `lock` says who holds it, for people."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self._handle: int | None = None

    def __enter__(self) -> "Lock":
        try:
            import fcntl
        except ImportError as error:
            raise RunInUse("this system cannot lock files, and training needs it; use Linux or macOS.") from error
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            _take(fcntl, handle)
        except OSError as error:
            holder = os.read(handle, 500)
            os.close(handle)
            if isinstance(error, BlockingIOError):
                raise RunInUse(
                    f"the run {quote(self.path.parent.name)} is in use by {_named(holder)}; wait for it, stop it, or "
                    "give this one another name with --run."
                ) from error
            raise RunInUse(
                f"the folder of the run {quote(self.path.parent.name)} cannot be locked ({error.strerror}); "
                "put runs on a disk of this machine."
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "host": platform.node()}).encode() + b"\n", 0)
        self._handle = handle
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = None


def _take(fcntl: Any, handle: int) -> None:
    """The lock, or BlockingIOError. `holder_of` holds it for a moment to look, so one try is not enough."""
    for patience in (0.02, 0.05, 0.1, None):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if patience is None:
                raise
            time.sleep(patience)


def holder_of(folder: Path) -> str | None:
    """Who trains in a run directory at this moment, or None."""
    import fcntl

    try:
        handle = os.open(folder / "lock", os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except OSError:
        return _named(os.read(handle, 500))
    finally:
        os.close(handle)


def _named(content: bytes) -> str:
    try:
        said = json.loads(content)
        return f"process {int(said['pid'])} on {str(said['host'])[:80]}"
    except (ValueError, KeyError, TypeError):
        return "another process"
