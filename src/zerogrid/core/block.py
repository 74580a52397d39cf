"""spmd's primitives in the simulator: every lane writes its part to shared memory, waits, and reads all the parts.

The names declared below are put into the functions' globals by cuda.py, which alone knows the compiler. After its last
barrier a function must not name `cuda` any more: the simulator takes that name away when the first lane leaves.
"""

from typing import Any

cuda: Any = None
int64: Any = None
float64: Any = None
making: Any = None  # a lock: lanes that ask for shared memory at once, for the first time, would each get their own
LANES: int = 0


def sync() -> None:
    """All lanes wait for one another."""
    cuda.syncthreads()


def argmax(value: float, index: int) -> int:
    """The index of the greatest value; of equal values the smallest index."""
    with making:
        values = cuda.shared.array(LANES, float64)
        indices = cuda.shared.array(LANES, int64)
    values[cuda.threadIdx.x] = value if value == value else -float("inf")
    indices[cuda.threadIdx.x] = index
    cuda.syncthreads()
    best = values[0]
    found = indices[0]
    for i in range(1, LANES):
        if values[i] > best or (values[i] == best and indices[i] < found):
            best = values[i]
            found = indices[i]
    cuda.syncthreads()
    return int(found)


def allmax(value: float) -> float:
    """The greatest value."""
    with making:
        values = cuda.shared.array(LANES, float64)
    values[cuda.threadIdx.x] = value if value == value else -float("inf")
    cuda.syncthreads()
    best = values[0]
    for i in range(1, LANES):
        best = max(best, values[i])
    cuda.syncthreads()
    return float(best)


def allsum(value: int) -> int:
    """The sum of integers."""
    with making:
        values = cuda.shared.array(LANES, int64)
    values[cuda.threadIdx.x] = value
    cuda.syncthreads()
    total = 0
    for i in range(LANES):
        total += int(values[i])
    cuda.syncthreads()
    return total


def broadcast(value: int) -> int:
    """Lane 0's integer."""
    with making:
        values = cuda.shared.array(1, int64)
    if cuda.threadIdx.x == 0:
        values[0] = value
    cuda.syncthreads()
    found = values[0]
    cuda.syncthreads()
    return int(found)
