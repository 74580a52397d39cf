"""OpenVINO on the CPU: the fastest runtime measured (docs/decisions.d/search.md), above all for one position at a time.

A request is bound to the memory of a batch once, so an evaluation copies nothing: the runtime reads the search's
planes and writes its logits and values. Batches of another size get a compiled model of their own.
"""

from threading import Lock
from typing import Any
from weakref import WeakSet

import numpy as np

from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.evaluators.network import check_fits
from zerogrid.evaluators.openvino_mould import Mould
from zerogrid.networks.fold import folded
from zerogrid.networks.settings import Network

_making = Lock()  # threads that ask for the same model at once get the same one


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
    Evaluators that share `moulds`, a dict, convert each network once for all their weights.
    """

    def __init__(
        self,
        network: Network,
        encoding: Encoding,
        name: str = "openvino",
        streams: int = 1,
        threads: int = 1,
        exact: bool = False,
        moulds: dict[Any, Mould] | None = None,
    ) -> None:
        check_fits(network, encoding)
        self.name, self.encoding = name, encoding
        self.streams, self.threads, self.exact = streams, threads, exact
        self.tokens = network.needs_tokens
        self._network = folded(network).float().eval()
        self._compiled: dict[int, Any] = {}
        self._moulds = {} if moulds is None else moulds
        self._bound: WeakSet[Batch] = WeakSet()  # those that hold a request of this one

    def evaluate(self, batch: Batch) -> None:
        held = batch.kept.get(self)
        if held is None:
            held = batch.kept[self] = self._request(batch)
            self._bound.add(batch)
        request, offered = held
        if offered is not None:
            offered[:] = batch.offered
        request.infer()

    def hurry(self, threads: int) -> None:
        self.close()
        self.streams, self.threads = 1, threads

    def close(self) -> None:
        for batch in list(self._bound):
            batch.kept.pop(self, None)
        self._bound.clear()
        self._compiled.clear()

    def compiled(self, rows: int) -> Any:
        """The model compiled for batches of so many rows."""
        with _making:
            if rows not in self._compiled:
                self._compiled[rows] = self._made(rows)
            return self._compiled[rows]

    def _made(self, rows: int) -> Any:
        import openvino

        network = self._network
        key = network.name, network.settings, network.shape, self.encoding, rows
        mould = self._moulds.get(key)
        if mould is None:
            mould = self._moulds[key] = Mould(network, self.encoding, rows)
        settings: dict[str, Any] = {
            "INFERENCE_NUM_THREADS": self.streams * self.threads,
            "NUM_STREAMS": self.streams,
            "ENABLE_CPU_PINNING": False,
        }
        if self.exact:
            settings["INFERENCE_PRECISION_HINT"] = "f32"
        return openvino.Core().compile_model(mould.filled(network), "CPU", settings)

    def _request(self, batch: Batch) -> tuple[Any, Any]:
        """A request that reads and writes the batch's memory, and room for what is offered: few numbers, far apart."""
        import openvino

        request = self.compiled(batch.rows).create_infer_request()
        offered = np.zeros(batch.rows, np.int32) if self.tokens else None
        inputs = [batch.planes] if offered is None else [batch.planes, batch.tokens, offered]
        for place, array in enumerate(inputs):
            request.set_input_tensor(place, openvino.Tensor(array, shared_memory=True))
        for place, array in enumerate((batch.logits, batch.values)):
            request.set_output_tensor(place, openvino.Tensor(array, shared_memory=True))
        return request, offered
