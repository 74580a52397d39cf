"""The checkout, as its tests see it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src" / "zerogrid").rglob("*.py"))


def tracked_files() -> list[Path]:
    """Everything that is part of the project: in git, or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]
