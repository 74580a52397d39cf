"""Numbers that change at certain points, as a short text: "0:1.0, 16:0.25" is 1 from 0 on and 0.25 from 16 on."""

from math import isfinite

from zerogrid.core.errors import quote
from zerogrid.training.options import BadConfig

Steps = tuple[tuple[int, float], ...]
MOST_STEPS = 64


def steps_of(name: str, text: str, least: float = 0.0, most: float = 100.0) -> Steps:
    """The points and values in a text; the first point is 0."""
    found: list[tuple[int, float]] = []
    for part in text.split(","):
        at, colon, value = part.partition(":")
        good = colon and at.strip().isascii() and at.strip().isdigit() and len(at.strip()) <= 9
        try:
            number = float(value) if len(value) <= 30 else float("nan")
        except ValueError:
            number = float("nan")
        if not good or not isfinite(number) or not least <= number <= most or len(found) == MOST_STEPS:
            raise BadConfig(f"{name} is written like 0:1.0,16:0.25, values {least:g} to {most:g}; not {quote(text)}.")
        found.append((int(at), number))
    points = [at for at, _ in found]
    if points[0] != 0 or points != sorted(set(points)):
        raise BadConfig(f"{name} begins at 0 and goes upward, each point once; {quote(text)} does not.")
    return tuple(found)


def value_at(steps: Steps, point: int) -> float:
    """The value that holds at a point."""
    return [value for at, value in steps if at <= point][-1]
