"""The parts that several networks share.

A convolution or linear layer and the batch norm behind it form one part, so that the fast path can fold the norm into
the weights.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from zerogrid.networks.answer import NEVER
from zerogrid.networks.shapes import WHOLE_BOARD, Shape


class ConvNorm(nn.Module):
    """Convolution, batch norm."""

    def __init__(self, inputs: int, outputs: int, size: int = 3, padding: int | None = None, bias: bool = False):
        super().__init__()
        around = size // 2 if padding is None else padding
        self.conv = nn.Conv2d(inputs, outputs, size, padding=around, bias=bias)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)
        self.one_kernel = False  # the fast path sets it where the norm is folded and cuDNN can do all in one go

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm(self.conv(x))
        return out

    def rectified(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        """ReLU of what `forward` gives, with `plus` added before it."""
        if self.one_kernel:
            from zerogrid.networks import conv_cuda

            return conv_cuda.conv_relu(x, self.conv, plus)
        made = self(x)
        return torch.relu(made if plus is None else made + plus)


class LinearNorm(nn.Module):
    """Linear, batch norm."""

    def __init__(self, inputs: int, outputs: int, bias: bool = True):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs, bias=bias)
        self.norm: nn.Module = nn.BatchNorm1d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm(self.linear(x))
        return out


class Residual(nn.Module):
    """conv, BN, ReLU, conv, BN, plus the input (through a 1x1 convolution when the width changes), ReLU."""

    def __init__(self, inputs: int, outputs: int, between: int | None = None):
        super().__init__()
        middle = outputs if between is None else between
        self.first = ConvNorm(inputs, middle)
        self.second = ConvNorm(middle, outputs)
        self.shortcut: nn.Module = nn.Identity() if inputs == outputs else ConvNorm(inputs, outputs, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.second.rectified(self.first.rectified(x), self.shortcut(x))


class FlatHead(nn.Module):
    """Maps to a vector: 1x1 convolution, activation, flatten, linear. Bound to one board size."""

    def __init__(self, inputs: int, maps: int, cells: int, outputs: int, normed: bool = True):
        super().__init__()
        self.squeeze: nn.Module = ConvNorm(inputs, maps, 1) if normed else nn.Conv2d(inputs, maps, 1)
        self.linear = nn.Linear(maps * cells, outputs)

    def forward(self, x: Tensor) -> Tensor:
        squeezed = self.squeeze
        thin = squeezed.rectified(x) if isinstance(squeezed, ConvNorm) else torch.relu(squeezed(x))
        out: Tensor = self.linear(thin.flatten(1))
        return out


class ValueHead(nn.Module):
    """A vector to one number in [-1, 1]: linear, ReLU, linear, tanh. `first` may be a whole head of its own."""

    def __init__(self, first: nn.Module, hidden: int):
        super().__init__()
        self.first = first
        self.last = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.last(torch.relu(self.first(x)))).squeeze(1)


class Places(nn.Module):
    """Reads each action's logit from the maps [B, policy_planes, height, width], as the shape's places say."""

    table: Tensor
    weights: Tensor

    def __init__(self, shape: Shape):
        super().__init__()
        maps = shape.policy_planes * shape.cells
        self.straight = shape.places == tuple((i,) for i in range(maps))
        self.needs_whole = any(WHOLE_BOARD in places for places in shape.places)
        depth = max([len(places) for places in shape.places], default=1) or 1
        # behind the maps stand two columns: what the whole board says, and the logit of what is never legal
        rows = [[maps if place == WHOLE_BOARD else place for place in places] or [maps + 1] for places in shape.places]
        table = np.array([row + [row[0]] * (depth - len(row)) for row in rows], dtype=np.int64)
        weights = np.array([[1 / len(row)] * len(row) + [0] * (depth - len(row)) for row in rows], dtype=np.float32)
        self.depth = depth
        self.has_never = any(not places for places in shape.places)
        self.register_buffer("table", torch.from_numpy(table), persistent=False)
        self.register_buffer("weights", torch.from_numpy(weights), persistent=False)

    def forward(self, maps: Tensor, whole: Tensor | None = None) -> Tensor:
        """`whole` [B, 1] answers for actions that lie nowhere."""
        flat = maps.flatten(1)
        if self.straight:
            return flat
        if self.needs_whole or self.has_never:
            aside = flat.new_zeros(flat.shape[0], 1) if whole is None else whole
            flat = torch.cat([flat, aside, flat.new_full((flat.shape[0], 1), NEVER)], 1)
        if self.depth == 1:
            return flat[:, self.table[:, 0]]
        return (flat[:, self.table] * self.weights.to(flat.dtype)).sum(2)


def parameters(network: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in network.parameters())


def apply_to(network: nn.Module, kind: type, change: Callable[[nn.Module], None]) -> None:
    """Do something to every part of a kind."""
    for part in network.modules():
        if isinstance(part, kind):
            change(part)
