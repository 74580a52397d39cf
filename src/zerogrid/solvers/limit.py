"""How much work a search may do, and how much it has done."""

import re
import time
from collections.abc import Callable

from zerogrid.core.errors import ZeroGridError, quote

LEAST_MEMORY = 1 << 20
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


class Limit:
    """A limit in seconds, in nodes, or both; None is no limit. `watch` is told how many nodes were just searched."""

    def __init__(
        self, seconds: float | None = None, nodes: int | None = None, watch: Callable[[int], None] | None = None
    ) -> None:
        if seconds is not None and not seconds >= 0:
            raise ZeroGridError(f"a time limit is a number of seconds from 0 up, not {quote(seconds)}.")
        if nodes is not None and nodes < 0:
            raise ZeroGridError(f"a limit of nodes is a number from 0 up, not {quote(nodes)}.")
        self._began = time.monotonic()
        self._seconds = seconds
        self._nodes = nodes
        self._watch = watch
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Since the limit was set."""
        return time.monotonic() - self._began

    @property
    def reached(self) -> bool:
        """Whether the work has to stop."""
        return (self._nodes is not None and self.nodes >= self._nodes) or (
            self._seconds is not None and self.seconds >= self._seconds
        )

    def spend(self, nodes: int) -> None:
        """Some nodes have been searched; whoever watches hears of it."""
        self.nodes += nodes
        if self._watch is not None:
            self._watch(nodes)

    def chunk(self, wished: int) -> int:
        """How many nodes may be searched before the next look at the clock, at most `wished`."""
        return wished if self._nodes is None else max(0, min(wished, self._nodes - self.nodes))


def memory_of(text: str | int) -> int:
    """Bytes, from a number of them or a text such as 512M or 2G."""
    if isinstance(text, int):
        found = text
    else:
        match = _SIZE.fullmatch(text.strip())
        if not match:
            raise ZeroGridError(f"a size of memory looks like 512M or 2G, not {quote(text)}.")
        found = int(float(match[1]) * 1024 ** (" kmgt".index(match[2].lower() or " ")))
    if not LEAST_MEMORY <= found <= 1 << 44:
        raise ZeroGridError(f"a solver's memory lies from 1M to 16T, which {quote(text)} does not.")
    return found
