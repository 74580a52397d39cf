"""Ordinary memory in a card's place: what searches and self-play on a card do, done here in simulated CUDA."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from zerogrid.core.draws import mix
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators import device
from zerogrid.evaluators.card import CardEvaluator
from zerogrid.evaluators.evaluator import Batch, Evaluator


class Stream:
    """A stream of a machine that does everything at once."""

    cuda_stream = 0

    def synchronize(self) -> None:
        pass

    def wait_stream(self, other: "Stream") -> None:
        pass


class Recording:
    """Work that is done anew at each replay."""

    def __init__(self, stream: Stream, work: Callable[[], None]) -> None:
        self.replay = work


@pytest.fixture
def no_card_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card is this machine."""
    monkeypatch.setattr(device, "zeros", lambda shape, kind: torch.zeros(shape, dtype=device.KINDS[kind]))
    monkeypatch.setattr(device, "put", lambda array, kind: torch.from_numpy(np.array(array, kind)))
    monkeypatch.setattr(device, "seen_by_kernels", lambda tensor: tensor.numpy())
    monkeypatch.setattr(device, "stream", Stream)
    monkeypatch.setattr(device, "on", lambda stream: nullcontext())
    monkeypatch.setattr(device, "launch_on", lambda stream, launch: launch())
    monkeypatch.setattr(device, "wait", lambda: None)
    monkeypatch.setattr(device, "Recording", Recording)


def judged(planes: Any, width: int, salt: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits and values that follow from what is seen, in whichever precision."""
    logits, values = np.zeros((len(planes), width), np.float32), np.zeros(len(planes), np.float32)
    for row, seen in enumerate(np.asarray(planes, np.float32).reshape(len(planes), -1)):
        h = 0x51ED270B ^ salt
        for number in (seen * 16).astype(int).tolist():
            h = mix(h, number)
        for slot in range(width):
            h = mix(h, slot)
            logits[row, slot] = (h % 4001) / 1000.0 - 2.0
        values[row] = (mix(h, 7) % 1601) / 1000.0 - 0.8
    return logits, values


class Looking(Evaluator):
    """Judges what it sees, on the processor."""

    name = "looking"

    def __init__(self, encoding: Encoding, salt: int = 0) -> None:
        self.encoding, self.salt, self.tokens = encoding, salt, False

    def evaluate(self, batch: Batch) -> None:
        batch.logits[:], batch.values[:] = judged(batch.planes, batch.logits.shape[1], self.salt)


class CardLooking(CardEvaluator):
    """The same in a card's place."""

    def __init__(self, encoding: Encoding, salt: int = 0) -> None:
        self.encoding, self.salt, self.tokens, self.name = encoding, salt, False, "looking"

    def answers(self, planes: Tensor, tokens: Tensor, offered: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = judged(planes.numpy(), self.encoding.slots, self.salt)
        return torch.from_numpy(logits), torch.from_numpy(values)
