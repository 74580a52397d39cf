"""Where a network looks: the weights of every attention layer and head for one position.

    for seen in attention_maps(network, planes):        # planes [1, C, H, W]
        seen.layer, seen.weights                        # "trunk.0.attend", [heads, queries, keys]

Tokens are the cells of the network's grid, row by row; with [CLS] it comes first, and action tokens stand behind. What
the history networks attend over are positions, newest first.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.attend import Attend
from zerogrid.networks.settings import Network


class Seen(NamedTuple):
    """One layer's weights, [heads, queries, keys], each row a distribution over the keys.

    cells   the place of the first cell among the tokens, or -1 where the tokens are no cells
    cls     whether token 0 is the whole board
    """

    layer: str
    weights: Tensor
    cells: int
    cls: bool


def attention_layers(network: Network) -> list[str]:
    """The names of its attention layers, first to last."""
    return [name for name, part in network.named_modules() if isinstance(part, Attend)]


def attention_maps(
    network: Network, planes: Tensor, tokens: Tensor | None = None, present: Tensor | None = None
) -> list[Seen]:
    """Every layer's weights for a single position; the network is left as it was."""
    layers = {name: part for name, part in network.named_modules() if isinstance(part, Attend)}
    if not layers:
        raise BadNetwork(
            f"{network.name} has no attention to look at; dotsformer/tr, sigmago/hybrid, battlefield/transformer and "
            "zerogrid/transformer have."
        )
    if planes.shape[0] != 1:
        raise BadNetwork(f"attention is looked at one position at a time, not {planes.shape[0]}.")
    learning = network.training
    try:
        for part in layers.values():
            part.watching, part.seen = True, []
        network.eval()
        with torch.no_grad():
            if tokens is None:
                network(planes)
            else:
                network(planes, tokens, present)
        return [_seen(name, part.seen[0], network.shape.cells) for name, part in layers.items()]
    finally:
        network.train(learning)
        for part in layers.values():
            part.watching, part.seen = False, []


def _seen(layer: str, weights: Tensor, cells: int) -> Seen:
    boards, _, _, keys = weights.shape
    if keys >= cells and boards == 1:
        cls = keys > cells
        return Seen(layer, weights[0], int(cls), cls)
    return Seen(layer, weights.mean(0), -1, False)  # over time: for each cell or once; the mean over the boards
