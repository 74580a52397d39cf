"""Every game plays like its naive twin, move by move, on several boards and with all settings."""

import functools

import pytest

import zerogrid
from games.twins.battlefield import Battlefield
from games.twins.breakthrough import Breakthrough
from games.twins.connect_four import ConnectFour
from games.twins.dots_and_boxes import DotsAndBoxes
from games.twins.gomoku import Gomoku
from games.twins.othello import Othello
from games.twins.pawn_dama import PawnDama
from games.twins.twin import compare

ROW, FULL = "a row of stones", "the board is full"
REACHED, BARE, BLOCKED = "a pawn reached the far row", "no pawns left", "every pawn is blocked"
WIPED_OUT, HELD, NOBODY = "a team is wiped out", "the centre was held", "nobody is left"
TICTACTOE = functools.partial(Gomoku, names=("three in a row", FULL))

# Game, twin, how many random games, and the reasons for which some of them must end.
CASES = {
    "tictactoe": (TICTACTOE, 180, {"three in a row", FULL}),
    "gomoku:3x3x3": (Gomoku, 90, {ROW, FULL}),
    "gomoku:6x6x4": (Gomoku, 36, {ROW}),
    "gomoku:5x7x5": (Gomoku, 36, {ROW, FULL}),
    "gomoku:4x6x3,exact=true": (Gomoku, 120, {ROW}),
    "gomoku:3x9x6,exact=true": (Gomoku, 60, {FULL}),
    "gomoku:15x15x5": (Gomoku, 2, {ROW}),
    "connect_four:6x7": (ConnectFour, 36, {"four in a row"}),
    "connect_four:4x4": (ConnectFour, 90, {"four in a row", FULL}),
    "connect_four:1x9": (ConnectFour, 30, {FULL}),
    "connect_four:8x3": (ConnectFour, 30, {"four in a row"}),
    "othello:4x4": (Othello, 90, {"neither side can move"}),
    "othello:4x6": (Othello, 24, {"neither side can move"}),
    "othello:8x6": (Othello, 9, {"neither side can move"}),
    "othello:8x8": (Othello, 6, {"neither side can move"}),
    "othello:4x16": (Othello, 2, {"neither side can move"}),
    "dots_and_boxes:1x1": (DotsAndBoxes, 12, {"every edge is drawn"}),
    "dots_and_boxes:2x3": (DotsAndBoxes, 60, {"every edge is drawn"}),
    "dots_and_boxes:3x2,utility=margin": (DotsAndBoxes, 60, {"every edge is drawn"}),
    "dots_and_boxes:5x5": (DotsAndBoxes, 9, {"every edge is drawn"}),
    "dots_and_boxes:9x1": (DotsAndBoxes, 12, {"every edge is drawn"}),
    "pawn_dama:6x6": (PawnDama, 60, {REACHED}),
    "pawn_dama:4x3": (PawnDama, 180, {REACHED, BLOCKED}),
    "pawn_dama:4x2,stuck=loss": (PawnDama, 180, {REACHED, BLOCKED}),
    "pawn_dama:5x3,stuck=draw": (PawnDama, 180, {REACHED, BLOCKED}),
    "pawn_dama:6x2,double=home": (PawnDama, 180, {REACHED, BLOCKED}),
    "pawn_dama:4x1": (PawnDama, 1, {BLOCKED}),
    "pawn_dama:10x10": (PawnDama, 6, {REACHED}),
    "breakthrough:6x6": (Breakthrough, 30, {REACHED}),
    "breakthrough:5x3": (Breakthrough, 180, {REACHED}),
    "breakthrough:5x10": (Breakthrough, 9, {REACHED}),
    "breakthrough:10x4": (Breakthrough, 18, {REACHED}),
    "battlefield:7x7": (Battlefield, 9, set()),
    "battlefield:5x5,agents=1,obstacles=2,shrink=9,hold=2": (Battlefield, 80, {WIPED_OUT, HELD, NOBODY}),
    "battlefield:4x6,obstacles=1,health=2,ammo=3,range=2,shrink=6,hold=2": (Battlefield, 18, {WIPED_OUT}),
    "battlefield:5x7,mirror=true,ammo=1,range=15": (Battlefield, 12, set()),
    "battlefield:3x3,obstacles=0,ammo=0,hold=1": (Battlefield, 24, {HELD}),
    "battlefield:5x4,agents=3,obstacles=1,shrink=2": (Battlefield, 2, set()),
}


@pytest.mark.parametrize("spec", CASES)
def test_the_rules_and_the_twin_agree_at_every_move(spec: str) -> None:
    make, games, reasons = CASES[spec]
    assert reasons <= compare(spec, make, games)


@pytest.mark.parametrize("name", zerogrid.names())
def test_every_game_has_a_twin(name: str) -> None:
    known = {spec.partition(":")[0] for spec in CASES}
    assert name in known, f"write the rules of {name} once more in tests/games/twins, naively, and add it to CASES here"
