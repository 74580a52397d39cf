"""Whatever is typed or stands in a file: an answer, or exit code 2 and one sentence; no traceback, nothing changed."""

import codecs
import contextlib
import io
import json
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import zerogrid as library
from cli.conftest import Answer
from zerogrid.cli.commands import COMMANDS
from zerogrid.cli.frame import run

SPECS = [
    "tictactoe", "gomoku:3x3x3", "connect_four:4x4", "othello:4x4", "pawn_dama:4x3", "dots_and_boxes:1x2",
    "battlefield:5x5",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder to work in."""
    place = tmp_path_factory.mktemp("bad input")
    with contextlib.chdir(place):
        yield place


def call(*words: str, given_on_stdin: bytes = b"") -> Answer:
    """Run a command line in this process."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(given_on_stdin))  # type: ignore[assignment]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    finally:
        sys.stdin = stdin
    return Answer(code, out.getvalue(), err.getvalue())


def is_an_answer_or_a_refusal(answer: Answer) -> bool:
    """Exit code 0 and something on standard output, or 2 and one sentence."""
    if answer.code == 0:
        return bool(answer.out)
    return len(answer.refused()) < 600


NASTY = st.sampled_from(
    ["", " ", "-", "--", "-1", "0", "1e999", "nan", "NaN", "Infinity", "9" * 30, "9" * 10_000, "a" * 100_000, "\x00",
     "\ud800", "é", "١٢٣", "a1,", ",,,", "../../etc/passwd", "os:system", "__import__('os')", "%s%n", "{}", "\r\n",
     "gomoku:1000000x1000000x3", "gomoku:6x6x4,exact=maybe", "battlefield:5x5,agents=99", "=", "x=y", "*", "~"]
)  # fmt: skip
TYPED = NASTY | st.text(max_size=12) | st.integers().map(str) | st.floats().map(str)
MOVES = st.lists(st.sampled_from(["a1", "b2", "0", "3", "h0.0", "a2-a3"]) | TYPED, max_size=4).map(",".join)


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Something like a command line: mostly of the right shape, with anything in its places."""
    ours = ["show", "perft", "replay", "games", "check", "new-game"]
    command = draw(st.sampled_from(ours) | TYPED.filter(lambda word: word not in COMMANDS))
    words = [command]
    if command in ("show", "perft", "check"):
        words.append(draw(TYPED if command == "check" else st.sampled_from(SPECS) | TYPED))
    elif command in ("replay", "new-game"):
        words.append(draw(TYPED))
    options = {
        "show": {"--moves": MOVES, "--seed": TYPED, "--plugin": TYPED, "--svg": st.just("no/such/folder/x.svg")},
        "perft": {"--depth": st.sampled_from(["1", "2"]) | NASTY, "--seed": TYPED, "--target": TYPED},
        "check": {"--twin": TYPED, "--plugin": TYPED},
    }.get(command, {})
    for option, values in options.items():
        if draw(st.booleans()):
            words += [f"{option}={draw(values)}"] if draw(st.booleans()) else [option, draw(values)]
    if draw(st.booleans()):
        words.insert(draw(st.integers(0, len(words))), draw(st.just("--json") | TYPED))
    return words


@settings(max_examples=250, deadline=None)
@example(["show", "tictactoe", "--plugin=--"])
@example(["perft", "tictactoe", "--depth", "1", "--seed=--"])
@given(command_lines())
def test_whatever_is_typed_is_answered_or_refused(words: list[str]) -> None:
    before = sorted(Path().iterdir())
    answer = call(*words)
    assert is_an_answer_or_a_refusal(answer), words
    made = [file for file in Path().iterdir() if file not in before]
    if words[0] == "new-game" and answer.code == 0:
        assert len(made) == 1
        made[0].unlink()
    else:
        assert made == []


# --- positions files ------------------------------------------------------------------------------------------------

DEEP = "[" * 200_000
MALFORMED: dict[str, tuple[bytes, str]] = {
    "invalid UTF-8": (b'{"game": "tictactoe", "moves": ["\xff"]}', "line 1 is not UTF-8 text (byte 34); save the"),
    "half a surrogate": (b'{"game": "tictactoe", "moves": ["\\ud800"]}', "line 1, move 1:"),
    "a game of 10^6 letters": (b'{"game": "' + b"g" * 10**6 + b'", "moves": []}', "line 1 is too long; a line has at"),
    "a move of 900,000 letters": (b'{"game": "tictactoe", "moves": ["' + b"a" * 900_000 + b'"]}', "line 1, move 1:"),
    "a key of 900,000 letters": (b'{"' + b"k" * 900_000 + b'": 1}', "line 1 has an unknown key"),
    "no end of line for 10^7 bytes": (b" " * 10**7, "line 1 is too long"),
    "NaN": (b'{"game": "tictactoe", "moves": [NaN]}', "line 1 cannot be read: NaN is not a number in JSON"),
    "Infinity": (b'{"game": "tictactoe", "moves": [], "seed": -Infinity}', "-Infinity is not a number in JSON"),
    "a number too large for a float": (b'{"game": "tictactoe", "moves": [1e999]}', "move 1:"),
    "10^400": (b'{"game": "tictactoe", "moves": [1' + b"0" * 400 + b"]}", "line 1, move 1: there is no action"),
    "a seed of 10^400": (b'{"game": "tictactoe", "moves": [], "seed": 1' + b"0" * 400 + b"}", "from 0 to 2^63 - 1"),
    "a number of 10^5 digits": (b'{"game": "tictactoe", "moves": [' + b"7" * 10**5 + b"]}", "line 1 cannot be read"),
    "deep lists": (f'{{"game": "tictactoe", "moves": {DEEP}'.encode(), "line 1 is nested too deeply"),
    "deep objects": (b'{"moves":' * 90_000, "line 1 is nested too deeply"),
    "a huge board": (b'{"game": "gomoku:1000000x1000000x5", "moves": []}', "setting rows must lie from 3 to 20"),
    "a huge board of dots": (b'{"game": "dots_and_boxes:99999x99999", "moves": []}', "line 1: setting"),
    "a board of 10^30": (b'{"game": "othello:' + b"9" * 30 + b'x8", "moves": []}', "is a whole number"),
    "a game that is a file": (b'{"game": "/etc/passwd", "moves": []}', "there is no game"),
    "a game that is a game file": (b'{"game": "mine.py", "moves": []}', 'there is no game "mine.py"'),
    "a game that is a module": (b'{"game": "os", "moves": []}', 'there is no game "os"'),
    "a plugin": (b'{"game": "tictactoe", "moves": [], "plugin": "mine.py"}', 'unknown key "plugin"'),
    "moves in an object": (b'{"game": "tictactoe", "moves": {"0": 1}}', "line 1 has no list of moves"),
    "a move in a list": (b'{"game": "tictactoe", "moves": [["b2"]]}', "line 1, move 1:"),
    "a truth for a move": (b'{"game": "tictactoe", "moves": [true]}', '"True" is not a move'),
    "an illegal move": (b'{"game": "tictactoe", "moves": ["b2", "B2"]}', 'move 2: "B2" may not be played here'),
    "a move after the end": (b'{"game": "tictactoe", "moves": [0, 3, 1, 4, 2, 8]}', "move 6:"),
    "two objects": (b'{"game": "tictactoe", "moves": []}{}', "line 1 is not JSON (column 35: Extra data)"),
    "a binary file": (bytes(range(256)), "line 1 is not JSON"),
    "UTF-16": ('{"game": "tictactoe", "moves": []}'.encode("utf-16"), "is not UTF-8 text"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_its_place(name: str, folder: Path) -> None:
    content, said = MALFORMED[name]
    (folder / "mine.py").write_text("raise RuntimeError('a positions file has run code')")
    for way in ("file", "standard input"):
        (folder / "p.jsonl").write_bytes(content)
        tracemalloc.start()
        answer = call("replay", "p.jsonl", "--json") if way == "file" else call("replay", "-", given_on_stdin=content)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        sentence = answer.refused()
        place = "p.jsonl" if way == "file" else "standard input"
        assert sentence.startswith(place), sentence
        assert said in sentence
        assert len(sentence) < 500
        assert peak < 50_000_000 + 10 * len(content)
        assert (folder / "p.jsonl").read_bytes() == content
    (folder / "p.jsonl").unlink()
    (folder / "mine.py").unlink()


def test_a_fault_on_the_last_line_keeps_all_lines_back(folder: Path) -> None:
    good = b'{"game": "tictactoe", "moves": ["b2"]}\n'
    (folder / "p.jsonl").write_bytes(good * 300 + b"\n\n" + b"{}\n")
    for words in (["replay", "p.jsonl"], ["replay", "p.jsonl", "--json"]):
        assert call(*words).refused().startswith("p.jsonl, line 303 does not name its game")
    (folder / "p.jsonl").write_bytes(b"\n" + good * 300 + b"\n \n")
    records = call("replay", "p.jsonl", "--json").records
    assert [record["line"] for record in records] == list(range(2, 302))
    (folder / "p.jsonl").unlink()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 60) | st.floats() | TYPED | st.sampled_from(SPECS),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)
LINES = st.fixed_dictionaries(
    {"game": st.sampled_from(SPECS) | ANYTHING, "moves": st.lists(st.integers(0, 30) | ANYTHING, max_size=6)},
    optional={"seed": st.integers() | ANYTHING, "extra": ANYTHING},
).map(lambda line: json.dumps(line).encode())


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES | st.binary(max_size=40), max_size=3).map(b"\n".join), st.booleans())
def test_whatever_stands_in_a_file_is_answered_or_refused(content: bytes, as_json: bool) -> None:
    answer = call("replay", "-", *(["--json"] if as_json else []), given_on_stdin=content)
    assert answer.code in (0, 2)
    empty = not content.removeprefix(codecs.BOM_UTF8).strip()
    assert is_an_answer_or_a_refusal(answer) or (answer.code == 0 and as_json and empty)


# --- answers that are right -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_replay_says_what_positions_say(data: st.DataObject) -> None:
    position = library.game(data.draw(st.sampled_from(SPECS))).start(data.draw(st.integers(0, 99)))
    moves: list[Any] = []
    for _ in range(data.draw(st.integers(0, 12))):
        if position.over:
            break
        index = data.draw(st.integers(0, len(position.actions) - 1))
        moves.append(data.draw(st.sampled_from([position.actions[index], position.legal[index]])))
        position.play(moves[-1])
    line = {"game": position.game.spec, "seed": position.seed, "moves": moves}
    (record,) = call("replay", "-", "--json", given_on_stdin=json.dumps(line).encode()).records
    outcome = position.outcome
    assert record == {
        "line": 1,
        "game": position.game.spec,
        "to_move": position.to_move,
        "legal": position.actions,
        "over": outcome is not None,
        "scores": list(outcome.scores) if outcome else None,
    }
