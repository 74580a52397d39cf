"""Where a model and a figure come from is known in a checkout that nobody installed, too."""

import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import zerogrid
from zerogrid.arena.provenance import provenance as of_figures
from zerogrid.cli.frame import run
from zerogrid.cli.train import provenance as of_models
from zerogrid.training.config import Config

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_the_version_is_the_projects() -> None:
    assert zerogrid.__version__ == tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]


def test_it_is_known_without_being_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert of_figures()["version"] == of_models(Config())["zerogrid"] == zerogrid.__version__
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"zerogrid {zerogrid.__version__}\n"
