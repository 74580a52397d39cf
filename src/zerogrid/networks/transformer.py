"""Our Transformer: norm first (RMS), relative positions, SwiGLU. One dial sets its size.

Cells are the tokens; there is no [CLS], the value reads the mean of all cells. A 3x3 convolution makes the tokens, so
that the first layer already sees neighbours.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerogrid.networks.answer import Answer
from zerogrid.networks.attend import RelativeBias, tokens
from zerogrid.networks.blocks import ValueHead
from zerogrid.networks.cell_policy import CellPolicy
from zerogrid.networks.encoder import EncoderLayer, Stack, rms_norm
from zerogrid.networks.settings import Network, Settings, choice, flag
from zerogrid.networks.shapes import Shape

SIZES = {"nano": (3, 64, 4), "small": (5, 128, 4), "base": (8, 256, 8)}  # layers, width, heads


@dataclass(frozen=True)
class ModernSettings(Settings):
    """One dial, and the kind of feed-forward layer."""

    size: str = choice("small", tuple(SIZES), "layers x width: nano 3x64, small 5x128, base 8x256")
    gated: bool = flag(True, "SwiGLU; else a plain GELU layer of the same number of parameters")


class ModernTransformer(Network):
    """Convolution, learned places, layers, heads."""

    def __init__(self, shape: Shape, settings: ModernSettings):
        super().__init__(shape, settings)
        layers, width, heads = SIZES[settings.size]
        self.embed = nn.Conv2d(shape.planes, width, 3, padding=1)
        self.where = nn.Parameter(torch.randn(shape.cells, width) * 0.02)
        hidden = 2 * width if settings.gated else 3 * width
        made = (
            EncoderLayer(
                width, heads, hidden, rms_norm, settings.gated, RelativeBias(heads, shape.height, shape.width)
            )
            for _ in range(layers)
        )
        self.body = Stack(made, rms_norm(width))
        self.policy = CellPolicy(shape, width)
        self.value = ValueHead(nn.Linear(width, 64), 64)

    def forward(self, planes: Tensor) -> Answer:
        x = self.body(tokens(self.embed(planes)) + self.where)
        board = x.mean(1)
        return Answer(self.policy(x, board, planes), self.value(board), {})
