"""Files that are run once for each game and each choice of their settings: encodings, and potentials.

A spec such as "stones,history=5" names a file and its settings. Files come from a folder of ours and from the person
at the keyboard (`use_file`). A run or a model only ever holds a spec, which is looked up here; it cannot name code.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from zerogrid.core.encoding import NotThisGame, making_encoding
from zerogrid.core.errors import BadSetting, ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.core.rules import Setting, making_instance

LONGEST_SPEC = 200
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
Values = tuple[tuple[str, Any], ...]


class Shelf:
    """One kind of file: `what` it is called, where ours stand, and the errors for unknown names and bad files."""

    def __init__(
        self, what: str, folder: Path, unknown: type[ZeroGridError], bad: type[ZeroGridError], example: str
    ) -> None:
        self.what = what
        self.folder = folder
        self.unknown = unknown
        self.bad = bad
        self.example = example
        self._from_files: dict[str, Path] = {}
        self._code: dict[Path, CodeType] = {}
        self._declared: dict[tuple[str, Game], dict[str, Setting]] = {}
        self._names: dict[Game, tuple[str, ...]] = {}

    # --- names --------------------------------------------------------------------------------------------------------

    def names_for(self, game: Game) -> tuple[str, ...]:
        """The names of the files that are made for a game."""
        if game not in self._names:
            self._names[game] = tuple(name for name in self._all_names() if self._fits(name, game))
        return self._names[game]

    def _all_names(self) -> list[str]:
        return sorted({*self._own_names(), *self._from_files})

    def _own_names(self) -> list[str]:
        return [file.stem for file in self.folder.glob("*.py") if not file.stem.startswith("_")]

    def _fits(self, name: str, game: Game) -> bool:
        try:
            self.declared(name, game)
        except NotThisGame:
            return False
        except ZeroGridError:
            pass  # made for this game, and will say itself what is wrong
        return True

    def use_file(self, path: str | Path) -> str:
        """Make a file of one's own known under its file name; returns that name."""
        file = Path(path)
        name = file.stem.lower()
        if not NAME.fullmatch(name) or file.suffix != ".py":
            raise self.bad(f"{quote(path)} cannot be of use here: its name must be letters, digits and _, then .py.")
        if not file.is_file():
            raise self.bad(f"there is no {self.what} file {quote(path)}.")
        if name in self._own_names():
            raise self.bad(f"{quote(path)} would hide the {self.what} {name} that comes with ZeroGrid; rename it.")
        self._from_files[name] = file.resolve()
        for kept in (self._code, self._declared, self._names):
            kept.clear()
        return name

    # --- specs --------------------------------------------------------------------------------------------------------

    def find(self, game: Game, spec: str, default: str) -> tuple[str, Values]:
        """The name in a spec, or the default, and the value of each of its settings."""
        if len(spec) > LONGEST_SPEC or not spec.isprintable():
            raise self.unknown(f"{quote(spec)} is not the name of any {self.what}; names look like {self.example}.")
        head, *settings = spec.split(",")
        name, known = head.strip().lower() or default, self.names_for(game)
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "there is none for this game"
            raise self.unknown(f"{game.spec} has no {self.what} {quote(name)}; {has}.{nearest(name, known)}")
        declared = self.declared(name, game)
        given: dict[str, Any] = {}
        for part in settings:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise BadSetting(f"{quote(part)} in {quote(spec)} is not a setting; write name=value.")
            if key not in declared:
                there_are = ", ".join(declared) or "none"
                meant = nearest(key, declared)
                raise BadSetting(f"{self.what} {name} has no setting {quote(key)}; it has {there_are}.{meant}")
            if key in given:
                raise BadSetting(f"setting {key} is given twice in {quote(spec)}.")
            given[key] = declared[key].check(value)
        return name, tuple((key, given.get(key, setting.default)) for key, setting in declared.items())

    def declared(self, name: str, game: Game) -> dict[str, Setting]:
        """The settings that a file declares for a game."""
        if (name, game) not in self._declared:
            self._declared[name, game] = self.run(name, game, ())[1]
        return self._declared[name, game]

    @staticmethod
    def write(name: str, values: dict[str, Any], declared: dict[str, Setting]) -> str:
        """The spec of a choice of settings: what differs from the defaults is said."""
        return name + "".join(
            f",{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in values.items()
            if value != declared[key].default
        )

    # --- running the files --------------------------------------------------------------------------------------------

    def run(self, name: str, game: Game, values: Values) -> tuple[ModuleType, dict[str, Setting]]:
        """Run a file for a game with these settings: its module, and the settings it declared."""
        file = self._from_files.get(name, self.folder / f"{name}.py")
        module = ModuleType(f"zerogrid_{self.what}_{file.stem}")
        module.__file__ = str(file)
        with making_encoding(game.module), making_instance(dict(values)) as declared, self._explained(file):
            exec(self._compiled(file), module.__dict__)  # noqa: S102 - an encoding is code
        return module, declared

    def _compiled(self, file: Path) -> CodeType:
        if file not in self._code:
            try:
                self._code[file] = compile(file.read_bytes(), str(file), "exec")
            except (SyntaxError, ValueError) as error:
                raise self.bad(f"{file.name} is not Python: {error}.") from error
        return self._code[file]

    @contextmanager
    def _explained(self, file: Path) -> Iterator[None]:
        try:
            yield
        except ZeroGridError:
            raise
        except Exception as error:
            raise self.bad(f"{file.name} does not run: {type(error).__name__}: {str(error).rstrip('.')}.") from error
