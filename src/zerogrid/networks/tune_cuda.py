"""Which of a few launch configurations of a kernel is the fastest here: tried once for each kind of call."""

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

_chosen: dict[Any, tuple[int, ...]] = {}


def fastest(
    key: Any, configs: Sequence[tuple[int, ...]], launch: Callable[[tuple[int, ...]], None], like: Tensor
) -> tuple[int, ...]:
    """The configuration for this key; measured at the first call, unless that is recorded into a CUDA graph."""
    if key in _chosen:
        return _chosen[key]
    if not like.is_cuda:
        return configs[0]
    if torch.cuda.is_current_stream_capturing():
        raise RuntimeError("a fast network must run once before it is captured into a CUDA graph")
    times: dict[tuple[int, ...], float] = {}
    for config in configs:
        try:
            times[config] = _seconds(lambda config=config: launch(config))  # type: ignore[misc]
        except Exception as error:  # this card has too few registers or too little shared memory for it
            if "resource" not in f"{type(error).__name__} {error}".lower():
                raise
    _chosen[key] = min(times, key=lambda config: times[config])
    return _chosen[key]


def forget() -> None:
    """Choose anew at the next calls."""
    _chosen.clear()


def chosen() -> dict[Any, tuple[int, ...]]:
    """What was chosen so far."""
    return dict(_chosen)


def _seconds(work: Callable[[], None]) -> float:
    """The median time of a call; five are enough to tell configurations apart."""
    times: list[float] = []
    event: Any = torch.cuda.Event
    work()
    for _ in range(5):
        start, end = event(enable_timing=True), event(enable_timing=True)
        start.record()
        work()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1000)
    return statistics.median(times)
