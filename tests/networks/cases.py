"""What tests of networks share: every game and encoding as a shape, and small settings of every network."""

from typing import Any

import torch

from zerogrid.encodings import encoding
from zerogrid.networks import Network, Shape, make, names, refusal
from zerogrid.networks.counting import example

ENCODINGS = (
    ("tictactoe", "stones"), ("gomoku:6x6x4", "stones"), ("gomoku:6x6x4", "stones,history=5"),
    ("connect_four", "discs"), ("othello:6x6", "discs"),
    ("dots_and_boxes:3x3", "baseline"), ("dots_and_boxes:3x3", "chainloop6"), ("dots_and_boxes:3x3", "chainloop64"),
    ("dots_and_boxes:3x3", "edgequad4"), ("dots_and_boxes:3x3", "edgequad9"), ("dots_and_boxes:3x3", "edgequad44"),
    ("dots_and_boxes:3x2", "baseline"), ("dots_and_boxes:2x3", "edgequad4"),
    ("pawn_dama:5x5", "oneplane"), ("pawn_dama:5x5", "threeplane"), ("pawn_dama:4x4", "oneplane"),
    ("pawn_dama:5x5", "oneplane,policy=compact"), ("battlefield:7x7", "teams"), ("connect_four", "generic"),
)  # fmt: skip
# The full networks where they are quick; of the others as few layers and channels as still show every part.
SMALL: dict[str, dict[str, Any]] = {
    "pawn_dama/cnn": {"channels": 32, "first_dense": 64, "second_dense": 32},
    "pawn_dama/residual-compact": {"size": "nano"},
    "sigmago/resnet": {"blocks": 2, "channels": 32},
    "zerogrid/residual": {"size": "nano"},
    "zerogrid/transformer": {"size": "nano"},
}
TRUNKS = {"baseline": "RR", "tt": "TT", "rt": "RT"}
for variant in ("baseline", "tt", "rt", "tr", "linear-notopo", "multiscale2-topo", "multiscale4-topo"):
    trunk = TRUNKS.get(variant, "TR")
    SMALL[f"dotsformer/{variant}"] = {"width": 32, "between": 16, "hidden": 32, "trunk": trunk}


def shape_of(game: str, spec: str) -> Shape:
    """The shape that an encoding gives."""
    return Shape(**encoding(game, spec).shape_fields())


SHAPES = {f"{game} {spec}": shape_of(game, spec) for game, spec in ENCODINGS}


def expressible() -> list[tuple[str, str]]:
    """Every network with every encoding that it takes."""
    return [(name, board) for name in names() for board in SHAPES if not refusal(name, SHAPES[board])]


def small(name: str, shape: Shape, seed: int = 0) -> Network:
    """A small network of that name, always the same for a seed, in evaluation mode, its norms not at rest."""
    torch.manual_seed(seed)
    network = make(name, shape, **SMALL.get(name, {})).eval()
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d | torch.nn.BatchNorm1d):
            torch.nn.init.uniform_(part.running_mean, -0.2, 0.2)
            torch.nn.init.uniform_(part.running_var, 0.5, 1.5)
        if isinstance(part, torch.nn.BatchNorm2d | torch.nn.BatchNorm1d | torch.nn.LayerNorm | torch.nn.RMSNorm):
            torch.nn.init.uniform_(part.weight, 0.8, 1.2)
            if getattr(part, "bias", None) is not None:
                torch.nn.init.uniform_(part.bias, -0.1, 0.1)
    return network


def inputs(network: Network, batch: int, actions: int = 6, seed: int = 0) -> tuple[torch.Tensor, ...]:
    """Random inputs of the right shapes."""
    return example(network.shape, batch, actions, network.needs_tokens, seed=seed)
