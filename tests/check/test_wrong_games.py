"""check_game finds what is wrong with a game, calls it by its name, and says how to mend it."""

import io
import json
from pathlib import Path

import pytest

import zerogrid
from check.wrong_games import SLIPS
from zerogrid.core import catalogue
from zerogrid.core.positions import positions_in

RIGHT = Path(__file__).with_name("middle.py")


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The right game is known; wrong ones are forgotten after each test."""
    monkeypatch.setattr(catalogue, "_from_files", {})
    zerogrid.use_file(RIGHT)


def wrong_game(name: str, folder: Path) -> str:
    """The right game with one slip in it, as a file of its own; returns its name."""
    source = RIGHT.read_text("utf-8")
    for old, new in SLIPS[name].edits:
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in middle.py"
        source = source.replace(old, new)
    if "TABLE" in source:
        source = source.replace("LINES = ", "TABLE = np.array([200], np.uint8)\nLINES = ")
    if "np." in source:
        source = source.replace("from typing import Any\n", "from typing import Any\n\nimport numpy as np\n", 1)
    if "random.randrange" in source:
        source = source.replace("from typing import Any\n", "import random\nfrom typing import Any\n", 1)
    (folder / "wrong.py").write_text(source, encoding="utf-8")
    return zerogrid.use_file(folder / "wrong.py")


def test_nothing_is_wrong_with_the_right_game() -> None:
    report = zerogrid.check_game("middle", twin="middle")
    assert report.ok, str(report)
    assert report.games > 1000
    assert {"python", "cpu"} <= set(report.targets)
    assert all("cuda" in words for words in report.skipped)


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_found_and_it_is_said_how_to_mend_it(name: str, tmp_path: Path) -> None:
    slip = SLIPS[name]
    game = wrong_game(name, tmp_path)
    targets = ("python", "cpu") if slip.compiled else ("python",)
    report = zerogrid.check_game(game, twin="middle" if slip.twin else None, targets=targets)
    found = {finding.name: finding for finding in report.findings}
    assert slip.finding in found, str(report)
    sentence = found[slip.finding].sentence
    for words in slip.words:
        assert words in sentence, sentence
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence
    assert not report
    assert f"{slip.finding}: {sentence}" in str(report)


@pytest.mark.parametrize("name", ["moves after the end", "a forgotten extra turn", "a mask that knows left from right"])
def test_what_was_found_can_be_looked_at(name: str, tmp_path: Path) -> None:
    report = zerogrid.check_game(wrong_game(name, tmp_path), twin="middle", targets=("python",))
    record = json.loads(json.dumps(report.as_json()))
    lines = [finding["position"] for finding in record["findings"] if finding["position"]]
    assert record["ok"] is False
    assert lines
    for placed in positions_in(io.BytesIO("\n".join(map(json.dumps, lines)).encode()), "found"):
        assert placed.position.game.name == "wrong"


def test_games_with_other_actions_are_no_twins() -> None:
    report = zerogrid.check_game("middle", twin="gomoku:3x4x3", targets=("python",))
    assert [finding.name for finding in report.findings] == ["twin"]
    assert "the twin gomoku:3x4x3 has 12 actions, this game 9" in report.findings[0].sentence


def test_tic_tac_toe_is_its_own_twin_under_another_name() -> None:
    assert zerogrid.check_game("gomoku:3x3x3", twin="tictactoe", targets=("python",)).ok
    report = zerogrid.check_game("connect_four:4x4", twin="connect_four:4x5", targets=("python",))
    assert not report.ok
