"""What Gomoku's solver knows without search, held against minimax."""

from array import array

import pytest

import zerogrid
from solvers.brute import Brute, random_positions
from zerogrid.core.link import link
from zerogrid.solvers import compact
from zerogrid.solvers.lines import compact_lines


def know(b: int, lane: int, args: tuple[list[int], list[int]]) -> None:
    words, bounds = args
    bounds[0], bounds[1] = compact.known(words)


@pytest.mark.parametrize(("spec", "fewest"), [("gomoku:5x5x5", 18), ("gomoku:4x5x4", 14), ("gomoku:5x5x4", 18)])
def test_bounds_hold_and_settle_most_late_positions(spec: str, fewest: int) -> None:
    game = zerogrid.game(spec)
    brute, rows = Brute(game), compact_lines(game)
    settled, positions = 0, [position for position in random_positions(game, 80, fewest, 1) if not position.over]
    for position in positions:
        bounds = [0, 0]
        link(know, "python", rows.interfaces)(1, ([int(word) for word in rows.pack(position.state)], bounds))
        assert bounds[0] <= brute.value(array("h", position.state.tobytes())) <= bounds[1]
        settled += bounds[0] == bounds[1]
    assert settled > 0.8 * len(positions)
