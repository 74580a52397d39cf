"""PyTorch on the CPU: always there, and the measure for faster runtimes."""

import torch

from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.evaluators.network import AsSearched, check_fits
from zerogrid.networks.settings import Network


class TorchEvaluator(Evaluator):
    """A network by PyTorch, in single precision."""

    def __init__(self, network: Network, encoding: Encoding, name: str = "torch") -> None:
        check_fits(network, encoding)
        self.name, self.encoding = name, encoding
        self.tokens = network.needs_tokens
        self._module = AsSearched(network, encoding).eval()

    def evaluate(self, batch: Batch) -> None:
        inputs = batch.kept.get("torch")
        if inputs is None:
            inputs = batch.kept["torch"] = (torch.from_numpy(batch.planes), torch.from_numpy(batch.tokens))
        with torch.inference_mode():
            if self.tokens:
                logits, values = self._module(*inputs, torch.from_numpy(batch.offered))
            else:
                logits, values = self._module(inputs[0])
        batch.answer(logits.numpy(), values.numpy())
