"""spmd's primitives on a card: the lanes of a game are neighbours in a warp, and hand their parts to one another.

    8 lanes    | game 0         | game 1         | game 2          | game 3          |    one warp
    lane       0 1 2 3 4 5 6 7   0 1 2 3 4 5 6 7   0 1 2 3 4 5 6 7   0 1 2 3 4 5 6 7
    step 1     0<->4  1<->5 ...                                        each keeps the better of two
    step 2     0<->2  1<->3 ...                                        the best of four, and so on

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
LANES: int = 0
group: Any = None  # the function below, compiled

MOST, LEAST = 0x7FFFFFFF, -0x80000000  # of 32-bit integers


def group_of_lanes() -> int:
    """The lanes of this game, as bits of the warp."""
    return ((1 << LANES) - 1) << (cuda.laneid & ~(LANES - 1))  # type: ignore[no-any-return]


def sync() -> None:
    """All lanes wait for one another, and see what the others wrote."""
    cuda.syncwarp(group())


def argmax(value: float, index: int) -> int:
    """The index of the greatest value; of equal values the smallest index.

    A double's upper half decides nearly always, and its exchange is half as dear; where several lanes share the
    greatest upper half, the lower halves decide, and where those are equal too, the indices.
    """
    all_lanes = group()
    cuda.syncwarp(all_lanes)
    best = (float64(value) if value == value else float64(-float("inf"))) + 0.0  # -0.0 and 0.0 are one number
    high = cuda.libdevice.double2hiint(best)
    low = cuda.libdevice.double2loint(best)
    if high < 0:  # of negative numbers, the one with the greater bits is the lesser
        high = int32(high ^ MOST)
        low = int32(~low)
    low = int32(low ^ LEAST)  # compared without a sign
    top = high
    reach = LANES >> 1
    while reach > 0:
        top = max(top, cuda.shfl_xor_sync(all_lanes, top, reach))
        reach >>= 1
    holders = cuda.ballot_sync(all_lanes, high == top)
    if cuda.popc(holders) > 1:
        mine = low if high == top else int32(LEAST)
        top = mine
        reach = LANES >> 1
        while reach > 0:
            top = max(top, cuda.shfl_xor_sync(all_lanes, top, reach))
            reach >>= 1
        holders &= cuda.ballot_sync(all_lanes, mine == top)
        if cuda.popc(holders) > 1:
            inside = (holders >> cuda.laneid) & 1
            first = int32(index) if inside else int32(MOST)
            reach = LANES >> 1
            while reach > 0:
                first = min(first, cuda.shfl_xor_sync(all_lanes, first, reach))
                reach >>= 1
            return int64(first)  # type: ignore[no-any-return]
    return int64(cuda.shfl_sync(all_lanes, int32(index), cuda.ffs(holders) - 1))  # type: ignore[no-any-return]


def allmax(value: float) -> float:
    """The greatest value."""
    all_lanes = group()
    cuda.syncwarp(all_lanes)
    best = float64(value) if value == value else float64(-float("inf"))
    reach = LANES >> 1
    while reach > 0:
        there = cuda.shfl_xor_sync(all_lanes, best, reach)
        if there > best:
            best = there
        reach >>= 1
    return best  # type: ignore[no-any-return]


def allsum(value: int) -> int:
    """The sum of integers."""
    all_lanes = group()
    cuda.syncwarp(all_lanes)
    total = int64(value)
    reach = LANES >> 1
    while reach > 0:
        total += cuda.shfl_xor_sync(all_lanes, total, reach)
        reach >>= 1
    return total  # type: ignore[no-any-return]


def broadcast(value: int) -> int:
    """Lane 0's integer."""
    all_lanes = group()
    cuda.syncwarp(all_lanes)
    return cuda.shfl_sync(all_lanes, int64(value), cuda.laneid & ~(LANES - 1))  # type: ignore[no-any-return]
