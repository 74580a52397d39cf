"""A network as the evaluators run it: the search's arrays in, logits and values out, whatever the runtime.

    planes [rows, cells, planes] as the search writes them are a network's planes [rows, planes, height, width] with
    the channels last in memory: a view, no copy. Of the action tokens a network is told which are offered.
"""

from typing import Any

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.encodings.encoding import Encoding
from zerogrid.networks.settings import Network
from zerogrid.networks.shapes import Shape


def shape_of(encoding: Encoding) -> Shape:
    """An encoding as networks see it."""
    return Shape(**encoding.shape_fields())


def check_fits(network: Network, encoding: Encoding) -> None:
    """Refuse a network that was made for another game or another way of showing it."""
    wanted = shape_of(encoding)
    if network.shape != wanted:
        raise BadNetwork(
            f"this {network.name} was made for {network.shape.game} with {network.shape.planes} planes of "
            f"{network.shape.height}x{network.shape.width} and {network.shape.actions} actions; "
            f"{encoding.game.spec} shown as {encoding.spec} has {wanted.planes} planes of "
            f"{wanted.height}x{wanted.width} and {wanted.actions} actions."
        )


class AsSearched(nn.Module):
    """A network that takes the search's arrays as they lie."""

    def __init__(self, network: Network, encoding: Encoding) -> None:
        super().__init__()
        self.network = network
        self.height, self.width, self.planes = encoding.height, encoding.width, encoding.planes
        self.most = encoding.game.MAX_LEGAL if network.needs_tokens else 0

    def forward(
        self, planes: Tensor, tokens: Tensor | None = None, offered: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        seen = planes.view(-1, self.height, self.width, self.planes).permute(0, 3, 1, 2)
        if tokens is None or offered is None:
            answer = self.network(seen)
        else:
            present = torch.arange(self.most, device=planes.device) < offered.view(-1, 1)
            answer = self.network(seen, tokens, present)
        return answer.policy.float(), answer.value.float().reshape(-1)


def example_inputs(network: Network, encoding: Encoding, rows: int) -> tuple[Any, ...]:
    """Arrays of zeros of the right shapes."""
    planes = torch.zeros(rows, encoding.height * encoding.width, encoding.planes)
    if not network.needs_tokens:
        return (planes,)
    tokens = torch.zeros(rows, encoding.game.MAX_LEGAL, encoding.features)
    return planes, tokens, torch.ones(rows, dtype=torch.int32)
