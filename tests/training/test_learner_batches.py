"""From examples to batches: what the network sees is what the encoding shows, and moves keep their probability."""

from typing import Any

import numpy as np
import pytest
import torch

import zerogrid
from training.examples import games_of_chance
from zerogrid.encodings import encoding
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.learner_batches import Batches
from zerogrid.training.parts import example_fields
from zerogrid.training.sections import LearnerSection, SelfplaySection, ShapingSection

KINDS = [  # edgequad shows boxes, so slots are not actions; stones with a history looks back; dama's mover walks up
    ("tictactoe", "", False),
    ("gomoku:5x5x4", "stones,history=3", False),
    ("dots_and_boxes:2x3", "edgequad4", False),
    ("pawn_dama:5x5", "", False),
    ("battlefield:5x5", "", True),
]


def made(
    spec: str, way: str, tokens: bool = False, **sections: Any
) -> tuple[Batches, RingBuffer, list[Any], dict[str, Any]]:
    """Batches of a game, a buffer with games of chance, and the positions that are in it, with the columns."""
    game = zerogrid.game(spec)
    shown = encoding(game, way)
    columns, positions = games_of_chance(spec, 3, shown.history)
    buffer = RingBuffer(example_fields(shown.history, game.STATE_SIZE, game.MAX_LEGAL), 500)
    buffer.append(columns)
    learner = sections.get("learner", LearnerSection())
    selfplay, shaping = sections.get("selfplay", SelfplaySection()), sections.get("shaping", ShapingSection())
    return Batches(game, shown, learner, selfplay, shaping, tokens), buffer, positions, columns


@pytest.mark.parametrize(("spec", "way", "tokens"), KINDS)
def test_a_network_sees_the_position_and_each_move_at_its_slot(spec: str, way: str, tokens: bool) -> None:
    batches, buffer, positions, columns = made(spec, way, tokens)
    batch = batches.batch(buffer, torch.arange(len(buffer)), 1, None)
    for i, position in enumerate(positions):
        shown = batches.encoding.encode(position)
        np.testing.assert_array_equal(batch.planes[i].permute(1, 2, 0).numpy(), shown)
        said = {}
        for place, action in enumerate(position.actions):
            slot = place if tokens else batches.encoding.slot(position, action)
            said[slot] = columns["policy"][i, place]
            if tokens:
                assert batch.tokens is not None
                np.testing.assert_array_equal(batch.tokens[i, slot], batches.encoding.describe(position, action))
        assert set(np.flatnonzero(batch.legal[i].numpy())) == set(said)
        target = batch.policy[i].numpy()
        np.testing.assert_allclose([target[slot] for slot in said], list(said.values()), atol=2e-3)
        assert target.sum() == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(("spec", "way", "tokens"), KINDS)
def test_turned_samples_are_images_of_the_game(spec: str, way: str, tokens: bool) -> None:
    batches, buffer, positions, columns = made(spec, way, tokens)
    game, rows = batches.game, torch.arange(len(buffer))
    batch = batches.batch(buffer, rows, 1, torch.Generator().manual_seed(4))
    assert batches.turns is not None
    ids = batches.turns.draw(len(rows), torch.Generator().manual_seed(4))
    assert len(set(ids.tolist())) > 1
    for i, position in enumerate(positions):
        symmetry = game.symmetries[int(ids[i])]
        image = game.start(position.seed)
        image._before = [_as_state(game.image(symmetry, state), position) for state in position.history[:-1]]
        image._state = _as_state(game.image(symmetry, position.state), position)
        shown = batches.encoding.encode(image)
        np.testing.assert_array_equal(batch.planes[i].permute(1, 2, 0).numpy(), shown)
        for place, action in enumerate(position.actions):
            slot = place if tokens else batches.encoding.slot(image, symmetry.actions[action])
            assert float(batch.policy[i, slot]) == pytest.approx(float(columns["policy"][i, place]), abs=2e-3)
            assert bool(batch.legal[i, slot])


def _as_state(numbers: Any, like: Any) -> Any:
    state = like._state[:]
    for index, number in enumerate(numbers):
        state[index] = int(number)
    return state


def test_each_example_comes_once_a_pass_whichever_rows_the_ring_uses() -> None:
    batches, buffer, _, columns = made("tictactoe", "")
    generator = torch.Generator().manual_seed(1)
    held = len(buffer)
    rows = batches.draw(buffer, 2 * held + 3, generator).tolist()
    assert sorted(rows[:held]) == sorted(rows[held : 2 * held]) == list(range(held))
    assert rows[:held] != rows[held : 2 * held]
    small = RingBuffer(buffer.fields, 7)
    small.append(columns)
    assert sorted(batches.draw(small, 7, generator).tolist()) == list(range(7))
    small.restore(100, [])
    small.append({name: column[:3] for name, column in columns.items()})
    assert len(small) == 3
    assert sorted(batches.draw(small, 3, generator).tolist()) == [100 % 7, 101 % 7, 102 % 7]


def test_the_value_is_the_result_the_search_or_a_mix_of_both() -> None:
    for target, share in (("z", 0.0), ("q", 1.0), ("mix", 0.25)):
        selfplay = SelfplaySection(target=target, mix=0.25)
        batches, buffer, _, columns = made("tictactoe", "", selfplay=selfplay)
        batch = batches.batch(buffer, torch.arange(len(buffer)), 1, None)
        expected = (1 - share) * columns["z"] + share * columns["q"]
        np.testing.assert_allclose(batch.value.numpy(), expected, atol=1e-6)
        np.testing.assert_array_equal(batch.result.numpy(), columns["z"])


def test_shaping_is_added_by_its_scale_and_fades() -> None:
    shaping = ShapingSection(potential="runs", scale=2.0, fade=10)
    batches, buffer, _, columns = made("tictactoe", "", selfplay=SelfplaySection(target="q"), shaping=shaping)
    for iteration, left in ((1, 1.0), (6, 0.5), (11, 0.0), (30, 0.0)):
        batch = batches.batch(buffer, torch.arange(len(buffer)), iteration, None)
        expected = np.clip(columns["q"] + 2.0 * left * 0.25, -1, 1)
        np.testing.assert_allclose(batch.value.numpy(), expected, atol=1e-6)


def test_examples_count_less_with_their_age() -> None:
    batches, buffer, _, columns = made("tictactoe", "", learner=LearnerSection(age_decay=0.5))
    columns["iteration"][:] = np.arange(len(buffer)) % 3 + 1
    columns["weight"][:] = 2.0
    buffer.append(columns)
    rows = torch.arange(len(positions := columns["iteration"]), len(buffer))
    batch = batches.batch(buffer, rows, 3, None)
    np.testing.assert_allclose(batch.weights.numpy(), 2.0 * 0.5 ** (3 - positions))


def test_classes_of_cells_are_those_of_the_turned_position() -> None:
    from zerogrid.encodings import label_many

    learner = LearnerSection(classes_weight=10.0)
    batches, buffer, positions, _ = made("dots_and_boxes:2x2", "baseline", learner=learner)
    batch = batches.batch(buffer, torch.arange(len(buffer)), 1, torch.Generator().manual_seed(4))
    assert batches.turns is not None
    ids = batches.turns.draw(len(buffer), torch.Generator().manual_seed(4))
    game = batches.game
    turned = [game.image(game.symmetries[int(k)], one.state) for k, one in zip(ids, positions, strict=True)]
    _, classes = label_many(game, np.array(turned, np.int16), np.zeros(len(turned), np.int32))
    assert batch.classes is not None
    np.testing.assert_array_equal(batch.classes.numpy(), classes)
    assert len(set(classes.flatten().tolist())) == 4


@pytest.mark.parametrize("threads", [1, 2])
def test_pieces_are_the_same_whatever_the_threads(threads: int) -> None:
    batches, buffer, _, _ = made("tictactoe", "")
    batches.threads = threads
    generator = torch.Generator().manual_seed(9)
    batch = batches.batch(buffer, batches.draw(buffer, 16, generator), 1, generator)
    batches.threads = 1
    generator = torch.Generator().manual_seed(9)
    alone = batches.batch(buffer, batches.draw(buffer, 16, generator), 1, generator)
    assert torch.equal(batch.planes, alone.planes)
    assert torch.equal(batch.policy, alone.policy)
