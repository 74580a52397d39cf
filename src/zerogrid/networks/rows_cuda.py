"""Everything between two attentions of a Transformer, in one Triton kernel.

    x = x + seen Wo + bo          what attention found, projected
    x = x + feed-forward(norm(x))
    next = norm(x) Wqkv           queries, keys, values of the next layer

None of it looks at another token, so a program takes some rows and keeps them in registers throughout: x and `seen`
are read once, x and the next q, k, v written once. Apart, these are eight passes over memory. With `post`, the norms
stand behind the sums, as in Dotsformer.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn

from zerogrid.networks.tune_cuda import fastest

# rows a program, hidden units at a time, warps, stages
CONFIGS = (
    (64, 64, 4, 1), (64, 64, 4, 2), (64, 32, 4, 2), (64, 32, 8, 1), (128, 64, 8, 1), (128, 64, 8, 2), (128, 32, 8, 3),
)  # fmt: skip


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _normed(x, GAIN, SHIFT, column, WIDTH: tl.constexpr, RMS: tl.constexpr):  # type: ignore[no-untyped-def]
    gain = tl.load(GAIN + column).to(tl.float32)[None, :]
    if RMS:
        return x * tl.rsqrt(tl.sum(x * x, 1) / WIDTH + 1e-5)[:, None] * gain
    centred = x - (tl.sum(x, 1) / WIDTH)[:, None]
    spread = tl.rsqrt(tl.sum(centred * centred, 1) / WIDTH + 1e-5)[:, None]
    return centred * spread * gain + tl.load(SHIFT + column).to(tl.float32)[None, :]


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _sigmoid(x):  # type: ignore[no-untyped-def]
    return 1.0 / (1.0 + tl.exp2(x * -1.4426950408889634))


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _kernel(X, SEEN, WO, BO, G1, S1, W1, B1, W2, B2, G2, S2, WN, BN, OUT, NEXT, rows,  # type: ignore[no-untyped-def]
            WIDTH: tl.constexpr, HIDDEN: tl.constexpr, BM: tl.constexpr, BH: tl.constexpr, POST: tl.constexpr,
            RMS: tl.constexpr, GATED: tl.constexpr, PARTS: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, WIDTH)
    inside = (row < rows)[:, None]
    where = row.to(tl.int64)[:, None] * WIDTH + column[None, :]
    seen = tl.load(SEEN + where, mask=inside, other=0.0)
    square = column[:, None] * WIDTH + column[None, :]
    x = tl.dot(seen, tl.trans(tl.load(WO + square))) + tl.load(BO + column).to(tl.float32)[None, :]
    x += tl.load(X + where, mask=inside, other=0.0).to(tl.float32)
    h = _normed(x, G1, S1, column, WIDTH, RMS)
    if POST:
        x = h
    h = h.to(seen.dtype)
    x += tl.load(B2 + column).to(tl.float32)[None, :]
    for start in range(0, HIDDEN, BH):
        unit = start + tl.arange(0, BH)
        wide = tl.dot(h, tl.trans(tl.load(W1 + unit[:, None] * WIDTH + column[None, :])))
        wide += tl.load(B1 + unit).to(tl.float32)[None, :]
        if GATED:  # the first half of W1 are the gates
            other = tl.dot(h, tl.trans(tl.load(W1 + (HIDDEN + unit)[:, None] * WIDTH + column[None, :])))
            other += tl.load(B1 + HIDDEN + unit).to(tl.float32)[None, :]
            wide = wide * _sigmoid(wide) * other
        else:
            wide = wide * _sigmoid(1.5957691216057308 * (wide + 0.044715 * wide * wide * wide))
        x += tl.dot(wide.to(seen.dtype), tl.trans(tl.load(W2 + column[:, None] * HIDDEN + unit[None, :])))
    normed = _normed(x, G2, S2, column, WIDTH, RMS)
    if PARTS == 0:
        tl.store(OUT + where, normed.to(seen.dtype), mask=inside)
    else:
        tl.store(OUT + where, x.to(seen.dtype), mask=inside)
        h = normed.to(seen.dtype)
        for part in range(PARTS):
            made = tl.dot(h, tl.trans(tl.load(WN + part * WIDTH * WIDTH + square)))
            made += tl.load(BN + part * WIDTH + column).to(tl.float32)[None, :]
            there = row.to(tl.int64)[:, None] * (PARTS * WIDTH) + part * WIDTH + column[None, :]
            tl.store(NEXT + there, made.to(seen.dtype), mask=inside)


def rows(x: Tensor, seen: Tensor, layer: Any, last_norm: Any, following: nn.Linear | None) -> tuple[Tensor, Tensor]:
    """What stands between two attentions: x and seen [..., width] -> (x, the next q, k, v).

    `layer` is an EncoderLayer or, with the norms behind the sums, a TransformerBlock. Where nothing follows, the
    first result is last_norm(x) and the second is empty.
    """
    nothing = x.new_empty(0)
    post = not hasattr(layer, "qkv")
    norm = layer.norm1 if post else layer.norm2
    made: tuple[Tensor, Tensor] = _rows(
        x, seen, layer.project.weight, layer.project.bias, norm.weight, _shift(norm), layer.widen.weight,
        layer.widen.bias, layer.narrow.weight, layer.narrow.bias, last_norm.weight, _shift(last_norm),
        nothing if following is None else following.weight, nothing if following is None else following.bias,
        post, isinstance(norm, nn.RMSNorm), getattr(layer, "gated", False),
    )  # fmt: skip
    return made


def _shift(norm: Any) -> Any:
    return norm.weight if isinstance(norm, nn.RMSNorm) else norm.bias


def fits(width: int, hidden: int) -> bool:
    """Whether the kernel can do it."""
    return width in (32, 64, 128, 256) and hidden % 64 == 0


@torch.library.custom_op("zerogrid::rows", mutates_args=())
def _rows(
    x: Tensor, seen: Tensor, wo: Tensor, bo: Tensor, g1: Tensor, s1: Tensor, w1: Tensor, b1: Tensor, w2: Tensor,
    b2: Tensor, g2: Tensor, s2: Tensor, wn: Tensor, bn: Tensor, post: bool, rms: bool, gated: bool,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    x, seen = x.contiguous(), seen.contiguous()
    width, hidden = w2.shape
    rows, parts = x.numel() // width, wn.shape[0] // width
    out = torch.empty_like(seen)
    following = seen.new_empty(*seen.shape[:-1], parts * width)
    weights = [weight.contiguous() for weight in (wo, bo, g1, s1, w1, b1, w2, b2, g2, s2, wn, bn)]
    if parts == 0:
        weights[10:] = weights[:2]

    def launch(config: tuple[int, ...]) -> None:
        block, units, warps, stages = config
        kernel: Any = _kernel
        kernel[(-(-rows // block),)](
            x, seen, *weights, out, following if parts else out, rows, WIDTH=width, HIDDEN=hidden, BM=block, BH=units,
            POST=post, RMS=rms, GATED=gated, PARTS=parts, num_warps=warps, num_stages=stages,
        )  # fmt: skip

    launch(fastest(("rows", width, hidden, post, rms, gated, parts), CONFIGS, launch, x))
    return out, following


@_rows.register_fake
def _(
    x: Tensor, seen: Tensor, wo: Tensor, bo: Tensor, g1: Tensor, s1: Tensor, w1: Tensor, b1: Tensor, w2: Tensor,
    b2: Tensor, g2: Tensor, s2: Tensor, wn: Tensor, bn: Tensor, post: bool, rms: bool, gated: bool,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    empty = torch.empty_like(seen, memory_format=torch.contiguous_format)
    return empty, seen.new_empty(*seen.shape[:-1], wn.shape[0])
