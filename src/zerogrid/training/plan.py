"""Before a run: how big it will be and how long it will take, as far as can be known without beginning it."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config
from zerogrid.training.config_checks import check_parts
from zerogrid.training.game_length import mean_plies
from zerogrid.training.memory import Needs, needs_of
from zerogrid.training.parts import example_fields
from zerogrid.training.schedule import steps_for

LEARNING_COSTS = 6.0  # a position in a step against its evaluation: forward, backward, and slower runtime
TRIAL_SECONDS = 1.5
LARGEST_TRIAL = 256
LARGEST_TRIAL_ON_CARD = 16_384


@dataclass(frozen=True)
class Plan:
    """What a run will be."""

    game: str
    network: str
    parameters: int
    multiply_adds: int  # of one evaluation
    iterations: int
    games: int  # in all, about
    positions: int
    simulations: int
    steps: int
    mean_plies: float
    needs: Needs  # of memory, where it plays and learns
    model_bytes: int
    checkpoint_bytes: int
    disk_bytes: int  # of the run directory at its end
    device: str
    evaluations_per_second: float | None  # of the network alone, measured here
    seconds: float | None  # of the whole run

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "needs": self.needs.as_dict()}


def plan(config: Config, measure: bool = True) -> Plan:
    """Work it out; `measure` evaluates the network for a second or two, where the device is at hand."""
    from zerogrid.networks.counting import multiply_adds

    game, encoding, _ = check_parts(config)
    network = _network(config)
    fields = example_fields(encoding.history, game.STATE_SIZE, game.MAX_LEGAL)
    row = RingBuffer(fields, 1).row_bytes
    parameters = sum(part.numel() for part in network.parameters())
    plies = mean_plies(game)
    searched = max(1.0, plies - _before_search(config, plies))
    share, cheap = config.selfplay.cap_share, config.selfplay.cap_simulations
    positions = max(config.selfplay.positions, round(config.selfplay.games_each * searched * share))
    each = config.search.simulations + (1.0 / share - 1.0) * cheap
    iterations = config.run.iterations
    steps = steps_for(config.learner, positions, min(config.buffer.capacity, positions * max(1, iterations // 2)))
    matches = _match_games(config) * plies * (config.gate.simulations or config.search.simulations)
    model = 4 * parameters + 20_000
    checkpoint = 4 * model + positions * row
    kept = config.saving.keep * checkpoint + min(config.buffer.capacity, positions * iterations) * row
    kept += model * (iterations // config.saving.models)
    rate = _evaluations_per_second(config, network, encoding) if measure else None
    simulations = round(positions * each)
    work = simulations + matches + LEARNING_COSTS * steps * config.learner.batch
    return Plan(
        game=game.spec,
        network=network.name,
        parameters=parameters,
        multiply_adds=sum(multiply_adds(network, 4)),
        iterations=iterations,
        games=round(iterations * positions / searched / share),
        positions=iterations * positions,
        simulations=iterations * simulations,
        steps=iterations * steps,
        mean_plies=plies,
        needs=needs_of(config, game, encoding, network),
        model_bytes=model,
        checkpoint_bytes=checkpoint,
        disk_bytes=kept,
        device=config.run.device,
        evaluations_per_second=rate,
        seconds=iterations * work / rate if rate else None,
    )


def _network(config: Config) -> Any:
    from zerogrid.core import catalogue
    from zerogrid.encodings import catalogue as encodings
    from zerogrid.networks import registry
    from zerogrid.networks.shapes import Shape

    shape = Shape(**encodings.encoding(catalogue.game(config.game.spec), config.game.encoding).shape_fields())
    name, settings = config.network.name, dict(config.network.settings)
    if not name:
        name, defaults = registry.default_for(shape)
        settings = {**defaults, **settings}
    return registry.make(name, shape, **settings)


def _before_search(config: Config, plies: float) -> float:
    """Plies of a game that are not searched, at the start of the run."""
    kinds = config.curriculum.kind
    if "rollback" in kinds:
        return min(plies - 1, float(config.curriculum.rollback_start))
    return min(plies - 1, config.curriculum.random_moves / 2) if "wide" in kinds else 0.0


def _match_games(config: Config) -> float:
    """Games of gates and exams in one iteration."""
    gate, exam = config.gate, config.exam
    games = {"always": 0.0, "threshold": gate.games, "ladder": gate.games}.get(gate.kind, (gate.least + gate.most) / 2)
    tried = exam.games * (1 + exam.opponents.count(";") + 1) / exam.every if exam.every else 0.0
    return games / gate.every + tried


def _evaluations_per_second(config: Config, network: Any, encoding: Any) -> float | None:
    """The network alone, in the batches of self-play, as it is run here."""
    import torch

    if config.run.device == "cuda":
        return _on_card(config, network, encoding) if torch.cuda.is_available() else None
    from zerogrid.evaluators.evaluator import empty_batch
    from zerogrid.evaluators.loading import evaluator_for
    from zerogrid.networks.files import Model

    cores = config.run.threads or os.cpu_count() or 1
    rows = max(1, min(config.selfplay.games * config.search.leaves // cores, LARGEST_TRIAL))
    model = Model(network.eval(), network.shape, encoding.game.spec, encoding.spec)
    evaluator = evaluator_for(model, encoding.game)
    batch = empty_batch(encoding, rows, network.needs_tokens)
    done = _repeated(lambda: evaluator.evaluate(batch)) * rows
    evaluator.close()
    return done * cores


def _on_card(config: Config, network: Any, encoding: Any) -> float:
    import torch

    from zerogrid.networks.counting import example

    rows = min(config.selfplay.games * config.search.leaves, LARGEST_TRIAL_ON_CARD)
    tokens = encoding.game.MAX_LEGAL if network.needs_tokens else 0
    network = network.eval().to("cuda", torch.float16)
    inputs = example(network.shape, rows, tokens, network.needs_tokens, "cuda", torch.float16)

    def once() -> None:
        network(*inputs)
        torch.cuda.synchronize()

    with torch.inference_mode():
        return _repeated(once) * rows


def _repeated(once: Callable[[], None]) -> float:
    """How often a second something can be done; the first time does not count."""
    once()
    times, began = 0, time.monotonic()
    while times == 0 or time.monotonic() - began < TRIAL_SECONDS:
        once()
        times += 1
    return times / (time.monotonic() - began)
