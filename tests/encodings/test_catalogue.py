"""Finding encodings by name: specs that round-trip, and sentences for those that are wrong."""

from pathlib import Path

import pytest

import zerogrid
from zerogrid.core.errors import BadEncodingFile, BadSetting, UnknownEncoding
from zerogrid.encodings import default_encoding, encoding, names_for, settings_of, use_file
from zerogrid.encodings.catalogue import DEFAULTS, SHELF


def test_every_game_is_shown_by_the_encoding_meant_for_it() -> None:
    for game, name in DEFAULTS.items():
        assert default_encoding(game).name == name
        assert names_for(game)[-1] == "generic"
    for game in zerogrid.names():
        assert default_encoding(game).name == DEFAULTS.get(game, "generic")


@pytest.mark.parametrize(
    "game, written, spec",
    [
        ("gomoku:6x6x4", " Stones , history = 5", "stones,history=5"),
        ("gomoku:6x6x4", "stones,history=1", "stones"),
        ("pawn_dama:5x5", "oneplane,policy=compact,history=2", "oneplane,history=2,policy=compact"),
        ("battlefield", "teams,context=true,turned=false", "teams,context=true"),
    ],
)
def test_a_spec_names_the_same_encoding_again(game: str, written: str, spec: str) -> None:
    made = encoding(game, written)
    assert made.spec == spec
    assert encoding(game, made.spec) is made
    assert encoding(game, made.spec) == made
    assert repr(made) == f"zerogrid.encodings.encoding({made.game.spec!r}, {spec!r})"


@pytest.mark.parametrize(
    "game, spec, error, words",
    [
        ("gomoku:6x6x4", "stone", UnknownEncoding, '"stone"; it has generic, stones. Did you mean "stones"?'),
        ("gomoku:6x6x4", "chainloop6", UnknownEncoding, 'gomoku:6x6x4 has no encoding "chainloop6"'),
        ("gomoku:6x6x4", "stones,history=17", BadSetting, "history must lie from 1 to 16, not 17"),
        ("gomoku:6x6x4", "stones,history=x", BadSetting, 'history is a whole number, not "x"'),
        ("gomoku:6x6x4", "stones,past=2", BadSetting, 'no setting "past"; it has history'),
        ("gomoku:6x6x4", "stones,history", BadSetting, "write name=value"),
        ("gomoku:6x6x4", "stones,history=2,history=3", BadSetting, "given twice"),
        ("pawn_dama:5x5", "oneplane,policy=small", BadSetting, 'one of full, compact, not "small"'),
        ("battlefield", "teams,context=perhaps", BadSetting, 'true or false, not "perhaps"'),
        ("gomoku:6x6x4", "x" * 300, UnknownEncoding, "not the name of any encoding"),
        ("gomoku:6x6x4", "stones\n", UnknownEncoding, "not the name of any encoding"),
    ],
)
def test_bad_specs_are_refused_in_one_sentence(game: str, spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        encoding(game, spec)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_settings_are_known() -> None:
    assert set(settings_of("battlefield", "teams")) == {"history", "context", "turned"}


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("mine.txt", "", "must be letters, digits and _, then .py"),
        ("stones.py", "", "would hide the encoding stones"),
        ("mine.py", None, "there is no encoding file"),
        ("mine.py", "def show(", "mine.py is not Python"),
        ("mine.py", "1 / 0", "mine.py does not run: ZeroDivisionError"),
        ("mine.py", "HEIGHT = WIDTH = 3", "has no PLANE_NAMES"),
        ("mine.py", "HEIGHT = WIDTH = 3; PLANE_NAMES = ('a',)", "none of show, paint and encode"),
        ("mine.py", "HEIGHT = 0; WIDTH = 3; PLANE_NAMES = ('a',)", "HEIGHT must be a whole number from 1 to 64"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path: Path, name: str, text: str | None, words: str) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    try:
        with pytest.raises(BadEncodingFile) as raised:
            encoding("tictactoe", use_file(file))
        assert words in str(raised.value)
    finally:
        for kept in (SHELF._from_files, SHELF._code, SHELF._declared, SHELF._names):
            kept.clear()
