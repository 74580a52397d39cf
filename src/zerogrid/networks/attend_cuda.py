"""Attention for short rows of tokens on CUDA, in Triton: one program for some queries of one head of one board.

Boards have 30 to 400 tokens and heads 16 to 64 numbers. All scores of a query fit into registers, so there is one
plain softmax and nothing is streamed; the general kernels spend most of such a board on padding. Keys are padded to the
sum of two powers of two (131 tokens: 128 + 16). Queries, keys and values are read where the linear layer left them.
"""

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from zerogrid.networks.attend import HIDDEN
from zerogrid.networks.tune_cuda import fastest

LOG2E = 1.4426950408889634
MOST_KEYS = 512
ROW_PADDING = 128

# queries a program, boards one after another in a program (they share the bias), warps
CONFIGS = ((16, 1, 1), (32, 1, 2), (32, 4, 2), (64, 1, 4), (64, 4, 4), (128, 1, 4), (128, 1, 8), (128, 4, 8))


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _part(q, QKV, TABLE, KEEP, row, board, head, keys, start,  # type: ignore[no-untyped-def]
          BM: tl.constexpr, SIZE: tl.constexpr, D: tl.constexpr, WIDTH: tl.constexpr, PADDED: tl.constexpr,
          TABLE_ROWS: tl.constexpr, HAS_TABLE: tl.constexpr, HAS_KEEP: tl.constexpr, first):
    """Scores [BM, SIZE] in powers of two, and the values [SIZE, D], of keys start .. start + SIZE - 1."""
    key = start + tl.arange(0, SIZE)
    part = tl.arange(0, D)
    there = key < keys
    where = (first + key)[:, None] * (3 * WIDTH) + head * D + part[None, :]
    k = tl.load(QKV + where + WIDTH, mask=there[:, None], other=0.0)
    v = tl.load(QKV + where + 2 * WIDTH, mask=there[:, None], other=0.0)
    scores = tl.dot(q, tl.trans(k))
    if HAS_TABLE:
        scores += tl.load(TABLE + (head * TABLE_ROWS + row)[:, None] * PADDED + key[None, :]).to(tl.float32)
    else:
        scores = tl.where(there[None, :], scores, -1.0e6)
    if HAS_KEEP:
        keep = tl.load(KEEP + board * keys + key, mask=there, other=0)
        scores = tl.where(keep[None, :] != 0, scores, -1.0e6)
    return scores, v


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _kernel(QKV, TABLE, KEEP, OUT, boards, tokens, keys, scale,  # type: ignore[no-untyped-def]
            HEADS: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, MAIN: tl.constexpr, TAIL: tl.constexpr,
            TABLE_ROWS: tl.constexpr, HAS_TABLE: tl.constexpr, HAS_KEEP: tl.constexpr, GROUP: tl.constexpr):
    WIDTH: tl.constexpr = HEADS * D
    PADDED: tl.constexpr = MAIN + TAIL
    head = tl.program_id(0) % HEADS
    row = tl.program_id(1) * BM + tl.arange(0, BM)
    part = tl.arange(0, D)
    for step in range(GROUP):
        board = (tl.program_id(0) // HEADS) * GROUP + step
        if board < boards:
            first = board.to(tl.int64) * tokens
            mine = (first + row)[:, None]
            inside = (row < tokens)[:, None]
            q = tl.load(QKV + mine * (3 * WIDTH) + head * D + part[None, :], mask=inside, other=0.0)
            q = (q.to(tl.float32) * scale).to(q.dtype)
            scores, v = _part(q, QKV, TABLE, KEEP, row, board, head, keys, 0, BM, MAIN, D, WIDTH, PADDED, TABLE_ROWS,
                              HAS_TABLE, HAS_KEEP, first)
            top = tl.max(scores, 1)
            if TAIL > 0:
                scores2, v2 = _part(q, QKV, TABLE, KEEP, row, board, head, keys, MAIN, BM, TAIL, D, WIDTH, PADDED,
                                    TABLE_ROWS, HAS_TABLE, HAS_KEEP, first)
                top = tl.maximum(top, tl.max(scores2, 1))
                weights2 = tl.exp2(scores2 - top[:, None])
            weights = tl.exp2(scores - top[:, None])
            total = tl.sum(weights, 1)
            out = tl.dot(weights.to(v.dtype), v)
            if TAIL > 0:
                total += tl.sum(weights2, 1)
                out += tl.dot(weights2.to(v.dtype), v2)
            out = out / total[:, None]
            tl.store(OUT + mine * WIDTH + head * D + part[None, :], out.to(q.dtype), mask=inside)


def padded(keys: int) -> tuple[int, int]:
    """The cheapest pair (power of two, smaller power of two or 0) with room for all keys, each at least 16."""
    best = (MOST_KEYS, 0)
    for main in (16, 32, 64, 128, 256, 512):
        for tail in (0, 16, 32, 64, 128, 256):
            if tail < main and keys <= main + tail < sum(best):
                best = (main, tail)
    return best


def table(bias: Tensor, dtype: torch.dtype) -> Tensor:
    """A bias [heads, queries, keys] as the kernel wants it: in powers of two, padded, and padding keys hidden."""
    heads, queries, keys = bias.shape
    rows = -(-queries // ROW_PADDING) * ROW_PADDING
    made = bias.new_full((heads, rows, sum(padded(keys))), HIDDEN, dtype=torch.float32)
    made[:, :queries, :keys] = bias.float() * LOG2E
    made[:, queries:, :keys] = 0.0
    return made.to(dtype)


def fits(heads: int, width: int, keys: int) -> bool:
    """Whether the kernel can do it."""
    return width % heads == 0 and width // heads in (16, 32, 64) and keys <= MOST_KEYS


def _launch(
    config: tuple[int, ...], out: Tensor, qkv: Tensor, heads: int, biases: Tensor | None, keep: Tensor | None, keys: int
) -> None:
    boards, tokens, thrice = qkv.shape
    main, tail = padded(keys)
    d = thrice // 3 // heads
    queries, group, warps = config
    kernel: Any = _kernel
    kernel[(-(-boards // group) * heads, -(-tokens // queries))](
        qkv, biases if biases is not None else qkv, keep if keep is not None else qkv, out,
        boards, tokens, keys, LOG2E / math.sqrt(d),
        HEADS=heads, D=d, BM=queries, MAIN=main, TAIL=tail, TABLE_ROWS=0 if biases is None else biases.shape[1],
        HAS_TABLE=biases is not None, HAS_KEEP=keep is not None, GROUP=group, num_warps=warps,
    )  # fmt: skip


@torch.library.custom_op("zerogrid::attend", mutates_args=())
def _attend(qkv: Tensor, heads: int, biases: Tensor | None, keep: Tensor | None, keys: int) -> Tensor:
    qkv = qkv.contiguous()
    keep = None if keep is None else keep.contiguous().view(torch.uint8)
    boards, tokens, thrice = qkv.shape
    out = qkv.new_empty(boards, tokens, thrice // 3)
    key = ("attend", tokens, keys, heads, thrice, biases is not None, keep is not None)
    config = fastest(key, CONFIGS, lambda config: _launch(config, out, qkv, heads, biases, keep, keys), qkv)
    _launch(config, out, qkv, heads, biases, keep, keys)
    return out


@_attend.register_fake
def _(qkv: Tensor, heads: int, biases: Tensor | None, keep: Tensor | None, keys: int) -> Tensor:
    return qkv.new_empty(qkv.shape[0], qkv.shape[1], qkv.shape[2] // 3)


def attend(qkv: Tensor, heads: int, biases: Tensor | None, keep: Tensor | None, keys: int) -> Tensor:
    """What `Attend` computes, with the bias as `table` laid it out: [B, tokens, 3 * width] -> [B, tokens, width]."""
    out: Tensor = _attend(qkv, heads, biases, keep, keys)
    return out
