"""What every drawing of every game must be, whatever is asked of it."""

import math

import pytest

from views.pictures import GAMES, LOOKS, SPACE, numbers, parse, stages, weights
from zerogrid.core.drawing import draw_svg, draw_terminal
from zerogrid.core.position import Position
from zerogrid.views.ansi import plain

CASES = [(spec, name) for spec in GAMES for name in LOOKS]


def overlaid(position: Position) -> dict[str, object]:
    """Heat over the actions and over the cells."""
    game = position.game
    return {"heat": weights(position), "cells": {cell: cell % 5 for cell in range(game.ROWS * game.COLUMNS)}}


@pytest.mark.parametrize("spec, look", CASES)
def test_a_picture_is_valid_and_stays_inside_itself(spec: str, look: str) -> None:
    for position in stages(spec):
        for options in (LOOKS[look], {**LOOKS[look], **overlaid(position)}):
            root = parse(draw_svg(position, **options))
            _, _, width, height = numbers(root.get("viewBox", ""))
            for shape in root.iter():
                for x, y in corners(shape):
                    assert -1 <= x <= width + 1, (shape.tag, shape.attrib)
                    assert -1 <= y <= height + 1, (shape.tag, shape.attrib)


def corners(shape: object) -> list[tuple[float, float]]:
    """Points that a shape reaches; of a text its anchor."""
    get = lambda name: float(shape.get(name))  # type: ignore[attr-defined] # noqa: E731
    kind = shape.tag.removeprefix(SPACE)  # type: ignore[attr-defined]
    if kind == "rect":
        return [(get("x"), get("y")), (get("x") + get("width"), get("y") + get("height"))]
    if kind == "circle":
        r = get("r")
        return [(get("cx") - r, get("cy") - r), (get("cx") + r, get("cy") + r)]
    if kind == "text":
        return [(get("x"), get("y"))]
    if kind == "path":
        flat = numbers(shape.get("d"))  # type: ignore[attr-defined]
        return list(zip(flat[::2], flat[1::2], strict=True))
    return []


@pytest.mark.parametrize("spec", GAMES)
def test_a_picture_has_no_identifiers_and_no_leftovers_of_the_program(spec: str) -> None:
    for position in stages(spec):
        picture = draw_svg(position, **overlaid(position))
        for unwanted in (" id=", "nan", "inf,", "None", "object at", "<script", "href"):
            assert unwanted not in picture


@pytest.mark.parametrize("spec", GAMES)
def test_drawing_twice_gives_the_same_and_changes_nothing(spec: str) -> None:
    for position in stages(spec):
        before = position.state.tolist()
        assert draw_svg(position, **overlaid(position)) == draw_svg(position, **overlaid(position))
        assert draw_terminal(position, colour=True) == draw_terminal(position, colour=True)
        assert position.state.tolist() == before


@pytest.mark.parametrize("spec", GAMES)
def test_different_positions_look_different(spec: str) -> None:
    first, middle, _ = stages(spec)
    if middle.moves:
        assert draw_svg(first) != draw_svg(middle)
        assert draw_terminal(first, colour=False) != draw_terminal(middle, colour=False)


@pytest.mark.parametrize("spec", GAMES)
def test_the_picture_says_who_is_to_move_or_how_it_ended(spec: str) -> None:
    for position in stages(spec):
        root, text = parse(position.svg()), position.terminal(colour=False)
        outcome = position.outcome
        told = outcome.reason if outcome else f"{position.game.players[position.to_move]} to move"
        assert told in (root.get("aria-label") or "")
        assert told in text.replace("\n", " ")


@pytest.mark.parametrize("spec", GAMES)
def test_a_text_board_is_plain_without_colour_and_aligned_with_it(spec: str) -> None:
    for position in stages(spec):
        bare = draw_terminal(position, colour=False)
        coloured = draw_terminal(position, colour=True)
        assert "\x1b" not in bare
        assert bare.isascii()
        assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b["), "each colour is switched off again"
        # signs may differ (a disc for an x), but marks and names stand at the same places
        for one, other in zip(bare.splitlines(), plain(coloured).splitlines(), strict=True):
            assert [place for place, sign in enumerate(one) if sign in "[]>"] == [
                place for place, sign in enumerate(other) if sign in "[]>"
            ]


@pytest.mark.parametrize("spec", GAMES)
def test_the_heat_of_every_legal_action_is_seen_in_the_text(spec: str) -> None:
    position = stages(spec)[1]
    heat = weights(position) or {0: 1.0}
    share = f"{100 * max(heat.values()) / math.fsum(heat.values()):.0f}"
    assert share in draw_terminal(position, colour=False, heat=heat)
