"""The learner: it learns, goes on bit for bit, and refuses numbers that are none."""

from typing import Any

import numpy as np
import pytest
import torch

from training.examples import filled, learner_for, work
from zerogrid.networks.files import load_model
from zerogrid.training.config import Config
from zerogrid.training.learner import NetworkLearner, decay_after
from zerogrid.training.parts import NotFinite

TINY = {"game.spec": "tictactoe", "network.name": "sigmago/vanilla", "exam.every": 0}


def learner(**changes: Any) -> NetworkLearner:
    """A learner of tic-tac-toe; changes are options, with __ for the dot."""
    return learner_for(Config().but({**TINY, **{name.replace("__", "."): v for name, v in changes.items()}}))


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two sets of arrays are equal to the last bit."""
    return set(one) == set(other) and all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_losses_fall_towards_the_entropy_of_the_targets() -> None:
    made = learner(selfplay__target="z", learner__augment=False, learner__weight_decay=0.0)
    buffer = filled(made, games=6)
    first = made.learn(buffer, work(steps=4))
    for round_ in range(6):
        last = made.learn(buffer, work(steps=25, seed=round_, lr=0.003, lr_end=0.001))
    assert last["policy_loss"] - last["target_entropy"] < 0.5 * (first["policy_loss"] - first["target_entropy"])
    assert last["value_loss"] < 0.2 < first["value_loss"]
    assert last["value_accuracy"] > 0.85 > first["value_accuracy"]
    assert last["value_spread"] > 0.5
    assert last["loss"] == pytest.approx(last["policy_loss"] + last["value_loss"], rel=1e-5)
    assert 0 < last["kl"] < 0.5


def test_the_policy_is_asked_about_legal_moves_only() -> None:
    made = learner()
    buffer = filled(made, games=4)
    batch = made.batches.batch(buffer, torch.arange(len(buffer)), 1, None)
    told = dict(zip(made.steps.names, made.steps._computed(batch, None)[1].tolist()))
    logits = made.steps.answer(batch).policy.detach()
    by_hand = []
    for row in range(len(batch)):
        legal = batch.legal[row]
        p = torch.softmax(logits[row][legal], 0)
        by_hand.append(float(-(batch.policy[row][legal] * p.log()).sum()))
    assert told["policy_loss"] == pytest.approx(float(np.mean(by_hand)), rel=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        {"learner__optimiser": "adamw", "learner__ema": 0.9},
        {"learner__optimiser": "adam"},
        {"learner__optimiser": "sgd"},
    ],
    ids=["adamw", "adam", "sgd"],
)
def test_going_on_from_a_state_is_the_same_to_the_last_bit(options: dict[str, Any]) -> None:
    made, again = learner(**options), learner(**options)
    buffer = filled(made)
    made.learn(buffer, work())
    state = made.state()
    told = made.learn(buffer, work(iteration=2, seed=6))
    again.restore(state)
    assert same(again.state().arrays, state.arrays)
    assert again.learn(buffer, work(iteration=2, seed=6)) == told
    assert same(again.state().arrays, made.state().arrays)
    assert again.model({}) == made.model({})
    other = learner(**options)
    other.restore(state)
    other.learn(buffer, work(iteration=2, seed=7))
    assert not same(other.state().arrays, made.state().arrays)


def test_a_state_does_not_change_with_further_learning() -> None:
    made = learner(learner__ema=0.9)
    buffer = filled(made)
    made.learn(buffer, work())
    kept = made.state()
    copies = {name: array.copy() for name, array in kept.arrays.items()}
    frozen = made.weights("main@1")
    before = {name: tensor.clone() for name, tensor in frozen.inside.state_dict().items()}
    made.learn(buffer, work())
    assert same(kept.arrays, copies)
    assert all(torch.equal(tensor, before[name]) for name, tensor in frozen.inside.state_dict().items())


def test_new_learners_follow_from_the_seed_alone() -> None:
    config = Config().but(TINY)
    torch.manual_seed(1)
    one = learner_for(config, seed=3)
    after = torch.rand(1)
    torch.manual_seed(2)
    assert same(one.state().arrays, learner_for(config, seed=3).state().arrays)
    assert not same(one.state().arrays, learner_for(config, seed=4).state().arrays)
    torch.manual_seed(1)
    assert torch.equal(after, torch.rand(1))  # chance elsewhere was left alone


def test_the_learning_rate_changes_evenly_from_the_first_step_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    made = learner()
    seen: list[float] = []
    monkeypatch.setattr(made.steps, "step", lambda batch, lr: seen.append(lr))
    monkeypatch.setattr(made.steps, "told", dict)
    monkeypatch.setattr(made.steps, "first_broken", str)
    made.learn(filled(made, games=4), work(steps=5, lr=0.01, lr_end=0.002))
    assert seen == pytest.approx([0.01, 0.008, 0.006, 0.004, 0.002])


def test_weights_to_play_with_are_averaged() -> None:
    made, plain = learner(learner__ema=0.75), learner()
    buffer = filled(made, games=4)
    start = made.network.state_dict()["trunk.0.weight"].clone()
    made.learn(buffer, work(steps=1))
    plain.learn(buffer, work(steps=1))
    newest = made.network.state_dict()["trunk.0.weight"]
    assert torch.equal(newest, plain.network.state_dict()["trunk.0.weight"])
    average = made.weights("x").inside.state_dict()["trunk.0.weight"]
    torch.testing.assert_close(average, 0.1 * start + 0.9 * newest)  # the first step counts for much


def test_an_average_forgets_what_it_began_with_and_then_keeps_its_decay() -> None:
    decays = [decay_after(steps, 0.75) for steps in (0, 1, 10, 26, 10**6)]
    assert decays == pytest.approx([0.1, 2 / 11, 0.55, 0.75, 0.75])
    made = learner(learner__ema=0.9)
    made.learn(filled(made, games=4), work(steps=3))
    again = learner(learner__ema=0.9)
    again.restore(made.state())
    assert again.followed == made.followed == 3


@pytest.mark.parametrize("column", ["z", "policy", "weight"])
def test_a_target_that_is_no_number_is_refused_by_name(column: str) -> None:
    made = learner(selfplay__target="z")
    buffer = filled(made, games=4)
    buffer.columns[column][:] = np.nan
    name = "value_loss" if column == "z" else "policy_loss"
    with pytest.raises(NotFinite, match=f"the {name} is not finite in iteration 1"):
        made.learn(buffer, work(steps=2))


def test_a_gradient_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = learner()
    buffer = filled(made, games=4)
    next(made.network.parameters()).register_hook(lambda gradient: gradient * float("nan"))
    with pytest.raises(NotFinite, match="the gradient is not finite"):
        made.learn(buffer, work(steps=2))
    with pytest.raises(NotFinite):
        made.model({})


def test_gradients_are_cut() -> None:
    made = learner(learner__clip=0.001, learner__optimiser="sgd", learner__momentum=0.0, learner__weight_decay=0.0)
    buffer = filled(made, games=4)
    before = [p.detach().clone() for p in made.network.parameters()]
    told = made.learn(buffer, work(steps=1, lr=1.0, lr_end=1.0))
    moved = sum(float(((p - q) ** 2).sum()) for p, q in zip(made.network.parameters(), before, strict=True)) ** 0.5
    assert told["gradient"] > 0.01
    assert moved == pytest.approx(0.001, rel=1e-3)


def test_threads_share_a_batch_and_come_to_the_same() -> None:
    config = Config().but({**TINY, "learner.optimiser": "sgd", "learner.momentum": 0.0})
    alone, shared, again = learner_for(config), learner_for(config, threads=2), learner_for(config, threads=2)
    buffer = filled(alone)
    told = alone.learn(buffer, work(steps=3, batch=130))
    told_shared = shared.learn(buffer, work(steps=3, batch=130))
    assert told_shared == pytest.approx(told, rel=1e-3, abs=1e-6)
    for name, array in alone.state().arrays.items():
        np.testing.assert_allclose(shared.state().arrays[name], array, atol=1e-5)
    assert again.learn(buffer, work(steps=3, batch=130)) == told_shared
    assert same(again.state().arrays, shared.state().arrays)


def test_norms_of_shared_batches_are_averaged() -> None:
    options = {"game.spec": "tictactoe", "network.name": "zerogrid/residual", "network.settings.size": "nano"}
    made = learner_for(Config().but(options), threads=2)
    before = made.network.state_dict()["stem.norm.running_var"].clone()
    made.learn(filled(made), work(steps=2, batch=128))
    after = made.network.state_dict()
    assert not torch.allclose(after["stem.norm.running_var"], before)
    assert int(after["stem.norm.num_batches_tracked"]) == 2


def test_examples_without_weight_teach_nothing() -> None:
    made, other = learner(learner__batch=32), learner(learner__batch=32)
    buffer, spoiled = filled(made, games=4), filled(other, games=4)
    for one in (buffer, spoiled):
        one.columns["weight"][::2] = 0.0
    spoiled.columns["z"][::2] *= -1
    spoiled.columns["q"][::2] = 0.9
    made.learn(buffer, work(steps=2))
    other.learn(spoiled, work(steps=2))
    assert same(made.state().arrays, other.state().arrays)


def test_auxiliary_heads_learn_and_the_sum_of_squares_counts() -> None:
    options = {
        "game.spec": "dots_and_boxes:2x2",
        "game.encoding": "chainloop6",
        "network.name": "dotsformer/multiscale2-topo",
        "network.settings.trunk": "TR",
        "learner.initiative_weight": 11.0,
        "learner.classes_weight": 10.0,
        "learner.reg_weight": 1e-4,
        "learner.value_weight": 11.0,
        "learner.weight_decay": 0.0,
    }
    made = learner_for(Config().but(options))
    buffer = filled(made, games=8)
    first = made.learn(buffer, work(steps=1, lr=0.0, lr_end=0.0))
    whole = first["policy_loss"] + 11 * first["value_loss"] + 11 * first["initiative_loss"]
    assert first["loss"] == pytest.approx(whole + 10 * first["classes_loss"] + 1e-4 * first["reg_loss"], rel=1e-4)
    squares = sum(float((p.detach() ** 2).sum()) for p in made.network.parameters())
    assert first["reg_loss"] == pytest.approx(squares, rel=1e-4)
    last = made.learn(buffer, work(steps=30, lr=0.003, lr_end=0.001))
    assert last["classes_loss"] < 0.8 * first["classes_loss"]


def test_networks_with_action_tokens_learn() -> None:
    options = {"game.spec": "battlefield:5x5", "network.name": "battlefield/transformer-actions"}
    made = learner_for(Config().but({**options, "network.settings.layers": 1}))
    buffer = filled(made, games=2)
    first = made.learn(buffer, work(steps=2, lr=0.001))
    last = made.learn(buffer, work(steps=20, lr=0.001, lr_end=0.001))
    assert last["value_loss"] < first["value_loss"]


def test_a_model_is_what_is_played_with(tmp_path: Any) -> None:
    made = learner()
    made.learn(filled(made, games=4), work(steps=2))
    file = tmp_path / "model.safetensors"
    file.write_bytes(made.model({"iteration": 1}))
    loaded = load_model(file)
    assert (loaded.game, loaded.encoding) == ("tictactoe", made.encoding.spec)
    ours = made.weights("x").inside.state_dict()
    assert all(torch.equal(tensor, ours[name]) for name, tensor in loaded.network.state_dict().items())


def test_beginning_again_from_others_weights_forgets_the_optimiser() -> None:
    made, other = learner(), learner_for(Config().but(TINY), seed=9)
    buffer = filled(made, games=4)
    made.learn(buffer, work())
    made.adopt(other.weights("main@3"))
    assert same(made.state().arrays, other.state().arrays)
    made.learn(buffer, work())
    other.learn(buffer, work())
    assert same(made.state().arrays, other.state().arrays)
