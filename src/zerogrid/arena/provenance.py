"""Where a number comes from: version, commit, and the command that makes it again."""

import shlex
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import zerogrid


@lru_cache(maxsize=1)
def commit() -> str | None:
    """The commit of this checkout, "+" behind it if files were changed since; None outside of one."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return None

    def git(*words: str) -> str:
        found = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, timeout=20, check=True)
        return found.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "src")
        return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return None


def provenance() -> dict[str, str | None]:
    """To be printed beside every figure."""
    name = Path(sys.argv[0]).name
    words = ["zerogrid" if name in ("zerogrid", "__main__.py") else name, *sys.argv[1:]]
    return {"version": zerogrid.__version__, "commit": commit(), "command": shlex.join(words)}
