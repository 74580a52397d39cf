"""Our Transformer: norm first (RMS), relative positions, SwiGLU. One dial sets its size.

Cells are the tokens; there is no [CLS], the value reads the mean of all cells. A 3x3 convolution makes the tokens, so
that the first layer already sees neighbours.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from zerogrid.networks.answer import Answer
from zerogrid.networks.attend import Attend, RelativeBias, join_heads, split_heads, tokens
from zerogrid.networks.blocks import ValueHead
from zerogrid.networks.cell_policy import CellPolicy
from zerogrid.networks.settings import Network, Settings, choice, flag
from zerogrid.networks.shapes import Shape

SIZES = {"nano": (3, 64, 4), "small": (5, 128, 4), "base": (8, 256, 8)}  # layers, width, heads


@dataclass(frozen=True)
class ModernSettings(Settings):
    """One dial, and the kind of feed-forward layer."""

    size: str = choice("small", tuple(SIZES), "layers x width: nano 3x64, small 5x128, base 8x256")
    gated: bool = flag(True, "SwiGLU; else a plain GELU layer of the same number of parameters")


class ModernLayer(nn.Module):
    """x + attention(norm(x)), then x + feed-forward(norm(x))."""

    def __init__(self, shape: Shape, width: int, heads: int, gated: bool):
        super().__init__()
        self.heads, self.gated = heads, gated
        self.norm1 = nn.RMSNorm(width, eps=1e-5)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.attend = Attend()
        self.relative = RelativeBias(heads, shape.height, shape.width)
        self.project = nn.Linear(width, width)
        self.norm2 = nn.RMSNorm(width, eps=1e-5)
        hidden = 2 * width if gated else 3 * width
        self.widen = nn.Linear(width, 2 * hidden if gated else hidden)
        self.narrow = nn.Linear(hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = split_heads(self.qkv(self.norm1(x)), self.heads)
        x = x + self.project(join_heads(self.attend(q, k, v, self.relative())))
        wide = self.widen(self.norm2(x))
        if self.gated:
            gate, wide = wide.chunk(2, -1)
            out: Tensor = x + self.narrow(F.silu(gate) * wide)
            return out
        return x + self.narrow(F.gelu(wide))


class ModernTransformer(Network):
    """Convolution, learned places, layers, heads."""

    def __init__(self, shape: Shape, settings: ModernSettings):
        super().__init__(shape, settings)
        layers, width, heads = SIZES[settings.size]
        self.embed = nn.Conv2d(shape.planes, width, 3, padding=1)
        self.where = nn.Parameter(torch.randn(shape.cells, width) * 0.02)
        self.layers = nn.Sequential(*(ModernLayer(shape, width, heads, settings.gated) for _ in range(layers)))
        self.norm = nn.RMSNorm(width, eps=1e-5)
        self.policy = CellPolicy(shape, width)
        self.value = ValueHead(nn.Linear(width, 64), 64)

    def forward(self, planes: Tensor) -> Answer:
        x = self.norm(self.layers(tokens(self.embed(planes)) + self.where))
        board = x.mean(1)
        return Answer(self.policy(x, board, planes), self.value(board), {})
