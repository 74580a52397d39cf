"""Progress of long work, on standard error, for every layer.

    with Progress("solving", total=1000, unit="positions") as progress:
        for position in positions:
            ...
            progress.advance()

    for game in track(games, "playing"):
        ...

Nothing is shown for work that takes less than two seconds. After that a terminal gets a bar (drawn by Rich, which is
imported only then); a file or a pipe gets a line now and then, each time after a longer pause.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any, TypeVar

PATIENCE = 2.0  # seconds without a word
LONGEST_PAUSE = 60.0  # seconds between two lines, at most

Item = TypeVar("Item")


class Progress:
    """How far some work has come. Without a total only what is done is shown."""

    def __init__(self, title: str, total: int | None = None, unit: str = "") -> None:
        self.title = title
        self.total = total
        self.unit = unit
        self.done = 0
        self.note = ""
        self._began = self._estimate_from = time.monotonic()
        self._pause = PATIENCE
        self._next = self._began + PATIENCE
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._show_bar()
            self._bar.stop()

    def advance(self, by: int = 1, note: str | None = None) -> None:
        """Some more is done; `note` is shown behind the bar until the next one."""
        self.done += by
        if note is not None:
            self.note = note
        self._look_at_the_clock()

    def stage(self, note: str, done: int, total: int) -> None:
        """Another stage of work that has several: its name, how much of it is done, how much there is."""
        if note != self.note:
            self._estimate_from = time.monotonic()
        self.note, self.done, self.total = note, done, total
        self._look_at_the_clock()

    def _look_at_the_clock(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        if sys.stderr.isatty():
            self._next = now + 0.1
            self._show_bar()
        elif self.done != self.total:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._next = now + self._pause
            print(self.line(now - self._began), file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        """Where things stand, in words."""
        words = f"{self.title}: {self.done:,}"
        if self.total:
            words += f" of {self.total:,}"
        words += f" {self.unit}" if self.unit else ""
        words += f", {duration(seconds)}"
        if self.total and 0 < self.done < self.total:
            seconds -= self._estimate_from - self._began
            words += f", about {duration(seconds * (self.total - self.done) / self.done)} left"
        return f"{words}, {self.note}" if self.note else words

    def _show_bar(self) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[count]}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self.title, total=self.total, count="", note="")
            # Rich began just now, the work did not.
            self._bar.tasks[0].start_time = self._bar.get_time() - (time.monotonic() - self._began)
            self._bar.start()
        count = f"{self.done:,}{f'/{self.total:,}' if self.total else ''} {self.unit}".rstrip()
        self._bar.update(self._task, completed=self.done, count=count, note=self.note)


def track(items: Iterable[Item], title: str, unit: str = "", total: int | None = None) -> Iterator[Item]:
    """Go through the items and show how far one has come."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with Progress(title, total, unit) as progress:
        for item in items:
            yield item
            progress.advance()


def duration(seconds: float) -> str:
    """Seconds as people say them: 4 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
