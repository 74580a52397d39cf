"""Games whose files say nothing about drawing still have boards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import zerogrid
from views.pictures import parse, shapes, words
from zerogrid.core import catalogue
from zerogrid.core.catalogue import use_file
from zerogrid.views.default import cells_named

MARCH = '''
"""Pawns that march."""
from zerogrid.core.layout import Layout, number, per_cell
TITLE = "March <& march>"
ROWS, COLUMNS = 4, 3
LAYOUT = Layout(board=per_cell(12, ".wb"), turn=number(), end=number())
ACTIONS = MAX_LEGAL = 145
MAX_PLIES = 50
PLAYERS = ("white", "black")
ENDINGS = ("done",)
def start(s, seed):
    for c in range(3):
        s[c] = 1
        s[11 - c] = 2
def to_move(s): return s[12]
def legal(s, out):
    n = 0
    for a in range(144):
        f, t = a % 12, a // 12
        if s[13] == 0 and s[f] == s[12] + 1 and s[t] == 0 and t - f == (3 if s[12] == 0 else -3):
            out[n] = a
            n += 1
    if s[13] == 0 and n == 0:
        out[0] = 144
        n = 1
    return n
def play(s, a):
    if a < 144:
        s[a // 12] = s[a % 12]
        s[a % 12] = 0
    else:
        s[13] = 1
    s[12] = 1 - s[12]
def ended(s): return s[13]
def score(s, p): return 0.0
def action_name(a):
    return "stop" if a == 144 else f"{'abc'[a % 12 % 3]}{a % 12 // 3 + 1}-{'abc'[a // 12 % 3]}{a // 12 // 3 + 1}"
'''
NIM = '''
"""Heaps."""
from zerogrid.core.layout import Layout, number
LAYOUT = Layout(heaps=number(2), turn=number())
ACTIONS = MAX_LEGAL = 8
MAX_PLIES = 9
ENDINGS = ("nothing left",)
def start(s, seed): s[0], s[1] = 3, 4
def to_move(s): return s[2]
def legal(s, out):
    n = 0
    for a in range(8):
        if s[a // 4] > a % 4:
            out[n] = a
            n += 1
    return n
def play(s, a):
    s[a // 4] -= a % 4 + 1
    s[2] = 1 - s[2]
def ended(s): return 1 if s[0] + s[1] == 0 else 0
def score(s, p): return 1.0 if s[2] != p else -1.0
def action_name(a): return f"take {a % 4 + 1} of {'left' if a < 4 else 'right'}"
'''


@pytest.fixture
def march(tmp_path: Path) -> Iterator[zerogrid.Position]:
    (tmp_path / "march_for_drawing.py").write_text(MARCH)
    yield zerogrid.game(use_file(tmp_path / "march_for_drawing.py")).start()
    catalogue._from_files.pop("march_for_drawing")


@pytest.fixture
def nim(tmp_path: Path) -> Iterator[zerogrid.Position]:
    (tmp_path / "nim_for_drawing.py").write_text(NIM)
    yield zerogrid.game(use_file(tmp_path / "nim_for_drawing.py")).start()
    catalogue._from_files.pop("nim_for_drawing")


def test_pieces_are_discs_with_their_signs(march: zerogrid.Position) -> None:
    picture = march.svg(header=False)
    assert len(shapes(picture, "f-blue", "circle")) == len(shapes(picture, "f-orange", "circle")) == 3
    assert words(picture).count("w") == 3
    assert parse(picture).get("aria-label") == "March <& march> — white to move"


def test_moves_between_cells_are_arrows_and_the_last_one_is_framed(march: zerogrid.Position) -> None:
    assert len(shapes(march.svg(heat={"a1-a2": 2, "b1-b2": 1}), "f-heat", "path")) == 2
    march.play("a1-a2")
    assert len(shapes(march.svg(), "s-last", "rect")) == 2


def test_moves_without_a_place_are_told_in_words(march: zerogrid.Position) -> None:
    told = march.svg(heat={"stop": 3, "a1-a2": 1})
    assert any("stop 75%" in text for text in words(told))
    assert "a1-a2 25%" in march.terminal(colour=False, heat={"stop": 3, "a1-a2": 1})


def test_the_text_board_is_that_of_the_symbols(march: zerogrid.Position) -> None:
    head, *board, caption = march.terminal(colour=False).splitlines()
    assert head == "> w white    b black"
    assert board == ["   a b c", "1  w w w", "2  . . .", "3  . . .", "4  b b b"]
    assert caption == "white to move"


def test_a_game_without_a_grid_shows_its_text(nim: zerogrid.Position) -> None:
    assert "heaps 3 4" in words(nim.svg())
    assert "heaps 3 4" in nim.terminal(colour=False)
    assert any("take 1 of left 100%" in text for text in words(nim.svg(heat={"take 1 of left": 1})))


def test_an_entry_without_a_symbol_does_not_stop_the_drawing(march: zerogrid.Position) -> None:
    state = march.state
    state[4] = 9
    broken = zerogrid.Position.of_state(march.game, state)
    assert "?" in words(broken.svg())
    assert "?" in broken.terminal(colour=False)


def test_cells_are_found_in_the_names_of_moves() -> None:
    named = {"c4": [14], "b2-b3": [5, 9], "b2xc3": [5, 10], "pass": [], "z9": [], "h2.1": [], "up+left": [], "a10": []}
    assert {name: cells_named(name, 4, 4) for name in named} == named
