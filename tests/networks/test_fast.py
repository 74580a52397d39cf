"""The fast path, as far as a CPU can tell: the same answers, fixed shapes, new weights in place."""

import pytest
import torch

from networks.cases import SHAPES, inputs, small
from zerogrid.core.errors import BadNetwork
from zerogrid.networks.fast import PLAIN, FastNetwork, best_way

CASES = [("dotsformer/multiscale2-topo", "dots_and_boxes:3x3 chainloop6"), ("battlefield/cnn", "tictactoe stones"),
         ("battlefield/transformer-actions", "battlefield:7x7 teams")]  # fmt: skip


@pytest.mark.parametrize("name, board", CASES)
def test_it_answers_as_the_network_does_and_takes_over_new_weights(name: str, board: str) -> None:
    first, second = small(name, SHAPES[board], seed=1), small(name, SHAPES[board], seed=2)
    given = inputs(first, 4)
    fast = FastNetwork(first, 4, "cpu")
    assert fast.way == best_way(first, "cpu") == PLAIN
    for network in (first, second):
        if network is second:
            addresses = [part.data_ptr() for part in fast._net.parameters()]
            fast.update(second)
            assert [part.data_ptr() for part in fast._net.parameters()] == addresses  # graphs stay valid
        with torch.no_grad():
            answer = network(*given)
        logits, value = fast(*given)
        torch.testing.assert_close(logits, answer.policy, atol=1e-4, rtol=1e-3)
        torch.testing.assert_close(value, answer.value, atol=1e-4, rtol=1e-3)


def test_another_batch_or_another_network_is_refused() -> None:
    network = small("sigmago/vanilla", SHAPES["tictactoe stones"])
    fast = FastNetwork(network, 4, "cpu")
    with pytest.raises(BadNetwork, match="batches of 4, not 3"):
        fast(*inputs(network, 3))
    with pytest.raises(BadNetwork, match="same settings"):
        fast.update(small("battlefield/cnn", SHAPES["tictactoe stones"]))


def test_the_network_itself_stays_as_it_was() -> None:
    network = small("zerogrid/residual", SHAPES["tictactoe stones"])
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    FastNetwork(network, 2, "cpu")
    assert all(torch.equal(tensor, before[name]) for name, tensor in network.state_dict().items())
