"""Settings of networks: frozen dataclasses whose fields know their own range.

A model file carries them as JSON, so every value is checked before anything is built from it.
"""

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from torch import nn

from zerogrid.core.errors import BadNetwork, nearest, quote
from zerogrid.networks.answer import Answer
from zerogrid.networks.shapes import Shape


def whole(default: int, least: int, most: int, about: str) -> Any:
    """A field for a whole number."""
    return field(default=default, metadata={"least": least, "most": most, "about": about})


def share(default: float, about: str) -> Any:
    """A field for a number from 0 to below 1."""
    return field(default=default, metadata={"about": about})


def flag(default: bool, about: str) -> Any:
    """A field that is true or false."""
    return field(default=default, metadata={"about": about})


def choice(default: str, choices: tuple[str, ...], about: str) -> Any:
    """A field for one of some words."""
    return field(default=default, metadata={"choices": choices, "about": about})


def letters(default: str, alphabet: str, most: int, about: str) -> Any:
    """A field for a short word over a few letters, such as the order of blocks in a trunk."""
    return field(default=default, metadata={"alphabet": alphabet, "most": most, "about": about})


@dataclass(frozen=True)
class Settings:
    """The settings of one kind of network."""

    def __post_init__(self) -> None:
        for part in fields(self):
            _check(part.name, getattr(self, part.name), part.default, dict(part.metadata))

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON holds them."""
        return asdict(self)

    @classmethod
    def of(cls, given: dict[str, Any], owner: str) -> "Settings":
        """Settings from names and values; a name that does not exist is refused."""
        known = [part.name for part in fields(cls)]
        for name in given:
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise BadNetwork(f"{owner} has no setting {quote(name)}; {has}.{nearest(str(name), known)}")
        return cls(**given)


def _check(name: str, value: object, default: object, limits: dict[str, Any]) -> None:
    if isinstance(default, bool):
        good, right = isinstance(value, bool), "true or false"
    elif isinstance(default, int):
        least, most = limits["least"], limits["most"]
        good, right = type(value) is int and least <= value <= most, f"a whole number from {least} to {most}"
    elif isinstance(default, float):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        good, right = number and 0 <= float(value) < 1, "a number from 0 to below 1"  # type: ignore[arg-type]
    elif "choices" in limits:
        good, right = value in limits["choices"], f"one of {', '.join(limits['choices'])}"
    else:
        alphabet, most = limits["alphabet"], limits["most"]
        good = isinstance(value, str) and 0 < len(value) <= most and set(value) <= set(alphabet)
        right = f"1 to {most} letters out of {', '.join(alphabet)}"
    if not good:
        raise BadNetwork(f"setting {name} must be {right}, not {quote(value)}.")


class Network(nn.Module):
    """A network for one shape, with the settings it was made from."""

    def __init__(self, shape: Shape, settings: Settings):
        super().__init__()
        self.shape = shape
        self.settings = settings
        self.name = ""  # its name in the registry

    @property
    def needs_tokens(self) -> bool:
        """Whether `forward` wants the legal actions described beside the planes: forward(planes, tokens, present).

        tokens [B, T, features] and present [B, T] (bool) then say which actions there are, and the policy comes as
        [B, T] in the order of the tokens.
        """
        return False

    def __call__(self, *inputs: Any, **named: Any) -> Answer:
        answer: Answer = super().__call__(*inputs, **named)
        return answer


def divides(heads: int, width: int) -> None:
    """Refuse a number of heads that does not divide the width."""
    if width % heads:
        raise BadNetwork(f"{heads} heads cannot share a width of {width}; the width must be a multiple of the heads.")
