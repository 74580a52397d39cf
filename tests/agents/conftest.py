"""Programs for the tests of agents that are programs."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes a program and says how to start it."""

    def write(source: str) -> str:
        file = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        file.write_text(source)
        return f"{sys.executable} {file}"

    return write
