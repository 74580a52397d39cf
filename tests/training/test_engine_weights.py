"""New weights in a network that OpenVINO has converted before: the answers are those of PyTorch with these weights."""

from typing import Any

import numpy as np
import pytest
import torch

import zerogrid
from zerogrid.encodings import encoding
from zerogrid.evaluators.evaluator import Batch, empty_batch
from zerogrid.evaluators.network import shape_of
from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator
from zerogrid.evaluators.torch_cpu import TorchEvaluator
from zerogrid.networks import registry
from zerogrid.networks.settings import Network

KINDS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("tictactoe", "", "zerogrid/residual", {"size": "nano"}),
    ("dots_and_boxes:2x2", "chainloop6", "dotsformer/multiscale2-topo", {"trunk": "TR"}),
    ("battlefield:5x5", "", "battlefield/transformer-actions", {"layers": 1}),
]


def network_for(shown: Any, name: str, settings: dict[str, Any], seed: int) -> Network:
    """A network whose norms are not at rest."""
    torch.manual_seed(seed)
    network = registry.make(name, shape_of(shown), **settings).eval()
    for key, tensor in network.state_dict().items():
        if key.endswith("running_mean"):
            tensor.uniform_(-0.2, 0.2)
        if key.endswith("running_var"):
            tensor.uniform_(0.1, 0.5)
    return network


def some_batch(shown: Any, tokens: bool) -> Batch:
    rng = np.random.default_rng(0)
    batch = empty_batch(shown, 3, tokens)
    batch.planes[:] = rng.random(batch.planes.shape) < 0.3
    batch.tokens[:] = rng.random(batch.tokens.shape)
    batch.offered[:] = rng.integers(1, max(2, batch.tokens.shape[1]), 3)
    return batch


@pytest.mark.parametrize(("spec", "way", "name", "settings"), KINDS, ids=[kind[2] for kind in KINDS])
def test_new_weights_need_no_new_conversion(spec: str, way: str, name: str, settings: dict[str, Any]) -> None:
    shown = encoding(zerogrid.game(spec), way)
    moulds: dict[Any, Any] = {}
    answers = []
    for seed in (1, 2):
        network = network_for(shown, name, settings, seed)
        batch, expected = some_batch(shown, network.needs_tokens), some_batch(shown, network.needs_tokens)
        OpenVinoEvaluator(network, shown, exact=True, moulds=moulds).evaluate(batch)
        TorchEvaluator(network, shown).evaluate(expected)
        most = batch.offered[:, None] if network.needs_tokens else np.full((3, 1), batch.logits.shape[1])
        legal = np.arange(batch.logits.shape[1]) < most
        np.testing.assert_allclose(batch.logits[legal], expected.logits[legal], atol=2e-4)
        np.testing.assert_allclose(batch.values, expected.values, atol=2e-4)
        answers.append(batch.logits)
    assert len(moulds) == 1
    assert answers[0].std() > 0.01
    assert np.abs(answers[0] - answers[1]).max() > 0.01


def test_a_closed_evaluator_leaves_nothing_at_a_batch() -> None:
    shown = encoding(zerogrid.game("tictactoe"))
    evaluator = OpenVinoEvaluator(network_for(shown, "zerogrid/residual", {"size": "nano"}, 1), shown)
    batch = some_batch(shown, False)
    evaluator.evaluate(batch)
    assert batch.kept
    evaluator.close()
    assert not batch.kept
