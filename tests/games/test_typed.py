"""Positions that somebody typed, with mistakes: refused in a sentence, or good enough to be played to the end."""

import random
import re

import pytest

import zerogrid
from zerogrid.core.errors import BadPosition
from zerogrid.core.position import Position

SPECS = [
    "tictactoe",
    "connect_four:4x5",
    "othello:4x4",
    "gomoku:4x4x3",
    "gomoku:5x4x3,exact=true",
    "dots_and_boxes:2x2",
    "pawn_dama:5x3",
    "pawn_dama:5x3,double=home",
    "breakthrough:5x3",
    "battlefield:5x5,obstacles=2",
    "battlefield:3x3,agents=1,obstacles=0",
]


def spoiled(text: str, choose: random.Random) -> str:
    """A position's text with one or two signs, numbers or lines changed."""
    first, *lines = text.splitlines()
    for _ in range(choose.choice((1, 1, 2))):
        place = choose.randrange(len(lines))
        words = re.split(r"(\s+)", lines[place])
        spot = choose.randrange(len(words))
        if words[spot].lstrip("-").isdigit():
            words[spot] = str(choose.choice((-1, 0, 1, 2, 3, 7, 99, 32767)))
        elif words[spot].strip():
            words[spot] = choose.choice([word for line in lines for word in line.split()])
        lines[place] = "".join(words)
        if choose.random() < 0.1:
            lines.insert(place, lines.pop(choose.randrange(len(lines))))
    return "\n".join([first, *lines])


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_accepted_can_be_played_to_the_end(spec: str) -> None:
    game, accepted, refused = zerogrid.game(spec), 0, 0
    for seed in range(60):
        choose = random.Random(f"{spec} {seed}")
        position = game.start(seed)
        for _ in range(choose.randrange(game.MAX_PLIES)):
            if not position.over:
                position.play(choose.choice(position.actions))
        text = spoiled(str(position), choose)
        try:
            typed = Position.parse(text)
        except BadPosition:
            refused += 1
            continue
        accepted += 1
        assert Position.parse(str(typed)) == typed
        plays = 0
        while not typed.over:
            assert typed.actions, text
            assert len(typed.actions) <= game.MAX_LEGAL, text
            typed.play(choose.choice(typed.actions))
            plays += 1
            assert plays <= game.MAX_PLIES, text
        assert typed.outcome
        assert sum(typed.outcome.scores) == 0
    assert accepted > 5
    assert refused > 5
