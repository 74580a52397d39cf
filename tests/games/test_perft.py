"""How sequences end: rows, full boards, far rows, blocked pawns, passes and extra turns, as others have counted them.

The rules run as plain Python here. Sequences that lead to the same position are carried on together, with their
number, so that small games are counted to their last ply. (tests/house counts each one by itself, compiled.)
"""

from collections import Counter

import pytest

import zerogrid
from house.truth import TRUTH
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MOST_POSITIONS = 1_600  # at a ply; what has more is counted up to there


def kind(game: Game, before: Position, action: int, after: Position) -> set[str]:
    """In which of the known lists a sequence counts whose last move this is."""
    reason = after.outcome.reason if after.outcome else ""
    found = {
        "finished": after.over,
        "goal_wins": reason == "a pawn reached the far row",
        "stuck": reason in ("no pawns left", "every pawn is blocked"),
        "wins": reason in ("a row of stones", "four in a row"),
        "draws": reason == "the board is full",
        "passes": game.name == "othello" and action == game.ACTIONS - 1,
        "extra_turn": game.name == "dots_and_boxes" and (after.over or after.to_move == before.to_move),
    }
    return {"leaves", *(name for name, holds in found.items() if holds)}


def counted(game: Game, plies: int) -> dict[str, list[int]]:
    """The lists, as far as there are not too many positions."""
    lists: dict[str, list[int]] = {}
    level = {game.start(): 1}
    for ply in range(1, plies + 1):
        totals: Counter[str] = Counter()
        following: Counter[Position] = Counter()
        for before, ways in level.items():
            for action in before.actions:
                after = Position.of_state(game, before.state)
                after.play(action)
                for name in kind(game, before, action, after):
                    totals[name] += ways
                if not after.over:
                    following[after] += ways
        for name in {*totals, *lists}:
            lists.setdefault(name, [0] * (ply - 1)).append(totals[name])
        level = following
        if len(level) > MOST_POSITIONS:
            break
    return lists


@pytest.mark.parametrize("spec", TRUTH)
def test_sequences_end_as_often_and_in_the_ways_that_are_known(spec: str) -> None:
    known = TRUTH[spec]
    found = counted(zerogrid.game(spec), len(known["leaves"]))
    plies = len(found["leaves"])
    for name in known:
        if name not in ("complete", "note"):
            assert found.get(name, [0] * plies) == known[name][:plies], name
    if known["complete"] and spec in ("pawn_dama:4x2", "gomoku:3x3x3", "dots_and_boxes:1x3", "dots_and_boxes:1x1"):
        assert plies == len(known["leaves"]), "counted to its end"
