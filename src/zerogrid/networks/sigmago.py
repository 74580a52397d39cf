"""The networks of the SigmaGo paper (3, section 3.2) that look at one position: Vanilla, ResNet, HybridNet."""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from zerogrid.networks.answer import Answer
from zerogrid.networks.attend import SelfAttention, maps, sines, tokens
from zerogrid.networks.blocks import ConvNorm, FlatHead, ValueHead
from zerogrid.networks.settings import Network, Settings, divides, whole
from zerogrid.networks.shapes import Shape


@dataclass(frozen=True)
class VanillaSettings(Settings):
    """Three convolutions; the defaults are the paper's."""

    first: int = whole(32, 1, 1024, "channels of the first convolution")
    second: int = whole(64, 1, 1024, "channels of the second")
    third: int = whole(128, 1, 1024, "channels of the third")
    hidden: int = whole(64, 1, 1024, "width of the value head")


class Vanilla(Network):
    """Three convolutions and two small heads, without any normalisation."""

    def __init__(self, shape: Shape, settings: VanillaSettings):
        super().__init__(shape, settings)
        self.trunk = plain_trunk(shape.planes, settings)
        self.policy = FlatHead(settings.third, 4, shape.cells, shape.actions, normed=False)
        self.value = ValueHead(FlatHead(settings.third, 2, shape.cells, settings.hidden, normed=False), settings.hidden)

    def forward(self, planes: Tensor) -> Answer:
        x = self.trunk(planes)
        return Answer(self.policy(x), self.value(x), {})


def plain_trunk(planes: int, settings: VanillaSettings) -> nn.Sequential:
    """conv, ReLU three times."""
    widths = (planes, settings.first, settings.second, settings.third)
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers)


@dataclass(frozen=True)
class HybridSettings(VanillaSettings):
    """Vanilla's, and the heads of the attention."""

    heads: int = whole(8, 1, 64, "attention heads")

    def __post_init__(self) -> None:
        super().__post_init__()
        divides(self.heads, self.third)


class SpatialAttention(nn.Module):
    """Adds fixed positions, norms, attends over the cells, adds what it found, norms: [B, C, H, W] -> the same."""

    positions: Tensor

    def __init__(self, shape: Shape, width: int, heads: int):
        super().__init__()
        self.height, self.width = shape.height, shape.width
        where = torch.from_numpy(sines(shape.height, shape.width, width))
        self.register_buffer("positions", where, persistent=False)
        self.before = nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.after = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        placed = tokens(x) + self.positions.to(x.dtype)
        return maps(self.after(placed + self.attention(self.before(placed))), self.height, self.width)


class Hybrid(Network):
    """Vanilla with one layer of attention over all cells between trunk and heads."""

    def __init__(self, shape: Shape, settings: HybridSettings):
        super().__init__(shape, settings)
        self.trunk = plain_trunk(shape.planes, settings)
        self.spatial = SpatialAttention(shape, settings.third, settings.heads)
        self.policy = FlatHead(settings.third, 4, shape.cells, shape.actions, normed=False)
        self.value = ValueHead(FlatHead(settings.third, 2, shape.cells, settings.hidden, normed=False), settings.hidden)

    def forward(self, planes: Tensor) -> Answer:
        x = self.spatial(self.trunk(planes))
        return Answer(self.policy(x), self.value(x), {})


@dataclass(frozen=True)
class ResNetSettings(Settings):
    """AlphaGo Zero's tower; the defaults are the paper's 20 x 256."""

    blocks: int = whole(20, 1, 80, "residual blocks")
    channels: int = whole(256, 1, 1024, "channels")
    hidden: int = whole(256, 1, 4096, "width of the value head")


class PreActivation(nn.Module):
    """x + conv(ReLU(BN(conv(ReLU(BN(x)))))); the second norm folds into the first convolution."""

    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.first = ConvNorm(channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.second(self.first.rectified(torch.relu(self.norm(x))))
        return out


class ResNet(Network):
    """A stem, a tower of pre-activation blocks, two heads of 1x1 convolutions."""

    def __init__(self, shape: Shape, settings: ResNetSettings):
        super().__init__(shape, settings)
        self.stem = ConvNorm(shape.planes, settings.channels)
        self.tower = nn.Sequential(*(PreActivation(settings.channels) for _ in range(settings.blocks)))
        self.policy = FlatHead(settings.channels, 2, shape.cells, shape.actions)
        self.value = ValueHead(FlatHead(settings.channels, 1, shape.cells, settings.hidden), settings.hidden)

    def forward(self, planes: Tensor) -> Answer:
        x = self.tower(self.stem.rectified(planes))
        return Answer(self.policy(x), self.value(x), {})
