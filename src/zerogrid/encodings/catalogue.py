"""From a game and a text such as "stones,history=5" to an encoding.

Encoding files come from encodings/files and from files that the person at the keyboard names (`use_file`). A run or a
model only ever holds an encoding's spec, which is looked up here; it cannot name code.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from zerogrid.core.catalogue import game as game_of
from zerogrid.core.encoding import NotThisGame, making_encoding
from zerogrid.core.errors import BadEncodingFile, BadSetting, UnknownEncoding, ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.core.rules import Setting, making_instance
from zerogrid.encodings.encoding import Encoding

LONGEST_SPEC = 200
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
OWN_FILES = Path(__file__).resolve().parent / "files"

# What a game is shown by where nobody says; other games by the generic encoding, which fits any.
DEFAULTS = {
    "gomoku": "stones",
    "tictactoe": "stones",
    "connect_four": "stones",
    "othello": "stones",
    "pawn_dama": "oneplane",
    "dots_and_boxes": "chainloop6",
    "battlefield": "teams",
}
GENERIC = "generic"

_from_files: dict[str, Path] = {}


def encoding(game: Game | str, spec: str = "") -> Encoding:
    """The encoding of a game that a spec names: name, then ',setting=value' as often as needed; "" for the default."""
    game = game_of(game) if isinstance(game, str) else game
    if len(spec) > LONGEST_SPEC or not spec.isprintable():
        raise UnknownEncoding(f"{quote(spec)} is not the name of an encoding; names look like stones,history=5.")
    head, *settings = spec.split(",")
    name = head.strip().lower() or default_name(game)
    known = names_for(game)
    if name not in known:
        there_are = ", ".join(known)
        raise UnknownEncoding(f"{game.spec} has no encoding {quote(name)}; it has {there_are}.{nearest(name, known)}")
    declared = _declared(_file_of(name), game)
    given: dict[str, Any] = {}
    for part in settings:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise BadSetting(f"{quote(part)} in {quote(spec)} is not a setting; write name=value.")
        if key not in declared:
            there_are = ", ".join(declared) or "none"
            meant = nearest(key, declared)
            raise BadSetting(f"encoding {name} has no setting {quote(key)}; it has {there_are}.{meant}")
        if key in given:
            raise BadSetting(f"setting {key} is given twice in {quote(spec)}.")
        given[key] = declared[key].check(value)
    values = {key: given.get(key, setting.default) for key, setting in declared.items()}
    return _make(game, name, tuple(values.items()))


def default_name(game: Game) -> str:
    """The name of the encoding a game is shown by where nobody says."""
    preferred = DEFAULTS.get(game.name, GENERIC)
    return preferred if preferred in names_for(game) else GENERIC


def default_encoding(game: Game | str) -> Encoding:
    """The encoding a game is shown by where nobody says."""
    return encoding(game)


def names_for(game: Game | str) -> list[str]:
    """The names of the encodings that a game has, those made for it before the generic one."""
    return list(_names_for(game_of(game) if isinstance(game, str) else game))


def settings_of(game: Game | str, name: str) -> dict[str, Setting]:
    """The settings that an encoding declares."""
    return dict(encoding(game, name).declared)


def use_file(path: str | Path) -> str:
    """Make an encoding file of one's own known under its file name; returns that name."""
    file = Path(path)
    name = file.stem.lower()
    if not NAME.fullmatch(name) or file.suffix != ".py":
        raise BadEncodingFile(f"{quote(path)} cannot be an encoding: its name is letters, digits and _, then .py.")
    if not file.is_file():
        raise BadEncodingFile(f"there is no encoding file {quote(path)}.")
    if name in _own_names():
        raise BadEncodingFile(f"{quote(path)} would hide the encoding {name} that comes with ZeroGrid; rename it.")
    _from_files[name] = file.resolve()
    for kept in (_code, _declared, _names_for, _make):
        kept.cache_clear()
    return name


# --- running the files ----------------------------------------------------------------------------------------------


def _own_names() -> list[str]:
    return sorted(file.stem for file in OWN_FILES.glob("*.py") if not file.stem.startswith("_"))


@lru_cache(maxsize=256)
def _names_for(game: Game) -> tuple[str, ...]:
    fitting = []
    for name in sorted({*_own_names(), *_from_files}):
        try:
            _declared(_file_of(name), game)
        except NotThisGame:
            continue
        except ZeroGridError:
            pass  # made for this game, and will say itself what is wrong
        fitting.append(name)
    return tuple(sorted(fitting, key=lambda name: name == GENERIC))


def _file_of(name: str) -> Path:
    return _from_files[name] if name in _from_files else OWN_FILES / f"{name}.py"


@lru_cache(maxsize=1024)
def _declared(file: Path, game: Game) -> dict[str, Setting]:
    """The settings that a file declares for a game."""
    return _run_file(file, game, ())[1]


@lru_cache(maxsize=256)
def _make(game: Game, name: str, values: tuple[tuple[str, Any], ...]) -> Encoding:
    module, declared = _run_file(_file_of(name), game, values)
    return Encoding(game, name, module, dict(values), declared)


@cache
def _code(file: Path) -> CodeType:
    try:
        return compile(file.read_bytes(), str(file), "exec")
    except (SyntaxError, ValueError) as error:
        raise BadEncodingFile(f"{file.name} is not Python: {error}.") from error


def _run_file(file: Path, game: Game, values: tuple[tuple[str, Any], ...]) -> tuple[ModuleType, dict[str, Setting]]:
    """Run an encoding file for a game with these settings: its module, and the settings it declared."""
    module = ModuleType(f"zerogrid_encoding_{file.stem}")
    module.__file__ = str(file)
    with making_encoding(game.module), making_instance(dict(values)) as declared, _explained(file):
        exec(_code(file), module.__dict__)  # noqa: S102 - an encoding is code
    return module, declared


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except ZeroGridError:
        raise
    except Exception as error:
        raise BadEncodingFile(f"{file.name} does not run: {type(error).__name__}: {str(error).rstrip('.')}.") from error
