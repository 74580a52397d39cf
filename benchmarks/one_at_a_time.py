"""Runs many small measurements in processes of their own: they get ready side by side, and each is timed alone.

A child prints READY, waits for a line, prints PART and then RESULT, each with a JSON object. While it is timed all
others are stopped. Whatever fails, hangs or takes too long is ended and said so, and the rest goes on.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds a child may be timed
LOOK = 0.05  # seconds between two looks at the children


@dataclass
class Child:
    """One measurement: its command, and the seconds it may take to get ready."""

    title: str
    command: list[str]
    limit: float
    process: Any = None
    log: Path = Path()
    lines: "queue.Queue[str | None]" = field(default_factory=queue.Queue)
    spent: float = 0.0  # seconds it has run, without those in which it was stopped

    def start(self, folder: Path, environment: dict[str, str]) -> None:
        """Begin, in a process group of its own, so that its compilers stop and end with it."""
        self.log = folder / f"{len(list(folder.iterdir()))}.txt"
        with self.log.open("w") as errors:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
                errors="replace", env=environment, start_new_session=True,
            )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def signal(self, number: int) -> None:
        """To the whole group; it may be gone already."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def end(self) -> None:
        """At once."""
        self.signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)

    def last_words(self, most: int = 6000) -> str:
        """The end of what it wrote on standard error."""
        return self.log.read_text(errors="replace")[-most:] if self.log.exists() else ""


def run(children: list[Child], workers: int, minutes: float, environment: dict[str, str]) -> Iterator[dict[str, Any]]:
    """All of them, in this order as far as time allows: what each one reports, or {"failed": ...} with the reason."""
    end = time.monotonic() + 60 * minutes
    waiting, running = list(children), list[Child]()
    folder = Path(tempfile.mkdtemp(prefix="measuring-"))
    before = time.monotonic()
    try:
        while (waiting or running) and time.monotonic() < end:
            while waiting and len(running) < workers:
                child = waiting.pop(0)
                child.start(folder, environment)
                running.append(child)
            time.sleep(LOOK)
            passed, before = time.monotonic() - before, time.monotonic()
            for child in list(running):
                child.spent += passed
                why = ""
                with contextlib.suppress(queue.Empty):
                    line = child.lines.get_nowait()
                    if line is None:
                        why = "it ended before it was ready"
                    elif line.startswith("READY"):
                        others = [other for other in running if other is not child]
                        yield from _timed_alone(child, others)
                        running.remove(child)
                        child.end()
                        before = time.monotonic()
                        continue
                if not why and child.spent > child.limit:
                    why = f"it was not ready after {child.limit:.0f} seconds"
                if why:
                    running.remove(child)
                    child.end()
                    yield {"failed": child.title, "why": why, "log": child.last_words()}
        for child in running + waiting:
            yield {"failed": child.title, "why": "out of time", "log": ""}
    finally:
        for child in running:
            child.end()


def _timed_alone(child: Child, others: list[Child]) -> Iterator[dict[str, Any]]:
    """Stop everyone else, let this one measure, let the others go on."""
    found: list[dict[str, Any]] = []
    why = ""
    for other in others:
        other.signal(signal.SIGSTOP)
    try:
        time.sleep(0.05)
        with contextlib.suppress(BrokenPipeError):
            child.process.stdin.write("go\n")
            child.process.stdin.flush()
        end = time.monotonic() + PATIENCE
        done = False
        while not (done or why):
            try:
                line = child.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                why = f"it was not timed after {PATIENCE:.0f} seconds"
                break
            if line is None:
                why = "it ended while it was timed"
            elif line.startswith(("PART ", "RESULT ")):
                word, text = line.split(" ", 1)
                done = word == "RESULT"
                try:
                    found.append(json.loads(text))
                except ValueError:
                    why = "its result is not JSON"
    finally:
        for other in others:
            other.signal(signal.SIGCONT)
    yield from found
    if why:
        yield {"failed": child.title, "why": why, "log": child.last_words()}


def report(work: Callable[[], Iterator[dict[str, Any]]]) -> None:
    """What a child does when it is ready: wait for the word, then measure."""
    print("READY", flush=True)
    input()
    for part in work():
        print("PART " + json.dumps(part), flush=True)
    print("RESULT {}", flush=True)
