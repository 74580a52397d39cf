"""The handful of primitives with which one kernel source serves one CPU thread and a whole GPU block.

A kernel is a function `kernel(b, lane, args)`: block `b` works on game `b`, and the block's LANES lanes share the
work, each running the same code: `for e in range(first + lane, last, spmd.LANES)`. Results of the lanes are joined by
the functions below, which every lane must reach; each is also a barrier, behind which all lanes see what any lane
wrote before it. On the CPU there is one lane and they vanish, exactly as written here; for CUDA `link` puts exchanges
between the lanes of a warp in their place (see cuda.py).

There is no sum of floats on purpose: its result would depend on the number of lanes. Sums are taken over integers.
"""

LANES = 1


def sync() -> None:
    """Wait until every lane has come here, and its writes are seen by all."""


def argmax(value: float, index: int) -> int:
    """The index whose value is the greatest over the lanes; of equal values the smallest index. NaN is the least."""
    return int(index)


def allmax(value: float) -> float:
    """The greatest value over the lanes."""
    return float(value)


def allsum(value: int) -> int:
    """The sum over the lanes of an integer below 2**62."""
    return int(value)


def broadcast(value: int) -> int:
    """Lane 0's integer, in every lane."""
    return int(value)
