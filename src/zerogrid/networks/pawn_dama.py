"""The convolutional network of the Pawn Dama paper (1, Table 1)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.answer import Answer
from zerogrid.networks.blocks import ConvNorm, LinearNorm
from zerogrid.networks.settings import Network, Settings, choice, share, whole
from zerogrid.networks.shapes import Shape


@dataclass(frozen=True)
class PawnDamaSettings(Settings):
    """Widths and dropout; the defaults are the paper's."""

    channels: int = whole(512, 1, 2048, "channels of the four convolutions, C")
    first_dense: int = whole(1024, 1, 8192, "width of fc1")
    second_dense: int = whole(512, 1, 8192, "width of fc2")
    dropout: float = share(0.3, "share of features dropped while learning")
    dropout_after: str = choice("all", ("all", "dense"), "after every batch norm (paper) or the dense ones (its code)")


class PawnDamaCnn(Network):
    """Two padded convolutions, two that shrink the board by two each, two dense layers, two heads."""

    def __init__(self, shape: Shape, settings: PawnDamaSettings):
        if min(shape.height, shape.width) < 5:
            raise BadNetwork(
                f"pawn_dama/cnn shrinks the board by four and needs sides of at least 5, not "
                f"{shape.height}x{shape.width}; zerogrid/residual and sigmago/vanilla would work."
            )
        super().__init__(shape, settings)
        channels, drop = settings.channels, settings.dropout
        between = drop if settings.dropout_after == "all" else 0.0
        self.conv1 = ConvNorm(shape.planes, channels, bias=True)
        self.conv2 = ConvNorm(channels, channels, bias=True)
        self.conv3 = ConvNorm(channels, channels, padding=0, bias=True)
        self.conv4 = ConvNorm(channels, channels, padding=0, bias=True)
        self.drop_maps = nn.Dropout(between)
        self.fc1 = LinearNorm(channels * (shape.height - 4) * (shape.width - 4), settings.first_dense)
        self.fc2 = LinearNorm(settings.first_dense, settings.second_dense)
        self.drop = nn.Dropout(drop)
        self.policy = nn.Linear(settings.second_dense, shape.actions)
        self.value = nn.Linear(settings.second_dense, 1)

    def forward(self, planes: Tensor) -> Answer:
        x = planes
        for layer in (self.conv1, self.conv2, self.conv3, self.conv4):
            x = self.drop_maps(layer.rectified(x))
        x = x.flatten(1)
        for dense in (self.fc1, self.fc2):
            x = self.drop(torch.relu(dense(x)))
        return Answer(self.policy(x), torch.tanh(self.value(x)).squeeze(1), {})
