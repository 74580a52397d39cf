"""A network converted for OpenVINO once, with its weights left open: for weights that change every few seconds.

Converting a network takes OpenVINO a second or more, compiling a converted one a twentieth of that. So the network is
converted with its weights as inputs, and for each new set of weights the inputs are replaced by constants: what is then
compiled is the same as if it had been converted with these weights.
"""

from typing import Any

import torch
from torch import Tensor, nn

from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.network import AsSearched, example_inputs
from zerogrid.networks.settings import Network


class Mould:
    """One kind of network for one batch size, to be filled with weights. The networks given are folded already."""

    def __init__(self, network: Network, encoding: Encoding, rows: int) -> None:
        import openvino

        self.encoding = encoding
        module = AsSearched(network, encoding).eval()
        self.names = list(_weights(module))
        inputs = example_inputs(network, encoding, rows)
        self.inputs = len(inputs)
        given = (*inputs, *_weights(module).values())
        with torch.no_grad():
            self.model: Any = openvino.convert_model(
                WeightsAsInputs(module, self.names, self.inputs),
                example_input=given,
                input=[list(one.shape) for one in given],
            )

    def filled(self, network: Network) -> Any:
        """A model of its own with this network's weights in it."""
        from openvino import opset13

        weights, made = _weights(AsSearched(network, self.encoding)), self.model.clone()
        for place, name in zip(made.get_parameters()[self.inputs :], self.names, strict=True):
            constant = opset13.constant(weights[name].detach().contiguous().numpy())
            place.output(0).replace(constant.output(0))
            made.remove_parameter(place)
        return made


class WeightsAsInputs(nn.Module):
    """A module that gets its weights behind its inputs. The module itself is hidden from the converter."""

    def __init__(self, module: nn.Module, names: list[str], inputs: int) -> None:
        super().__init__()
        self.__dict__["inside"] = module
        self.names, self.inputs = names, inputs

    def forward(self, *given: Tensor) -> Any:
        inside: nn.Module = self.__dict__["inside"]
        own = [_place(inside, name) for name in self.names]
        kept = [place[leaf] for place, leaf in own]
        for (place, leaf), weights in zip(own, given[self.inputs :], strict=True):
            place[leaf] = weights
        try:
            return inside(*given[: self.inputs])
        finally:
            for (place, leaf), weights in zip(own, kept, strict=True):
                place[leaf] = weights


def _weights(module: nn.Module) -> dict[str, Tensor]:
    """All that differs between two networks of one kind."""
    return {name: tensor for name, tensor in module.state_dict().items() if tensor.is_floating_point()}


def _place(module: nn.Module, name: str) -> tuple[dict[str, Any], str]:
    """Where a module keeps a parameter or buffer."""
    owner, _, leaf = name.rpartition(".")
    part = module.get_submodule(owner)
    return (part._parameters if leaf in part._parameters else part._buffers), leaf
