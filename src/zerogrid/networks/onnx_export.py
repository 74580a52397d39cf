"""A model as ONNX, for any runtime that reads it.

    export_onnx(load_model("mine.safetensors"), "mine.onnx")

Inputs and outputs are those of exportable.py; the batch is free, and so is the number of actions where they are
tokens. The file's metadata say which game and encoding it wants.
"""

import io
import json
import os
from pathlib import Path
from typing import Any

import torch

from zerogrid.core.errors import BadModelFile, quote
from zerogrid.networks.exportable import OUTPUTS, Exportable, tracing
from zerogrid.networks.files import Model
from zerogrid.networks.settings import Network

OPSET = 17  # old enough for every runtime of these years, new enough for layer norms


def export_onnx(model: Model | Network, path: str | Path) -> None:
    """Write it; it appears complete or not at all."""
    try:
        import onnx
    except ImportError as error:
        raise BadModelFile("writing ONNX needs the packages of zerogrid[onnx], which are not installed.") from error
    network = model.network if isinstance(model, Model) else model
    made = Exportable(network)
    names = [*made.inputs, *OUTPUTS]
    free: dict[str, dict[int, str]] = {name: {0: "batch"} for name in names}
    if network.needs_tokens:
        for name in ("tokens", "present", "policy"):
            free[name][1] = "actions"
    written = io.BytesIO()
    with tracing():
        torch.onnx.export(
            made, made.example(), written, input_names=list(made.inputs), output_names=list(OUTPUTS),  # type: ignore[arg-type, unused-ignore]
            dynamic_axes=free, dynamo=False, opset_version=OPSET,
        )  # fmt: skip
    graph = onnx.load_from_string(written.getvalue())
    for key, value in _about(model, network).items():
        entry = graph.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.checker.check_model(graph)
    there = Path(path)
    aside = there.with_name(f".{there.name}.new")
    try:
        aside.write_bytes(graph.SerializeToString())
        os.replace(aside, there)
    except OSError as error:
        raise BadModelFile(f"{quote(there.name)} cannot be written: {error.strerror}.") from error
    finally:
        aside.unlink(missing_ok=True)


def _about(model: Model | Network, network: Network) -> dict[str, str]:
    """What the file says of itself."""
    about: dict[str, Any] = {"network": network.name, "settings": network.settings.to_json()}
    if isinstance(model, Model):
        about |= {"game": model.game, "encoding": model.encoding, "provenance": model.provenance}
    return {f"zerogrid.{key}": value if isinstance(value, str) else json.dumps(value) for key, value in about.items()}
