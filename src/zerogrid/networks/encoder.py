"""Layers of a Transformer with the norm first, and a stack of them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import torch.nn.functional as F
from torch import Tensor, nn

from zerogrid.networks.attend import Attend, RelativeBias, gelu

MakeNorm = Callable[[int], nn.Module]

layer_norm: MakeNorm = nn.LayerNorm
rms_norm: MakeNorm = partial(nn.RMSNorm, eps=1e-5)


class EncoderLayer(nn.Module):
    """x + attention(norm(x)), then x + feed-forward(norm(x)): tokens [B, N, width].

    With `gated`, the feed-forward layer is SwiGLU and the first half of what `widen` makes are the gates.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        hidden: int,
        make_norm: MakeNorm = layer_norm,
        gated: bool = False,
        relative: RelativeBias | None = None,
    ):
        super().__init__()
        self.heads, self.gated = heads, gated
        self.norm1 = make_norm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.attend = Attend()
        self.relative = relative
        self.project = nn.Linear(width, width)
        self.norm2 = make_norm(width)
        self.widen = nn.Linear(width, 2 * hidden if gated else hidden)
        self.narrow = nn.Linear(hidden, width)

    def bias(self) -> Tensor | None:
        """What is added to the scores, [heads, cells, cells]."""
        return None if self.relative is None else self.relative()

    def look(self, qkv: Tensor, keep: Tensor | None, sources: int | None) -> Tensor:
        """What the heads gather."""
        bias = None if self.attend.table is not None else self.bias()
        out: Tensor = self.attend(qkv, self.heads, bias, keep, sources)
        return out

    def forward(self, x: Tensor, keep: Tensor | None = None, sources: int | None = None) -> Tensor:
        x = x + self.project(self.look(self.qkv(self.norm1(x)), keep, sources))
        wide = self.widen(self.norm2(x))
        if self.gated:
            gate, plain = wide.chunk(2, -1)
            wide = F.silu(gate) * plain
        else:
            wide = gelu(wide)
        out: Tensor = x + self.narrow(wide)
        return out


class Stack(nn.Module):
    """Layers one after another, and a norm behind the last.

    The first `sources` tokens can be seen by all; the others, if any, see without being seen.
    """

    def __init__(self, layers: Iterable[EncoderLayer], norm: nn.Module):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = norm
        self.in_one_kernel = False  # the fast path sets it: everything between two attentions at once

    def forward(self, x: Tensor, keep: Tensor | None = None, sources: int | None = None) -> Tensor:
        if self.in_one_kernel:
            return self._in_one_kernel(x, keep, sources)
        for layer in self.layers:
            x = layer(x, keep, sources)
        out: Tensor = self.norm(x)
        return out

    def _in_one_kernel(self, x: Tensor, keep: Tensor | None, sources: int | None) -> Tensor:
        from zerogrid.networks.rows_cuda import rows

        layers: list[Any] = list(self.layers)
        qkv = layers[0].qkv(layers[0].norm1(x))
        for layer, following in zip(layers, [*layers[1:], None], strict=True):
            seen = layer.look(qkv, keep, sources)
            norm = self.norm if following is None else following.norm1
            x, qkv = rows(x, seen, layer, norm, None if following is None else following.qkv)
        return x
