"""How fast a network is: latency of one position, evaluations a second of a full batch, and how far half precision is
from the truth.

Measuring has two halves, so that a benchmark can compile many networks side by side and still time each one alone on
the machine: `Measured(...)` builds and compiles, `time()` tunes and times.
"""

import copy
import time
from dataclasses import dataclass, field
from typing import Any

import torch

from zerogrid.networks.counting import example
from zerogrid.networks.fast import FastNetwork, Way
from zerogrid.networks.registry import make
from zerogrid.networks.shapes import Shape


@dataclass
class Speed:
    """What was measured."""

    batch: int
    seconds: float  # for one batch
    policy_error: float  # greatest difference of a probability from double precision
    value_error: float
    choices: dict[str, Any] = field(default_factory=dict)

    @property
    def evaluations_per_second(self) -> float:
        """Positions a second."""
        return self.batch / self.seconds


class Measured:
    """A network about to be timed."""

    def __init__(
        self,
        name: str,
        shape: Shape,
        batch: int,
        device: str,
        way: Way | None = None,
        tokens: int = 0,
        settings: dict[str, Any] | None = None,
    ):
        torch.manual_seed(0)
        self.device, self.batch = device, batch
        self.network = make(name, shape, **(settings or {})).eval()
        _spread_norms(self.network)
        self.fast = FastNetwork(self.network, batch, device, way=way)
        self.inputs = example(shape, batch, tokens, self.network.needs_tokens, device, self.fast.dtype)

    def warm_up(self) -> None:
        """Compile everything."""
        self.fast(*self.inputs)
        _wait(self.device)

    def time(self, seconds: float = 1.0) -> Speed:
        """Tune, record into a graph, and time."""
        policy_error, value_error = self._errors()
        choices: dict[str, Any] = {}
        if self.device == "cpu":
            taken = clock(lambda: self.fast(*self.inputs), seconds)
        else:
            if self.fast.way.own_attention or self.fast.way.own_rows:
                from zerogrid.networks import tune_cuda

                tune_cuda.forget()
            torch.backends.cudnn.benchmark = True
            taken = self._graph_seconds(seconds)
            if self.fast.way.own_attention or self.fast.way.own_rows:
                choices = {" ".join(map(str, key)): value for key, value in tune_cuda.chosen().items()}
        return Speed(self.batch, taken, policy_error, value_error, choices)

    def _errors(self) -> tuple[float, float]:
        few = min(self.batch, 256)
        logits, value = self.fast(*self.inputs)
        reference = copy.deepcopy(self.network).to(self.device).double()
        with torch.no_grad():
            planes, *rest = (given[:few] for given in self.inputs)
            truth = reference(planes.double(), *(part.double() if part.is_floating_point() else part for part in rest))
        policy = (torch.softmax(logits[:few].double(), 1) - torch.softmax(truth.policy, 1)).abs().max()
        return float(policy), float((value[:few] - truth.value).abs().max())

    def _graph_seconds(self, seconds: float) -> float:
        stream: Any = torch.cuda.Stream
        side = stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.fast(*self.inputs)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.fast(*self.inputs)
        return _event_clock(graph.replay, seconds)


def _spread_norms(network: torch.nn.Module) -> None:
    """Give batch norms statistics as they are after learning, not the zeros and ones they start with."""
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d | torch.nn.BatchNorm1d):
            torch.nn.init.uniform_(part.running_mean, -0.2, 0.2)  # type: ignore[arg-type]
            torch.nn.init.uniform_(part.running_var, 0.5, 1.5)  # type: ignore[arg-type]


def _wait(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()


def clock(work: Any, seconds: float) -> float:
    """The median time of a call on the CPU."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def _event_clock(work: Any, seconds: float) -> float:
    """The median over ten stretches of calls on the GPU, taken with events."""
    event: Any = torch.cuda.Event
    first, last = event(enable_timing=True), event(enable_timing=True)
    for _ in range(3):
        work()
    first.record()
    work()
    last.record()
    last.synchronize()
    repeats = max(1, int(seconds / 10 / max(first.elapsed_time(last) / 1000, 1e-6)))
    times: list[float] = []
    for _ in range(10):
        first.record()
        for _ in range(repeats):
            work()
        last.record()
        last.synchronize()
        times.append(first.elapsed_time(last) / 1000 / repeats)
    return sorted(times)[5]
