"""Compiled code kept on disk between runs: one file per digest, and nothing that can go wrong matters.

A file holds a checksum and Numba's own serialised code, which is a pickle: the folder is therefore private to the
user (made with mode 0700, refused when others may write to it), and never part of a run, a model or a game. Files are
written beside their name and moved into place, so many processes may start cold at once. A damaged file is deleted
and made again. Where nothing can be written, code is compiled anew each time.
"""

import contextlib
import hashlib
import os
import pickle
import stat
import tempfile
from pathlib import Path
from typing import Any

MAGIC = b"zerogrid compiled code 2\n"


def cache_folder() -> Path | None:
    """The private folder for compiled code, made if need be; None where there is no safe place to write."""
    chosen = os.environ.get("ZEROGRID_CACHE")
    places = [Path(chosen)] if chosen else []
    if not chosen:
        if os.environ.get("XDG_CACHE_HOME"):
            places.append(Path(os.environ["XDG_CACHE_HOME"]) / "zerogrid")
        with contextlib.suppress(RuntimeError):
            places.append(Path.home() / ".cache" / "zerogrid")
        places.append(Path(tempfile.gettempdir()) / f"zerogrid-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    for place in places:
        folder = place / "compiled"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_private(folder):
                return folder
    return None


def _is_private(folder: Path) -> bool:
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
        name = hashlib.sha256(f"{self.digest}|{signature}".encode()).hexdigest()
        return folder / f"{name[:40]}.code" if folder else None

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled function, or None where it must be compiled."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        file = self._file(signature)
        found = None
        if file is not None:
            with contextlib.suppress(FileNotFoundError, PermissionError):
                try:
                    payload = _unwrap(file.read_bytes())
                    found = CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301 - ours
                except PermissionError:
                    raise
                except FileNotFoundError:
                    raise
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


def _unwrap(content: bytes) -> bytes:
    start = len(MAGIC)
    checksum, payload = content[start : start + 32], content[start + 32 :]
    if not content.startswith(MAGIC) or hashlib.sha256(payload).digest() != checksum:
        raise ValueError("damaged")
    return payload
