"""A function's signature is its command line.

    def perft(
        out: Output,
        game: Annotated[str, "a game, as in gomoku:6x6x4"],        # GAME
        *,
        depth: Annotated[int, "how many plies deep"] = 4,          # --depth N
        target: Literal["python", "cpu", "cuda"] = "cpu",          # --target python|cpu|cuda
        plugin: tuple[Path, ...] = (),                             # --plugin FILE, any number of times
    ) -> None:

The first parameter receives the Output. Parameters before the star are given by position, the others as options; a
bool is a switch. `--json` is understood by every command and never declared. The docstring is the help; its part that
begins with "Examples:" is shown as it stands. What does not fit is refused in one sentence.
"""

import argparse
import inspect
import re
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, Union

from zerogrid.core.errors import ZeroGridError, nearest, quote


class BadUsage(ZeroGridError):
    """The words on the command line do not fit the command."""


IN_OUR_WORDS = {
    "the following arguments are required:": "needs",
    ": expected (one|at least one) argument": " needs a value",
    ": ignored explicit argument .*": " takes no value",
}


class Parser(argparse.ArgumentParser):
    """argparse, saying what is wrong as an error with one sentence."""

    def error(self, message: str) -> NoReturn:
        sentence = message.removeprefix("argument ")
        for theirs, ours in IN_OUR_WORDS.items():
            sentence = re.sub(theirs, ours, sentence)
        raise BadUsage(f"{self.prog} {sentence.rstrip('.')}; see {self.prog} --help.")


def parser_of(name: str, function: Callable[..., Any]) -> Parser:
    """The parser for a command."""
    words, _, examples = inspect.getdoc(function).partition("Examples:")  # type: ignore[union-attr]
    parser = Parser(
        prog=f"zerogrid {name}",
        description=words.strip(),
        epilog=f"Examples:{examples.rstrip()}" if examples else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _, *parameters = inspect.signature(function, eval_str=True).parameters.values()
    for parameter in parameters:
        _add(parser, parameter)
    parser.add_argument("--json", action="store_true", help="write JSON to standard output, for programs")
    return parser


def parse(name: str, function: Callable[..., Any], words: list[str]) -> dict[str, Any]:
    """The arguments for a command's function, and 'json', from the words typed after its name."""
    parser = parser_of(name, function)
    known = [option for action in parser._actions for option in action.option_strings]
    for word in words[: words.index("--")] if "--" in words else words:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in known:
            hint = nearest(option, known) or f" See {parser.prog} --help."
            raise BadUsage(f"{parser.prog} has no option {quote(option)}.{hint}")
        if word == f"{option}=--":  # argparse would take the value away
            raise BadUsage(f"{parser.prog} takes no -- as the value of {option}; see {parser.prog} --help.")
    found, unknown = parser.parse_known_args(words)
    if unknown:
        raise BadUsage(f"{parser.prog} has no place for {quote(unknown[0])}; see {parser.prog} --help.")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in vars(found).items()}


# --- one parameter --------------------------------------------------------------------------------------------------


def _add(parser: Parser, parameter: inspect.Parameter) -> None:
    kind, text = parameter.annotation, None
    if typing.get_origin(kind) is Annotated:
        kind, text = typing.get_args(kind)[:2]
    kind = _without_none(kind)
    named = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    required = parameter.default is inspect.Parameter.empty
    label = "--" + parameter.name.replace("_", "-") if named else parameter.name
    what: dict[str, Any] = {"help": _with_default(text, parameter.default)}
    if kind is bool:
        parser.add_argument(label, action="store_true", **what)
        return
    many = typing.get_origin(kind) in (tuple, list)
    one = typing.get_args(kind)[0] if many else kind
    what["type"] = _reader(label if named else label.upper(), one)
    what["metavar"] = _metavar(parameter.name, one, named)
    if named:
        what["dest"], what["required"] = parameter.name, required
    if not required:
        what["default"] = parameter.default
    if many:
        what |= {"action": _Extend} if named else {"nargs": "+" if required else "*"}
    elif not named and not required:
        what["nargs"] = "?"
    parser.add_argument(label, **what)


class _Extend(argparse.Action):
    """An option that may be given again: each time adds one value to the tuple."""

    def __call__(self, parser: Any, found: Any, value: Any, option: Any = None) -> None:
        setattr(found, self.dest, (*(getattr(found, self.dest) or ()), value))


def _without_none(kind: Any) -> Any:
    if typing.get_origin(kind) in (Union, types.UnionType):
        (kind,) = (part for part in typing.get_args(kind) if part is not types.NoneType)
    return kind


def _with_default(text: str | None, default: Any) -> str | None:
    shown = default not in (inspect.Parameter.empty, None, "", ()) and default is not False
    words = " ".join(filter(None, [text, f"(default: {default})" if shown else None]))
    return words.replace("%", "%%") or None


def _metavar(name: str, kind: Any, named: bool) -> str:
    if typing.get_origin(kind) is Literal:
        return "|".join(typing.get_args(kind))
    if not named:
        return name.upper().replace("_", "-")
    return {int: "N", float: "X", Path: "FILE"}.get(kind, name.upper())


def _reader(label: str, kind: Any) -> Callable[[str], Any]:
    """From the word typed to the value, or a sentence about it."""
    choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else None

    def read(word: str) -> Any:
        if choices is not None:
            if word not in choices:
                known = f"{', '.join(choices[:-1])} or {choices[-1]}"
                raise BadUsage(f"{label} is {known}, not {quote(word)}.{nearest(word, choices)}")
            return word
        if kind is int:
            if not (word.isascii() and word.removeprefix("-").isdigit() and len(word) <= 18):
                raise BadUsage(f"{label} is a whole number, not {quote(word)}.")
            return int(word)
        if kind is float:
            return _float(label, word)
        return kind(word)

    return read


def _float(label: str, word: str) -> float:
    import math

    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadUsage(f"{label} is a number, not {quote(word)}.")
    return value
