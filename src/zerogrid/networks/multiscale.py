"""The Transformer block of the Dotsformer paper (2, section 4.2): MS-Trans.

Queries, keys and values come from convolutions of several sizes, laid side by side and projected back to the width
(4.2.1); a relative position bias and a bias of the board's topology are added to the scores (4.2.2).
"""

from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from zerogrid.networks.attend import Attend, RelativeBias, gelu, maps, tokens
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
        strong, weak = topology(shape.boxes, shape.height, shape.width)
        self.register_buffer("strong", torch.from_numpy(strong), persistent=False)
        self.register_buffer("weak", torch.from_numpy(weak), persistent=False)
        self.weights = nn.Parameter(torch.zeros(2))

    def forward(self) -> Tensor:
        """[cells, cells]."""
        weight = self.weights
        return weight[0] * self.strong.to(weight.dtype) + weight[1] * self.weak.to(weight.dtype)


@lru_cache(maxsize=8)  # the blocks of a trunk share it
def topology(boxes: tuple[int, int], height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Two masks [cells, cells]: in one box together; not that, but in two boxes that share an edge.

    On the grid of dots, edges and boxes a box is its centre and its four edges (the dots belong to none); on a grid of
    boxes it is its own cell.
    """
    rows, columns = boxes
    member = np.zeros((rows * columns, height * width), dtype=bool)
    quad = (height, width) == (rows, columns)
    for row in range(rows):
        for column in range(columns):
            y, x = 2 * row + 1, 2 * column + 1
            box = ((y, x), (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
            for cell_y, cell_x in ((row, column),) if quad else box:
                member[row * columns + column, cell_y * width + cell_x] = True
    r, c = np.divmod(np.arange(rows * columns), columns)
    adjoining = np.abs(r[:, None] - r) + np.abs(c[:, None] - c) == 1
    inside = member.astype(np.float32)
    strong = (inside.T @ inside) > 0
    weak = ((inside.T @ adjoining.astype(np.float32) @ inside) > 0) & ~strong
    return strong, weak


class TransformerBlock(nn.Module):
    """Attention over all cells, feed-forward; each adds to its input, and a LayerNorm follows: [B, C, H, W]."""

    def __init__(self, shape: Shape, width: int, heads: int, hidden: int, sizes: tuple[int, ...], topological: bool):
        super().__init__()
        self.height, self.width, self.heads = shape.height, shape.width, heads
        self.query, self.key, self.value = (MultiScale(width, sizes) for _ in range(3))
        self.merged: nn.Module | None = None  # the three in one, made by the fast path
        self.attend = Attend()
        self.relative = RelativeBias(heads, shape.height, shape.width)
        self.topology = Topology(shape) if topological else None
        self.project = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width)
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        self.norm2 = nn.LayerNorm(width)

        self.in_one_kernel = False  # the fast path sets it: everything behind the attention at once

    def bias(self) -> Tensor:
        """B_rel + B_topo, [heads, cells, cells]."""
        bias: Tensor = self.relative()
        return bias if self.topology is None else bias + self.topology()

    def forward(self, x: Tensor) -> Tensor:
        qkv = torch.cat([self.query(x), self.key(x), self.value(x)], 1) if self.merged is None else self.merged(x)
        seen = self.attend(tokens(qkv), self.heads, None if self.attend.table is not None else self.bias())
        if self.in_one_kernel:
            from zerogrid.networks.rows_cuda import rows

            return maps(rows(tokens(x), seen, self, self.norm2, None)[0], self.height, self.width)
        found = self.norm1(tokens(x) + self.project(seen))
        return maps(self.norm2(found + self.narrow(gelu(self.widen(found)))), self.height, self.width)


class MergedScales(nn.Module):
    """Queries, keys and values of a block at once: for inference, the same function in fewer and wider kernels.

    Kernels of one size are laid side by side; up to 3x3 everything, projection included, becomes one convolution.
    """

    def __init__(self, parts: tuple[MultiScale, MultiScale, MultiScale]):
        super().__init__()
        convs: list[list[Any]] = [list(part.scales) for part in parts]
        sizes = [conv.kernel_size[0] for conv in convs[0]]
        self.scales = nn.ModuleList()
        for index, size in enumerate(sizes):
            self.scales.append(_side_by_side([conv[index] for conv in convs], size))
        self.project: nn.Conv2d | None = None
        if len(sizes) == 1:
            return
        width = convs[0][0].in_channels
        share = width // len(sizes)
        project = nn.Conv2d(3 * width, 3 * width, 1)
        with torch.no_grad():
            project.weight.zero_()
            for p, part in enumerate(parts):
                own: Any = part.project
                project.bias[p * width : (p + 1) * width] = own.bias  # type: ignore[index]
                for index in range(len(sizes)):  # what scale `index` made for this part stands at (index, part)
                    columns = slice((3 * index + p) * share, (3 * index + p + 1) * share)
                    given = own.weight[:, index * share : (index + 1) * share]
                    project.weight[p * width : (p + 1) * width, columns] = given
        if max(sizes) <= 3:
            self.scales = nn.ModuleList([_folded(list(self.scales), project)])
        else:
            self.project = project

    def forward(self, x: Tensor) -> Tensor:
        out = torch.cat([scale(x) for scale in self.scales], 1) if len(self.scales) > 1 else self.scales[0](x)
        return out if self.project is None else self.project(out)


def _side_by_side(convs: list[nn.Conv2d], size: int) -> nn.Conv2d:
    """One convolution with the outputs of all."""
    made = nn.Conv2d(convs[0].in_channels, sum(conv.out_channels for conv in convs), size, padding=size // 2)
    with torch.no_grad():
        made.weight.copy_(torch.cat([conv.weight for conv in convs]))
        made.bias.copy_(torch.cat([conv.bias for conv in convs]))  # type: ignore[misc, union-attr]
    return made


def _folded(scales: list[Any], project: nn.Conv2d) -> nn.Conv2d:
    """Convolutions of sizes up to 3 and the projection of their outputs, as one 3x3 convolution."""
    inputs = scales[0].in_channels
    made = nn.Conv2d(inputs, project.out_channels, 3, padding=1)
    with torch.no_grad():
        spread = torch.cat([F.pad(conv.weight, [1 - conv.kernel_size[0] // 2] * 4) for conv in scales])
        mixing = project.weight.flatten(1)
        made.weight.copy_((mixing @ spread.flatten(1)).view_as(made.weight))
        made.bias.copy_(mixing @ torch.cat([conv.bias for conv in scales]) + project.bias)  # type: ignore[operator, union-attr]
    return made
