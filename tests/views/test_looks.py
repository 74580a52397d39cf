"""What people ask of a drawing: names become numbers, nonsense is refused in one sentence."""

import math

import pytest

import zerogrid
from views.pictures import numbers, parse, played, shapes, words
from zerogrid.core.drawing import attention_svg, draw_sheet, draw_svg, in_brief
from zerogrid.core.errors import BadAction, BadLook, ZeroGridError


@pytest.mark.parametrize(
    "options, told",
    [
        ({"colours": "red"}, 'no "colours"; it has heat'),
        ({"cell": {}}, 'Did you mean "cells"?'),
        ({"heat": {"z9": 1}}, '"z9" is not a move'),
        ({"heat": {"a1": -1}}, 'the weight of "a1" is a number from 0, not "-1"'),
        ({"heat": {"a1": math.nan}}, 'not "nan"'),
        ({"heat": {"a1": math.inf}}, 'not "inf"'),
        ({"heat": {"a1": "many"}}, 'not "many"'),
        ({"heat": "a1"}, 'is a dictionary such as {0: 1.0, 1: 2.0} or a list of numbers, not "a1"'),
        ({"heat": 7}, 'not "7"'),
        ({"cells": {36: 1}}, 'there is no cell "36"; gomoku:6x6x4 has cells 0 to 35'),
        ({"cells": [1] * 37}, 'there is no cell "36"'),
        ({"cells": {"a1": 1}}, 'there is no cell "a1"'),
        ({"cells": {True: 1}}, 'there is no cell "True"'),
        ({"labels": {"z9": "x"}}, '"z9" is not a move'),
        ({"last": "z9"}, '"z9" is not a move'),
        ({"hints": "c4"}, 'hints are True, False or a list of moves, not "c4"'),
        ({"threats": 1}, 'threats is True or False, not "1"'),
        ({"colour": "no"}, 'colour is True or False, not "no"'),
        ({"theme": "sepia"}, 'one of auto, light, dark, not "sepia"'),
        ({"size": 10}, 'a width in pixels from 40 to 4000, not "10"'),
        ({"size": True}, 'not "True"'),
        ({"size": 10**30}, 'not "1000000'),
        ({"caption": "x" * 501}, "up to 500 characters"),
        ({"caption": 5}, 'not "5"'),
    ],
)
def test_what_a_drawing_does_not_have_is_refused_in_a_sentence(options: dict[str, object], told: str) -> None:
    with pytest.raises(ZeroGridError) as caught:
        draw_svg(zerogrid.game("gomoku:6x6x4").start(), **options)
    assert isinstance(caught.value, BadLook | BadAction)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sheets_refuse_nonsense_too() -> None:
    position = zerogrid.game("tictactoe").start()
    for given, told in (
        ({"positions": []}, "at least one position"),
        ({"positions": [position], "columns": 0}, 'a whole number from 1, not "0"'),
        ({"positions": [position], "captions": ["a", "b"]}, "2 captions were given for 1 positions"),
        ({"positions": [position], "sizes": 3}, 'no "sizes"'),
    ):
        with pytest.raises(BadLook, match=told):
            draw_sheet(**given)  # type: ignore[arg-type]


def test_names_and_numbers_mean_the_same() -> None:
    position = zerogrid.game("gomoku:6x6x4").start()
    assert position.svg(heat={"c1": 3, "d2": 1}) == position.svg(heat={2: 3.0, 9: 1.0})
    assert position.svg(labels={"c1": 12}) == position.svg(labels={2: "12"})
    assert position.svg(cells=[0, 5]) == position.svg(cells={1: 5.0})
    assert position.svg(hints=["c1"]) == position.svg(hints=[2])


def test_weights_need_no_scale() -> None:
    position = zerogrid.game("gomoku:6x6x4").start()
    assert position.svg(heat={"c1": 3, "d2": 1}) == position.svg(heat={"c1": 300, "d2": 100})
    assert position.svg(heat={"c1": 0}) == position.svg()


def test_the_last_move_is_known_from_play_or_from_the_state() -> None:
    position = zerogrid.game("gomoku:6x6x4").start().play("c3").play("d4")
    copied = type(position).of_state(position.game, position.state)
    assert copied.svg() == position.svg()
    assert position.svg(last=False) != position.svg() != position.svg(last="c3")


def test_labels_are_brief() -> None:
    told = {7: "7", 9999: "9999", 12_345: "12k", 2_500_000: "2.5M", 0.25: "0.25", -1.0: "-1.00", "win": "win"}
    assert {given: in_brief(given) for given in told} == told


def test_heat_is_labelled_in_percent_unless_told_otherwise() -> None:
    position = zerogrid.game("gomoku:6x6x4").start()
    heat = {"c1": 75, "d2": 24.8, "e3": 0.2}
    assert {"75", "25"} <= set(words(position.svg(heat=heat)))
    assert "0" not in words(position.svg(heat=heat))
    assert {"75", "25"}.isdisjoint(words(position.svg(heat=heat, labels={})))
    assert "7.5k" not in words(position.svg(heat=heat, labels={"c1": "win"}))
    assert "win" in words(position.svg(heat=heat, labels={"c1": "win"}))


def test_words_of_people_cannot_leave_their_place() -> None:
    position = zerogrid.game("tictactoe").start()
    nasty = '<script>alert("1")</script> & \x00\x1b[31m\ud800'
    picture = draw_svg(position, caption=nasty, labels={"a1": "<b>&\x07"})
    assert "<script" not in picture
    assert "<b>" not in picture
    assert any("<script>" in text for text in words(picture))  # it is there, as words
    assert "alert" in (parse(picture).get("aria-label") or "")


def test_size_sets_the_width_and_keeps_the_shape() -> None:
    root = parse(zerogrid.game("connect_four:6x7").start().svg(size=500))
    _, _, width, height = numbers(root.get("viewBox", ""))
    assert root.get("width") == "500"
    assert abs(int(root.get("height", "0")) / 500 - height / width) < 0.01


def test_attention_is_a_wash_over_cells_whose_strength_is_the_weight() -> None:
    position = played("gomoku:6x6x4", 6)
    picture = attention_svg(position, {0: 4.0, 1: 2.0, 7: 0.0}, "layer 2")
    washed = shapes(picture, "f-heat", "rect")
    assert [float(one.get("opacity", "1")) for one in washed] == [0.8, pytest.approx(0.425, abs=0.01)]
    assert words(picture)[-1] == "layer 2" or "layer 2" in words(picture)


def test_a_page_can_find_every_cell_and_every_legal_action() -> None:
    for spec in ("gomoku:6x6x4", "othello:8x8", "connect_four:6x7", "dots_and_boxes:3x4"):
        position = played(spec, 5)
        found = parse(position.svg(targets=True))
        cells = {one.get("data-cell") for one in found.iter() if one.get("data-cell")}
        actions = {int(one.get("data-action", "")) for one in found.iter() if one.get("data-action")}
        assert len(cells) == position.game.ROWS * position.game.COLUMNS
        assert actions == set(position.actions)
        for one in found.iter():
            if one.get("data-action"):
                assert min(float(one.get(side, "0")) for side in ("width", "height")) >= 14, "large enough to be hit"
    assert "data-" not in position.svg()
