"""Stopping with Ctrl-C: once to finish the iteration and save, twice to give it up at once."""

import signal
from types import FrameType
from typing import Any


class Stopper:
    """Whether someone wants the run to stop. As a context it listens to Ctrl-C and to SIGTERM."""

    def __init__(self, say: Any = None) -> None:
        self.asked = False
        self._say = say
        self._before: dict[int, Any] = {}

    def now(self) -> bool:
        """Asked by the engine in the middle of things; a second Ctrl-C comes as KeyboardInterrupt by itself."""
        return False

    def __enter__(self) -> "Stopper":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before = {}

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        if self._say:
            self._say("Stopping when this iteration is saved. Ctrl-C again gives it up at once.")
