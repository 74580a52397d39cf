"""Every term of the loss beside its formula, written out in NumPy."""

import numpy as np
import pytest
import torch

from zerogrid.networks import losses

draw = np.random.default_rng(5)
WEIGHTS = torch.tensor([1.0, 0.5, 0.0, 2.0])


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def test_policy_loss_is_the_cross_entropy_over_legal_slots() -> None:
    logits, target = draw.normal(size=(4, 5)), softmax(draw.normal(size=(4, 5)))
    legal = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [0, 1, 1, 1, 1], [1, 1, 0, 0, 0]], dtype=bool)
    target = np.where(legal, target, 0)
    target /= target.sum(1, keepdims=True)
    by_hand = []
    for row in range(4):
        chances = np.exp(logits[row][legal[row]])
        chances /= chances.sum()
        by_hand.append(-(target[row][legal[row]] * np.log(chances)).sum())
    given = (torch.tensor(logits), torch.tensor(target))
    mean = losses.policy_loss(*given, legal=torch.tensor(legal))
    assert float(mean) == pytest.approx(np.mean(by_hand), rel=1e-5)
    weighted = losses.policy_loss(*given, WEIGHTS, torch.tensor(legal))
    assert float(weighted) == pytest.approx(np.mean(np.array(by_hand) * WEIGHTS.numpy()), rel=1e-5)


def test_value_loss_is_the_weighted_square() -> None:
    value, target = torch.tensor([0.5, -1.0, 0.0, 1.0]), torch.tensor([1.0, -1.0, 1.0, -1.0])
    assert float(losses.value_loss(value, target)) == pytest.approx((0.25 + 0 + 1 + 4) / 4)
    assert float(losses.value_loss(value, target, WEIGHTS)) == pytest.approx((0.25 + 0 + 0 + 8) / 4)


def test_l2_is_the_sum_of_squares_of_what_is_learned() -> None:
    layer = torch.nn.Linear(2, 1)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[3.0, 4.0]]))
        layer.bias.fill_(2.0)
    assert losses.l2(layer).item() == 29
    layer.bias.requires_grad_(False)
    assert losses.l2(layer).item() == 25


def test_initiative_loss_is_the_focal_loss_with_class_coefficients() -> None:
    logits = draw.normal(size=(4, 3))
    label = np.array([losses.CAPTURE, losses.NEUTRAL, losses.NO_LABEL, losses.SACRIFICE])
    balance = np.array([2.0, 1.0, 0.5])
    p = softmax(logits)
    by_hand = [0.0 if t < 0 else -balance[t] * (1 - p[b, t]) ** 2 * np.log(p[b, t]) for b, t in enumerate(label)]
    given = (torch.tensor(logits), torch.tensor(label), torch.tensor(balance, dtype=torch.float32))
    assert float(losses.initiative_loss(*given)) == pytest.approx(np.mean(by_hand), rel=1e-5)
    weighted = np.mean(np.array(by_hand) * WEIGHTS.numpy())
    assert float(losses.initiative_loss(*given, WEIGHTS)) == pytest.approx(weighted, rel=1e-5)
    plain = float(losses.initiative_loss(given[0], given[1], focus=0.0))
    assert plain == pytest.approx(np.mean([0 if t < 0 else -np.log(p[b, t]) for b, t in enumerate(label)]), rel=1e-5)


def test_a_sure_and_right_initiative_costs_nothing_and_has_a_finite_gradient() -> None:
    logits = torch.tensor([[60.0, 0.0, 0.0], [-60.0, 60.0, 0.0]], requires_grad=True)
    loss = losses.initiative_loss(logits, torch.tensor([0, 0]))
    loss.backward()
    assert loss.item() == pytest.approx(120 / 2, rel=1e-3)
    assert logits.grad is not None
    assert bool(logits.grad.isfinite().all())


def test_class_balance_makes_all_classes_weigh_the_same_up_to_ten() -> None:
    counts = torch.tensor([100.0, 300.0, 200.0])
    alpha = losses.class_balance(counts)
    torch.testing.assert_close(alpha * counts, torch.full((3,), 200.0))
    assert losses.class_balance(torch.tensor([1, 0, 10_000])).tolist() == [10.0, 10.0, pytest.approx(0.3334, abs=1e-3)]


def test_classes_loss_is_the_mean_over_the_cells_that_count() -> None:
    logits = draw.normal(size=(2, 4, 3, 3))
    labels = draw.integers(-1, 4, size=(2, 9))
    labels[1] = losses.FORBIDDEN  # nothing counts in the second
    p = np.stack([softmax(logits[b].reshape(4, 9).T) for b in range(2)])
    cells = [cell for cell in range(9) if labels[0, cell] > losses.FORBIDDEN]
    by_hand = np.mean([-np.log(p[0, cell, labels[0, cell]]) for cell in cells])
    given = (torch.tensor(logits), torch.tensor(labels))
    assert float(losses.classes_loss(*given)) == pytest.approx(by_hand / 2, rel=1e-5)
    assert float(losses.classes_loss(*given, torch.tensor([3.0, 5.0]))) == pytest.approx(3 * by_hand / 2, rel=1e-5)


def test_what_is_masked_leaves_no_gradient() -> None:
    logits = torch.randn(1, 4, 3, 3, requires_grad=True)
    labels = torch.full((1, 9), losses.FORBIDDEN)
    labels[0, 4] = losses.SCORING
    losses.classes_loss(logits, labels).backward()
    assert logits.grad is not None
    touched = logits.grad.abs().sum(1).flatten() > 0
    assert touched.nonzero().flatten().tolist() == [4]


def test_weights_fall_by_a_tenth_an_iteration() -> None:
    weights = losses.age_weights(10, torch.tensor([10, 9, 0, 12]))
    assert weights.tolist() == [1.0, pytest.approx(0.9), pytest.approx(0.9**10), 1.0]


def test_losses_are_taken_in_single_precision() -> None:
    logits = torch.tensor([[0.0, 0.01]], dtype=torch.float16)
    assert losses.policy_loss(logits, torch.tensor([[0.5, 0.5]])).dtype == torch.float32
    assert losses.value_loss(torch.tensor([0.1], dtype=torch.bfloat16), torch.tensor([1.0])).dtype == torch.float32
