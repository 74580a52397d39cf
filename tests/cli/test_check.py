"""check: what is wrong with a game, for people and for programs."""

from pathlib import Path

import pytest

import zerogrid as library
from cli.conftest import Zerogrid
from zerogrid.core import catalogue

RIGHT = Path(__file__).parent.parent / "check" / "middle.py"
FORGOTTEN = ("    if action != MIDDLE:\n", "    if True:\n")


@pytest.fixture(autouse=True)
def _forget_games_from_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_from_files", {})


def test_a_wrong_game_is_told_what_is_wrong_and_exits_with_1(zerogrid: Zerogrid) -> None:
    Path("mine.py").write_text(RIGHT.read_text("utf-8").replace(*FORGOTTEN), "utf-8")
    answer = zerogrid("check", "mine.py", "--twin", "middle", "--plugin", str(RIGHT))
    assert answer.code == 1
    assert answer.out.startswith("mine: 2 things are wrong (")
    assert "example: the example says" in answer.out
    assert "twin_to_move: noughts is to move here, the other player in the twin" in answer.out
    assert "   seen after " in answer.out


def test_what_was_seen_can_be_replayed(zerogrid: Zerogrid) -> None:
    wrong = RIGHT.read_text("utf-8").replace("    if state[END] == 0:\n", "    if True:\n")
    Path("mine.py").write_text(wrong, "utf-8")
    (record,) = zerogrid("check", "mine.py", "--json").records
    assert (record["game"], record["ok"]) == ("mine", False)
    assert record["findings"][0]["name"] == "legal_after_end"
    assert all(finding["times"] >= 1 for finding in record["findings"])
    position = record["findings"][0]["position"]
    moves = ",".join(map(str, position["moves"]))
    shown = zerogrid("show", position["game"], "--moves", moves, "--seed", str(position["seed"]), "--plugin", "mine.py")
    assert shown.code == 0


def test_a_right_game_exits_with_0(zerogrid: Zerogrid) -> None:
    (record,) = zerogrid("check", "tictactoe", "--twin", "gomoku:3x3x3", "--json").records
    assert record["ok"] is True
    assert record["findings"] == []
    assert record["targets"][:2] == ["python", "cpu"]
    assert record["games"] > 1000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.py"], 'there is no game file "nowhere.py"'),
        (["broken.py"], "broken.py does not run: line 2: NameError: name 'x' is not defined"),
        (["empty.py"], "has no LAYOUT; write LAYOUT = Layout("),
        (["gomku"], 'Did you mean "gomoku"?'),
        (["gomoku:3x3x5"], "a row of 5 does not fit"),
        (["tictactoe", "--twin", "os"], 'there is no game "os"'),
        (["../check/Mi-ddle.py"], "its name must be letters, digits and _"),
    ],
)
def test_what_cannot_be_checked_is_refused(words: list[str], sentence: str, zerogrid: Zerogrid) -> None:
    Path("broken.py").write_text("\nx\n")
    Path("empty.py").write_text("")
    assert sentence in zerogrid("check", *words).refused()


def test_the_check_is_there_for_programs_too() -> None:
    assert "check_game" in dir(library)
    assert library.check_game.__module__.startswith("zerogrid.")
    with pytest.raises(AttributeError, match="has no attribute 'chekc_game'"):
        _ = library.chekc_game  # type: ignore[attr-defined]
