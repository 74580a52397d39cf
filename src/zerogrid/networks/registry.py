"""Every network by its name: `make("sigmago/hybrid", shape, heads=4)`.

The name of a paper's network is the paper, a slash, and the paper's word for it; ours are under zerogrid/.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zerogrid.core.errors import BadNetwork, nearest, quote
from zerogrid.networks.battlefield import (
    ActionSettings,
    ActionTransformer,
    BattlefieldCnn,
    BattlefieldCnnSettings,
    CellTransformer,
    TransformerSettings,
)
from zerogrid.networks.dotsformer import Dotsformer, DotsformerSettings
from zerogrid.networks.pawn_dama import PawnDamaCnn, PawnDamaSettings
from zerogrid.networks.residual import CompactResidual, ResidualNet, ResidualSettings
from zerogrid.networks.settings import Network, Settings
from zerogrid.networks.shapes import Shape
from zerogrid.networks.sigmago import Hybrid, HybridSettings, ResNet, ResNetSettings, Vanilla, VanillaSettings
from zerogrid.networks.sigmago_time import Dual, Temporal, TemporalSettings
from zerogrid.networks.transformer import ModernSettings, ModernTransformer


@dataclass(frozen=True)
class Kind:
    """One entry: what is built, the settings it takes, which of them differ from their defaults, and a sentence."""

    network: type[Any]
    settings: type[Settings]
    about: str
    preset: Mapping[str, Any] = field(default_factory=dict)


_TR: dict[str, Any] = {"trunk": "TRRTRR"}

NETWORKS: dict[str, Kind] = {
    "pawn_dama/cnn": Kind(PawnDamaCnn, PawnDamaSettings, "four convolutions of 512, two dense layers (paper 1)"),
    "pawn_dama/residual-compact": Kind(CompactResidual, ResidualSettings, "zerogrid/residual on compact actions"),
    "sigmago/vanilla": Kind(Vanilla, VanillaSettings, "three convolutions (paper 3)"),
    "sigmago/resnet": Kind(ResNet, ResNetSettings, "20 residual blocks of 256 (paper 3)"),
    "sigmago/hybrid": Kind(Hybrid, HybridSettings, "three convolutions and attention over the cells (paper 3)"),
    "sigmago/temporal": Kind(Temporal, TemporalSettings, "attention over the last positions (paper 3)"),
    "sigmago/dual": Kind(Dual, HybridSettings, "attention over cells and over positions (asked for by paper 3)"),
    "dotsformer/baseline": Kind(Dotsformer, DotsformerSettings, "six residual blocks (paper 2)"),
    "dotsformer/tt": Kind(Dotsformer, DotsformerSettings, "six Transformer blocks", {"trunk": "TTTTTT"}),
    "dotsformer/rt": Kind(Dotsformer, DotsformerSettings, "R R T twice", {"trunk": "RRTRRT"}),
    "dotsformer/tr": Kind(Dotsformer, DotsformerSettings, "T R R twice", _TR),
    "dotsformer/linear-notopo": Kind(Dotsformer, DotsformerSettings, "T R R twice, meant for chainloop6", _TR),
    "dotsformer/multiscale2-topo": Kind(
        Dotsformer,
        DotsformerSettings,
        "T R R twice, kernels 1 and 3, topological bias, auxiliary heads: the paper's full Dotsformer",
        {**_TR, "attention": "multiscale2", "topology": True, "auxiliary": True},
    ),
    "dotsformer/multiscale4-topo": Kind(
        Dotsformer,
        DotsformerSettings,
        "T R R twice, kernels 1, 3, 5 and 7, topological bias, auxiliary heads",
        {**_TR, "attention": "multiscale4", "topology": True, "auxiliary": True},
    ),
    "battlefield/cnn": Kind(BattlefieldCnn, BattlefieldCnnSettings, "three residual blocks of 64 (paper 4)"),
    "battlefield/transformer": Kind(CellTransformer, TransformerSettings, "policy read from the cells (paper 4)"),
    "battlefield/transformer-actions": Kind(ActionTransformer, ActionSettings, "a token for each action (paper 4)"),
    "battlefield/transformer-cross": Kind(
        ActionTransformer, ActionSettings, "actions look at the cells, not at each other", {"joint": False}
    ),
    "zerogrid/residual": Kind(ResidualNet, ResidualSettings, "residual blocks with global pooling"),
    "zerogrid/transformer": Kind(ModernTransformer, ModernSettings, "norm first, relative positions, SwiGLU"),
}

DEFAULT = "zerogrid/residual"


def names() -> list[str]:
    """Every network there is."""
    return list(NETWORKS)


def kind_of(name: Any) -> Kind:
    """The entry of that name."""
    if name not in NETWORKS:
        known = ", ".join(NETWORKS)
        raise BadNetwork(f"there is no network {quote(name)}; there are {known}.{nearest(str(name), NETWORKS)}")
    return NETWORKS[name]


def make(name: str, shape: Shape, **settings: Any) -> Network:
    """A new network with random weights. Settings left out have the paper's values."""
    kind = kind_of(name)
    chosen = kind.settings.of({**kind.preset, **settings}, name)
    network: Network = kind.network(shape, chosen)
    network.name = name
    return network


def refusal(name: str, shape: Shape, **settings: Any) -> str:
    """Why a network cannot express a game, or nothing when it can."""
    import torch

    try:
        with torch.device("meta"):
            make(name, shape, **settings)
    except BadNetwork as error:
        return str(error)
    return ""


def default_for(shape: Shape) -> tuple[str, dict[str, Any]]:
    """The network to use when nobody says which, and its settings: docs/networks/ says what was measured."""
    small = shape.cells <= 20
    return DEFAULT, {"size": "nano" if small else "small"}
