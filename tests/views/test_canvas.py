"""Shapes, colours and texts on their own."""

import itertools

import pytest

from views.pictures import numbers, parse
from zerogrid.views import Look
from zerogrid.views.canvas import Canvas, escape, number
from zerogrid.views.colours import DARK, LIGHT, VALUES
from zerogrid.views.sheet import sheet, size_of


def light(colour: str) -> float:
    """Relative luminance (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_on_their_ground(theme: dict[str, str]) -> None:
    for ink, ground in (("ink", "paper"), ("faint", "paper"), ("ink", "board"), ("paper", "heat")):
        assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
    for value in VALUES:
        assert contrast(theme["print"], theme[value]) >= 3.0, value  # large letters


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_players_differ_in_lightness_and_not_in_hue_alone(theme: dict[str, str]) -> None:
    for first, second in (("black", "white"), ("blue", "orange"), ("yellow", "scarlet")):
        assert contrast(theme[first], theme[second]) >= 1.7, (first, second)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_pieces_stand_out_from_their_ground(theme: dict[str, str]) -> None:
    for piece, ground in (("black", "wood"), ("white", "wood"), ("black", "felt"), ("white", "felt"),
                          ("yellow", "frame"), ("scarlet", "frame"), ("black", "board"), ("white", "board")):
        best = max(contrast(theme[piece], theme[ground]), contrast(theme[piece + "_edge"], theme[ground]))
        assert best >= 3.0, (piece, ground)


def test_both_themes_have_all_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert all(len(colour) == 7 for colour in itertools.chain(LIGHT.values(), DARK.values()))


def test_text_is_escaped_and_forbidden_characters_are_replaced() -> None:
    assert escape('<a href="x">&') == "&lt;a href=&quot;x&quot;&gt;&amp;"
    assert escape("\x00\x0b\ufffe\ud800") == "\N{REPLACEMENT CHARACTER}" * 4
    canvas = Canvas(10, 10, Look(title='"><script>'))
    canvas.text(1, 1, "a\x1bb", 3)
    assert parse(canvas.svg()).get("aria-label") == '"><script>'


def test_numbers_are_short() -> None:
    assert [number(value) for value in (1.0, -0.001, 2.3456, 10.10, 0)] == ["1", "0", "2.35", "10.1", "0"]


def test_auto_turns_dark_only_what_was_drawn() -> None:
    canvas = Canvas(10, 10, Look(theme="auto"))
    canvas.rect(0, 0, 5, 5, "wood", "ink")
    picture = canvas.svg()
    assert f".f-wood{{fill:{DARK['wood']}}}" in picture
    assert f".s-ink{{stroke:{DARK['ink']}}}" in picture
    assert "f-felt" not in picture
    assert f'fill="{LIGHT["wood"]}"' in picture, "programs that know no style sheets still see the light theme"
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        canvas = Canvas(10, 10, Look(theme=theme))
        canvas.rect(0, 0, 5, 5, "wood")
        assert f'fill="{colours["wood"]}"' in canvas.svg()
        assert "<style" not in canvas.svg()


@pytest.mark.parametrize("dashed", [False, True])
@pytest.mark.parametrize("end", [(90.0, 50.0), (50.0, 10.0), (20.0, 80.0), (50.0, 50.0)])
def test_an_arrow_ends_where_it_points(end: tuple[float, float], dashed: bool) -> None:
    canvas = Canvas(100, 100, Look())
    canvas.arrow((50.0, 50.0), end, "ink", line=6, dashed=dashed)
    flat = [value for shape in parse(canvas.svg()) if shape.get("d") for value in numbers(shape.get("d", ""))]
    points = zip(flat[::2], flat[1::2], strict=True)
    assert min(abs(x - end[0]) + abs(y - end[1]) for x, y in points) < 0.02


def test_a_sheet_puts_pictures_beside_and_below_one_another() -> None:
    one = Canvas(100, 50, Look()).svg()
    other = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="80"><rect width="3" height="3"/></svg>'
    assert size_of(one) == (100, 50)
    assert size_of(other) == (30, 80)
    root = parse(sheet([one, other, one, other, one], Look(), 2, "five < six"))
    placed = [[float(part.get(name, "nan")) for name in ("x", "y", "width", "height")]
              for part in root if part.tag.endswith("svg")]
    assert len(placed) == 5
    _, _, width, height = numbers(root.get("viewBox", ""))
    for x, y, w, h in placed:
        assert x >= 0
        assert y >= 30
        assert x + w <= width
        assert y + h <= height
    for (x1, y1, w1, h1), (x2, y2, w2, h2) in itertools.combinations(placed, 2):
        assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1, "no two overlap"
    assert sorted({y for _, y, _, _ in placed}) == sorted({placed[0][1], placed[2][1], placed[4][1]})
