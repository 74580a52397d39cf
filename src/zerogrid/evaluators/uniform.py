"""The evaluator that knows nothing: every move as good as every other, every position even."""

from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator


class Uniform(Evaluator):
    """Logits and values of zero."""

    name = "uniform"

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding

    def evaluate(self, batch: Batch) -> None:
        batch.logits[:] = 0.0
        batch.values[:] = 0.0
