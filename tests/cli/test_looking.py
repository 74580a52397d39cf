"""games, show, perft: looking at what is there."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import zerogrid as library
from cli.conftest import Zerogrid
from house.truth import TRUTH, affordable_depth


def test_games_lists_every_game_with_its_settings(zerogrid: Zerogrid) -> None:
    games = {record["name"]: record for record in zerogrid("games", "--json").records}
    assert list(games) == library.names()
    assert {"tictactoe", "othello", "gomoku", "dots_and_boxes", "pawn_dama", "battlefield"}.issubset(games)
    rows = next(setting for setting in games["gomoku"]["settings"] if setting["name"] == "rows")
    assert (rows["least"], rows["most"]) == (3, 20)
    people = zerogrid("games").out
    for game in games.values():
        assert game["example"] in people
        for setting in game["settings"]:
            assert setting["name"] in people


def test_every_example_of_a_game_is_a_game(zerogrid: Zerogrid) -> None:
    for record in zerogrid("games", "--json").records:
        assert record["actions"] == library.game(record["example"]).ACTIONS


def test_show_draws_the_board_after_the_moves(zerogrid: Zerogrid) -> None:
    answer = zerogrid("show", "gomoku:6x6x4", "--moves", "c3,d4 14")
    assert "move 3" in answer.refused()  # c3 again, by its number
    answer = zerogrid("show", "gomoku:6x6x4", "--moves", "c3,d4")
    assert answer.code == 0
    assert answer.out.count("x") >= 1
    assert "black to move" in answer.out


def test_show_says_everything_about_a_position(zerogrid: Zerogrid) -> None:
    (record,) = zerogrid("show", "gomoku:3x3x3", "--moves", "a1,a2,b1,b2,c1", "--json").records
    assert record["moves"] == [0, 3, 1, 4, 2]
    assert record["names"] == ["a1", "a2", "b1", "b2", "c1"]
    assert (record["over"], record["scores"], record["legal"]) == (True, [1.0, -1.0], [])
    assert library.Position.parse(record["text"]).over


def test_show_writes_a_picture(zerogrid: Zerogrid) -> None:
    for name in library.names():
        assert zerogrid("show", name, "--svg", f"{name}.svg").code == 0
        assert ElementTree.parse(f"{name}.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gomku"], 'there is no game "gomku"; there are'),
        (["gomoku:1x1x1"], "setting rows must lie from 3 to 20, not 1"),
        (["gomoku:999999999999x6x4"], "setting rows is a whole number"),
        (["gomoku:6x6x4,exat=true"], 'no setting "exat"; it has'),
        (["gomoku:" + "9" * 1_000_000], "is not the name of a game"),
        (["os:system"], 'there is no game "os"'),
        (["../gomoku"], 'there is no game "../gomoku"'),
        (["gomoku", "--moves", "a1,z9"], 'move 2: "z9" is not a move of gomoku:15x15x5; moves look like'),
        (["gomoku:3x3x3", "--moves", "a1,a1"], 'move 2: "a1" may not be played here'),
        (["tictactoe", "--moves", "a1,a2,b1,b2,c1,c2"], "move 6:"),
        (["gomoku", "--moves", "-1"], "is not a move"),
        (["gomoku", "--svg", "nowhere/at/all.svg"], "cannot be written: No such file or directory"),
        (["battlefield", "--seed", "-1"], "--seed is a whole number from 0"),
        (["mine", "--plugin", "mine.py"], 'there is no game file "mine.py"'),
    ],
)
def test_what_cannot_be_shown_is_refused(words: list[str], sentence: str, zerogrid: Zerogrid) -> None:
    assert sentence in zerogrid("show", *words).refused()
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(("target", "depth"), [("python", "4"), ("cpu", "5")])
def test_perft_counts(target: str, depth: str, zerogrid: Zerogrid) -> None:
    (record,) = zerogrid("perft", "gomoku:3x3x3", "--depth", depth, "--target", target, "--json").records
    assert record["leaves"] == [9, 72, 504, 3024, 15120][: int(depth)]
    assert record["finished"] == [0, 0, 0, 0, 1440][: int(depth)]
    assert "3,024" in zerogrid("perft", "gomoku:3x3x3", "--depth", "4").out


@pytest.mark.parametrize("spec", ["pawn_dama:4x3", "othello:4x4", "connect_four:4x4", "dots_and_boxes:2x2"])
def test_perft_tells_programs_what_is_known(spec: str, zerogrid: Zerogrid) -> None:
    depth = affordable_depth(spec, 20_000)
    (record,) = zerogrid("perft", spec, "--depth", str(depth), "--json").records
    assert record["leaves"] == TRUTH[spec]["leaves"][:depth]
    assert record["finished"] == TRUTH[spec]["finished"][:depth]
    assert (record["game"], record["depth"], record["target"]) == (spec, depth, "cpu")


def test_perft_refuses_seeds_that_no_game_has(zerogrid: Zerogrid) -> None:
    said = zerogrid("perft", "battlefield:5x5", "--depth", "1", "--seed", "-1").refused()
    assert "--seed is a whole number from 0 to 2^63 - 1" in said
