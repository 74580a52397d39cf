"""Options: fields of frozen dataclasses that say what they are, what they may be, and what the papers have there.

    lr: float = number(0.002, "learning rate at the start", 1e-6, 10.0, papers="0.001 in Dotsformer and SigmaGo")

A value from a file or the command line is checked and brought to its type; what does not fit is a sentence.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from math import isfinite
from typing import Any

from zerogrid.core.errors import ZeroGridError, nearest, quote

LONGEST_TEXT = 500
LARGEST_WHOLE = 10**15


class BadConfig(ZeroGridError):
    """A configuration names something that does not exist, or asks for what cannot be."""


@dataclass(frozen=True)
class Limits:
    """What is known of one option."""

    kind: type
    about: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    papers: str = ""


def _option(default: Any, limits: Limits) -> Any:
    return field(default=default, metadata={"limits": limits})


def whole(default: int, about: str, least: int = 0, most: int = LARGEST_WHOLE, papers: str = "") -> Any:
    """A whole number."""
    return _option(default, Limits(int, about, least, most, papers=papers))


def number(default: float, about: str, least: float = 0.0, most: float = 1.0, papers: str = "") -> Any:
    """A number."""
    return _option(default, Limits(float, about, least, most, papers=papers))


def flag(default: bool, about: str, papers: str = "") -> Any:
    """True or false."""
    return _option(default, Limits(bool, about, papers=papers))


def text(default: str, about: str, papers: str = "") -> Any:
    """A short text, checked elsewhere."""
    return _option(default, Limits(str, about, papers=papers))


def choice(default: str, choices: tuple[str, ...], about: str, papers: str = "") -> Any:
    """One of some words."""
    return _option(default, Limits(str, about, choices=choices, papers=papers))


def checked(name: str, value: Any, limits: Limits) -> Any:
    """The value as its type, or a BadConfig that says what would be right."""
    kind: Any = limits.kind
    if kind is bool:
        if not isinstance(value, bool):
            raise BadConfig(f"{name} is true or false, not {quote(value)}.")
        return value
    if kind is str:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
            raise BadConfig(f"{name} is a text of at most {LONGEST_TEXT} characters, not {quote(value)}.")
        if limits.choices and value not in limits.choices:
            known = ", ".join(limits.choices)
            raise BadConfig(f"{name} is one of {known}, not {quote(value)}.{nearest(value, limits.choices)}")
        return value
    wanted: Any = int if kind is int else int | float
    if isinstance(value, wanted) and not isinstance(value, bool):
        # Compared as it is: a whole number with hundreds of digits does not become a float.
        assert limits.least is not None
        assert limits.most is not None
        if limits.least <= value <= limits.most and (isinstance(value, int) or isfinite(value)):
            return kind(value)
    words = "a whole number" if kind is int else "a number"
    raise BadConfig(f"{name} is {words} from {_plain(limits.least)} to {_plain(limits.most)}, not {quote(value)}.")


def _plain(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def limits_of(part: Any) -> Limits:
    """What is known of a dataclass field made by the functions above."""
    known = part.metadata.get("limits")
    assert isinstance(known, Limits), part.name
    return known


def section_from(kind: Any, name: str, given: Any) -> Any:
    """A section made from a mapping; unknown names are refused with the nearest right one."""
    if not isinstance(given, Mapping):
        raise BadConfig(f"[{name}] is a section with names and values, not {quote(given)}.")
    known = {part.name: part for part in fields(kind)}
    values = {}
    for key, value in given.items():
        if key not in known:
            hint = nearest(str(key), known) or f" It has {', '.join(known)}."
            raise BadConfig(f"[{name}] has no {quote(key)}.{hint}")
        values[key] = checked(f"{name}.{key}", value, limits_of(known[key]))
    return kind(**values)


def from_word(name: str, word: str, limits: Limits) -> Any:
    """The value that a word on the command line means."""
    if limits.kind is str:
        return checked(name, word, limits)
    if limits.kind is bool:
        return checked(name, {"true": True, "false": False}.get(word.lower(), word), limits)
    value: Any = word
    try:
        if len(word) <= 40:
            plain = word.replace("_", "").replace(",", "")
            value = int(plain) if limits.kind is int else float(plain)
    except ValueError:
        pass
    return checked(name, value, limits)


def default_of(part: Any) -> Any:
    """The default of a field."""
    return part.default if part.default is not MISSING else part.default_factory()
