"""Attention, in one place: softmax(q k' / sqrt(d) + bias) v.

Every network here attends through `Attend`. So there is one place to choose how it is computed (the fast path does),
and one to look at the weights (the drawing of attention does).
"""

import math
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

KERNELS = ("sdpa", "plain", "triton", "flex")


class Attend(nn.Module):
    """Attention over heads, with an optional bias for each pair and keys that may be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.kernel = "sdpa"
        self.watching = False
        self.seen: list[Tensor] = []  # weights [B, heads, queries, keys], while watching

    def forward(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None = None, keep: Tensor | None = None) -> Tensor:
        """q, k, v [B, heads, tokens, d]; bias [heads, queries, keys]; keep [B, keys], False for keys not to be seen."""
        if self.watching:
            weights = weigh(q, k, bias, keep)
            self.seen.append(weights.detach())
            return weights.to(v.dtype) @ v
        if self.kernel == "plain":
            return weigh(q, k, bias, keep).to(v.dtype) @ v
        if self.kernel in ("triton", "flex"):
            from zerogrid.networks import attend_cuda

            attend: Any = attend_cuda.attend_triton if self.kernel == "triton" else attend_cuda.attend_flex
            out: Tensor = attend(q, k, v, bias, keep)
            return out
        mask = None if bias is None else bias.to(q.dtype).unsqueeze(0)
        if keep is not None:
            hidden = torch.zeros_like(keep, dtype=q.dtype).masked_fill(~keep, -30_000.0)[:, None, None, :]
            mask = hidden if mask is None else mask + hidden
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def weigh(q: Tensor, k: Tensor, bias: Tensor | None, keep: Tensor | None) -> Tensor:
    """The weights themselves, in single precision."""
    scores = (q @ k.transpose(-1, -2)).float() / math.sqrt(q.shape[-1])
    if bias is not None:
        scores = scores + bias.float()
    if keep is not None:
        scores = scores.masked_fill(~keep[:, None, None, :], -30_000.0)
    return torch.softmax(scores, -1)


class SelfAttention(nn.Module):
    """q, k, v by one linear layer, heads, output projection: tokens [B, N, width] -> the same."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.attend = Attend()
        self.project = nn.Linear(width, width)

    def forward(self, x: Tensor, bias: Tensor | None = None, keep: Tensor | None = None) -> Tensor:
        q, k, v = split_heads(self.qkv(x), self.heads)
        out: Tensor = self.project(join_heads(self.attend(q, k, v, bias, keep)))
        return out


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
        y, x = np.divmod(np.arange(height * width), width)
        dy = y[:, None] - y[None, :] + height - 1
        dx = x[:, None] - x[None, :] + width - 1
        self.register_buffer("index", torch.from_numpy(dy * (2 * width - 1) + dx), persistent=False)

    def forward(self) -> Tensor:
        """[heads, cells, cells]."""
        return self.table[self.index].permute(2, 0, 1)


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
    return rows.unflatten(1, (height, width)).permute(0, 3, 1, 2)
