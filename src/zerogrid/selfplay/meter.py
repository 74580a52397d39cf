"""How far several rooms have come together, told now and then while they play."""

import threading
import time
from collections.abc import Callable

EVERY = 0.25  # seconds between two words


class Meter:
    """Adds up what rooms have let out so far. Rooms in threads of their own may speak at the same time."""

    def __init__(self, tell: Callable[[int, int], None], rooms: int) -> None:
        self._tell = tell
        self._examples, self._games = [0] * rooms, [0] * rooms
        self._lock = threading.Lock()
        self._next = time.monotonic() + EVERY

    def hear(self, room: int, examples: int, games: int) -> None:
        """A room has let out so many examples, and so many games have ended there."""
        with self._lock:
            self._examples[room], self._games[room] = examples, games
            now = time.monotonic()
            if now >= self._next:
                self._next = now + EVERY
                self._tell(sum(self._examples), sum(self._games))
