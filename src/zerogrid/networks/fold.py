"""A network made over for inference: the same function with fewer layers.

Batch norms go into the convolution or linear layer before them (w' = w g / sqrt(var + eps)), the convolutions that
make queries, keys and values lie side by side, and biases of attention are laid out once.
"""

import copy
from typing import Any

import torch
from torch import nn

from zerogrid.networks.blocks import ConvNorm, LinearNorm
from zerogrid.networks.multiscale import MergedScales, TransformerBlock
from zerogrid.networks.settings import Network


def folded(network: Network) -> Network:
    """A copy in evaluation mode, folded. The network itself stays as it is."""
    made = copy.deepcopy(network).eval()
    for parameter in made.parameters():
        parameter.requires_grad_(False)
    for part in made.modules():
        if isinstance(part, ConvNorm):
            part.conv, part.norm = _fold(part.conv, part.norm), nn.Identity()
        elif isinstance(part, LinearNorm):
            part.linear, part.norm = _fold(part.linear, part.norm), nn.Identity()
        elif isinstance(part, TransformerBlock):
            part.merged = MergedScales((part.query, part.key, part.value)).requires_grad_(False)
            del part.query, part.key, part.value
    return made


def _fold(layer: Any, norm: Any) -> Any:
    """The layer with the norm behind it inside."""
    if isinstance(norm, nn.Identity):
        return layer
    made = copy.deepcopy(layer)
    with torch.no_grad():
        gain = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
        bias = 0 if layer.bias is None else layer.bias.double()
        weight = layer.weight.double() * gain.view(-1, *[1] * (layer.weight.dim() - 1))
        made.weight = nn.Parameter(weight.to(layer.weight.dtype), requires_grad=False)
        shift = (bias - norm.running_mean.double()) * gain + norm.bias.double()
        made.bias = nn.Parameter(shift.to(layer.weight.dtype), requires_grad=False)
    return made
