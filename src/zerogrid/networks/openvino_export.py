"""A network as an OpenVINO model, the fastest way to compute most of them on a CPU.

    model = openvino_model(network, batch=64)
    compiled = openvino.Core().compile_model(model, "CPU")
    policy, value = (compiled(planes)[output] for output in compiled.outputs)

Inputs and outputs are those of exportable.py, by name.
"""

from typing import Any

import torch

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.exportable import OUTPUTS, Exportable, tracing
from zerogrid.networks.settings import Network


def openvino_model(
    network: Network, batch: int | None = None, actions: int | None = None, channels_last: bool = False
) -> Any:
    """An openvino.Model for one batch size or, left out, for any; `actions` is the number of action tokens.

    With `channels_last` the planes are [B, H, W, C], as encodings write them.
    """
    try:
        import openvino
    except ImportError as error:
        raise BadNetwork("OpenVINO is not installed; the packages of zerogrid[learn] hold it.") from error
    made = Exportable(network, channels_last)
    with tracing():
        traced: Any = torch.jit.trace(made, made.example(), check_trace=False)  # type: ignore[no-untyped-call, unused-ignore]
        model = openvino.convert_model(traced, example_input=made.example())
    shape = network.shape
    sides = [shape.height, shape.width, shape.planes] if channels_last else [shape.planes, shape.height, shape.width]
    rows, tokens = -1 if batch is None else batch, -1 if actions is None else actions
    sizes = {"planes": [rows, *sides], "tokens": [rows, tokens, shape.action_features], "present": [rows, tokens]}
    model.reshape({found: sizes[name] for found, name in zip(model.inputs, made.inputs, strict=True)})
    for port, name in zip([*model.inputs, *model.outputs], [*made.inputs, *OUTPUTS], strict=True):
        port.get_tensor().set_names({name})
    return model
