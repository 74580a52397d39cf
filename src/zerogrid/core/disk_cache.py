"""Compiled code kept on disk between runs: one file per digest, and nothing that can go wrong matters.

A file holds a checksum and Numba's own serialised code, which is a pickle: the folder is therefore private to the
user (made with mode 0700, refused when others own it or may write to it), and never part of a run, a model or a game.
Files are written beside their name and moved into place, so many processes may start cold at once. A damaged file is
deleted and made again. Where nothing can be written, code is compiled anew each time.
"""

import contextlib
import hashlib
import os
import pickle
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAGIC = b"zerogrid compiled code 3\n"
MOST_FILES = 2000  # about half a gigabyte
ABANDONED = 3600.0  # seconds after which an unfinished file was left by a process that died


def cache_folder() -> Path | None:
    """The private folder for compiled code, made if need be; None where there is no safe place to write."""
    for place in _places():
        folder = place / "compiled"
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            for one in (place, folder):
                with contextlib.suppress(FileExistsError):
                    one.mkdir(mode=0o700)
            if _is_private(place) and _is_private(folder):
                return folder
    return None


def _places() -> Iterator[Path]:
    chosen = os.environ.get("ZEROGRID_CACHE")
    if chosen:
        yield Path(chosen)
        return
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"]) / "zerogrid"
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path.home() / ".cache" / "zerogrid"
    with contextlib.suppress(OSError):  # no folder for temporary files
        yield Path(tempfile.gettempdir()) / f"zerogrid-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _is_private(folder: Path) -> bool:
    """Whether it is a real folder of this user's, in which nobody else can put or exchange anything."""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid == os.getuid() and not info.st_mode & 0o022


class DiskCache:
    """What Numba's dispatcher asks of a cache, for one function whose digest is known."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.hits = 0
        self.misses = 0

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing is held back."""

    @property
    def cache_path(self) -> str:
        return str(cache_folder() or "")

    def _file(self, signature: Any) -> Path | None:
        folder = cache_folder()
        name = hashlib.sha256(f"{self.digest}|{_in_full(signature)}".encode()).hexdigest()
        return folder / f"{name[:40]}.code" if folder else None

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled function, or None where it must be compiled."""
        from numba.core.compiler import CompileResult

        target_context.refresh()  # loads the compiler; without it the code of some kernels crashes
        file = self._file(signature)
        found = None
        if file is not None:
            try:
                payload = _unwrap(file.read_bytes())
                found = CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301 - ours
                # Its own signature may speak of another copy of the same NamedTuple class, and never be called.
                found = found._replace(signature=found.signature.replace(args=tuple(signature)))
                with contextlib.suppress(OSError):
                    os.utime(file)  # so that the oldest are those unused for longest
            except (FileNotFoundError, PermissionError):
                pass
            except Exception:  # whatever is wrong with it, the file is of no use
                with contextlib.suppress(OSError):
                    file.unlink()
        self.hits += found is not None
        self.misses += found is None
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function; where that is impossible, go on without."""
        from numba.core.serialize import dumps

        file = self._file(signature)
        if file is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        payload = dumps(compiled._reduce())
        with contextlib.suppress(OSError):
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(MAGIC + hashlib.sha256(payload).digest() + payload)
                os.replace(temporary, file)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            _tidy(file.parent)


def _in_full(signature: Any) -> str:
    """Argument types as text. Numba leaves out the names of a NamedTuple's fields, which the code goes by."""
    if isinstance(signature, tuple):
        return "(" + ", ".join(_in_full(one) for one in signature) + ")"
    fields = getattr(signature, "fields", None)
    if fields is not None and hasattr(signature, "types"):
        inside = ", ".join(f"{name}: {_in_full(one)}" for name, one in zip(fields, signature.types, strict=True))
        return f"{type(signature).__name__} {signature.name} ({inside})"
    return f"{type(signature).__name__} {signature}"


def _tidy(folder: Path) -> None:
    """Remove what dead processes left unfinished, and the files unused for longest when there are too many."""
    now = time.time()
    with os.scandir(folder) as entries:
        files = [(entry.stat().st_mtime, entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    old = [path for made, path in files if "/.new-" in path.replace("\\", "/") and now - made > ABANDONED]
    if len(files) > MOST_FILES:
        old += [path for _, path in sorted(files)[: len(files) - MOST_FILES * 3 // 4]]
    for path in old:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _unwrap(content: bytes) -> bytes:
    start = len(MAGIC)
    checksum, payload = content[start : start + 32], content[start + 32 :]
    if not content.startswith(MAGIC) or hashlib.sha256(payload).digest() != checksum:
        raise ValueError("damaged")
    return payload
