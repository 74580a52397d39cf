"""How fast a learner learns, and how much of that time goes into making batches.

    python benchmarks/learning.py                                      the processor, by 1 and 2 threads
    python benchmarks/learning.py --device cuda --batch 4096           a card, compiled and not
    python benchmarks/learning.py --game dots_and_boxes:5x5 --network dotsformer/multiscale2-topo

One JSON line each: samples a second; `making`, the share of the time that making batches alone takes; on the processor
also samples a second of processor time, which a busy machine does not change much. Examples are games of chance,
repeated; what is learned is nothing, and how long it takes is the same.
"""

import argparse
import json
import time
from typing import Any

import numpy as np
import torch

import zerogrid
from zerogrid.core import draws
from zerogrid.encodings import encoding
from zerogrid.training.buffer import RingBuffer, numpy_zeros, torch_zeros
from zerogrid.training.config import Config
from zerogrid.training.learner import NetworkLearner, steadily
from zerogrid.training.learner_steps import Steps
from zerogrid.training.parts import Work, example_fields

POSITIONS = 2000  # different ones


def main() -> None:
    """Measure what the command line asks for."""
    asked = arguments()
    config = configuration(asked)
    game = zerogrid.game(config.game.spec)
    shown = encoding(game, config.game.encoding)
    buffer = filled(game, shown.history, asked.held, config.run.device)
    ways: list[dict[str, Any]] = [{"threads": n} for n in (1, 2)]
    if asked.device == "cuda":
        ways = [{"compiled": False}, {"compiled": True}]
    for way in ways:
        learner = NetworkLearner(config, game, shown, 1, way.get("threads", 1))
        if "compiled" in way:
            learner.steps = Steps(
                learner.network, learner.optimiser, config.learner, config.run.device, compiled=way["compiled"]
            )
        told = measured(learner, buffer, asked.batch, asked.steps, asked.device)
        print(json.dumps({"game": game.spec, "network": learner.network.name, **way, "batch": asked.batch, **told}))


def measured(learner: NetworkLearner, buffer: RingBuffer, batch: int, steps: int, device: str) -> dict[str, float]:
    """Rates of learning, and of making batches alone."""
    learner.learn(buffer, Work(1, 1, 4, batch, 1e-3, 1e-3, 0))  # compiles
    learn = timed(lambda: learner.learn(buffer, Work(1, 2, steps, batch, 1e-3, 1e-3, 0)), device)
    generator = torch.Generator(device=device).manual_seed(3)

    def make() -> None:
        with steadily(device):
            rows = learner.batches.draw(buffer, steps * batch, generator)
            for _ in learner._pieces(buffer, rows, Work(1, 3, steps, batch, 1e-3, 1e-3, 0), generator):
                pass

    make()
    making = timed(make, device)
    samples = steps * batch
    told = {"samples_per_second": round(samples / learn[0]), "making": round(making[0] / learn[0], 3)}
    if device == "cpu":
        told["per_processor_second"] = round(samples / learn[1])
        told["making_by_processor"] = round(making[1] / learn[1], 3)
    return told


def timed(work: Any, device: str) -> tuple[float, float]:
    """(seconds, seconds of the processor)."""
    if device == "cuda":
        torch.cuda.synchronize()
    began, processor = time.perf_counter(), time.process_time()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began, time.process_time() - processor


def filled(game: Any, history: int, held: int, device: str) -> RingBuffer:
    """A buffer full of positions of random games."""
    states, known, legal = [], [], []
    for number in range(10**6):
        position = game.start(number)
        while not position.over and len(states) < POSITIONS:
            past = position.history[::-1][:history]
            states.append(np.concatenate([past, np.zeros((history - len(past), game.STATE_SIZE), np.int16)]))
            known.append(len(past))
            options = position.actions
            legal.append(len(options))
            position.play(options[draws.below(len(options), number, draws.TEST, len(position.moves), 0)])
        if len(states) >= POSITIONS:
            break
    chosen = np.arange(held) % POSITIONS
    fields = example_fields(history, game.STATE_SIZE, game.MAX_LEGAL)
    columns = {name: np.zeros((held, *shape), kind) for name, (kind, shape) in fields.items()}
    columns["state"][:], columns["known"][:] = np.array(states, np.int16)[chosen], np.array(known)[chosen]
    columns["policy"][:] = np.arange(game.MAX_LEGAL) < np.array(legal)[chosen][:, None]
    columns["z"][:], columns["weight"][:] = (-1.0) ** chosen, 1.0
    buffer = RingBuffer(fields, held, numpy_zeros if device == "cpu" else torch_zeros(device))
    buffer.append(columns)
    return buffer


def configuration(asked: argparse.Namespace) -> Config:
    """A configuration of that game and network."""
    changes: dict[str, Any] = {"game.spec": asked.game, "run.device": asked.device, "learner.batch": asked.batch}
    if asked.network:
        changes["network.name"] = asked.network
    if asked.size:
        changes["network.settings.size"] = asked.size
    return Config().but({**changes, "game.encoding": asked.encoding})


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gomoku:6x6x4")
    parser.add_argument("--encoding", default="")
    parser.add_argument("--network", default="zerogrid/residual")
    parser.add_argument("--size", default="")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--held", type=int, default=50_000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
