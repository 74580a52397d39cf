"""Encodings, potentials and labels inside simulated CUDA blocks: the lanes share the work and show the same."""

import numpy as np
import pytest

import zerogrid
from shown.boards import positions
from zerogrid.encodings import check_encoding, label_many, names_for, potential_for

MORE = [
    ("gomoku:4x4x3", "stones,history=3"),
    ("pawn_dama:4x3", "oneplane,policy=compact,history=2"),
    ("othello:4x4", "discs,legal=true"),
    ("dots_and_boxes:2x3", "chainloop64,history=2"),
    ("battlefield:5x5,agents=3,obstacles=2,shrink=12", "teams,context=true,history=2,turned=true"),
]
SMALL = {
    "gomoku": "gomoku:4x4x3",
    "connect_four": "connect_four:4x4",
    "othello": "othello:4x4",
    "dots_and_boxes": "dots_and_boxes:2x2",
    "pawn_dama": "pawn_dama:4x3",
    "battlefield": "battlefield:5x5,obstacles=2",
    "breakthrough": "breakthrough:5x3",
}
CASES = MORE + [(SMALL.get(game, game), name) for game in zerogrid.names() for name in names_for(SMALL.get(game, game))]


@pytest.mark.parametrize("game, spec", CASES, ids=[f"{game}-{spec}" for game, spec in CASES])
def test_every_encoding_shows_the_same_in_a_block(game: str, spec: str) -> None:
    report = check_encoding(game, spec, targets=("cuda",), positions=24)
    assert report.ok, str(report)
    assert "cuda" in report.targets


@pytest.mark.parametrize("game, spec", [("battlefield:5x5,obstacles=2", "tactics"), ("gomoku:5x5x4", "runs")])
def test_potentials_are_the_same_in_a_block(game: str, spec: str) -> None:
    states = np.array([position.state for position in positions(game)])
    made = potential_for(game, spec)
    np.testing.assert_array_equal(made.of_many(states, "cuda"), made.of_many(states, "python"))


def test_labels_are_the_same_in_a_block() -> None:
    some = positions("dots_and_boxes:2x3")
    states = np.array([position.state for position in some])
    actions = np.array([position.actions[0] for position in some], np.int32)
    shown, expected = (label_many("dots_and_boxes:2x3", states, actions, target) for target in ("cuda", "python"))
    np.testing.assert_array_equal(shown[0], expected[0])
    np.testing.assert_array_equal(shown[1], expected[1])
