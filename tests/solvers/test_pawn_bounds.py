"""What Pawn Dama's solver knows without search, held against every position of small boards."""

from pathlib import Path

import numpy as np
import pytest

import zerogrid
from zerogrid.core.link import link
from zerogrid.solvers import compact
from zerogrid.solvers.enumeration import Enumerated, Enumeration
from zerogrid.solvers.pawns import compact_pawns
from zerogrid.solvers.table_file import open_table


def know(b: int, lane: int, args: tuple[np.ndarray, np.ndarray]) -> None:
    states, bounds = args
    lower, upper = compact.known(states[b])
    bounds[b, 0] = lower
    bounds[b, 1] = upper


def bounds_and_values(spec: str, path: Path, target: str) -> tuple[np.ndarray, np.ndarray]:
    """Bounds known without search, and the exact values, of every position of a game."""
    game = zerogrid.game(spec)
    Enumeration(game, path, "1G", target).build(game.start().state)
    table = Enumerated(game, open_table(path))
    pawns = compact_pawns(game)
    words = np.array([pawns.pack(state) for state in np.asarray(table._states)])
    bounds = np.zeros((len(words), 2), np.int64)
    link(know, target, pawns.interfaces)(len(words), (words, bounds))
    return bounds, np.asarray(table._values) // table.unit


@pytest.mark.parametrize("settings", ["", ",stuck=loss", ",stuck=draw", ",double=home", ",double=home,stuck=loss"])
def test_bounds_hold_in_every_position(settings: str, tmp_path: Path) -> None:
    bounds, values = bounds_and_values(f"pawn_dama:4x2{settings}", tmp_path / "t", "python")
    assert (bounds[:, 0] <= values).all()
    assert (values <= bounds[:, 1]).all()
    assert (bounds[:, 0] == bounds[:, 1]).mean() > 0.5


def test_bounds_hold_on_a_larger_board(tmp_path: Path) -> None:
    bounds, values = bounds_and_values("pawn_dama:5x2", tmp_path / "t", "python")
    assert len(values) == 2005
    assert ((bounds[:, 0] <= values) & (values <= bounds[:, 1])).all()
