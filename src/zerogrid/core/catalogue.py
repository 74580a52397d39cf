"""The catalogue: from a text such as "gomoku:6x6x4" or "pawn_dama:6x6,stuck=loss" to a game.

Game files come from three places: zerogrid/games, packages with an entry point in the group "zerogrid.games", and
files that the person at the keyboard names (`use_file`, --plugin). A run, a model, a position or a configuration only
ever holds a game's spec, which is looked up here; it cannot name code.
"""

import hashlib
import re
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path
from types import ModuleType
from typing import Any

from zerogrid.core.errors import BadGameFile, BadSetting, UnknownGame, ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.core.rules import Setting, making_instance

LONGEST_SPEC = 200
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
OWN_GAMES = Path(__file__).resolve().parent.parent / "games"

_from_files: dict[str, Path] = {}


def use_file(path: str | Path) -> str:
    """Make a game file of one's own known under its file name; returns that name."""
    file = Path(path)
    name = file.stem.lower()
    if not NAME.fullmatch(name) or file.suffix != ".py":
        raise BadGameFile(f"{quote(path)} cannot be a game: its name must be letters, digits and _, ending in .py.")
    if not file.is_file():
        raise BadGameFile(f"there is no game file {quote(path)}.")
    if (OWN_GAMES / f"{name}.py").is_file() and not (OWN_GAMES / f"{name}.py").samefile(file):
        raise BadGameFile(f"{quote(path)} would hide the game {name} that comes with ZeroGrid; give it another name.")
    _from_files[name] = file.resolve()
    _run_file(_from_files[name], ())  # say at once what is wrong with it
    _make.cache_clear()
    return name


def names() -> list[str]:
    """The names of all games."""
    own = [file.stem for file in OWN_GAMES.glob("*.py") if not file.stem.startswith("_")]
    return sorted({*own, *_entry_points(), *_from_files})


def game(spec: str) -> Game:
    """The game that a spec names: name, then ':' and the variant, then ',setting=value' as often as needed."""
    if not isinstance(spec, str) or len(spec) > LONGEST_SPEC or not spec.isprintable():  # type: ignore[redundant-expr]
        raise UnknownGame(f"{quote(spec)} is not the name of a game; names look like gomoku:6x6x4.")
    head, *settings = spec.strip().split(",")
    name, colon, variant = head.partition(":")
    name = name.strip().lower()
    if name not in names():
        raise UnknownGame(f"there is no game {quote(name)}; there are {', '.join(names())}.{nearest(name, names())}")
    module, declared = _run_file(_file_of(name), ())
    given: dict[str, Any] = _from_variant(name, module, variant.strip()) if colon else {}
    for part in settings:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise BadSetting(f"{quote(part)} in {quote(spec)} is not a setting; write name=value.")
        if key not in declared:
            known = ", ".join(declared) or "none"
            raise BadSetting(f"{name} has no setting {quote(key)}; it has {known}.{nearest(key, declared)}")
        if key in given:
            raise BadSetting(f"setting {key} is given twice in {quote(spec)}.")
        given[key] = value
    checked = {key: declared[key].check(value) for key, value in given.items()}
    values = {key: checked.get(key, setting.default) for key, setting in declared.items()}
    return _make(name, tuple(values.items()))


def settings_of(name: str) -> dict[str, Setting]:
    """The settings that a game declares."""
    return _run_file(_file_of(name), ())[1]


@lru_cache(maxsize=256)
def _make(name: str, values: tuple[tuple[str, Any], ...]) -> Game:
    module, declared = _run_file(_file_of(name), values)
    return Game(name, module, dict(values), declared)


def _file_of(name: str) -> Path:
    if name in _from_files:
        return _from_files[name]
    own = OWN_GAMES / f"{name}.py"
    if own.is_file():
        return own
    found = util.find_spec(_entry_points()[name])
    if found is None or found.origin is None:
        raise UnknownGame(f"the package that offers {quote(name)} has no module {quote(_entry_points()[name])}.")
    return Path(found.origin)


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, str]:
    points = metadata.entry_points(group="zerogrid.games")
    return {point.name: point.value for point in points if NAME.fullmatch(point.name)}


def _run_file(file: Path, values: tuple[tuple[str, Any], ...]) -> tuple[ModuleType, dict[str, Setting]]:
    """Run a game file with these settings: its module, and the settings it declared."""
    module = ModuleType(f"zerogrid_game_{file.stem}")
    module.__file__ = str(file)
    with making_instance(dict(values)) as declared:
        try:
            source = file.read_bytes()
            exec(compile(source, str(file), "exec"), module.__dict__)  # noqa: S102 - a game is code
            module.SOURCE = hashlib.sha256(source).hexdigest()  # type: ignore[attr-defined]
        except ZeroGridError:
            raise
        except Exception as error:
            raise BadGameFile(f"{file.name} does not run: {_in_words(error, file)}.") from error
    return module, declared


def _in_words(error: Exception, file: Path) -> str:
    line, trace = getattr(error, "lineno", None), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    place = f"line {line}: " if line else ""
    return f"{place}{type(error).__name__}: {str(error).rstrip('.')}"


def _from_variant(name: str, module: ModuleType, text: str) -> dict[str, str]:
    """The settings in a variant: "{rows}x{columns}" and "6x7" give rows 6 and columns 7."""
    form = getattr(module, "VARIANT", "")
    if not form:
        raise BadSetting(f"{name} has no variants; write {name} alone, not {quote(name + ':' + text)}.")
    fields = re.findall(r"{(\w+)}", form)
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^,x]+?)", re.escape(form))
    found = re.fullmatch(pattern, text)
    if found is None:
        default = form.format(**{key: setting.default for key, setting in settings_of(name).items()})
        form = "x".join(fields)
        raise BadSetting(f"{quote(text)} is not a variant of {name}; write {form}, such as {name}:{default}.")
    return found.groupdict()
