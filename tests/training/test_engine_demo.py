"""The demo in small: it learns, sits the exam before and after, plays its matches, and says how to play against it."""

import json
from pathlib import Path

import pytest

from zerogrid.cli.demo import demo
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError


def test_the_demo_learns_and_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "demo"
    assert demo(Output(as_json=True), "tictactoe", run=str(place), threads=1, smoke=True) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["iteration"] for line in told if "loss" in line] == [1, 2]
    exams = [line for line in told if line.get("step") == "exam"]
    assert [(line["when"], line["simulations"]) for line in exams] == [
        ("before", 0),
        ("after", 0),
        ("before", 8),
        ("after", 8),
    ]
    assert all(line["errors"] == round(line["error_rate"]["estimate"] * line["positions"]) for line in exams)
    assert exams[2]["errors"] < exams[0]["errors"]  # a search helps even a network that knows nothing
    matches = [line for line in told if line.get("step") == "match"]
    assert [line["players"][1] for line in matches] == ["random", "uct:1000"]  # naive knows Gomoku only
    assert all(line["wins"] + line["draws"] + line["losses"] == line["games"] == 2 for line in matches)


def test_an_odd_number_of_games_is_refused() -> None:
    with pytest.raises(ZeroGridError, match="even number"):
        demo(Output(), "tictactoe", games=3)
