"""spmd's primitives on a card: the lanes are one warp, and hand their parts to one another in five exchanges.

    step 1   lane 0 <-> 16,  1 <-> 17, ...      each keeps the better of two
    step 2   lane 0 <->  8,  1 <->  9, ...      the best of four
    ...                                         after step 5 every lane holds the best of all 32

An exchange between registers orders no memory; therefore each function begins with a barrier, so that whatever a lane
wrote before it is seen by all lanes after it, as in the simulator. What a lane hands on is never "no number" (NaN):
comparisons with it are all false, the lanes would disagree, and disagreeing lanes never meet again.

The names declared below are put into the functions' globals by cuda.py, which alone knows the compiler.
"""

from typing import Any

cuda: Any = None
int32: Any = None
int64: Any = None
float64: Any = None

ALL = 0xFFFFFFFF  # every lane of the warp takes part
MOST, LEAST = 0x7FFFFFFF, -0x80000000  # of 32-bit integers


def sync() -> None:
    """All lanes wait for one another, and see what the others wrote."""
    cuda.syncwarp(ALL)


def argmax(value: float, index: int) -> int:
    """The index of the greatest value; of equal values the smallest index.

    A double's upper half decides nearly always, and its exchange is half as dear; where several lanes share the
    greatest upper half, the lower halves decide, and where those are equal too, the indices.
    """
    cuda.syncwarp(ALL)
    best = (float64(value) if value == value else float64(-float("inf"))) + 0.0  # -0.0 and 0.0 are one number
    high = cuda.libdevice.double2hiint(best)
    low = cuda.libdevice.double2loint(best)
    if high < 0:  # of negative numbers, the one with the greater bits is the lesser
        high = int32(high ^ MOST)
        low = int32(~low)
    low = int32(low ^ LEAST)  # compared without a sign
    top = high
    for step in range(5):
        top = max(top, cuda.shfl_xor_sync(ALL, top, 16 >> step))
    holders = cuda.ballot_sync(ALL, high == top)
    if cuda.popc(holders) > 1:
        mine = low if high == top else int32(LEAST)
        top = mine
        for step in range(5):
            top = max(top, cuda.shfl_xor_sync(ALL, top, 16 >> step))
        holders &= cuda.ballot_sync(ALL, mine == top)
        if cuda.popc(holders) > 1:
            inside = (holders >> cuda.laneid) & 1
            first = int32(index) if inside else int32(MOST)
            for step in range(5):
                first = min(first, cuda.shfl_xor_sync(ALL, first, 16 >> step))
            return int64(first)  # type: ignore[no-any-return]
    return int64(cuda.shfl_sync(ALL, int32(index), cuda.ffs(holders) - 1))  # type: ignore[no-any-return]


def allmax(value: float) -> float:
    """The greatest value."""
    cuda.syncwarp(ALL)
    best = float64(value) if value == value else float64(-float("inf"))
    for step in range(5):
        there = cuda.shfl_xor_sync(ALL, best, 16 >> step)
        if there > best:
            best = there
    return best  # type: ignore[no-any-return]


def allsum(value: int) -> int:
    """The sum of integers."""
    cuda.syncwarp(ALL)
    total = int64(value)
    for step in range(5):
        total += cuda.shfl_xor_sync(ALL, total, 16 >> step)
    return total  # type: ignore[no-any-return]


def broadcast(value: int) -> int:
    """Lane 0's integer."""
    cuda.syncwarp(ALL)
    return cuda.shfl_sync(ALL, int64(value), 0)  # type: ignore[no-any-return]
