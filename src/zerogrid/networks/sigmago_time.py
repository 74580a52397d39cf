"""The networks of the SigmaGo paper (3) that look back: TemporalNet (section 3.2), and the DualNet it asks for.

Both take the newest position and `history - 1` before it, newest first; positions before the start are zeros.
"""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.answer import Answer
from zerogrid.networks.attend import SelfAttention, maps, tokens
from zerogrid.networks.blocks import ConvNorm, FlatHead, ValueHead
from zerogrid.networks.settings import Network, Settings, divides, whole
from zerogrid.networks.shapes import Shape
from zerogrid.networks.sigmago import HybridSettings, SpatialAttention, plain_trunk


def _needs_history(shape: Shape, name: str) -> None:
    if shape.history < 2:
        raise BadNetwork(
            f"{name} looks back and needs an encoding with a history of at least 2 positions, not 1; "
            "sigmago/hybrid and sigmago/vanilla work on a single position."
        )


@dataclass(frozen=True)
class TemporalSettings(Settings):
    """The defaults are the paper's; its K = 4 is a history of 5 in the shape."""

    first: int = whole(32, 1, 1024, "channels of the first convolution")
    second: int = whole(64, 1, 1024, "channels of the second")
    width: int = whole(128, 1, 1024, "channels of the third and fourth, and of the attention")
    heads: int = whole(8, 1, 64, "attention heads")
    hidden: int = whole(64, 1, 1024, "width of the value head")

    def __post_init__(self) -> None:
        super().__post_init__()
        divides(self.heads, self.width)


class Temporal(Network):
    """One shared trunk turns each position into a vector; attention over time; read at the newest."""

    def __init__(self, shape: Shape, settings: TemporalSettings):
        _needs_history(shape, "sigmago/temporal")
        super().__init__(shape, settings)
        width = settings.width
        widths = (shape.planes // shape.history, settings.first, settings.second, width, width)
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(widths):
            layers += [ConvNorm(inputs, outputs, bias=True), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.times = nn.Parameter(torch.zeros(shape.history, width))
        self.norm = nn.LayerNorm(width)
        self.attention = SelfAttention(width, settings.heads)
        self.policy = nn.Linear(width, shape.actions)
        self.value = ValueHead(nn.Linear(width, settings.hidden), settings.hidden)

    def forward(self, planes: Tensor) -> Answer:
        x = self.trunk(_one_by_one(planes, self.shape.history)).mean((2, 3))
        placed = x.reshape(-1, self.shape.history, x.shape[1]) + self.times
        newest = (placed + self.attention(self.norm(placed)))[:, 0]
        return Answer(self.policy(newest), self.value(newest), {})


class Dual(Network):
    """HybridNet's attention within each position, then attention across the positions, cell by cell."""

    def __init__(self, shape: Shape, settings: HybridSettings):
        _needs_history(shape, "sigmago/dual")
        super().__init__(shape, settings)
        width = settings.third
        self.trunk = plain_trunk(shape.planes // shape.history, settings)
        self.spatial = SpatialAttention(shape, width, settings.heads)
        self.times = nn.Parameter(torch.zeros(shape.history, width))
        self.norm = nn.LayerNorm(width)
        self.attention = SelfAttention(width, settings.heads)
        self.after = nn.LayerNorm(width)
        self.policy = FlatHead(width, 4, shape.cells, shape.actions, normed=False)
        self.value = ValueHead(FlatHead(width, 2, shape.cells, settings.hidden, normed=False), settings.hidden)

    def forward(self, planes: Tensor) -> Answer:
        height, width, history = self.shape.height, self.shape.width, self.shape.history
        x = tokens(self.spatial(self.trunk(_one_by_one(planes, history))))
        by_cell = x.reshape(-1, history, *x.shape[1:]).transpose(1, 2).flatten(0, 1) + self.times
        newest = (by_cell + self.attention(self.norm(by_cell)))[:, 0]
        seen = maps(self.after(newest).reshape(-1, height * width, newest.shape[1]), height, width)
        return Answer(self.policy(seen), self.value(seen), {})


def _one_by_one(planes: Tensor, history: int) -> Tensor:
    """[B, history * P, H, W] -> [B * history, P, H, W], channels last in memory."""
    batch, all_planes, height, width = planes.shape
    apart = planes.permute(0, 2, 3, 1).reshape(batch, height, width, history, all_planes // history)
    return apart.permute(0, 3, 1, 2, 4).flatten(0, 1).permute(0, 3, 1, 2)
