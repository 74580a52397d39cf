"""Searches do what their formulas say: whole trees equal those of naive twins, node by node, on every kind of game."""

from types import SimpleNamespace
from typing import Any

import pytest

import zerogrid
from search.harness import a_position, chosen, grow, policy, root_visits, twin_of, twin_tree, whole_tree
from zerogrid.core.position import Position
from zerogrid.encodings import potential_for
from zerogrid.search.settings import SearchSettings

PAPER = SearchSettings.paper(simulations=60)
OURS = SearchSettings(simulations=60)
GUMBEL = SearchSettings.for_kind("gumbel", simulations=60, gumbel_scale=1.0)
UCT = SearchSettings.for_kind("uct", simulations=150)

WAYS = {
    "as in the papers": PAPER,
    "first-play reduction and proofs": OURS,
    "c grows": OURS.but(c_base=30.0, proofs=False),
    "several leaves": OURS.but(leaves=4, virtual_loss=2),
    "several leaves, no proofs": PAPER.but(leaves=3),
    "forced playouts": OURS.but(forced=2.0, noise=0.25, c_base=100.0),
    "noise": OURS.but(noise=0.3, alpha=0.5),
    "gumbel": GUMBEL,
    "gumbel, few candidates": GUMBEL.but(considered=3, c_scale=0.1, proofs=False),
    "gumbel, several leaves": GUMBEL.but(leaves=3, gumbel_scale=0.0),
    "uct": UCT,
    "uct without proofs": UCT.but(proofs=False),
}
SCORES = 13  # where the boxes of both players stand in a state of dots_and_boxes:2x2
GAMES = ["tictactoe", "connect_four:4x5", "dots_and_boxes:2x2,utility=margin", "othello:4x4", "pawn_dama:4x4"]
GAMES += ["battlefield:5x5,agents=1"]


def boxes_ahead(state: Any, player: int) -> float:
    """A quarter of the boxes by which a player leads."""
    lead = (state[SCORES] - state[SCORES + 1]) / 4.0
    return lead if player == 0 else -lead


def check(position: Position, settings: SearchSettings, **more: Any) -> None:
    forest = grow([position], settings, **more)
    twin = twin_of(position, settings, phi=more["potential"].potential if "potential" in more else None)
    assert root_visits(forest) == twin.visits()
    assert whole_tree(forest) == twin_tree(twin)
    assert policy(forest) == pytest.approx(list(twin.policy().values()), abs=1e-12)
    assert chosen(forest) == twin.best()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("spec", ["tictactoe", "dots_and_boxes:2x2,utility=margin"])
def test_trees_are_those_of_the_twin(spec: str, way: str) -> None:
    for plies in (0, 3, 5):
        check(a_position(spec, plies, seed=plies), WAYS[way])


@pytest.mark.parametrize("spec", GAMES)
def test_trees_are_those_of_the_twin_in_every_game(spec: str) -> None:
    check(a_position(spec, 6), OURS)
    check(a_position(spec, 2), GUMBEL.but(simulations=30))
    check(a_position(spec, 4), UCT.but(simulations=60))


def test_shaping_adds_the_movers_own_gains_across_extra_turns() -> None:
    """In Dots-and-Boxes who closes a box moves again; a toy potential follows the boxes. Battlefield has its own."""
    boxes = SimpleNamespace(potential=boxes_ahead)
    for plies in (4, 6, 7):
        shaped = OURS.but(shaping=True, gamma=0.9, proofs=plies != 6)
        check(a_position("dots_and_boxes:2x2", plies, seed=plies), shaped, potential=boxes)
    spec = "battlefield:5x5,agents=1"
    tactics = potential_for(zerogrid.game(spec), "tactics").module
    check(a_position(spec, 3), OURS.but(shaping=True, gamma=0.9), potential=tactics)
    check(a_position(spec, 3), GUMBEL.but(shaping=True, simulations=30), potential=tactics)
