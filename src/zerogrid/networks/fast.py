"""A network as fast as the machine allows: folded, half precision, channels last, fused kernels, compiled.

    evaluate = FastNetwork(network, batch=4096)
    logits, value = evaluate(planes)                # capture it into a CUDA graph after a first call
    evaluate.update(network)                        # new weights at the same addresses: graphs stay valid

Shapes are fixed and nothing waits for the device, so a whole search step can be recorded into one CUDA graph. What
each way of computing gave is in docs/networks/speed.md.
"""

from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.attend import Attend
from zerogrid.networks.blocks import ConvNorm
from zerogrid.networks.encoder import EncoderLayer, Stack
from zerogrid.networks.fold import folded
from zerogrid.networks.multiscale import TransformerBlock
from zerogrid.networks.settings import Network
from zerogrid.networks.sigmago import Hybrid
from zerogrid.networks.sigmago_time import Dual, Temporal


@dataclass(frozen=True)
class Way:
    """How a network is computed."""

    compiled: bool = True  # torch.compile
    tuned: bool = False  # it also tries its own matrix kernels: minutes instead of seconds to compile
    one_kernel_convs: bool = True  # convolution, sum and ReLU in one cuDNN kernel
    own_attention: bool = True  # attention by our Triton kernel
    own_rows: bool = True  # everything between two attentions by our Triton kernel


PLAIN = Way(compiled=False, one_kernel_convs=False, own_attention=False, own_rows=False)


def best_way(network: Network, device: str) -> Way:
    """What was fastest for this kind of network."""
    if device == "cpu":
        return PLAIN
    small = isinstance(network, Hybrid | Temporal | Dual)
    return replace(Way(), own_rows=not small)


class FastNetwork:
    """A network laid out for one device and one batch size."""

    def __init__(
        self,
        network: Network,
        batch: int,
        device: str = "cuda",
        dtype: torch.dtype | None = None,
        way: Way | None = None,
    ):
        self.batch, self.device = batch, device
        self.way = best_way(network, device) if way is None else way
        self.dtype = dtype or (torch.float32 if device == "cpu" else torch.float16)
        self.needs_tokens = network.needs_tokens
        self._net = self._laid_out(network)
        self._call: Any = _bare(self._net)
        if self.way.compiled:
            options: Any = {"max_autotune": True, "coordinate_descent_tuning": True} if self.way.tuned else None
            self._call = torch.compile(self._call, fullgraph=True, dynamic=False, options=options)

    def __call__(
        self, planes: Tensor, tokens: Tensor | None = None, present: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """planes [batch, C, H, W], channels last in memory -> (logits [batch, slots or T], value [batch]), float32."""
        if planes.shape[0] != self.batch:
            raise BadNetwork(f"this network was laid out for batches of {self.batch}, not {planes.shape[0]}.")
        with torch.no_grad():
            out: tuple[Tensor, Tensor] = self._call(planes, tokens, present)
        return out

    def update(self, network: Network) -> None:
        """Take over the weights of a network of the same settings, in place."""
        if (network.name, network.settings, network.shape) != (self._net.name, self._net.settings, self._net.shape):
            raise BadNetwork(f"a fast network of {self._net.name} can only take weights of the same settings.")
        given = _tensors(self._laid_out(network))
        with torch.no_grad():
            for name, tensor in _tensors(self._net).items():
                tensor.copy_(given[name])

    def _laid_out(self, network: Network) -> Network:
        made = folded(network)
        own_attention = self.way.own_attention
        for part in made.modules():
            if isinstance(part, EncoderLayer | TransformerBlock) and own_attention:
                _lay_out_bias(part, self.dtype)
        made = made.to(self.device, self.dtype)
        for part in made.modules():
            if isinstance(part, ConvNorm):
                part.one_kernel = self.way.one_kernel_convs
            if isinstance(part, nn.Conv2d):
                part.weight.data = part.weight.data.contiguous(memory_format=torch.channels_last)
            if isinstance(part, Attend) and own_attention:
                from zerogrid.networks import attend_cuda

                part.compute = attend_cuda.attend
            if isinstance(part, Stack | TransformerBlock) and self.way.own_rows:
                part.in_one_kernel = True
        return made


def fast(network: Network, batch: int, device: str = "cuda", way: Way | None = None) -> FastNetwork:
    """The fastest form of a network for one device and batch size."""
    return FastNetwork(network, batch, device, way=way)


def _bare(network: Network) -> Any:
    """A function to policy and value alone, in single precision.

    Its code is a copy of its own: torch.compile keeps what it compiled with the code, and refuses the ninth network
    that shares it.
    """

    def evaluate(planes: Tensor, tokens: Tensor | None, present: Tensor | None) -> tuple[Tensor, Tensor]:
        answer = network(planes) if tokens is None else network(planes, tokens, present)
        return answer.policy.float(), answer.value.float()

    code = evaluate.__code__.replace(co_name=f"evaluate_{id(network)}")
    return FunctionType(code, globals(), code.co_name, None, evaluate.__closure__)


def _lay_out_bias(part: EncoderLayer | TransformerBlock, dtype: torch.dtype) -> None:
    from zerogrid.networks import attend_cuda

    bias = part.bias()
    if bias is not None:
        part.attend.table = attend_cuda.table(bias, dtype)


def _tensors(network: nn.Module) -> dict[str, Tensor]:
    return {**dict(network.named_parameters()), **dict(network.named_buffers())}
