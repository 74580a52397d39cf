"""Running commands as a person would, in this process."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from zerogrid.cli.frame import run


@dataclass
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON lines on standard output."""
        return [json.loads(line) for line in self.out.splitlines()]

    def refused(self) -> str:
        """The sentence with which bad input was refused: one line, exit code 2, and nothing else said."""
        assert (self.code, self.out) == (2, ""), self
        assert self.err.count("\n") == 1, self.err
        assert self.err.rstrip().endswith((".", "?"))
        return self.err


Zerogrid = Callable[..., Answer]


@pytest.fixture
def zerogrid(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zerogrid:
    """zerogrid("show", "gomoku") runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Answer:
        capsys.readouterr()
        code = run(words)
        return Answer(code, *capsys.readouterr())

    return call
