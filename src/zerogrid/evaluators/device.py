"""The card as searches use it: memory, streams, and work that is recorded once and replayed.

All in one place, so that tests can put ordinary memory in the card's place (tests/cuda/ordinary.py).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from zerogrid.core import cuda

KINDS: dict[Any, torch.dtype] = {
    np.int8: torch.int8,
    np.int16: torch.int16,
    np.int32: torch.int32,
    np.int64: torch.int64,
    np.float16: torch.float16,
    np.float32: torch.float32,
    np.float64: torch.float64,
}


def zeros(shape: tuple[int, ...], kind: Any) -> Tensor:
    """An array on the card, of one of NumPy's kinds."""
    return torch.zeros(shape, dtype=KINDS[kind], device="cuda")


def put(array: Any, kind: Any) -> Tensor:
    """A NumPy array, or what makes one, on the card."""
    return torch.from_numpy(np.ascontiguousarray(array, kind)).to("cuda")


def seen_by_kernels(tensor: Tensor) -> Any:
    """A tensor's memory as kernels take it."""
    return cuda.borrow(tensor)


def stream() -> Any:
    """A new stream."""
    return torch.cuda.Stream()  # type: ignore[no-untyped-call]


def on(stream: Any) -> Any:
    """A context in which PyTorch works on that stream."""
    return torch.cuda.stream(stream)


def launch_on(stream: Any, launch: Callable[[], None]) -> None:
    """Launch kernels of ours on a stream of PyTorch's."""
    cuda.use_stream(stream.cuda_stream)
    try:
        launch()
    finally:
        cuda.use_stream(None)


def wait() -> None:
    """Wait for all that the card has to do."""
    torch.cuda.synchronize()


class Recording:
    """Work on a stream that was recorded, not done; each replay does it."""

    def __init__(self, stream: Any, work: Callable[[], None]) -> None:
        stream.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=stream):
            work()

    def replay(self) -> None:
        """Do it, on the stream that is current."""
        self._graph.replay()
