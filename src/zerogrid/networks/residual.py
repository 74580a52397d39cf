"""Our residual network: convolutions, with global pooling in every third block and in the heads.

A block with global pooling tells every cell what the whole board holds (as KataGo does), which plain 3x3 convolutions
carry only one cell a layer. One dial sets its size.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.answer import Answer
from zerogrid.networks.blocks import ConvNorm, FlatHead, Places, Residual
from zerogrid.networks.settings import Network, Settings, choice
from zerogrid.networks.shapes import Shape

SIZES = {"nano": (3, 32), "small": (6, 64), "base": (10, 128)}  # blocks, channels
POOL_EVERY = 3


@dataclass(frozen=True)
class ResidualSettings(Settings):
    """One dial."""

    size: str = choice("small", tuple(SIZES), "blocks x channels: nano 3x32, small 6x64, base 10x128")


def pooled(x: Tensor) -> Tensor:
    """Mean and greatest value of every map: [B, C, H, W] -> [B, 2 C].

    Learning goes through the greatest value's place. The derivative of `amax` is shared among all equals instead, and
    compiled code that computes them anew in another precision finds none, and divides by their number.
    """
    greatest = x.flatten(2).max(2).values if torch.is_grad_enabled() else x.amax((2, 3))
    return torch.cat([x.mean((2, 3)), greatest], 1)


class PoolingResidual(nn.Module):
    """A residual block whose second convolution also hears what the whole board holds."""

    def __init__(self, channels: int):
        super().__init__()
        self.first = ConvNorm(channels, channels)
        self.board = nn.Linear(2 * channels, channels)
        self.second = ConvNorm(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        middle = self.first.rectified(x)
        told = torch.relu(middle + self.board(pooled(middle))[:, :, None, None])
        return self.second.rectified(told, x)


class ResidualNet(Network):
    """Stem, tower, and heads that read the board cell by cell and as a whole."""

    def __init__(self, shape: Shape, settings: ResidualSettings):
        super().__init__(shape, settings)
        blocks, channels = SIZES[settings.size]
        self.stem = ConvNorm(shape.planes, channels)
        self.tower = nn.Sequential()
        for i in range(blocks):
            self.tower.append(PoolingResidual(channels) if i % POOL_EVERY == 1 else Residual(channels, channels))
        self.placed = bool(shape.places)
        if self.placed:
            self.policy: nn.Module = PlacedHead(shape, channels)
        else:
            self.policy = FlatHead(channels, 4, shape.cells, shape.actions)
        self.value_maps = ConvNorm(channels, channels // 2, 1)
        self.value_hidden = nn.Linear(channels + channels // 2 // 8 * shape.cells, 64)
        self.value_thin = ConvNorm(channels, channels // 2 // 8, 1)
        self.value = nn.Linear(64, 1)

    def forward(self, planes: Tensor) -> Answer:
        x = self.tower(self.stem.rectified(planes))
        board = pooled(self.value_maps.rectified(x))
        cells = self.value_thin.rectified(x).flatten(1)
        hidden = torch.relu(self.value_hidden(torch.cat([board, cells], 1)))
        return Answer(self.policy(x), torch.tanh(self.value(hidden)).squeeze(1), {})


class PlacedHead(nn.Module):
    """1x1 convolutions to the shape's policy maps, with what the whole board holds added between them."""

    def __init__(self, shape: Shape, channels: int):
        super().__init__()
        middle = channels // 2
        self.squeeze = ConvNorm(channels, middle, 1)
        self.board = nn.Linear(2 * middle, middle)
        self.maps = nn.Conv2d(middle, shape.policy_planes, 1)
        self.places = Places(shape)
        self.whole = nn.Linear(2 * middle, 1) if self.places.needs_whole else None

    def forward(self, x: Tensor) -> Tensor:
        thin = self.squeeze.rectified(x)
        board = pooled(thin)
        told = torch.relu(thin + self.board(board)[:, :, None, None])
        out: Tensor = self.places(self.maps(told), None if self.whole is None else self.whole(board))
        return out


class CompactResidual(ResidualNet):
    """The same for Pawn Dama's compact actions: four kinds of move from each square, each read at its square."""

    def __init__(self, shape: Shape, settings: ResidualSettings):
        if shape.policy_planes != 4 or shape.actions != 4 * shape.cells:
            raise BadNetwork(
                f"pawn_dama/residual-compact wants the compact encoding, four kinds of move for each of {shape.cells} "
                f"squares, not {shape.actions} slots; zerogrid/residual takes any encoding."
            )
        super().__init__(shape, settings)
