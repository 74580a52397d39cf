"""Running an encoding over many positions, on any target."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import encoding
from zerogrid.core.link import link

if TYPE_CHECKING:
    from zerogrid.encodings.encoding import Encoding


class EncodeArgs(NamedTuple):
    """The newest position of input b is states[rows[b, 0]], the one before it states[rows[b, 1]], ..."""

    states: Any  # int16 [N, STATE_SIZE]
    rows: Any  # int32 [B, HISTORY]
    known: Any  # int32 [B]
    scratch: Any  # int16 [B, SCRATCH]
    out: Any  # float [B, HEIGHT * WIDTH, PLANES]


def encode_kernel(b: int, lane: int, args: EncodeArgs) -> None:
    """Write the planes of input b."""
    encoding.encode(args.states, args.rows[b], args.known[b], lane, args.scratch[b], args.out[b])


class TokenArgs(NamedTuple):
    """Actions listed for each position, -1 where there is none."""

    states: Any  # int16 [B, STATE_SIZE]
    actions: Any  # int32 [B, T]
    slots: Any  # int32 [B, T]
    out: Any  # float [B, T, FEATURES]


def token_kernel(b: int, lane: int, args: TokenArgs) -> None:
    """Slots and descriptions of the actions listed for position b."""
    if lane == 0:
        for t in range(len(args.actions[b])):
            action = args.actions[b, t]
            if action >= 0:
                args.slots[b, t] = encoding.slot(args.states[b], action)
                encoding.describe(args.states[b], action, args.out[b, t])


def linked(kernel: Any, made: "Encoding", target: str) -> Any:
    """A kernel of this file for one encoding, linked once."""
    kept = made.__dict__.setdefault("_linked", {})
    if (kernel, target) not in kept:
        kept[kernel, target] = link(kernel, target, {encoding: made.module})
    return kept[kernel, target]


def encode_args(made: "Encoding", pasts: Sequence[Sequence[npt.NDArray[np.int16]]], fill: float = 0.0) -> EncodeArgs:
    """Arrays for `encode_kernel`: each past is a list of states, the newest last."""
    count, reach = len(pasts), made.history
    states: list[npt.NDArray[np.int16]] = []
    rows, known = np.zeros((count, reach), np.int32), np.zeros(count, np.int32)
    for b, past in enumerate(pasts):
        newest_first = list(past)[::-1][:reach]
        known[b] = len(newest_first)
        rows[b, : known[b]] = len(states) + np.arange(known[b])
        states += newest_first
    table = np.array(states, np.int16).reshape(-1, made.game.STATE_SIZE)
    scratch = np.full((count, made.scratch), -1, np.int16)
    out = np.full((count, made.height * made.width, made.planes), fill, np.float32)
    return EncodeArgs(table, rows, known, scratch, out)


def run_encode(
    made: "Encoding", pasts: Sequence[Sequence[npt.NDArray[np.int16]]], target: str, fill: float = 0.0
) -> npt.NDArray[np.float32]:
    """The planes of many positions, each given with its past: [n, height, width, planes]."""
    args = encode_args(made, pasts, fill)
    if target == "cuda":
        from zerogrid.core.cuda import to_device, to_host

        on_card = to_device(args)
        linked(encode_kernel, made, target)(len(pasts), on_card)
        out = np.asarray(to_host(on_card.out))
    else:
        linked(encode_kernel, made, target)(len(pasts), args)
        out = args.out
    return out.reshape(len(pasts), made.height, made.width, made.planes)


def run_tokens(
    made: "Encoding", states: npt.NDArray[np.int16], actions: npt.NDArray[np.int32], target: str = "cpu"
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Slots [B, T] (-1 for none) and descriptions [B, T, features] of actions [B, T] (-1 for none)."""
    slots = np.full(actions.shape, -1, np.int32)
    out = np.zeros((*actions.shape, max(made.features, 1)), np.float32)
    args = TokenArgs(states, actions, slots, out)
    if target == "cuda":
        from zerogrid.core.cuda import to_device, to_host

        on_card = to_device(args)
        linked(token_kernel, made, target)(len(states), on_card)
        args = to_host(on_card)
    else:
        linked(token_kernel, made, target)(len(states), args)
    return args.slots, args.out[..., : made.features]
