"""A network as other runtimes take it: folded, in single precision, tensors in and two tensors out.

    planes [B, C, H, W], and with action tokens: tokens [B, T, features], present [B, T] (bool)
    policy [B, slots or T], value [B]
"""

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from zerogrid.networks.counting import example
from zerogrid.networks.fold import folded
from zerogrid.networks.settings import Network

INPUTS = ("planes", "tokens", "present")
OUTPUTS = ("policy", "value")


class Exportable(nn.Module):
    """Policy and value of a network and nothing else; with `channels_last`, from planes [B, H, W, C]."""

    def __init__(self, network: Network, channels_last: bool = False):
        super().__init__()
        self.network = folded(network).to("cpu", torch.float32)
        self.channels_last = channels_last
        _spell_out_norms(self.network)
        self.eval()

    def forward(self, planes: Tensor, *actions: Tensor) -> tuple[Tensor, Tensor]:
        answer = self.network(planes.permute(0, 3, 1, 2) if self.channels_last else planes, *actions)
        return answer.policy, answer.value

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs, in order."""
        return INPUTS if self.network.needs_tokens else INPUTS[:1]

    def example(self, batch: int = 3, actions: int = 5) -> tuple[Tensor, ...]:
        """Inputs of the right shapes; sizes other than 1, so that no tracer takes one for a constant."""
        tokens = self.network.needs_tokens
        planes, *rest = example(self.network.shape, batch, actions if tokens else 0, tokens)
        given = planes.permute(0, 2, 3, 1) if self.channels_last else planes
        return (given.contiguous(), *rest)


class SpelledNorm(nn.Module):
    """x / sqrt(mean(x^2) + eps) * gain, in operators that every runtime has."""

    def __init__(self, norm: nn.RMSNorm):
        super().__init__()
        self.weight, self.eps = norm.weight, float(norm.eps or 0)

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


def _spell_out_norms(network: nn.Module) -> None:
    for part in list(network.modules()):
        for name, child in part.named_children():
            if isinstance(child, nn.RMSNorm):
                setattr(part, name, SpelledNorm(child))


@contextlib.contextmanager
def tracing() -> Iterator[Any]:
    """Without the tracer's warnings: they are about sizes that are constants here."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        yield
