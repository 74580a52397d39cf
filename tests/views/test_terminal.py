"""When there is colour, and that boards stand straight without it."""

import sys

import pytest

import zerogrid
from views.pictures import played
from zerogrid.views.ansi import paint, plain, wants_colour, width


class Screen:
    """An output that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    "terminal, environment, colour",
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),  # no-color.org: when not empty
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_follows_the_output_and_the_environment(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, environment: dict[str, str], colour: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Screen(terminal))
    assert wants_colour() is colour
    assert ("\x1b" in zerogrid.game("tictactoe").start().terminal()) is colour


def test_a_board_as_it_is_printed() -> None:
    position = zerogrid.game("gomoku:4x4x3").start()
    for move in ("b2", "c3", "d2"):
        position.play(move)
    assert position.terminal(colour=False) == "\n".join(
        [
            "  x black  > o white",
            "   a b c d",
            "1  . . . .",
            "2  . x .[x]",
            "3  . . o .",
            "4  . . . .",
            "white to move",
        ]
    )


def test_labels_widen_every_column_alike() -> None:
    position = zerogrid.game("gomoku:4x4x3").start().play("b2")
    lines = position.terminal(colour=False, labels={"d4": "1234", "a1": "7"}, last=False).splitlines()
    assert lines[1:6] == [
        "    a    b    c    d",
        "1   7    .    .    .",
        "2   .    x    .    .",
        "3   .    .    .    .",
        "4   .    .    .   1234",
    ]


@pytest.mark.parametrize(
    "spec", ["gomoku:12x5x3", "othello:10x10", "connect_four:6x7", "pawn_dama:10x4", "battlefield:7x9"]
)
def test_columns_stand_under_their_letters(spec: str) -> None:
    position = played(spec, 12)
    game = position.game
    lines = plain(position.terminal(colour=True)).splitlines()
    head = next(line for line in lines if line.split() == list("abcdefghijklmnopqrs"[: game.COLUMNS]))
    places = [place for place, sign in enumerate(head) if sign != " "]
    start = lines.index(head)
    rows = lines[start + 1 : start + 1 + game.ROWS]
    if len(rows) < game.ROWS or "to move" in " ".join(rows):
        rows = lines[start - game.ROWS : start]
    margin = places[0]
    for row in rows:
        for place, sign in enumerate(row[margin:], start=margin):
            assert place in places or sign in " []", (row, head)


def test_widths_count_columns_and_not_characters() -> None:
    assert width(paint("a●", "bold, on wood", True)) == 2
    assert width("棋e\u0301") == 3
    assert plain(paint("x", "red", True)) == "x"
    assert paint("x", "red", False) == "x"
