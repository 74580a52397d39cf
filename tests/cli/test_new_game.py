"""new-game: the file it writes is a game, and says so itself."""

from pathlib import Path

import pytest

import zerogrid as library
from cli.conftest import Zerogrid
from zerogrid.core import catalogue
from zerogrid.kernels.perft import perft


@pytest.fixture(autouse=True)
def _forget_games_from_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_from_files", {})


def test_what_it_writes_passes_its_check(zerogrid: Zerogrid) -> None:
    answer = zerogrid("new-game", "two_by_one")
    assert answer.code == 0
    assert "two_by_one.py" in answer.out
    checked = zerogrid("check", "two_by_one.py")
    assert checked.code == 0
    assert "two_by_one:5x5: nothing wrong" in checked.out
    assert "whether these are the rules you mean" not in checked.out


def test_the_commands_in_its_own_text_work(zerogrid: Zerogrid) -> None:
    zerogrid("new-game", "mine")
    text = Path("mine.py").read_text()
    commands = [line.split()[1:] for line in text.splitlines() if line.strip().startswith("zerogrid ")]
    assert len(commands) == 2
    for words in commands:
        assert zerogrid(*words).code == 0


def test_it_carries_its_own_name(zerogrid: Zerogrid) -> None:
    (record,) = zerogrid("new-game", "river_crossing", "--json").records
    assert record == {"name": "river_crossing", "title": "River Crossing", "file": "river_crossing.py"}
    text = Path("river_crossing.py").read_text()
    assert text.startswith('"""River Crossing:')
    assert "my_game" not in text
    assert "zerogrid check river_crossing.py" in text


def test_dominoes_are_counted_as_by_hand(zerogrid: Zerogrid) -> None:
    """On 2x2, either upright domino leaves no room for a flat one: two sequences, both at their end."""
    zerogrid("new-game", "mine")
    library.use_file("mine.py")
    counts = perft(library.game("mine:2x2"), 2)
    assert (counts.leaves, counts.finished) == ((2, 0), (2, 0))
    position = library.game("mine:2x2").start().play("a1-a2")
    assert position.outcome is not None
    assert (position.outcome.winner, position.outcome.reason) == (0, "no room for another domino")


@pytest.mark.parametrize("name", ["", "Mine", "9lives", "my-game", "a" * 41, "../mine", "gomoku", "mine.py", "échecs"])
def test_names_that_cannot_be_games_are_refused(name: str, zerogrid: Zerogrid) -> None:
    assert "name" in zerogrid("new-game", name).refused()
    assert list(Path().iterdir()) == []


def test_a_file_that_is_there_is_left_alone(zerogrid: Zerogrid) -> None:
    Path("mine.py").write_text("precious")
    assert "left as it is" in zerogrid("new-game", "mine").refused()
    assert Path("mine.py").read_text() == "precious"
