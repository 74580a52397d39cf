"""The engine behind the loop: the mill plays, PyTorch learns, the arena holds matches and exams.

    engine = make(config)

Networks become evaluators in engine_evaluators.py, self-play is in playing.py, learning in learner.py, matches and
exams in contests.py. What they have in common is made here, once: the game, the encoding, the seats.
"""

import os
import tempfile
from pathlib import Path

from zerogrid.core import catalogue
from zerogrid.encodings import encoding as encoding_of
from zerogrid.networks.files import load_model
from zerogrid.training.buffer import RingBuffer, numpy_zeros, torch_zeros
from zerogrid.training.config import Config
from zerogrid.training.contests import Contests
from zerogrid.training.engine_evaluators import Evaluators
from zerogrid.training.learner import NetworkLearner
from zerogrid.training.parts import Engine, GameRecord, Match, Seat, Weights, example_fields
from zerogrid.training.playing import MillPlay
from zerogrid.training.seeds import seed_of

SEED_BITS = 2**31


def make(config: Config) -> Engine:
    """The engine for a configuration."""
    return NetworkEngine(config)


class NetworkEngine(Engine):
    """Everything that computes, on one device."""

    def __init__(self, config: Config) -> None:
        self.config, self.device = config, config.run.device
        self.game = catalogue.game(config.game.spec)
        self.encoding = encoding_of(self.game, config.game.encoding)
        self.threads = config.run.threads or os.cpu_count() or 1
        self.evaluators = Evaluators(config, self.game, self.encoding, self.threads)
        self.contests = Contests(config, self.game, self.evaluators.for_match)
        self.seats: dict[str, Seat] = {}

    def seat(self, name: str) -> Seat:
        if name not in self.seats:
            config, game, shown, seed = self.config, self.game, self.encoding, self.config.run.seed
            fields = example_fields(shown.history, game.STATE_SIZE, game.MAX_LEGAL)
            zeros = numpy_zeros if self.device == "cpu" else torch_zeros(self.device)
            learner = NetworkLearner(config, game, shown, seed_of(seed, "network", name), self.threads)
            selfplay = MillPlay(
                config,
                game,
                shown,
                lambda weights, place: self.evaluators.for_play(weights, name, place),
                seed_of(seed, "mill", name) % SEED_BITS,
                self.threads,
                learner.network.needs_tokens,
            )
            buffer = RingBuffer(fields, config.buffer.capacity, zeros)
            self.seats[name] = Seat(name, selfplay, buffer, learner)
        return self.seats[name]

    def weights(self, model: bytes, name: str) -> Weights:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.safetensors"
            file.write_bytes(model)
            return Weights(name, load_model(file, self.device).network.requires_grad_(False))

    def match(self, match: Match) -> list[GameRecord]:
        return self.contests.match(match)

    def exam(self, who: Weights, positions: int, simulations: int, seed: int) -> dict[str, float] | None:
        return self.contests.exam(who, positions, simulations, seed)

    def size(self) -> dict[str, float]:
        seat = next(iter(self.seats.values()), None) or self.seat("main")
        assert isinstance(seat.learner, NetworkLearner)
        assert isinstance(seat.buffer, RingBuffer)
        parameters = sum(part.numel() for part in seat.learner.network.parameters())
        model = len(seat.learner.model({}))
        return {"parameters": parameters, "example_bytes": seat.buffer.row_bytes, "model_bytes": model}

    def close(self) -> None:
        self.evaluators.close()
