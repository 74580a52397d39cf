"""A batch turned on the device is the batch that the turned positions would have given."""

from itertools import pairwise

import numpy as np
import pytest
import torch

import zerogrid
from shown.boards import positions
from zerogrid.core.errors import BadNetwork
from zerogrid.core.position import Position
from zerogrid.encodings import Gathers, encoding, label_many, labels_for, names_for
from zerogrid.networks.augment import Symmetries
from zerogrid.networks.turns import Turns

SPECS = {
    "dots_and_boxes": "dots_and_boxes:3x3",
    "gomoku": "gomoku:5x5x4",
    "battlefield": "battlefield:7x7,agents=3",
    "pawn_dama": "pawn_dama:5x4",
    "breakthrough": "breakthrough:5x4",
}
GAMES = [SPECS.get(name, name) for name in zerogrid.names()]
CASES = [(game, name) for game in GAMES for name in names_for(game)]
CASES += [
    ("pawn_dama:5x4", "oneplane,policy=compact,history=2"),
    ("battlefield:7x7", "teams,turned=true,history=2,context=true"),
    ("dots_and_boxes:2x4", "edgequad44,history=3"),
    ("gomoku:4x6x3", "stones,history=3"),
]


def every_symmetry(count: int, batch: int) -> torch.Tensor:
    """Symmetries for a batch, so that all come up."""
    return torch.arange(batch) % count


def image(position: Position, number: int) -> Position:
    """A position and its past under a symmetry."""
    game = position.game
    made = Position.of_state(game, game.image(game.symmetries[number], position.state))
    made._before = [
        Position.of_state(game, game.image(game.symmetries[number], state))._state for state in position.history[:-1]
    ]
    return made


def policy_of(position: Position, name: str, actions: list[int], slots: int) -> torch.Tensor:
    """A policy that gives the t-th of some legal actions the number t + 1."""
    made, policy = encoding(position.game, name), torch.zeros(slots)
    for t, action in enumerate(actions):
        policy[made.slot(position, action)] = t + 1.0
    return policy


@pytest.mark.parametrize("game, name", CASES)
def test_turning_the_planes_is_showing_the_turned_position(game: str, name: str) -> None:
    made = encoding(game, name)
    some = positions(game, 16)
    ids = every_symmetry(len(made.moves), len(some))
    symmetries = Symmetries(made.gathers)
    turned = [image(position, int(number)) for position, number in zip(some, ids, strict=True)]
    planes = symmetries.planes(torch.from_numpy(np.array([made.encode(one) for one in some])), ids).numpy()
    expected = np.array([made.encode(one) for one in turned])
    for shown in (planes, expected):
        for first, last in made.unordered:  # structures may come in any order
            for b in range(len(shown)):
                flat = shown[b, ..., first:last].reshape(-1, last - first)
                shown[b, ..., first:last] = flat[:, np.lexsort(flat)].reshape(shown[b, ..., first:last].shape)
    np.testing.assert_array_equal(planes, expected)
    policies, images = [], []
    for position, other, number in zip(some, turned, ids, strict=True):
        actions = position.actions[:40]
        policies.append(policy_of(position, name, actions, made.slots))
        moved = [made.game.symmetries[number].actions[action] for action in actions]
        images.append(policy_of(other, name, moved, made.slots))
    assert torch.equal(symmetries.slots(torch.stack(policies), ids), torch.stack(images))


@pytest.mark.parametrize("game", GAMES)
def test_turned_and_turned_back_is_what_it_was(game: str) -> None:
    for name in names_for(game):
        made = encoding(game, name)
        there = Symmetries(made.gathers)
        back = Symmetries(Gathers(*(np.argsort(table, 1) for table in made.gathers)))
        batch = 2 * there.count
        ids = every_symmetry(there.count, batch)
        planes = torch.rand(batch, made.height, made.width, made.planes).half()
        assert torch.equal(back.planes(there.planes(planes, ids), ids), planes)
        flat = planes.flatten(1, 2)
        assert torch.equal(there.planes(flat, ids), there.planes(planes, ids).flatten(1, 2))
        policy = torch.rand(batch, made.slots)
        assert torch.equal(back.slots(there.slots(policy, ids), ids), policy)
        cells = torch.randint(4, (batch, made.height * made.width), dtype=torch.int8)
        assert torch.equal(back.labels(there.labels(cells, ids), ids), cells)


@pytest.mark.parametrize("game", GAMES)
def test_states_and_actions_turn_as_the_rules_turn_them(game: str) -> None:
    turns, rules = Turns(zerogrid.game(game)), zerogrid.game(game)
    some = positions(game, 16)
    for shift in (0, 1):
        ids = (every_symmetry(turns.count, len(some)) + shift) % turns.count
        states = torch.from_numpy(np.array([position.state for position in some]))
        turned = turns.states(states, ids)
        actions = torch.tensor([[position.actions[-1], -1] for position in some], dtype=torch.int32)
        moved = turns.actions(actions, ids)
        for b, position in enumerate(some):
            symmetry = rules.symmetries[ids[b]]
            np.testing.assert_array_equal(turned[b].numpy(), rules.image(symmetry, position.state))
            assert moved[b].tolist() == [symmetry.actions[position.actions[-1]], -1]
        assert torch.equal(turns.actions(actions[:, 0], ids), moved[:, 0])


@pytest.mark.parametrize("name", ["chainloop6", "edgequad9"])
def test_classes_of_cells_turn_with_the_board(name: str) -> None:
    """Those of the board of dots, whatever grid the encoding has."""
    made, known = encoding("dots_and_boxes:3x3", name), labels_for("dots_and_boxes:3x3")
    some = positions("dots_and_boxes:3x3", 16)
    symmetries = Symmetries(made.gathers, known.gathers)
    ids = every_symmetry(symmetries.count, len(some))
    first = np.array([position.actions[0] for position in some], np.int32)
    _, classes = label_many(made.game, np.array([position.state for position in some]), first, "python")
    turned = np.array([image(position, int(number)).state for position, number in zip(some, ids)])
    _, expected = label_many(made.game, turned, first, "python")
    np.testing.assert_array_equal(symmetries.labels(torch.from_numpy(classes), ids).numpy(), expected)


def test_every_symmetry_is_drawn_and_a_seed_draws_the_same() -> None:
    symmetries = Symmetries(encoding("gomoku:5x5x4").gathers)
    drawn = [symmetries.draw(400, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2)]
    assert sorted(set(drawn[0].tolist())) == list(range(8))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    counts = torch.bincount(drawn[0]).tolist()
    assert min(counts) > 25


def test_symmetries_can_be_told_apart() -> None:
    """A test of the tests: another symmetry than the one asked for gives other planes."""
    made = encoding("gomoku:5x5x4")
    planes = torch.from_numpy(made.encode(positions("gomoku:5x5x4", 16)[5]))[None]
    turned = [Symmetries(made.gathers).planes(planes, torch.tensor([number])) for number in range(8)]
    assert not any(torch.equal(one, other) for one, other in pairwise(turned))


@pytest.mark.parametrize(
    "cells, words",
    [
        ([[0, 1], [0, 0]], "move the cells one to one"),
        ([[0, 1]], "a row for each of"),
        ([], "the identity at least"),
    ],
)
def test_what_is_no_table_of_permutations_is_refused(cells: list[list[int]], words: str) -> None:
    right = np.array([[0, 1], [1, 0]])
    gathers = Gathers(right, right, right)._replace(cells=np.array(cells))
    if words == "a row for each of":
        gathers = Gathers(right, np.array(cells), right)
    with pytest.raises(BadNetwork, match=words):
        Symmetries(gathers)
