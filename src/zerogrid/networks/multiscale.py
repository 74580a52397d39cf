"""The Transformer block of the Dotsformer paper (2, section 4.2): MS-Trans.

Queries, keys and values come from convolutions of several sizes, laid side by side and projected back to the width
(4.2.1); a relative position bias and a bias of the board's topology are added to the scores (4.2.2).
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from zerogrid.networks.attend import Attend, RelativeBias, maps, split_heads, tokens
from zerogrid.networks.shapes import Shape


class MultiScale(nn.Module):
    """Convolutions of several kernel sizes side by side, then a projection of each cell: [B, C, H, W] -> the same.

    Nothing stands between the two, so with small kernels `merged` can make one convolution of them.
    """

    def __init__(self, width: int, sizes: tuple[int, ...]):
        super().__init__()
        share = width // len(sizes)
        self.scales = nn.ModuleList([nn.Conv2d(width, share, size, padding=size // 2) for size in sizes])
        self.project: nn.Module = nn.Conv2d(width, width, 1) if len(sizes) > 1 else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.project(torch.cat([scale(x) for scale in self.scales], 1))
        return out


class Topology(nn.Module):
    """The paper's topological bias: w_strong for pairs of cells of the same box, w_weak for adjoining boxes."""

    strong: Tensor
    weak: Tensor

    def __init__(self, shape: Shape):
        super().__init__()
        strong, weak = topology(shape)
        self.register_buffer("strong", torch.from_numpy(strong), persistent=False)
        self.register_buffer("weak", torch.from_numpy(weak), persistent=False)
        self.weights = nn.Parameter(torch.zeros(2))

    def forward(self) -> Tensor:
        """[cells, cells]."""
        weight = self.weights
        return weight[0] * self.strong.to(weight.dtype) + weight[1] * self.weak.to(weight.dtype)


def topology(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Two masks [cells, cells]: in one box together; not that, but in two boxes that share an edge.

    On the grid of dots, edges and boxes a box is its centre and its four edges (the dots belong to none); on a grid of
    boxes it is its own cell.
    """
    rows, columns = shape.boxes
    member = np.zeros((rows * columns, shape.cells), dtype=bool)
    quad = (shape.height, shape.width) == (rows, columns)
    for row in range(rows):
        for column in range(columns):
            y, x = 2 * row + 1, 2 * column + 1
            box = ((y, x), (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
            for cell_y, cell_x in ((row, column),) if quad else box:
                member[row * columns + column, cell_y * shape.width + cell_x] = True
    r, c = np.divmod(np.arange(rows * columns), columns)
    adjoining = np.abs(r[:, None] - r) + np.abs(c[:, None] - c) == 1
    strong = (member.T.astype(int) @ member) > 0
    weak = ((member.T.astype(int) @ adjoining @ member) > 0) & ~strong
    return strong, weak


class TransformerBlock(nn.Module):
    """Attention over all cells, feed-forward; each adds to its input, and a LayerNorm follows: [B, C, H, W]."""

    def __init__(self, shape: Shape, width: int, heads: int, hidden: int, sizes: tuple[int, ...], topological: bool):
        super().__init__()
        self.height, self.width, self.heads = shape.height, shape.width, heads
        self.query, self.key, self.value = (MultiScale(width, sizes) for _ in range(3))
        self.attend = Attend()
        self.relative = RelativeBias(heads, shape.height, shape.width)
        self.topology = Topology(shape) if topological else None
        self.project = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width)
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        self.norm2 = nn.LayerNorm(width)

    def bias(self) -> Tensor:
        """B_rel + B_topo, [heads, cells, cells]."""
        bias: Tensor = self.relative()
        return bias if self.topology is None else bias + self.topology()

    def forward(self, x: Tensor) -> Tensor:
        qkv = tokens(torch.cat([self.query(x), self.key(x), self.value(x)], 1))
        q, k, v = split_heads(qkv, self.heads)
        seen = self.attend(q, k, v, self.bias())
        rows = self.norm1(tokens(x) + self.project(seen.transpose(1, 2).flatten(2)))
        return maps(self.norm2(rows + self.narrow(F.gelu(self.widen(rows)))), self.height, self.width)
