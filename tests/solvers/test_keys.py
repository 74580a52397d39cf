"""Positions that a solver's table takes for one another have one value, by plain minimax."""

from array import array
from collections.abc import Callable

import pytest

import zerogrid
from solvers.brute import Brute, random_positions
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.solvers import compact
from zerogrid.solvers.drops import compact_drops
from zerogrid.solvers.edges import compact_edges
from zerogrid.solvers.engine import CompactGame
from zerogrid.solvers.from_rules import from_rules
from zerogrid.solvers.lines import compact_lines
from zerogrid.solvers.pawns import compact_pawns

GAMES = [
    ("pawn_dama:4x2", compact_pawns, True),
    ("pawn_dama:5x2,stuck=loss", compact_pawns, True),
    ("pawn_dama:4x3,double=home", compact_pawns, True),
    ("dots_and_boxes:1x3", compact_edges, True),
    ("dots_and_boxes:2x2", compact_edges, True),
    ("tictactoe", compact_lines, False),
    ("connect_four:4x4", compact_drops, False),
    ("othello:4x4", from_rules, False),
]


def name(b: int, lane: int, args: tuple[list[int], list[int], list[int]]) -> None:
    words, key, exchanged = args
    exchanged[0] = compact.identify(words, key)


@pytest.mark.parametrize("spec, made, exchanges", GAMES)
def test_one_key_has_one_value(spec: str, made: Callable[[Game], CompactGame], exchanges: bool) -> None:
    game = zerogrid.game(spec)
    brute, small, values = Brute(game), made(game), dict[tuple[int, ...], set[float]]()
    positions = random_positions(game, 300, 5 if game.MAX_PLIES > 12 else 0, seed=3)
    asked = [position for position in positions if not position.over]
    kinds, different = set(), {position.state[: game.layout.key_size].tobytes() for position in asked}
    for position in asked:
        words, key, exchanged = [int(word) for word in small.pack(position.state)], [0] * small.KEY_WORDS, [0]
        link(name, "python", small.interfaces)(1, (words, key, exchanged))
        value = brute.value(array("h", position.state.tobytes()))
        values.setdefault(tuple(key), set()).add(-value if exchanged[0] else value)
        kinds.add(exchanged[0])
    assert all(len(found) == 1 for found in values.values())
    assert kinds == ({0, 1} if exchanges else {0})
    assert len(values) < len(different) or not exchanges
