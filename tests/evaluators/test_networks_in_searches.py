"""Networks behind the evaluator interface: every runtime answers alike, and searches with it alike; tokens included."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import zerogrid
from search.harness import a_position, grow, root_visits
from zerogrid.core.errors import BadNetwork
from zerogrid.encodings import encoding
from zerogrid.evaluators.check import Check
from zerogrid.evaluators.evaluator import empty_batch
from zerogrid.evaluators.network import shape_of
from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator, openvino_missing
from zerogrid.evaluators.torch_cpu import TorchEvaluator
from zerogrid.kernels import tree
from zerogrid.networks import make
from zerogrid.search.settings import SearchSettings

needs_openvino = pytest.mark.skipif(bool(openvino_missing()), reason="OpenVINO is not installed")
SMALL = "battlefield:5x5,agents=1"
CASES = {"sigmago/vanilla": "tictactoe", "battlefield/transformer-actions": SMALL}


@pytest.fixture(autouse=True)
def _same_weights() -> Iterator[None]:
    with torch.random.fork_rng():
        torch.manual_seed(7)
        yield


def a_network(name: str, spec: str) -> tuple[Any, Any]:
    shown = encoding(zerogrid.game(spec))
    network = make(name, shape_of(shown)).eval()
    with torch.no_grad():
        for weights in network.parameters():  # some heads begin at zero, and would agree about anything
            weights.add_(0.05 * torch.randn_like(weights))
    return network, shown


@needs_openvino
@pytest.mark.parametrize("name", CASES)
def test_openvino_and_pytorch_agree_in_a_search(name: str) -> None:
    network, shown = a_network(name, CASES[name])
    check = Check(OpenVinoEvaluator(network, shown, exact=True), TorchEvaluator(network, shown))
    positions = [a_position(CASES[name], plies, seed=plies) for plies in (0, 2, 4)]
    forest = grow(positions, SearchSettings(simulations=12), evaluator=check)
    assert check.report.positions >= 20
    assert check.report.value < 1e-4
    assert check.report.policy < 1e-4
    assert np.ptp(forest.trees.worth[:, :8]) > 1e-3 * 2**30


@pytest.mark.parametrize("name", CASES)
def test_networks_judge_the_position_that_the_search_stands_at(name: str) -> None:
    """Priors of the root are the network's softmax over the legal actions, its value the network's."""
    network, shown = a_network(name, CASES[name])
    position = a_position(CASES[name], 2, seed=1)
    evaluator = TorchEvaluator(network, shown)
    forest = grow([position], SearchSettings(simulations=1), evaluator=evaluator)
    planes = torch.from_numpy(shown.encode(position)).permute(2, 0, 1)[None]
    inputs: list[Any] = [planes]
    if network.needs_tokens:
        tokens = np.stack([shown.describe(position, action) for action in position.actions])
        inputs += [torch.from_numpy(tokens)[None], torch.ones(1, len(tokens), dtype=torch.bool)]
    with torch.inference_mode():
        answer = network(*inputs)
    logits = answer.policy[0].numpy()
    if not network.needs_tokens:
        logits = logits[[shown.slot(position, action) for action in position.actions]]
    shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    priors = forest.trees.edge[0, : len(position.actions), tree.PRIOR] / 2**30
    np.testing.assert_allclose(priors, shares, atol=1e-4)
    value = float(answer.value[0]) * (1 if position.to_move == 0 else -1)
    assert forest.trees.total[0, 0] / 2**30 == pytest.approx(value, abs=1e-4)
    assert len(root_visits(forest)) == len(position.actions)


def test_a_network_of_another_game_is_refused() -> None:
    network, _ = a_network("sigmago/vanilla", "tictactoe")
    with pytest.raises(BadNetwork, match=r"made for tictactoe.*connect_four:4x5"):
        TorchEvaluator(network, encoding(zerogrid.game("connect_four:4x5")))


def test_batches_know_which_rows_wait() -> None:
    batch = empty_batch(encoding(zerogrid.game("tictactoe")), 3)
    assert batch.asked_rows() == [0, 1, 2]
    batch.asked = lambda: np.array([False, True, False])
    assert batch.asked_rows() == [1]
