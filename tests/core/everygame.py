"""Small instances of every game there is: a new game file is tested without being named anywhere."""

from hypothesis import strategies as st

import zerogrid
from zerogrid.core.game import Game
from zerogrid.core.position import Position

# Sizes that are quick, and settings that change the rules. Any other game comes with its defaults.
SMALL = {
    "battlefield": ["battlefield:5x5", "battlefield:5x5,agents=1,mirror=true"],
    "breakthrough": ["breakthrough:5x4"],
    "connect_four": ["connect_four:4x5"],
    "dots_and_boxes": ["dots_and_boxes:2x3", "dots_and_boxes:2x2,utility=margin"],
    "gomoku": ["gomoku:4x5x3", "gomoku:4x4x3,exact=true"],
    "othello": ["othello:4x4"],
    "pawn_dama": ["pawn_dama:5x4", "pawn_dama:4x4,double=home,stuck=loss"],
}
SPECS = [spec for name in zerogrid.names() for spec in SMALL.get(name, [name])]
GAMES = [zerogrid.game(spec) for spec in SPECS]


@st.composite
def positions(draw: st.DrawFn, games: list[Game] = GAMES) -> Position:
    """A position somewhere in a random game, the end included."""
    position = draw(st.sampled_from(games)).start(draw(st.integers(0, 2**63 - 1)))
    for _ in range(draw(st.integers(0, 60))):
        if position.over:
            break
        actions = position.actions
        position.play(actions[draw(st.integers(0, len(actions) - 1))])
    return position
