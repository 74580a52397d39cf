"""What the README and CONTRIBUTING say is true: their Python, their commands, their paths and pictures."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from house.tree import ROOT
from zerogrid.cli.frame import run
from zerogrid.core import catalogue

PAGES = ["README.md", "CONTRIBUTING.md"]


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page."""
    text = (ROOT / page).read_text("utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [code for name, code in found if name == language]


def commands() -> list[str]:
    """The lines of the README that call zerogrid, in their order."""
    lines = "".join(blocks("README.md", "sh")).splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.startswith("zerogrid")]


def test_the_python_of_the_readme_is_right() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, report=True)
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_commands_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalogue, "_from_files", {})
    assert len(commands()) >= 5
    for line in commands():
        assert run(shlex.split(line)[1:]) == 0, line


def test_the_two_commands_are_there() -> None:
    lines = [line.split()[:2] for line in "".join(blocks("README.md", "sh")).splitlines()]
    for word, target in (line for line in lines if line[:1] == ["make"]):
        done = subprocess.run([word, "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True)
        assert "scripts/" in done.stdout


def test_the_tree_is_the_tree() -> None:
    (tree,) = (block for block in blocks("README.md", "") if "src/zerogrid/" in block)
    named = [line.split()[0] for line in tree.splitlines()]
    packages = [name for name, line in zip(named, tree.splitlines(), strict=True) if line.startswith("  ")]
    places = [ROOT / "src/zerogrid" / name if name in packages else ROOT / name for name in named]
    assert all(place.is_dir() for place in places)
    there = {f"{place.parent.name}/" for place in (ROOT / "src/zerogrid").glob("*/__init__.py")}
    assert there == set(packages)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8"))
    assert links
    for link in links:
        assert link.startswith("https://") or (ROOT / link).exists(), link


def test_the_pictures_are_what_the_drawing_draws(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts/pictures.py", tmp_path], check=True)
    for drawn in tmp_path.rglob("*.svg"):
        shown = ROOT / "docs/images" / drawn.relative_to(tmp_path)
        assert shown.read_text("utf-8") == drawn.read_text("utf-8"), f"{drawn.name} is old; run make pictures"
