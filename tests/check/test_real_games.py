"""Every game there is passes its check, those with other settings too. A new game is found by itself."""

from pathlib import Path

import pytest

import zerogrid
from core.everygame import GAMES
from zerogrid.core.check import check_game
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.catalogue import SHELF

# One instance of each game is compiled; with other settings, plain Python and simulated CUDA see most of it.
COMPILED = {game.name: game for game in reversed(GAMES)}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_every_game_passes_its_check(game: Game) -> None:
    targets = ("python", "cpu") if COMPILED[game.name] is game else ("python",)
    report = check_game(game, targets=targets)  # its encodings have tests of their own
    assert report.ok, str(report)
    assert tuple(report.targets) == targets
    assert report.games > 60 or targets == ("python",)
    assert str(report).startswith(f"{game.spec}: nothing wrong (")


def test_a_report_says_what_it_could_not_look_at() -> None:
    report = zerogrid.check_game("connect_four:4x4", targets=("python",))
    assert [words.partition(" ")[0] for words in report.skipped] in ([], ["whether"])
    if report.skipped:
        assert "EXAMPLES" in report.skipped[0]


def test_progress_is_told_step_by_step() -> None:
    told: list[str] = []
    zerogrid.check_game("tictactoe", targets=("python", "cpu"), tell=lambda step, done, total: told.append(step))
    assert list(dict.fromkeys(told)) == [
        "random games", "names and texts", "symmetries and keys", "compiling", "many games", "encodings",
    ]  # fmt: skip


def test_what_cannot_be_checked_is_refused() -> None:
    for arguments in ({"game": "gomku"}, {"game": "tictactoe", "targets": ["gpu"]}, {"game": "tictactoe", "twin": "x"}):
        with pytest.raises(ZeroGridError):
            zerogrid.check_game(**arguments)  # type: ignore[arg-type]


SKEWED = """
from zerogrid.core.encoding import game_module
GAME = game_module("tictactoe")
HEIGHT, WIDTH = GAME.ROWS, GAME.COLUMNS
PLANE_NAMES = ("own", "enemy")

def show(state, me, cell, plane):
    return 1.0 if state[cell] == 1 + (me ^ plane) and cell != 2 else 0.0
"""


def test_an_encoding_that_is_wrong_is_found_with_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "skewed.py").write_text(SKEWED)
    monkeypatch.setattr(SHELF, "_from_files", {"skewed": tmp_path / "skewed.py"})
    for kept in ("_code", "_declared", "_names"):
        monkeypatch.setattr(SHELF, kept, {})
    report = zerogrid.check_game("tictactoe", targets=("python",))
    assert {finding.name.split("_")[1] for finding in report.findings} == {"skewed"}
    assert "as the encoding skewed shows it: " in report.findings[0].sentence
