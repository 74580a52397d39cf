"""spmd's primitives for a CUDA block: every lane writes its part to shared memory, waits, and reads all the parts.

The names declared below are put into the functions' globals by cuda.py, which alone knows the compiler.
"""

from typing import Any

cuda: Any
int64: Any
float64: Any
LANES: int
kernel: Any


def grid(first: int, args: Any) -> None:
    """The launched kernel: block b of the grid works on game first + b."""
    kernel(first + cuda.blockIdx.x, cuda.threadIdx.x + 0, args)


def sync() -> None:
    """All lanes wait for one another."""
    cuda.syncthreads()


def argmax(value: float, index: int) -> int:
    """The index of the greatest value; of equal values the smallest index."""
    values = cuda.shared.array(LANES, float64)
    indices = cuda.shared.array(LANES, int64)
    values[cuda.threadIdx.x] = value
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
    values = cuda.shared.array(LANES, float64)
    values[cuda.threadIdx.x] = value
    cuda.syncthreads()
    best = values[0]
    for i in range(1, LANES):
        best = max(best, values[i])
    cuda.syncthreads()
    return float(best)


def allsum(value: int) -> int:
    """The sum of integers."""
    values = cuda.shared.array(LANES, int64)
    values[cuda.threadIdx.x] = value
    cuda.syncthreads()
    total = values[0]
    for i in range(1, LANES):
        total += values[i]
    cuda.syncthreads()
    return int(total)


def broadcast(value: int) -> int:
    """Lane 0's integer."""
    values = cuda.shared.array(1, int64)
    if cuda.threadIdx.x == 0:
        values[0] = value
    cuda.syncthreads()
    found = values[0]
    cuda.syncthreads()
    return int(found)
