"""From a text to a game: names, variants, settings, and the three places that game files come from."""

import copy
import subprocess
import sys
from pathlib import Path

import pytest

import zerogrid
from zerogrid.core import catalogue
from zerogrid.core.errors import BadGameFile, BadSetting, UnknownGame, ZeroGridError

SIX = ["battlefield", "connect_four", "dots_and_boxes", "gomoku", "othello", "pawn_dama", "tictactoe"]


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games made known in one test are unknown in the next."""
    monkeypatch.setattr(catalogue, "_from_files", {})


def test_the_games_that_come_along_are_there() -> None:
    assert set(SIX) <= set(zerogrid.names())
    assert zerogrid.names() == sorted(zerogrid.names())


@pytest.mark.parametrize("name", zerogrid.names())
def test_every_game_calls_itself_by_a_name_that_is_understood(name: str) -> None:
    game = zerogrid.game(name)
    assert game.spec.startswith(name)
    assert zerogrid.game(game.spec) is game
    assert zerogrid.game(f"  {game.spec.upper()} ".replace(" X", " x").lower()) is game


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("gomoku", "gomoku:15x15x5"),
        ("gomoku:6x6x4", "gomoku:6x6x4"),
        ("gomoku:6x6x4,exact=true", "gomoku:6x6x4,exact=true"),
        ("gomoku,rows=6,columns=6,k=4", "gomoku:6x6x4"),
        ("gomoku:6x6x4,exact=false", "gomoku:6x6x4"),
        ("  pawn_dama:6x6 , stuck = loss ", "pawn_dama:6x6,stuck=loss"),
        ("Battlefield:7x7,ammo=3", "battlefield:7x7,ammo=3"),
        ("tictactoe", "tictactoe"),
    ],
)
def test_one_game_has_one_name(spec: str, canonical: str) -> None:
    assert zerogrid.game(spec).spec == canonical


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("", UnknownGame, 'there is no game ""; there are battlefield,'),
        ("gomuko", UnknownGame, 'Did you mean "gomoku"?'),
        ("go moku", UnknownGame, 'there is no game "go moku"'),
        ("gomoku\n", UnknownGame, "is not the name of a game; names look like gomoku:6x6x4"),
        ("g" * 10**6, UnknownGame, "is not the name of a game"),
        (None, UnknownGame, "is not the name of a game"),
        (7, UnknownGame, "is not the name of a game"),
        ("../games/gomoku", UnknownGame, "there is no game"),
        ("gomoku.py", UnknownGame, "there is no game"),
        ("zerogrid.games.gomoku", UnknownGame, "there is no game"),
        ("os:system", UnknownGame, 'there is no game "os"'),
        ("__init__", UnknownGame, "there is no game"),
        ("gomoku:", BadSetting, '"" is not a variant of gomoku; write rowsxcolumnsxk, such as gomoku:15x15x5.'),
        ("gomoku:6x6", BadSetting, '"6x6" is not a variant of gomoku'),
        ("gomoku:6x6x4x2", BadSetting, "is not a variant of gomoku"),
        ("gomoku:axbxc", BadSetting, 'setting rows is a whole number, not "a"'),
        ("gomoku:2x6x4", BadSetting, "setting rows must lie from 3 to 20, not 2."),
        ("gomoku:-6x6x4", BadSetting, "setting rows must lie from 3 to 20, not -6"),
        ("gomoku:99999999999999999999x6x4", BadSetting, "setting rows is a whole number"),
        ("gomoku:٦x6x4", BadSetting, "setting rows is a whole number"),
        ("gomoku:3x3x5", BadSetting, "a row of 5 does not fit on a board of 3x3"),
        ("gomoku:6x6x4,k=4", BadSetting, "setting k is given twice"),
        ("gomoku:6x6x4,exact", BadSetting, '"exact" in "gomoku:6x6x4,exact" is not a setting; write name=value'),
        ("gomoku:6x6x4,", BadSetting, "is not a setting"),
        ("gomoku:6x6x4,exakt=true", BadSetting, 'it has rows, columns, k, exact. Did you mean "exact"?'),
        ("gomoku:6x6x4,exact=1", BadSetting, 'setting exact is true or false, not "1"'),
        ("pawn_dama:6x6,stuck=win", BadSetting, 'not "win"'),
        ("tictactoe:3x3", BadSetting, 'tictactoe has no variants; write tictactoe alone, not "tictactoe:3x3"'),
        ("tictactoe,rows=3", BadSetting, 'tictactoe has no setting "rows"; it has none.'),
    ],
)
def test_what_names_no_game_is_refused(spec: object, error: type[ZeroGridError], said: str) -> None:
    with pytest.raises(error) as caught:
        zerogrid.game(spec)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert len(str(caught.value)) < 400


def test_copies_of_a_game_are_the_game() -> None:
    game = zerogrid.game("gomoku:6x6x4,exact=true")
    assert copy.copy(game) is copy.deepcopy(game) is game
    look_up, spec = game.__reduce__()  # what other processes are sent is a name, looked up there
    assert look_up(*spec) is game
    assert spec == ("gomoku:6x6x4,exact=true",)


# --- files of one's own ---------------------------------------------------------------------------------------------

SMALLEST = """
from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import setting
LENGTH = setting("length", 3, least=1, most=9)
VARIANT = "{length}"
LAYOUT = Layout(count=number())
ENDINGS = ("counted",)
ACTIONS, MAX_LEGAL, MAX_PLIES = 1, 1, LENGTH
def start(state, seed): state[0] = 0
def to_move(state): return state[0] % 2
def legal(state, actions):
    actions[0] = 0
    return 1 if state[0] < LENGTH else 0
def play(state, action): state[0] += 1
def ended(state): return 1 if state[0] == LENGTH else 0
def score(state, player): return 0.0
"""


def test_a_file_named_by_the_user_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "counting.py"
    file.write_text(SMALLEST)
    assert "counting" not in zerogrid.names()
    assert zerogrid.use_file(file) == "counting"
    game = zerogrid.game("counting:2")
    assert "counting" in zerogrid.names()
    assert (game.spec, game.LENGTH, game.title) == ("counting:2", 2, "counting")
    assert game.start().play(0).play("0").over
    before = zerogrid.game("counting")
    file.write_text(SMALLEST.replace("state[0] += 1", "state[0] = state[0] + 1"))
    zerogrid.use_file(file)
    assert zerogrid.game("counting") != before  # what was kept for the old rules is not taken for the new ones
    file.write_text(SMALLEST.replace('"length", 3', '"length", 5'))
    zerogrid.use_file(file)
    assert zerogrid.game("counting").LENGTH == 5


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (("LAYOUT =", "LAYOUTS ="), "has no LAYOUT; write LAYOUT = Layout("),
        (('ENDINGS = ("counted",)', "ENDINGS = ()"), "has no ENDINGS; write the reasons for an end"),
        (("def play", "def plays"), "does not define the function play; see zerogrid.core.rules.play"),
        (("def score(state, player): return 0.0", "score = 3"), "does not define the function score"),
        (("ACTIONS, MAX_LEGAL", "ACTION, MAX_LEGAL"), 'ACTIONS must be a whole number from 1 to 65536, not "None"'),
        (("1, 1, LENGTH", "1, 0, LENGTH"), "MAX_LEGAL must be a whole number from 1"),
        (("1, 1, LENGTH", "1, 1, 10**9"), "MAX_PLIES must be a whole number from 1 to 100000"),
        (("1, 1, LENGTH", "1, True, LENGTH"), "MAX_LEGAL must be a whole number"),
        (("LAYOUT =", "STATE_SIZE = 4\nLAYOUT ="), "STATE_SIZE is 4, but LAYOUT has 1 entries"),
        (("number()", "number(5000)"), "STATE_SIZE must be a whole number from 1 to 4096"),
    ],
)
def test_a_file_that_breaks_the_interface_says_so(edit: tuple[str, str], said: str, tmp_path: Path) -> None:
    assert edit[0] in SMALLEST
    file = tmp_path / "counting.py"
    file.write_text(SMALLEST.replace(*edit))
    zerogrid.use_file(file)
    with pytest.raises(BadGameFile) as caught:
        zerogrid.game("counting")
    assert said in str(caught.value)
    assert "counting.py" in str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def play(:", "counting.py does not run: line 1: SyntaxError"),
        ("x = 1\n1 / 0", "counting.py does not run: line 2: ZeroDivisionError: division by zero."),
        ("import nowhere_at_all", "line 1: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("x = 1\x00", "counting.py does not run: "),
        ("\xff".encode("latin-1").decode("latin-1") + " = 1\nraise OSError('gone')", "line 2: OSError: gone"),
    ],
)
def test_a_file_that_does_not_run_is_named_with_its_line(source: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "counting.py"
    file.write_text(source)
    with pytest.raises(BadGameFile) as caught:
        zerogrid.use_file(file)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_games_are_refused(tmp_path: Path) -> None:
    for name, said in (("Über.py", "must be letters"), ("mine.txt", "ending in .py"), ("no.py", "no game file")):
        with pytest.raises(BadGameFile, match=said):
            zerogrid.use_file(tmp_path / name)
    (tmp_path / "gomoku.py").write_text(SMALLEST)
    with pytest.raises(BadGameFile, match="would hide the game gomoku that comes with ZeroGrid"):
        zerogrid.use_file(tmp_path / "gomoku.py")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(BadGameFile, match="there is no game file"):
        zerogrid.use_file(tmp_path / "folder.py")
    assert zerogrid.names() == [name for name in zerogrid.names() if name not in ("gomoku.py", "folder", "mine")]


def test_a_package_may_bring_games_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "__init__.py").write_text("raise RuntimeError('only the game file is run')")
    (tmp_path / "theirs_counting.py").write_text(SMALLEST)
    (tmp_path / "theirs-1.0.dist-info").mkdir()
    (tmp_path / "theirs-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "[zerogrid.games]\ncounting = theirs_counting\nlost = theirs_lost\nBad-Name = theirs_counting\n"
    (tmp_path / "theirs-1.0.dist-info" / "entry_points.txt").write_text(points)
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import zerogrid
print([name for name in zerogrid.names() if name in ("counting", "lost", "Bad-Name")])
print(zerogrid.game("counting:4").start().play(0).to_move)
try:
    zerogrid.game("lost")
except zerogrid.core.errors.UnknownGame as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "['counting', 'lost']",
        "1",
        'the package that offers "lost" has no module "theirs_lost".',
    ]
