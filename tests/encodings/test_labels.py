"""Auxiliary labels of Dots-and-Boxes against naive twins and boards drawn by hand."""

from textwrap import dedent

import numpy as np
import pytest

import zerogrid
from shown import dots
from shown.boards import fields, positions
from zerogrid.core import cuda, labels
from zerogrid.core.position import Position
from zerogrid.encodings import label_many, labels_for
from zerogrid.encodings.labels import LabelArgs, label_kernel
from zerogrid.networks import losses

CLASS = {"forbidden": 0, "conceding": 1, "safe": 2, "scoring": 3}
MOVE = {"capture": 0, "sacrifice": 1, "neutral": 2}
SIZES = ("dots_and_boxes:1x1", "dots_and_boxes:2x3", "dots_and_boxes:5x5", "dots_and_boxes:4x1")


def labelled(position: Position, move: str, target: str = "python") -> tuple[str, np.ndarray]:
    action = np.array([position.game.action(move)], np.int32)
    initiative, classes = label_many(position.game, position.state[None], action, target)
    made = labels_for(position.game)
    return next(name for name, n in MOVE.items() if n == initiative[0]), classes[0].reshape(made.height, made.width)


def test_labels_have_the_numbers_that_the_losses_know() -> None:
    assert tuple(CLASS.values()) == (losses.FORBIDDEN, losses.CONCEDING, losses.SAFE, losses.SCORING)
    assert tuple(MOVE.values()) == (losses.CAPTURE, losses.SACRIFICE, losses.NEUTRAL)
    assert losses.NO_LABEL == labels.NO_LABEL


@pytest.mark.parametrize("game", SIZES)
def test_labels_are_what_the_naive_twin_says(game: str) -> None:
    for position in positions(game):
        before = fields(position.game, position.state)
        drawn = dots.drawn_edges(before, position.game)
        boxes = {box for edge in drawn for box in dots.beside(edge, drawn)}
        before["could_take"] = [1] if any(dots.count(box, drawn) == 3 for box in boxes) else []
        named = dots.classes(before, position.game)
        for action in position.actions[::5]:
            initiative, classes = labelled(position, position.game.action_name(action))
            assert {place: CLASS[name] for place, name in named.items()} == dict(np.ndenumerate(classes))
            after = position.copy().play(action)
            assert initiative == dots.initiative(before, fields(position.game, after.state))


BOARD = """
    dots_and_boxes:2x3
    +---+---+---+
    |       |
    +---+   +   +
        |
    +   +   +   +
    turn A
"""
# x forbidden, c conceding, s safe, ! scoring
CLASSES = """
    x x x x x x x
    x x ! x x x c
    x x x c x c x
    c x x x s x s
    x c x s x s x
"""


def test_classes_drawn_by_hand() -> None:
    _, classes = labelled(Position.parse(dedent(BOARD).strip()), "h2.0")
    signs = {"x": 0, "c": 1, "s": 2, "!": 3}
    assert classes.tolist() == [[signs[sign] for sign in line.split()] for line in CLASSES.strip().splitlines()]


def test_an_edge_that_scores_and_concedes_is_scoring() -> None:
    """It completes the left box, and leaves the right one with three edges."""
    position = Position.parse("dots_and_boxes:1x2\n+---+---+\n|       \n+---+---+\nturn A")
    initiative, classes = labelled(position, "v0.1")
    assert (classes[1, 2], initiative) == (CLASS["scoring"], "capture")
    assert labelled(position, "v0.2")[0] == "sacrifice"


def test_a_move_is_neutral_where_nothing_can_be_taken() -> None:
    position = Position.parse(dedent(BOARD).strip())
    assert [labelled(position, move)[0] for move in ("v0.1", "h2.0")] == ["capture", "sacrifice"]
    assert labelled(zerogrid.game("dots_and_boxes:2x3").start(), "h0.0")[0] == "neutral"


@pytest.mark.parametrize("game", SIZES)
def test_classes_move_with_the_board(game: str) -> None:
    made, rules = labels_for(game), zerogrid.game(game)
    for position in positions(game)[::4]:
        first = position.game.action_name(position.actions[0])
        here = labelled(position, first)
        for symmetry, cells in zip(rules.symmetries, made.moves, strict=True):
            image = Position.of_state(rules, rules.image(symmetry, position.state))
            there = labelled(image, rules.action_name(symmetry.actions[position.actions[0]]))
            assert there[0] == here[0]
            moved = np.empty_like(here[1]).ravel()
            moved[list(cells)] = here[1].ravel()
            np.testing.assert_array_equal(there[1].ravel(), moved)


def test_labels_are_the_same_compiled_and_compile_for_a_card() -> None:
    game = zerogrid.game("dots_and_boxes:3x4")
    some = positions(game.spec)
    states = np.array([position.state for position in some])
    actions = np.array([position.actions[-1] for position in some], np.int32)
    for one, other in zip(label_many(game, states, actions, "python"), label_many(game, states, actions, "cpu")):
        np.testing.assert_array_equal(one, other)
    made = labels_for(game)
    args = LabelArgs(states, actions, np.zeros(24, np.int8), np.zeros((24, made.height * made.width), np.int8))
    assert ".entry" in cuda.ptx(label_kernel, {labels: made.module}, args)


def test_other_games_have_no_labels() -> None:
    made = labels_for("tictactoe")
    assert not made.module.LABELLED
    states = np.array([position.state for position in positions("tictactoe")])
    initiative, classes = label_many("tictactoe", states, np.zeros(len(states), np.int32))
    assert (initiative == losses.NO_LABEL).all()
    assert (classes == losses.NO_LABEL).all()
