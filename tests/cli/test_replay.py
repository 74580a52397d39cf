"""replay: positions files, good ones and malformed ones."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.conftest import Zerogrid
from zerogrid.core.errors import BadPosition
from zerogrid.core.positions import positions_in

GOOD = b'{"game": "tictactoe", "moves": ["b2", 0]}\n'


def test_replay_says_how_each_position_stands(zerogrid: Zerogrid) -> None:
    lines = [
        {"game": "tictactoe", "moves": []},
        {"game": "gomoku:3x3x3", "moves": ["a1", 3, "b1", 4, "c1"]},
        {"moves": [2, 2], "game": "connect_four:4x4"},
        {"game": "battlefield:7x7", "moves": [], "seed": 5},
    ]
    Path("p.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    start, won, stacked, seeded = zerogrid("replay", "p.jsonl", "--json").records
    assert (start["to_move"], start["legal"], start["over"], start["scores"]) == (0, list(range(9)), False, None)
    assert (won["legal"], won["over"], won["scores"]) == ([], True, [1.0, -1.0])
    assert (stacked["line"], stacked["to_move"], stacked["legal"]) == (3, 0, [0, 1, 2, 3])
    assert seeded["legal"]
    assert zerogrid("replay", "p.jsonl").out.count("\n") == 4


def test_replay_reads_standard_input(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    from_another_system = b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(from_another_system)))
    (record,) = zerogrid("replay", "-", "--json").records
    assert record["legal"] == [1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"\xff\xfe{}", "is not UTF-8 text (byte 1)"),
        (b"{", "is not JSON (column 2"),
        (b"[1]", "is not a JSON object; write it like"),
        (b"{}", "does not name its game"),
        (b'{"game": "tictactoe"}', "has no list of moves"),
        (b'{"game": "tictactoe", "moves": "b2"}', "has no list of moves"),
        (b'{"game": 7, "moves": []}', "does not name its game"),
        (b'{"game": "tictactoe", "move": []}', 'unknown key "move"; it has game, moves, seed. Did you mean "moves"?'),
        (b'{"game": "tictactoe", "moves": [], "moves": [1]}', 'the key "moves" is given twice'),
        (b'{"game": "tictacto", "moves": []}', 'there is no game "tictacto"'),
        (b'{"game": "%s", "moves": []}' % (b"a" * 900_000), "is not the name of a game"),
        (b'{"game": "tictactoe", "moves": ["%s"]}' % (b"a" * 900_000), "move 1:"),
        (b'{"game": "gomoku:1000000000x1000000000x5", "moves": []}', "setting rows"),
        (b'{"game": "gomoku:19x21x5", "moves": []}', "columns must lie from 3 to 20, not 21"),
        (b'{"game": "./evil.py", "moves": []}', "there is no game"),
        (b'{"game": "tictactoe", "moves": [NaN]}', "NaN is not a number in JSON"),
        (b'{"game": "tictactoe", "moves": [Infinity]}', "Infinity is not a number in JSON"),
        (b'{"game": "tictactoe", "moves": [1%s]}' % (b"0" * 400), "there is no action"),
        (b'{"game": "tictactoe", "moves": [%s]}' % (b"9" * 100_000), "cannot be read"),
        (b'{"game": "tictactoe", "moves": [1.0]}', "is not a move"),
        (b'{"game": "tictactoe", "moves": [true]}', "is not a move"),
        (b'{"game": "tictactoe", "moves": [null]}', "is not a move"),
        (b'{"game": "tictactoe", "moves": [[]]}', "is not a move"),
        (b'{"game": "tictactoe", "moves": [-1]}', "there is no action"),
        (b'{"game": "tictactoe", "moves": [9]}', "there is no action"),
        (b'{"game": "tictactoe", "moves": ["b2", "b2"]}', 'move 2: "b2" may not be played here; legal are a1'),
        (b'{"game": "tictactoe", "moves": [0, 3, 1, 4, 2, 5]}', 'move 6: "5" cannot be played: the game has ended'),
        (b'{"game": "tictactoe", "moves": [], "seed": -1}', "the seed is a whole number"),
        (b'{"game": "tictactoe", "moves": [], "seed": 1e3}', "the seed is a whole number"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"game": {"a": ' * 50_000, "nested too deeply"),
        (b'{"game": "tictactoe", "moves": []' + b" " * 1_000_000 + b"}", "a line has at most 1,000,000 bytes"),
        (b'{"game": "tictactoe", "moves": []}\x00', "is not JSON"),
    ],
)
def test_a_malformed_line_is_named_and_nothing_is_printed(line: bytes, sentence: str, zerogrid: Zerogrid) -> None:
    Path("p.jsonl").write_bytes(GOOD + GOOD + line + b"\n")
    said = zerogrid("replay", "p.jsonl", "--json").refused()
    assert said.startswith("p.jsonl, line 3")
    assert sentence in said
    assert len(said) < 500


@pytest.mark.parametrize("path", ["nothing.jsonl", ".", "x" * 300, "a\0b"])
def test_a_file_that_cannot_be_read_is_refused(path: str, zerogrid: Zerogrid) -> None:
    assert "cannot be read" in zerogrid("replay", path).refused()


def test_an_empty_file_holds_no_positions(zerogrid: Zerogrid) -> None:
    Path("p.jsonl").write_bytes(b"\n\n")
    assert zerogrid("replay", "p.jsonl").out == "The file holds no positions.\n"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("tictactoe"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["game", "moves", "seed", "x"]), inner),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(VALUES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=80))
def test_whatever_stands_in_a_file_is_a_position_or_refused(line: bytes) -> None:
    refused = None
    try:
        for placed in positions_in(io.BytesIO(line), "file"):
            assert placed.position.actions or placed.position.over
    except BadPosition as error:
        refused = str(error)
    assert refused is None or refused.startswith("file, line ")
