"""The learner: a network, an optimiser, and the steps between two self-plays.

    learner = NetworkLearner(config, game, encoding, seed)
    told = learner.learn(buffer, work)

What is minimised is in networks/losses.py, how examples become batches in learner_batches.py, how a step is computed
on either device in learner_steps.py. Everything random in an iteration follows from `work.seed`, and on the CPU the
same state and examples give the same weights, to the last bit.
"""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadModelFile
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.networks import losses, registry
from zerogrid.networks.answer import NEVER
from zerogrid.networks.files import model_bytes
from zerogrid.networks.settings import Network
from zerogrid.networks.shapes import Shape
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config
from zerogrid.training.learner_batches import Batch, Batches
from zerogrid.training.learner_steps import Steps, optimiser_for
from zerogrid.training.parts import Arrays, Buffer, Learner, NotFinite, State, Weights, Work

PROBE = 512  # positions on which it is measured how far the policy moved


class NetworkLearner(Learner):
    """One network that learns."""

    def __init__(self, config: Config, game: Game, encoding: Encoding, seed: int, threads: int = 1) -> None:
        self.config, self.game, self.encoding = config, game, encoding
        self.device, self.threads = config.run.device, threads
        section = config.learner
        self.network = new_network(config, encoding, seed).to(self.device)
        self.average = copy.deepcopy(self.network) if section.ema else None
        self.followed = 0  # steps that the average has followed
        needs_tokens = self.network.needs_tokens
        self.batches = Batches(
            game, encoding, section, config.selfplay, config.shaping, needs_tokens, self.device, threads
        )
        self._begin()

    def _begin(self) -> None:
        self.optimiser = optimiser_for(self.network, self.config.learner, self.device)
        self.steps = Steps(self.network, self.optimiser, self.config.learner, self.device, self.threads)

    # --- learning -----------------------------------------------------------------------------------------------------

    def learn(self, buffer: Buffer, work: Work) -> dict[str, float]:
        assert isinstance(buffer, RingBuffer)
        generator = torch.Generator(device=self.device).manual_seed(work.seed)
        with steadily(self.device):
            rows = self.batches.draw(buffer, work.steps * work.batch, generator)
            probe = self.batches.batch(buffer, rows[: min(PROBE, work.batch)], work.iteration, None)
            before = self._policy(probe)
            self.network.train()
            self.steps.begin(self._balance(buffer))
            try:
                for step, batch in enumerate(self._pieces(buffer, rows, work, generator)):
                    share = step / max(1, work.steps - 1)
                    self.steps.step(batch, work.lr + share * (work.lr_end - work.lr))
                    if self.average is not None:
                        follow(self.average, self.network, decay_after(self.followed, self.config.learner.ema))
                        self.followed += 1
            finally:
                self.steps.end()
                self.network.eval()
            told = self.steps.told()
            self._check(work.iteration)
            told["kl"] = moved(before, self._policy(probe))
        return told

    def _pieces(
        self, buffer: RingBuffer, rows: Tensor, work: Work, generator: torch.Generator
    ) -> Iterator[Batch]:
        """The batches of all steps; several are made at once."""
        at_once = work.batch * max(1, min(work.steps, self.batches.piece // work.batch))
        for first in range(0, len(rows), at_once):
            piece = self.batches.batch(buffer, rows[first : first + at_once], work.iteration, generator)
            for start in range(0, len(piece), work.batch):
                yield piece.part(start, start + work.batch)

    def _balance(self, buffer: RingBuffer) -> Tensor | None:
        """Coefficients of the classes of initiative, by how often each was seen."""
        if self.config.learner.initiative_weight == 0:
            return None
        column = torch.as_tensor(buffer.columns["initiative"])
        first, count = buffer.held()[0], len(buffer)
        held = column[(torch.arange(count, device=column.device) + first) % buffer.capacity]
        return losses.class_balance(torch.bincount(held[held >= 0].long(), minlength=3)[:3])

    def _policy(self, batch: Batch) -> Tensor:
        """The logarithms of the network's policy."""
        self.network.eval()
        with torch.no_grad():
            logits = self.steps.answer(batch).policy.float()
        return torch.log_softmax(logits.masked_fill(~batch.legal, NEVER), 1)

    def _check(self, iteration: int) -> None:
        """Refuse what is not finite, the cause before its consequences."""
        broken = self.steps.first_broken()
        if broken:
            raise NotFinite(f"the {broken} is not finite in iteration {iteration}.")
        for name, tensor in self.network.state_dict().items():
            if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
                raise NotFinite(f"the weights {name} are not finite after iteration {iteration}.")

    # --- giving and taking weights ------------------------------------------------------------------------------------

    @property
    def played(self) -> Network:
        """The network to play with."""
        return self.network if self.average is None else self.average

    def weights(self, name: str) -> Weights:
        frozen = copy.deepcopy(self.played).eval().requires_grad_(False)
        return Weights(name, frozen)

    def model(self, provenance: dict[str, Any]) -> bytes:
        try:
            return model_bytes(self.played, self.game.spec, self.encoding.spec, provenance)
        except BadModelFile as error:
            raise NotFinite(str(error)) from error

    def adopt(self, weights: Weights) -> None:
        self.network.load_state_dict(weights.inside.state_dict())
        if self.average is not None:
            self.average.load_state_dict(weights.inside.state_dict())
        self._begin()

    # --- going on -----------------------------------------------------------------------------------------------------

    def state(self) -> State:
        arrays = _arrays("network", self.network.state_dict())
        if self.average is not None:
            arrays |= _arrays("average", self.average.state_dict())
        for number, kept in self.optimiser.state_dict()["state"].items():
            arrays |= _arrays(f"optimiser.{number}", {k: v for k, v in kept.items() if v is not None})
        return State(arrays, {"scaler": self.steps.scaler.state_dict(), "followed": self.followed})

    def restore(self, state: State) -> None:
        self.network.load_state_dict(_tensors("network", state.arrays))
        if self.average is not None:
            self.average.load_state_dict(_tensors("average", state.arrays))
        self.followed = int(state.data.get("followed", 10**6))
        self._begin()
        kept: dict[int, dict[str, Tensor]] = {}
        for name, tensor in _tensors("optimiser", state.arrays).items():
            number, _, key = name.partition(".")
            kept.setdefault(int(number), {})[key] = tensor
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": kept, "param_groups": groups})
        if state.data["scaler"]:
            self.steps.scaler.load_state_dict(state.data["scaler"])


def new_network(config: Config, encoding: Encoding, seed: int) -> Network:
    """The network that a configuration names, with weights that follow from the seed alone."""
    shape = Shape(**encoding.shape_fields())
    name, settings = config.network.name, dict(config.network.settings)
    if not name:
        name, defaults = registry.default_for(shape)
        settings = {**defaults, **settings}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return registry.make(name, shape, **settings).eval()


def decay_after(steps: int, decay: float) -> float:
    """The decay of an average that has followed so many steps: at first it forgets quickly what it began with."""
    return min(decay, (1.0 + steps) / (10.0 + steps))


def follow(average: nn.Module, network: nn.Module, decay: float) -> None:
    """One step of averaging: what is counted is taken over as it is."""
    ours, theirs = average.state_dict(), network.state_dict()
    floats = [name for name, tensor in ours.items() if tensor.is_floating_point()]
    with torch.no_grad():
        torch._foreach_lerp_([ours[name] for name in floats], [theirs[name] for name in floats], 1.0 - decay)
        for name, tensor in ours.items():
            if not tensor.is_floating_point():
                tensor.copy_(theirs[name])


def moved(before: Tensor, after: Tensor) -> float:
    """The mean Kullback-Leibler divergence from one policy to another; both [B, slots], logarithms."""
    return float((before.exp() * (before - after)).sum(1).mean())


@contextmanager
def steadily(device: str) -> Iterator[None]:
    """While inside, PyTorch computes on the CPU in the same order each time, in the thread that asks."""
    if device != "cpu":
        yield
        return
    usual = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(usual[0])
        torch.use_deterministic_algorithms(usual[1])


def _arrays(prefix: str, tensors: dict[str, Tensor]) -> Arrays:
    return {f"{prefix}.{name}": tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


def _tensors(prefix: str, arrays: Arrays) -> dict[str, Tensor]:
    start = prefix + "."
    return {
        name.removeprefix(start): torch.from_numpy(np.array(array))
        for name, array in arrays.items()
        if name.startswith(start)
    }
