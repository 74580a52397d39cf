"""What the papers print of their networks' size and speed, and what is asked of ours on one H200.

Latencies are those of one forward pass as the paper took them, on hardware of its own; they serve as a scale only.
"""

from dataclasses import dataclass
from typing import Any

from zerogrid.networks import boards
from zerogrid.networks.shapes import Shape


@dataclass(frozen=True)
class Case:
    """A network on the board its paper gives figures for."""

    network: str
    board: str
    settings: tuple[tuple[str, Any], ...] = ()
    source: str = ""
    parameters: float = 0.0  # as printed; 0 where nothing is
    gmacs: float = 0.0  # printed as FLOPs; they are multiply-adds
    milliseconds: float = 0.0
    asked: float = 0.0  # evaluations a second on an H200
    tokens: int = 0

    @property
    def shape(self) -> Shape:
        """The board and encoding as a shape."""
        game, *rest = self.board.split(" ")
        rows, columns = (int(side) for side in rest[0].split("x"))
        if game == "dots":
            return boards.dots_and_boxes(rows, columns, rest[1])
        if game == "battlefield":
            return boards.battlefield(rows, columns)
        if game == "dama":
            return boards.pawn_dama(rows, columns, compact="compact" in rest)
        return boards.gomoku(rows, columns, history=5 if "history" in rest else 1)


_AUXILIARY = (("auxiliary", True),)
_NO_AUXILIARY = (("auxiliary", False),)
_T4, _T13 = "paper 2, Table 4", "paper 2, Table 13"
_MS2 = "dotsformer/multiscale2-topo"

CASES = (
    Case("pawn_dama/cnn", "dama 5x5", (), "paper 1, Table 1", 8_462_962, asked=3.4e6),
    Case("pawn_dama/residual-compact", "dama 5x5 compact"),
    Case("sigmago/vanilla", "gomoku 6x6", (), "paper 3", 104_267, asked=25e6),
    Case("sigmago/resnet", "gomoku 6x6", (), "paper 3", 23_636_299, asked=0.29e6),
    Case("sigmago/hybrid", "gomoku 6x6", (), "paper 3", 170_827, asked=5e6),
    Case("sigmago/temporal", "gomoku 6x6 history"),
    Case("sigmago/dual", "gomoku 6x6 history"),
    Case("dotsformer/baseline", "dots 5x5 baseline", (), _T4, 1.42e6, 0.172, 1.67),
    Case("dotsformer/baseline", "dots 5x5 edgequad4", (), _T4, 1.42e6, 0.035, 2.89),
    Case("dotsformer/baseline", "dots 5x5 edgequad9", (), _T4, 1.42e6, 0.035, 2.84),
    Case("dotsformer/baseline", "dots 5x5 edgequad44", (), _T4, 1.47e6, 0.036, 2.86),
    Case("dotsformer/baseline", "dots 5x5 chainloop64", (), _T4, 1.50e6, 0.181, 1.67),
    Case("dotsformer/baseline", "dots 5x5 chainloop6", (), _T4, 1.42e6, 0.172, 1.66),
    Case(_MS2, "dots 5x5 chainloop6", (), f"{_T13}, Full", 1.94e6, 0.235, 3.97),
    Case(_MS2, "dots 5x5 chainloop6", _NO_AUXILIARY, f"{_T13}, No-Auxiliary", 1.85e6, 0.224, 3.73),
    Case("dotsformer/baseline", "dots 5x5 chainloop6", _AUXILIARY, f"{_T13}, No-MS-Trans", 1.52e6, 0.183, 2.03),
    Case(_MS2, "dots 5x5 baseline", (), f"{_T13}, No-ChainLoop6", 1.94e6, 0.235, 3.98),
    Case("dotsformer/tr", "dots 5x5 baseline", asked=0.60e6),
    Case("dotsformer/rt", "dots 5x5 baseline"),
    Case("dotsformer/tt", "dots 5x5 baseline"),
    Case("dotsformer/linear-notopo", "dots 5x5 chainloop6"),
    Case("dotsformer/multiscale4-topo", "dots 5x5 chainloop6"),
    Case("battlefield/cnn", "battlefield 7x7", asked=8e6),
    Case("battlefield/transformer", "battlefield 7x7", asked=1.65e6),
    Case("battlefield/transformer-actions", "battlefield 7x7", asked=0.60e6, tokens=81),
    Case("battlefield/transformer-cross", "battlefield 7x7", tokens=81),
    Case("zerogrid/residual", "gomoku 6x6"),
    Case("zerogrid/transformer", "gomoku 6x6"),
)  # fmt: skip
