"""Attention, in one place: softmax(q k' / sqrt(d) + bias) v.

Every network here attends through `Attend`. So there is one place to choose how it is computed (the fast path does),
and one to look at the weights (the drawing of attention does).
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

HIDDEN = -30_000.0  # added to the score of a key that is not to be seen; finite in half precision too

Compute = Callable[[Tensor, int, "Tensor | None", "Tensor | None", int], Tensor]


class Attend(nn.Module):
    """Attention over heads, with an optional bias for each pair and keys that may be left out."""

    table: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.compute: Compute | None = None  # set by the fast path
        self.register_buffer("table", None, persistent=False)  # the bias as the fast path laid it out
        self.watching = False
        self.seen: list[Tensor] = []  # weights [B, heads, queries, keys], while watching

    def forward(
        self,
        qkv: Tensor,
        heads: int,
        bias: Tensor | None = None,
        keep: Tensor | None = None,
        sources: int | None = None,
    ) -> Tensor:
        """qkv [B, tokens, 3 * width] -> [B, tokens, width].

        bias [heads, tokens, sources]; keep [B, sources], False for keys not to be seen; only the first `sources`
        tokens are keys.
        """
        keys = qkv.shape[1] if sources is None else sources
        if self.compute is not None and not self.watching:
            return self.compute(qkv, heads, bias if self.table is None else self.table, keep, keys)
        q, k, v = split_heads(qkv, heads)
        k, v = k[:, :, :keys], v[:, :, :keys]
        if self.watching:
            weights = weigh(q, k, bias, keep)
            self.seen.append(weights.detach())
            return join_heads(weights.to(v.dtype) @ v)
        mask = None if bias is None else bias.to(q.dtype).unsqueeze(0)
        if keep is not None:
            hidden = torch.zeros_like(keep, dtype=q.dtype).masked_fill(~keep, HIDDEN)[:, None, None, :]
            mask = hidden if mask is None else mask + hidden
        return join_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))


def weigh(q: Tensor, k: Tensor, bias: Tensor | None, keep: Tensor | None) -> Tensor:
    """The weights themselves, in single precision."""
    scores = (q @ k.transpose(-1, -2)).float() / math.sqrt(q.shape[-1])
    if bias is not None:
        scores = scores + bias.float()
    if keep is not None:
        scores = scores.masked_fill(~keep[:, None, None, :], HIDDEN)
    return torch.softmax(scores, -1)


class SelfAttention(nn.Module):
    """q, k, v by one linear layer, heads, output projection: tokens [B, N, width] -> the same."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.attend = Attend()
        self.project = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.project(self.attend(self.qkv(x), self.heads))
        return out


def gelu(x: Tensor) -> Tensor:
    """GELU by its tanh formula: a kernel computes it with one exponential."""
    return F.gelu(x, approximate="tanh")


def split_heads(qkv: Tensor, heads: int) -> tuple[Tensor, Tensor, Tensor]:
    """[B, N, 3 * width] -> three times [B, heads, N, width / heads]."""
    batch, tokens, thrice = qkv.shape
    parts = qkv.view(batch, tokens, 3, heads, thrice // 3 // heads).permute(2, 0, 3, 1, 4)
    return parts[0], parts[1], parts[2]


def join_heads(x: Tensor) -> Tensor:
    """[B, heads, N, d] -> [B, N, heads * d]."""
    return x.transpose(1, 2).flatten(2)


class RelativeBias(nn.Module):
    """Swin's table: a learned number for each head and each offset between two cells."""

    index: Tensor

    def __init__(self, heads: int, height: int, width: int):
        super().__init__()
        self.table = nn.Parameter(torch.zeros((2 * height - 1) * (2 * width - 1), heads))
        self.register_buffer("index", torch.from_numpy(offsets(height, width)), persistent=False)

    def forward(self) -> Tensor:
        """[heads, cells, cells]."""
        return self.table[self.index].permute(2, 0, 1)


@lru_cache(maxsize=8)
def offsets(height: int, width: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """For each pair of cells [cells, cells], the row of Swin's table that belongs to their offset."""
    y, x = np.divmod(np.arange(height * width, dtype=np.int32), width)
    dy = y[:, None] - y[None, :] + height - 1
    dx = x[:, None] - x[None, :] + width - 1
    return np.asarray(dy * (2 * width - 1) + dx, dtype=np.int32)


def sines(height: int, width: int, channels: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Fixed positions [cells, channels]: sines and cosines, half of them of the row and half of the column."""
    quarter = (channels + 3) // 4
    rates = 10_000.0 ** (-np.arange(quarter) / quarter)
    y, x = np.divmod(np.arange(height * width), width)
    waves = [wave(axis[:, None] * rates) for axis in (y, x) for wave in (np.sin, np.cos)]
    return np.concatenate(waves, 1)[:, :channels].astype(np.float32)


def tokens(maps: Tensor) -> Tensor:
    """[B, C, H, W] -> [B, H * W, C]; with channels last in memory nothing moves."""
    return maps.permute(0, 2, 3, 1).flatten(1, 2)


def maps(rows: Tensor, height: int, width: int) -> Tensor:
    """[B, H * W, C] -> [B, C, H, W], channels last in memory."""
    return rows.reshape(-1, height, width, rows.shape[2]).permute(0, 3, 1, 2)
