"""The networks of the Dotsformer paper (2): one body, of which the paper's variants are settings.

    stem   residual block planes -> width
    trunk  six blocks in the order that `trunk` spells: R residual, T Transformer (section 4.2.3)
    heads  policy and value (Table 3), and with `auxiliary` the initiative and the class of each cell (section 4.3)

The published parameter and FLOP counts (Tables 4 and 13) do not fix one design; docs/networks/dotsformer.md says what
was decided.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.answer import Answer
from zerogrid.networks.blocks import ConvNorm, LinearNorm, Places, Residual
from zerogrid.networks.multiscale import TransformerBlock
from zerogrid.networks.settings import Network, Settings, choice, divides, flag, letters, whole
from zerogrid.networks.shapes import Shape

KERNELS = {"linear": (1,), "multiscale2": (1, 3), "multiscale4": (1, 3, 5, 7)}


@dataclass(frozen=True)
class DotsformerSettings(Settings):
    """The defaults are the paper's, decided where it is silent."""

    trunk: str = letters("RRRRRR", "RT", 64, "the trunk's blocks in order: R residual, T Transformer")
    attention: str = choice("linear", tuple(KERNELS), "kernel sizes behind q, k, v: 1; 1 3; 1 3 5 7")
    topology: bool = flag(False, "add the topological bias to the scores")
    auxiliary: bool = flag(False, "heads for the initiative and the class of each cell")
    width: int = whole(128, 8, 1024, "channels of the trunk")
    between: int = whole(72, 1, 1024, "channels between the two convolutions of a trunk block")
    heads: int = whole(4, 1, 64, "attention heads")
    hidden: int = whole(256, 1, 4096, "width of the feed-forward layer")

    def __post_init__(self) -> None:
        super().__post_init__()
        divides(self.heads, self.width)
        divides(len(KERNELS[self.attention]), self.width)


class Fusion(nn.Module):
    """The paper's fusion layer: a learned weighting of all channels into a few maps, one in most heads."""

    def __init__(self, inputs: int, outputs: int = 1):
        super().__init__()
        self.weights = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.weights(x)
        return out


class FusedValue(nn.Module):
    """Residual, fusion, BN, linear, BN, tanh (Table 3)."""

    def __init__(self, width: int, cells: int):
        super().__init__()
        self.block = Residual(width, 64)
        self.fusion = ConvNorm(64, 1, 1, bias=True)
        self.linear = LinearNorm(cells, 1)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.linear(self.fusion(self.block(x)).flatten(1))).squeeze(1)


class Auxiliary(nn.Module):
    """A residual block 128 -> 32 for each of two tasks: the initiative, and four classes for each cell."""

    table: Tensor
    share: Tensor

    def __init__(self, shape: Shape, width: int):
        super().__init__()
        self.boxes = shape.boxes[0] * shape.boxes[1]
        self.initiative_block = Residual(width, 32)
        self.initiative_fusion = Fusion(32)
        self.initiative = nn.Linear(shape.cells, 3)
        self.class_block = Residual(width, 32)
        self.quad = (shape.height, shape.width) == shape.boxes
        self.classes = nn.Conv2d(32, 4 * (4 if self.quad else 1), 1)
        self.rows, self.columns = (2 * side + 1 for side in shape.boxes)
        if self.quad:
            table, share = from_boxes(*shape.boxes)
            self.register_buffer("table", torch.from_numpy(table), persistent=False)
            self.register_buffer("share", torch.from_numpy(share), persistent=False)

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        fused = self.initiative_fusion(self.initiative_block(x)).flatten(1)
        classes = self.classes(self.class_block(x))
        if self.quad:  # [B, 16, rows, columns] -> [B, 4, sides * boxes], each spread over the grid
            said = classes.reshape(-1, 4, 4 * self.boxes)[:, :, self.table]
            classes = (said * self.share.to(said.dtype)).sum(3)
        return {"initiative": self.initiative(fused), "classes": classes.reshape(-1, 4, self.rows, self.columns)}


def from_boxes(rows: int, columns: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For each grid cell, which entries of [4 sides * boxes] speak for it, and with what share [grid cells, 2].

    Each box speaks for its four edges; an edge of two boxes gets their mean, a dot or a box nothing.
    """
    across = 2 * columns + 1
    speakers: list[list[int]] = [[] for _ in range((2 * rows + 1) * across)]
    for side, (dy, dx) in enumerate(((0, 1), (-1, 0), (0, -1), (1, 0))):  # right, up, left, down
        for box in range(rows * columns):
            r, c = divmod(box, columns)
            speakers[(2 * r + 1 + dy) * across + 2 * c + 1 + dx].append(side * rows * columns + box)
    table = np.array([(*found, 0, 0)[:2] for found in speakers], dtype=np.int64)
    share = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5]], dtype=np.float32)[[len(found) for found in speakers]]
    return table, share


class Dotsformer(Network):
    """Stem, trunk of residual and Transformer blocks, heads."""

    def __init__(self, shape: Shape, settings: DotsformerSettings):
        if not shape.places:
            raise BadNetwork(
                f"the Dotsformer networks read each action from the board, and the encoding of {shape.game} does not "
                "say where its actions lie; battlefield/cnn and zerogrid/residual would work."
            )
        boxes = shape.boxes != (0, 0)
        if (settings.topology or settings.auxiliary) and not boxes:
            what = "the topological bias" if settings.topology else "the auxiliary heads"
            raise BadNetwork(
                f"{what} of Dotsformer speaks of boxes, and {shape.game} has none; "
                "dotsformer/tr and dotsformer/linear-notopo with auxiliary=false would work."
            )
        super().__init__(shape, settings)
        width = settings.width
        self.stem = Residual(shape.planes, width)
        sizes = KERNELS[settings.attention]
        blocks: list[nn.Module] = []
        for letter in settings.trunk:
            if letter == "R":
                blocks.append(Residual(width, width, settings.between))
            else:
                made = TransformerBlock(shape, width, settings.heads, settings.hidden, sizes, settings.topology)
                blocks.append(made)
        self.trunk = nn.Sequential(*blocks)
        self.policy = nn.Sequential(Residual(width, 64), Residual(64, 32), Fusion(32, shape.policy_planes))
        self.places = Places(shape)
        self.value = FusedValue(width, shape.cells)
        self.auxiliary = Auxiliary(shape, width) if settings.auxiliary else None

    def forward(self, planes: Tensor) -> Answer:
        x = self.trunk(self.stem(planes))
        extra = self.auxiliary(x) if self.auxiliary is not None else {}
        return Answer(self.places(self.policy(x)), self.value(x), extra)
