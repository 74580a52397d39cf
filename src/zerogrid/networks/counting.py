"""Multiply-adds of a network: those of convolutions and linear layers, as the Dotsformer paper counts, and apart from
them those of the attention products."""

from typing import Any

import torch
from torch import nn

from zerogrid.networks.attend import Attend
from zerogrid.networks.settings import Network
from zerogrid.networks.shapes import Shape


def multiply_adds(network: Network, tokens: int = 0) -> tuple[int, int]:
    """(layers, attention) for one position; `tokens` actions where the network takes them as tokens."""
    counted = [0, 0]

    def layer(part: Any, inputs: Any, output: Any) -> None:
        weights = part.weight.numel()
        if isinstance(part, nn.Conv2d):
            counted[0] += weights * output.shape[2] * output.shape[3] * output.shape[0]
        else:
            counted[0] += weights * (output.numel() // part.out_features)

    def attention(part: Any, inputs: Any, output: Any) -> None:
        boards, queries, width = output.shape
        sources = inputs[4] if len(inputs) > 4 and inputs[4] is not None else queries
        counted[1] += 2 * boards * queries * sources * width

    hooks = []
    for part in network.modules():
        if isinstance(part, nn.Conv2d | nn.Linear):
            hooks.append(part.register_forward_hook(layer))
        elif isinstance(part, Attend):
            hooks.append(part.register_forward_hook(attention))
    learning = network.training
    try:
        network.eval()
        with torch.no_grad():
            network(*example(network.shape, 1, tokens if network.needs_tokens else 0, network.needs_tokens))
    finally:
        network.train(learning)
        for hook in hooks:
            hook.remove()
    return counted[0], counted[1]


def example(
    shape: Shape,
    batch: int,
    tokens: int = 0,
    with_tokens: bool = False,
    device: str = "cpu",
    dtype: torch.dtype = torch.float32,
    seed: int = 0,
) -> tuple[torch.Tensor, ...]:
    """Random inputs that look like a game's: planes of zeros and ones, each agent somewhere, most tokens present."""
    generator = torch.Generator(device=device).manual_seed(seed)
    planes = torch.rand(batch, shape.cells, shape.planes, device=device, generator=generator) < 0.3
    planes = planes.to(dtype)
    if shape.agents:
        stands = torch.rand(batch, shape.agents, shape.cells, device=device, generator=generator).argmax(2)
        planes[:, :, : shape.agents] = 0
        planes.scatter_(1, stands.unsqueeze(1), 1.0)
    given = planes.view(batch, shape.height, shape.width, shape.planes).permute(0, 3, 1, 2)
    if not with_tokens:
        return (given,)
    features = torch.rand(batch, tokens, shape.action_features, device=device, generator=generator).to(dtype)
    present = torch.rand(batch, tokens, device=device, generator=generator) < 0.8
    present[:, :1] = True
    return given, features, present
