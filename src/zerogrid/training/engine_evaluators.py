"""From weights to evaluators, as cheaply as weights that change every few seconds need it.

On the CPU every set of weights has an evaluator of its own; the few that were used last are kept. Networks of one kind
share what OpenVINO made of them, so that new weights cost a compile and no conversion (docs/decisions.d/learning.md).

On a card self-play has one evaluator for each place at the table: it takes over new weights in its own memory, so that
what was compiled and captured stays valid. Matches and exams search on the processor and ask the card in batches.
"""

from typing import Any

import torch

from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.evaluators.loading import evaluator_for
from zerogrid.evaluators.network import AsSearched
from zerogrid.networks.files import Model
from zerogrid.networks.fold import folded
from zerogrid.networks.settings import Network
from zerogrid.training.config import Config
from zerogrid.training.parts import Weights

KEPT = 4  # evaluators beside those of the pools


class Evaluators:
    """Evaluators of one run's weights."""

    def __init__(self, config: Config, game: Game, encoding: Encoding, threads: int) -> None:
        self.config, self.game, self.encoding, self.threads = config, game, encoding, threads
        self.device = config.run.device
        self.most = KEPT + config.gate.pool + (config.league.pool if config.league.past else 0)
        self._kept: list[tuple[Network, Evaluator]] = []  # the one used last stands last
        self._moulds: dict[Any, Any] = {}
        self._seated: dict[tuple[str, str], Any] = {}

    def for_match(self, weights: Weights) -> Evaluator:
        """An evaluator for searches in ordinary memory."""
        network: Network = weights.inside
        place = next((i for i, (known, _) in enumerate(self._kept) if known is network), None)
        if place is None:
            self._kept.append((network, self._made(network, weights.name)))
            while len(self._kept) > self.most:
                self._kept.pop(0)[1].close()
        else:
            self._kept.append(self._kept.pop(place))
        return self._kept[-1][1]

    def for_play(self, weights: Weights, seat: str, place: str) -> Evaluator:
        """An evaluator for the self-play of a seat, where the games are; who sat at this place before makes room."""
        return self.for_match(weights) if self.device == "cpu" else self._seated_at((seat, place), weights)

    def _seated_at(self, place: tuple[str, str], weights: Weights) -> Evaluator:
        from zerogrid.evaluators.card import CardEvaluator

        held: CardEvaluator | None = self._seated.get(place)
        if held is None:
            held = self._seated[place] = CardEvaluator(weights.inside, self.encoding, weights.name)
        elif held.network is not weights.inside:
            held.update(weights.inside)
            held.name = weights.name
        return held

    def _made(self, network: Network, name: str) -> Evaluator:
        if self.device != "cpu":
            return CardForHost(network, self.encoding, name)
        model = Model(network, network.shape, self.game.spec, self.encoding.spec)
        exact = self.config.learner.precision == "float32"
        return evaluator_for(model, self.game, "cpu", self.threads, exact=exact, moulds=self._moulds)

    def close(self) -> None:
        """Let go of all of them."""
        for _, evaluator in self._kept:
            evaluator.close()
        self._kept.clear()
        self._seated.clear()
        self._moulds.clear()


class CardForHost(Evaluator):
    """A network on a card for searches in ordinary memory: a batch goes there and its answers come back."""

    def __init__(self, network: Network, encoding: Encoding, name: str, device: str = "cuda") -> None:
        self.name, self.encoding, self.card = name, encoding, device
        self.tokens = network.needs_tokens
        self.dtype = torch.float32 if device == "cpu" else torch.float16
        self._module = AsSearched(folded(network), encoding).eval().to(device, self.dtype)

    def evaluate(self, batch: Batch) -> None:
        with torch.inference_mode():
            given = [torch.from_numpy(batch.planes).to(self.card, self.dtype)]
            if self.tokens:
                given.append(torch.from_numpy(batch.tokens).to(self.card, self.dtype))
                given.append(torch.from_numpy(batch.offered).to(self.card))
            logits, values = self._module(*given)
            torch.from_numpy(batch.logits).copy_(logits)
            torch.from_numpy(batch.values).copy_(values)
