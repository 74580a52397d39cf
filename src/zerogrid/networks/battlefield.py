"""The networks of the Battlefield paper (4, appendix A): a small residual network, and a Transformer.

The Transformer's policy can be read in two ways: from the cells (`CellTransformer`), or from tokens of the legal
actions themselves (`ActionTransformer`), which need no notion of where an action lies.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.answer import NEVER, Answer
from zerogrid.networks.blocks import ConvNorm, FlatHead, Residual, ValueHead
from zerogrid.networks.cell_policy import CellPolicy
from zerogrid.networks.encoder import EncoderLayer, Stack
from zerogrid.networks.settings import Network, Settings, divides, flag, whole
from zerogrid.networks.shapes import Shape


@dataclass(frozen=True)
class BattlefieldCnnSettings(Settings):
    """The defaults are the paper's."""

    blocks: int = whole(3, 1, 80, "residual blocks")
    channels: int = whole(64, 1, 1024, "channels, and width of the value head")


class BattlefieldCnn(Network):
    """Convolution, residual blocks, two heads of 1x1 convolutions (A.1)."""

    def __init__(self, shape: Shape, settings: BattlefieldCnnSettings):
        super().__init__(shape, settings)
        channels = settings.channels
        self.stem = ConvNorm(shape.planes, channels)
        self.tower = nn.Sequential(*(Residual(channels, channels) for _ in range(settings.blocks)))
        self.policy = FlatHead(channels, 2, shape.cells, shape.actions)
        self.value = ValueHead(FlatHead(channels, 1, shape.cells, channels), channels)

    def forward(self, planes: Tensor) -> Answer:
        x = self.tower(self.stem.rectified(planes))
        return Answer(self.policy(x), self.value(x), {})


@dataclass(frozen=True)
class TransformerSettings(Settings):
    """4 layers of 4 heads are the paper's; the widths are decided here."""

    layers: int = whole(4, 1, 64, "encoder layers")
    heads: int = whole(4, 1, 64, "attention heads")
    width: int = whole(64, 8, 1024, "width of a token")
    hidden: int = whole(256, 1, 4096, "width of the feed-forward layer")

    def __post_init__(self) -> None:
        super().__post_init__()
        divides(self.heads, self.width)


@dataclass(frozen=True)
class ActionSettings(TransformerSettings):
    """With one token for each legal action."""

    joint: bool = flag(True, "actions see one another and cells see actions; else actions only look at the cells")


class CellTokens(nn.Module):
    """[CLS] in front of one token for each cell, made of the cell's planes and learned row and column embeddings."""

    def __init__(self, shape: Shape, width: int):
        super().__init__()
        self.embed = nn.Linear(shape.planes, width)
        self.cls = nn.Parameter(torch.randn(width) * 0.02)
        self.rows = nn.Parameter(torch.randn(shape.height, 1, width) * 0.02)
        self.columns = nn.Parameter(torch.randn(1, shape.width, width) * 0.02)

    def forward(self, planes: Tensor) -> Tensor:
        where = (self.rows + self.columns).flatten(0, 1)
        cells = self.embed(planes.permute(0, 2, 3, 1).flatten(1, 2)) + where
        return torch.cat([self.cls.expand(cells.shape[0], 1, -1), cells], 1)


def body(settings: TransformerSettings) -> Stack:
    """The encoder layers and the norm behind them."""
    width, hidden = settings.width, settings.hidden
    layers = (EncoderLayer(width, settings.heads, hidden) for _ in range(settings.layers))
    return Stack(layers, nn.LayerNorm(width))


class CellTransformer(Network):
    """The Transformer without action tokens (A.2): value from [CLS], policy from the cells."""

    def __init__(self, shape: Shape, settings: TransformerSettings):
        super().__init__(shape, settings)
        width = settings.width
        self.embed = CellTokens(shape, width)
        self.body = body(settings)
        self.policy = CellPolicy(shape, width)
        self.value = ValueHead(nn.Linear(width, width), width)

    def forward(self, planes: Tensor) -> Answer:
        x = self.body(self.embed(planes))
        cls, cells = x[:, 0], x[:, 1:]
        return Answer(self.policy(cells, cls, planes), self.value(cls), {})


class ActionTransformer(Network):
    """The Transformer with action tokens (A.2): the logit of an action is read from its own token."""

    def __init__(self, shape: Shape, settings: ActionSettings):
        if not shape.action_features:
            raise BadNetwork(
                f"this network takes actions as tokens, and the encoding of {shape.game} does not describe its "
                "actions; battlefield/transformer and battlefield/cnn work without."
            )
        super().__init__(shape, settings)
        width = settings.width
        self.joint = settings.joint
        self.embed = CellTokens(shape, width)
        self.describe = nn.Linear(shape.action_features + 1, width)  # one more: the flag of legality
        self.body = body(settings)
        self.policy = nn.Linear(width, 1)
        self.value = ValueHead(nn.Linear(width, width), width)

    @property
    def needs_tokens(self) -> bool:
        return True

    def forward(self, planes: Tensor, tokens: Tensor, present: Tensor) -> Answer:
        cells = self.embed(planes)
        legal = present.to(tokens.dtype).unsqueeze(2)
        actions = self.describe(torch.cat([tokens * legal, legal], 2))
        sources = cells.shape[1]
        x = torch.cat([cells, actions], 1)
        if self.joint:
            x = self.body(x, torch.cat([present.new_ones(present.shape[0], sources), present], 1))
        else:
            x = self.body(x, None, sources)
        logits = self.policy(x[:, sources:]).squeeze(2).masked_fill(~present, NEVER)
        return Answer(logits, self.value(x[:, 0]), {})
