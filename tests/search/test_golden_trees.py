"""Searches come out as they were recorded, in plain Python and compiled; each record says how it was made."""

import json
from pathlib import Path

import pytest

from search.golden import FOLDER, RECORDED, outcome
from zerogrid.search.settings import SearchSettings

FILES = sorted(FOLDER.glob("*.json"))
COMPILED = ("tictactoe_puct", "tictactoe_gumbel", "tictactoe_uct")  # compiling costs seconds
RUNS = [(file, "python") for file in FILES] + [(file, "cpu") for file in FILES if file.stem in COMPILED]


def test_every_record_is_there() -> None:
    assert [file.stem for file in FILES] == sorted(RECORDED)


@pytest.mark.parametrize("file, target", RUNS, ids=lambda part: getattr(part, "stem", part))
def test_trees_are_as_recorded(file: Path, target: str) -> None:
    record = json.loads(file.read_text())
    found = outcome(record["game"], record["moves"], SearchSettings(**record["settings"]), target)
    assert found == record["expected"]
