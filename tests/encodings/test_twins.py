"""Every encoding shows what its naive twin shows, on boards of several sizes, with and without a past."""

import numpy as np
import pytest

import zerogrid
from shown import dots, pieces
from shown.boards import Twin, positions, stacked
from zerogrid.encodings import encoding, names_for
from zerogrid.encodings.running import run_encode

CASES: list[tuple[str, str, Twin]] = [
    ("gomoku:6x6x4", "stones,history=5", pieces.stones),
    ("gomoku:4x7x3", "stones", pieces.stones),
    ("tictactoe", "stones,history=3", pieces.stones),
    ("connect_four:6x7", "discs,legal=true,history=2", pieces.connect_four),
    ("connect_four:1x5", "discs,legal=true", pieces.connect_four),
    ("othello:6x6", "discs,legal=true,history=2", pieces.othello),
    ("othello:4x8", "discs,legal=true", pieces.othello),
    ("pawn_dama:5x4", "oneplane,history=4", pieces.pawns),
    ("pawn_dama:6x1", "oneplane,policy=compact", pieces.pawns),
    ("pawn_dama:6x6,double=home", "oneplane", pieces.pawns),
    ("pawn_dama:6x5", "threeplane,history=2,policy=compact", pieces.three_planes),
    ("breakthrough:6x5", "pawns,history=3", pieces.two_sides),
    ("breakthrough:5x3", "pawns", pieces.two_sides),
    ("battlefield:7x7", "teams,history=3", pieces.teams),
    ("battlefield:7x7", "teams,turned=true", pieces.turned_teams),
    ("battlefield:4x6,agents=1,obstacles=1,health=3", "teams,history=2,turned=true", pieces.turned_teams),
    ("battlefield:5x9,agents=3,obstacles=3,ammo=0", "teams", pieces.teams),
    *(
        (f"dots_and_boxes:{size}", f"{name},history={history}", getattr(dots, name))
        for name in ("baseline", "chainloop6", "chainloop64", "edgequad4", "edgequad9", "edgequad44")
        for size, history in (("1x1", 1), ("2x3", 3), ("4x3", 1), ("5x5", 1), ("1x6", 2))
    ),
    ("dots_and_boxes:9x9", "chainloop6", dots.chainloop6),
]


@pytest.mark.parametrize("game, spec, twin", CASES, ids=[f"{game}-{spec}" for game, spec, _ in CASES])
def test_planes_are_what_the_naive_twin_shows(game: str, spec: str, twin: Twin) -> None:
    made = encoding(game, spec)
    for position in positions(game):
        expected = stacked(twin, position, made.stacked, made.height, made.width)[..., : made.planes]
        shown = run_encode(made, [position.history], "python", fill=np.nan)[0]  # over numbers that must all be replaced
        np.testing.assert_array_equal(shown, expected, err_msg=str(position))


def test_every_encoding_of_every_game_has_a_twin() -> None:
    """All but the generic one, which has tests of its own."""
    there_are = {(game, name) for game in zerogrid.names() for name in names_for(game) if name != "generic"}
    assert there_are == {(game.partition(":")[0], spec.partition(",")[0]) for game, spec, _ in CASES}
