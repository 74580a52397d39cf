"""A network on a CUDA card: laid out for one batch size, compiled, reading the search's arrays where they lie."""

import torch
from torch import Tensor

from zerogrid.core.errors import TargetMissing
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.evaluators.network import check_fits
from zerogrid.networks.fast import FastNetwork, Way
from zerogrid.networks.settings import Network


class CardEvaluator(Evaluator):
    """A network in half precision; `evaluate` only launches work."""

    device = "cuda"

    def __init__(self, network: Network, encoding: Encoding, name: str = "network", way: Way | None = None) -> None:
        check_fits(network, encoding)
        if not torch.cuda.is_available():
            raise TargetMissing("device cuda needs a CUDA card, and PyTorch finds none here; use device cpu.")
        self.name, self.encoding = name, encoding
        self.network, self.way = network, way
        self.tokens = network.needs_tokens
        self._laid_out: dict[int, FastNetwork] = {}

    def laid_out(self, rows: int) -> FastNetwork:
        """The network for batches of so many rows, compiled on its first call."""
        if rows not in self._laid_out:
            self._laid_out[rows] = FastNetwork(self.network, rows, "cuda", way=self.way)
        return self._laid_out[rows]

    def answers(self, planes: Tensor, tokens: Tensor, offered: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values of the search's arrays, as new tensors. May be captured into a graph after a first call."""
        encoding = self.encoding
        seen = planes.view(-1, encoding.height, encoding.width, encoding.planes).permute(0, 3, 1, 2)
        network = self.laid_out(planes.shape[0])
        if not self.tokens:
            logits, values = network(seen)
        else:
            present = torch.arange(tokens.shape[1], device=tokens.device) < offered.view(-1, 1)
            logits, values = network(seen, tokens, present)
        return logits, values.reshape(-1)

    def evaluate(self, batch: Batch) -> None:
        logits, values = self.answers(batch.planes, batch.tokens, batch.offered)
        batch.logits.copy_(logits)
        batch.values.copy_(values)

    def update(self, network: Network) -> None:
        """Take over new weights of the same network in place, so that captured graphs stay valid."""
        self.network = network
        for laid_out in self._laid_out.values():
            laid_out.update(network)
