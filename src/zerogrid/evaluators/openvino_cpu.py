"""OpenVINO on the CPU: the fastest runtime measured (docs/decisions.d/search.md), above all for one position at a time.

A request is bound to the memory of a batch once, so an evaluation copies nothing: the runtime reads the search's
planes and writes its logits and values. Batches of another size get a compiled model of their own.
"""

from typing import Any

import torch

from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.evaluators.network import AsSearched, check_fits, example_inputs
from zerogrid.networks.fold import folded
from zerogrid.networks.settings import Network


def openvino_missing() -> str:
    """Why OpenVINO cannot be used here, or nothing."""
    try:
        import openvino  # noqa: F401
    except (ImportError, OSError) as error:
        return f"OpenVINO is not usable here ({error}); pip install openvino"
    return ""


class OpenVinoEvaluator(Evaluator):
    """A network by OpenVINO, for so many evaluations at the same time, each by so many threads.

    `exact` keeps single precision, where the default is the processor's fastest (bfloat16 where it has that).
    """

    def __init__(
        self,
        network: Network,
        encoding: Encoding,
        name: str = "openvino",
        streams: int = 1,
        threads: int = 1,
        exact: bool = False,
    ) -> None:
        check_fits(network, encoding)
        self.name, self.encoding = name, encoding
        self.streams, self.threads, self.exact = streams, threads, exact
        self.tokens = network.needs_tokens
        self._network = folded(network).float().eval()
        self._compiled: dict[int, Any] = {}

    def evaluate(self, batch: Batch) -> None:
        request = batch.kept.get(self)
        if request is None:
            request = batch.kept[self] = self._request(batch)
        request.infer()

    def compiled(self, rows: int) -> Any:
        """The model compiled for batches of so many rows."""
        if rows not in self._compiled:
            import openvino

            module = AsSearched(self._network, self.encoding).eval()
            inputs = example_inputs(self._network, self.encoding, rows)
            with torch.no_grad():
                model = openvino.convert_model(module, example_input=inputs, input=[list(one.shape) for one in inputs])
            settings: dict[str, Any] = {
                "INFERENCE_NUM_THREADS": self.streams * self.threads,
                "NUM_STREAMS": self.streams,
                "ENABLE_CPU_PINNING": False,
            }
            if self.exact:
                settings["INFERENCE_PRECISION_HINT"] = "f32"
            self._compiled[rows] = openvino.Core().compile_model(model, "CPU", settings)
        return self._compiled[rows]

    def _request(self, batch: Batch) -> Any:
        import openvino

        request = self.compiled(batch.rows).create_infer_request()
        inputs = [batch.planes] if not self._network.needs_tokens else [batch.planes, batch.tokens, batch.offered]
        for place, array in enumerate(inputs):
            request.set_input_tensor(place, openvino.Tensor(array, shared_memory=True))
        for place, array in enumerate((batch.logits, batch.values)):
            request.set_output_tensor(place, openvino.Tensor(array, shared_memory=True))
        return request
