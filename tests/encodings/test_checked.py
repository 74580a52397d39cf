"""check_encoding finds nothing wrong with any encoding of any game, with all their settings, and all compile to PTX."""

import pytest

import zerogrid
from zerogrid.encodings import check_encoding, names_for, settings_of

CASES = [
    ("gomoku:5x4x3", "stones,history=3"),
    ("gomoku:5x5x4", "generic,history=2"),
    ("tictactoe", "stones"),
    ("tictactoe", "generic"),
    ("connect_four:4x5", "discs,legal=true,history=2"),
    ("connect_four:5x4", "generic"),
    ("othello:6x6", "discs,history=3,legal=true"),
    ("othello:4x6", "generic"),
    ("pawn_dama:5x4", "oneplane"),
    ("pawn_dama:4x6", "oneplane,policy=compact,history=2"),
    ("pawn_dama:6x5,double=home", "threeplane,policy=compact"),
    ("pawn_dama:5x5", "threeplane,history=2"),
    ("pawn_dama:4x4", "generic"),
    ("breakthrough:6x5", "pawns,history=2"),
    ("breakthrough:5x3", "generic"),
    ("dots_and_boxes:3x3", "baseline,history=3"),
    ("dots_and_boxes:3x3", "chainloop6,history=2"),
    ("dots_and_boxes:2x4", "chainloop64,history=2"),
    ("dots_and_boxes:2x3", "edgequad4,history=2"),
    ("dots_and_boxes:3x3", "edgequad9,history=2"),
    ("dots_and_boxes:3x2", "edgequad44,history=2"),
    ("dots_and_boxes:2x2", "generic"),
    ("battlefield:7x7", "teams,history=2"),
    ("battlefield:5x5,agents=1,obstacles=2,health=2", "teams,turned=true"),
    ("battlefield:5x7,agents=3,obstacles=3", "teams,context=true,history=3,turned=true"),
    ("battlefield:9x9", "generic"),  # as many cells as actions, which are not cells
]
known = {(game.partition(":")[0], spec.partition(",")[0]) for game, spec in CASES}
CASES += [(game, name) for game in zerogrid.names() for name in names_for(game) if (game, name) not in known]


@pytest.mark.parametrize("game, spec", CASES, ids=[f"{game}-{spec}" for game, spec in CASES])
def test_nothing_is_wrong_with_our_own_encodings(game: str, spec: str) -> None:
    report = check_encoding(game, spec, positions=32)
    assert report.ok, str(report)
    assert report.targets[:2] == ["python", "cpu"]


def test_every_setting_is_checked() -> None:
    given: dict[str, set[str]] = {}
    for _, spec in CASES:
        name, *settings = spec.split(",")
        given.setdefault(name, set()).update(one.partition("=")[0] for one in settings)
    for game, spec in CASES:
        name = spec.partition(",")[0]
        assert set(settings_of(game, name)) <= given[name]
