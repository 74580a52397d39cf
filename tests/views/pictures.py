"""Reading pictures back: an SVG as its shapes, a terminal's board as its columns."""

import random
import re
from xml.etree import ElementTree

import zerogrid
from zerogrid.core.position import Position

SPACE = "{http://www.w3.org/2000/svg}"
SPECS = (
    "tictactoe",
    "gomoku:6x6x4",
    "gomoku:15x15x5",
    "connect_four:6x7",
    "othello:8x8",
    "dots_and_boxes:1x1",
    "dots_and_boxes:3x4",
    "pawn_dama:6x6",
    "pawn_dama:4x1",
    "battlefield:7x7",
    "battlefield:9x5,agents=3,health=3,shrink=2",
)
GAMES = (*SPECS, *(name for name in zerogrid.names() if not any(spec.startswith(name) for spec in SPECS)))
LOOKS = {
    "plain": {},
    "dark, bare": {"theme": "dark", "header": False, "coordinates": False, "caption": ""},
    "light, all marks": {"theme": "light", "hints": True, "threats": True, "targets": True, "size": 333},
}


def parse(picture: str) -> ElementTree.Element:
    """The root of a picture; fails where it is not well-formed XML."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SPACE}svg"
    return root


def shapes(picture: str, role: str, tag: str = "") -> list[ElementTree.Element]:
    """The shapes filled (f-...) or stroked (s-...) in a role; for pictures with the theme "auto"."""
    return [one for one in parse(picture).iter() if role in one.get("class", "").split() and one.tag.endswith(tag)]


def words(picture: str) -> list[str]:
    """All the texts of a picture."""
    return [one.text or "" for one in parse(picture).iter(f"{SPACE}text")]


def numbers(text: str) -> list[float]:
    """The numbers in a path or an attribute."""
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", text)]


def played(spec: str, plays: int, seed: int = 0) -> Position:
    """A position after some random plays, fewer when the game ends before."""
    choose, position = random.Random(f"{spec} {plays} {seed}"), zerogrid.game(spec).start(seed)
    while len(position.moves) < plays and not position.over:
        position.play(choose.choice(position.actions))
    return position


def stages(spec: str) -> list[Position]:
    """The start, the middle and the end of a game."""
    end = played(spec, 10_000)
    return [played(spec, 0), end.copy().undo(len(end.moves) // 2), end]


def weights(position: Position) -> dict[int, float]:
    """Something to draw over the legal actions, all different."""
    return {action: float(place + 1) for place, action in enumerate(position.actions)}
