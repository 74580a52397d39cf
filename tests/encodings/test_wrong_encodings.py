"""check_encoding names what is wrong with encodings that are wrong on purpose."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from zerogrid.core import cuda
from zerogrid.core.errors import CannotLink
from zerogrid.encodings import catalogue, check_encoding, use_file

HEAD = """
from zerogrid.core.encoding import Move, game_module
GAME = game_module("{game}")
HEIGHT, WIDTH = GAME.ROWS, GAME.COLUMNS
"""
SHOW = """
PLANE_NAMES = ("own", "enemy")
def show(state, me, cell, plane):
    return 1.0 if state[cell] == 1 + (me ^ plane) else 0.0
"""
ENCODE = """
HISTORY, PLANES, PLANE_NAMES = 3, 2, ("now", "before")
def encode(states, rows, known, lane, scratch, out):
    for cell in range(9):
        out[cell, 0] = 1.0 * states[rows[0], cell]
        {}
"""
WRONG = {
    "not_written": """
PLANE_NAMES = ("own", "enemy")
def paint(state, me, lane, scratch, out, first):
    for cell in range(9):
        out[cell, first] = 1.0 * state[cell]
        if state[cell] == 2:
            out[cell, first + 1] = 1.0
""",
    "not_written (scratch)": """
PLANE_NAMES = ("own",)
SCRATCH = 9
def paint(state, me, lane, scratch, out, first):
    for cell in range(9):
        if state[cell] != 0:
            scratch[cell] = 1
    for cell in range(9):
        out[cell, first] = 1.0 * scratch[cell]
""",
    "crash": """
PLANE_NAMES = ("own", "enemy")
def paint(state, me, lane, scratch, out, first):
    for cell in range(10):
        for plane in range(2):
            out[cell, first + plane] = 0.0
""",
    "crash (unknown past)": ENCODE.format("out[cell, 1] = 1.0 * states[rows[1], cell]"),
    "not_bounded": """
PLANE_NAMES = ("much",)
def show(state, me, cell, plane):
    return 1000.0 * (1 + state[cell])
""",
    "not_bounded (nan)": """
PLANE_NAMES = ("nothing",)
BIG = 1e300
def show(state, me, cell, plane):
    return BIG * BIG - BIG * BIG if state[cell] == 1 else 0.0
""",
    "changes_states": """
PLANE_NAMES = ("own",)
def show(state, me, cell, plane):
    state[0] = 0
    return 1.0 * state[cell]
""",
    "cannot_link": """
PLANE_NAMES = ("own",)
def show(state, me, cell, plane):
    return 1.0 * [0, 1, 2][state[cell]]
""",
    "slot_range": SHOW + "def slot(state, action):\n    return action + 1\n",
    "same_slot": SHOW + "def slot(state, action):\n    return action // 2\n",
    "same_description": SHOW
    + """
FEATURES, FEATURE_NAMES = 1, ("row",)
def describe(state, action, out):
    out[0] = action // 3 / 2
""",
    "not_described": SHOW
    + """
FEATURES, FEATURE_NAMES = 2, ("number", "corner")
def describe(state, action, out):
    out[0] = 0.1 * action
    if action == 8:
        out[1] = 1.0
""",
    "same_place": SHOW
    + """
POLICY_PLANES = 1
def places():
    return tuple((action // 2,) for action in range(9))
""",
    "no_place": SHOW
    + """
POLICY_PLANES = 1
def places():
    return tuple((action,) if action else () for action in range(9))
""",
    "symmetry": """
PLANE_NAMES = ("in the corner",)
def show(state, me, cell, plane):
    return 1.0 if state[0] == 1 else 0.0
""",
    "symmetry_slots": SHOW + "def slot(state, action):\n    return (action + 1) % 9\n",
    "symmetry_places": SHOW
    + """
POLICY_PLANES = 1
def places():
    return tuple(((action + 1) % 9,) for action in range(9))
""",
    "moves": SHOW
    + """
def move(symmetry):
    return Move(symmetry.cells, (0, 0), symmetry.actions)
""",
    "before_start": """
HISTORY, PLANES, STACKED, PLANE_NAMES = 2, 2, 2, ("now", "before")
def encode(states, rows, known, lane, scratch, out):
    for cell in range(9):
        out[cell, 0] = 1.0 * states[rows[0], cell]
        out[cell, 1] = 1.0 * states[rows[min(known, 2) - 1], cell] + (known < 2)
""",
    "history": """
HISTORY, PLANES, STACKED, PLANE_NAMES = 3, 3, 3, ("now", "before", "long before")
def encode(states, rows, known, lane, scratch, out):
    for cell in range(9):
        for step in range(3):
            back = 1 if step == 2 else step
            out[cell, step] = 1.0 * states[rows[back], cell] if step < known else 0.0
""",
    "differs_on_cpu": """
PLANE_NAMES = ("far",)
def show(state, me, cell, plane):
    return 1.0 * (((state[cell] + 3) << 62) % 7)
""",
}


@pytest.fixture
def own_files() -> Iterator[None]:
    """Encoding files of one test are not known to the next."""
    shelf = catalogue.SHELF
    yield
    for kept in (shelf._from_files, shelf._code, shelf._declared, shelf._names):
        kept.clear()


def written(folder: Path, text: str, game: str = "tictactoe") -> str:
    file = folder / "mine.py"
    file.write_text(HEAD.format(game=game) + text)
    return use_file(file)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.usefixtures("own_files")
def test_a_wrong_encoding_is_caught(wrong: str, tmp_path: Path) -> None:
    name = wrong.partition(" ")[0]
    targets = ("python", "cpu") if name == "differs_on_cpu" else ("python",)
    report = check_encoding("tictactoe", written(tmp_path, WRONG[wrong]), targets=targets, positions=24)
    assert [found.name for found in report.findings] == [name], str(report)
    assert report.findings[0].sentence.endswith(".")
    assert name in str(report)


@pytest.mark.usefixtures("own_files")
def test_a_right_one_is_not(tmp_path: Path) -> None:
    for text in (SHOW, ENCODE.format("out[cell, 1] = 1.0 * states[rows[1], cell] if known > 1 else 0.0")):
        report = check_encoding("tictactoe", written(tmp_path, text), targets=("python",))
        assert report.ok, str(report)
        assert report.as_json()["encoding"] == "mine"


@pytest.mark.usefixtures("own_files")
def test_a_forgotten_half_turn_of_the_slots_is_caught(tmp_path: Path) -> None:
    """The board turned for the second player, its moves not mirrored along: seen where symmetries are tried."""
    text = """
PLANE_NAMES = ("pawns",)
HISTORY = 1
POLICY_PLANES = 1
def show(state, me, cell, plane):
    return 1.0 * (state[GAME.CELLS - 1 - cell] if me == 1 else state[cell])
def move(symmetry):
    return Move(symmetry.cells, (0,), tuple(range(GAME.ACTIONS)))
"""
    report = check_encoding("pawn_dama:4x4", written(tmp_path, text, "pawn_dama"), targets=("python",))
    assert report.has("symmetry_slots")


def test_what_does_not_compile_for_a_card_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no card to run on."""

    def refuses(*_: object) -> str:
        raise CannotLink("show (stones.py, line 1) cannot be compiled for cuda.")

    monkeypatch.setattr(cuda, "ptx", refuses)
    monkeypatch.setattr(cuda, "available", lambda: False)
    report = check_encoding("tictactoe", "stones", targets=("python", "cuda"), positions=4)
    assert [found.name for found in report.findings] == ["cannot_compile"]


def test_a_game_that_is_over_at_the_start_is_not_looked_at() -> None:
    report = check_encoding("pawn_dama:4x1", "oneplane")
    assert report.ok
    assert report.positions == 0
    assert "every game is over before its first play" in str(report)
