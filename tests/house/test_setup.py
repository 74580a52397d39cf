"""scripts/setup: instant when nothing has changed, and clear when it cannot work."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from house.tree import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with only what the set-up reads, in a folder whose name has a blank."""
    folder = tmp_path / "a checkout"
    (folder / "scripts").mkdir(parents=True)
    for name in ("scripts/setup", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def executable(file: Path, body: str) -> Path:
    """A small shell script."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def set_up(checkout: Path, python: Path | str) -> "subprocess.CompletedProcess[str]":
    """Run the set-up, with this Python and no other."""
    environment = os.environ | {"PYTHON": str(python)}
    return subprocess.run([checkout / "scripts/setup"], env=environment, capture_output=True, text=True, check=False)


def fake_python(checkout: Path, version: str, can_make_environments: bool = True) -> Path:
    """A Python that says which one it is, makes environments with itself inside, and installs by writing it down."""
    body = f"""
    case "$*" in
        *print*) echo {version} ;;
        *"import ensurepip"*) exit {0 if can_make_environments else 1} ;;
        *"import sys, pip"*) exit 0 ;;
        "-m venv"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
        "-m pip"*) echo "$*" >> installed; exit "$(cat pip_fails 2>/dev/null || echo 0)" ;;
    esac"""
    return executable(checkout / f"python{version}", body)


def test_an_old_python_is_named_with_what_is_needed(checkout: Path) -> None:
    done = set_up(checkout, fake_python(checkout, "3.9.2"))
    assert done.returncode == 2
    assert "needs Python 3.11, 3.12 or 3.13" in done.stderr
    assert "python3.9.2 is 3.9.2" in done.stderr
    assert "make test PYTHON=" in done.stderr


def test_no_python_at_all_is_said(checkout: Path) -> None:
    done = set_up(checkout, "no-such-python")
    assert done.returncode == 2
    assert "no Python at all" in done.stderr


def test_a_python_that_cannot_make_environments_is_told_apart(checkout: Path) -> None:
    done = set_up(checkout, fake_python(checkout, "3.12.1", can_make_environments=False))
    assert done.returncode == 2
    assert "lacks ensurepip" in done.stderr
    assert "python3-venv" in done.stderr


def test_it_installs_once_and_again_when_the_list_changes(checkout: Path) -> None:
    python = fake_python(checkout, "3.12.1")

    def installed() -> int:
        return len((checkout / "installed").read_text().splitlines())

    assert set_up(checkout, python).returncode == 0
    once = installed()
    assert "--constraint constraints.txt" in (checkout / "installed").read_text()
    again = set_up(checkout, python)
    assert (again.returncode, again.stderr, installed()) == (0, "", once)
    with (checkout / "constraints.txt").open("a") as file:
        file.write("# another line\n")
    assert set_up(checkout, python).returncode == 0
    assert installed() == 2 * once


def test_a_failed_installation_is_tried_again(checkout: Path) -> None:
    python = fake_python(checkout, "3.13.0")
    (checkout / "pip_fails").write_text("1")
    done = set_up(checkout, python)
    assert done.returncode == 1
    assert "The same command tries again." in done.stderr
    (checkout / "pip_fails").unlink()
    assert set_up(checkout, python).returncode == 0


def test_a_checkout_that_was_moved_is_set_up_again(checkout: Path) -> None:
    set_up(checkout, fake_python(checkout, "3.11.9"))
    moved = checkout.rename(checkout.with_name("moved"))
    assert "Setting up" in set_up(moved, moved / "python3.11.9").stderr
