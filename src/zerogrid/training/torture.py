"""Killing a run again and again, and looking whether it comes out as one that was left in peace.

    torture = Torture(start, folder, iterations=8)     start(place) trains there; it is called in children
    torture.run(kills=30).failures                     empty if every run came out the same

First one child is left in peace, which gives the hashes to compare with. The others die by SIGKILL: half of them at a
moment drawn at random, half at a file operation drawn at random, of which a part may have reached the disk (a torn
write). A run that finishes all the same is compared, and another one is begun.
"""

import contextlib
import hashlib
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from zerogrid.training import disk
from zerogrid.training.journal import LOGS
from zerogrid.training.store import Store

TORN = b'\x00{"torn'


@dataclass
class Report:
    """What was done, and what went wrong."""

    kills: int = 0
    by_operation: dict[str, int] = field(default_factory=dict)  # operation -> kills at it
    by_time: int = 0
    runs: int = 0  # finished in spite of all, and compared
    failures: list[str] = field(default_factory=list)


class Torture:
    """Kills of runs in a folder of their own."""

    def __init__(self, start: Callable[[Path], None], folder: Path, iterations: int, seed: int = 0) -> None:
        self.start, self.iterations = start, iterations
        self.peaceful, self.killed = folder / "peaceful" / "run", folder / "killed" / "run"
        self.rng = random.Random(seed)
        self.report = Report()
        self.operations, self.seconds = 0, 0.0
        self.expected: dict[str, str] = {}

    def run(self, kills: int, progress: Callable[[], None] = lambda: None) -> Report:
        """Kill so many children; then let the last run finish too."""
        began = time.monotonic()
        status, told = self._child(self.peaceful)
        if not _well(status):
            self.report.failures.append(told)
            return self.report
        # A child is to do two iterations or so before it dies, its start included.
        self.seconds = 2.0 * (time.monotonic() - began) / self.iterations
        self.operations = max(10, 3 * int(told) // self.iterations)
        self.expected = outcome_of(self.peaceful)
        while self.report.kills < kills and not self.report.failures:
            before = self.report.kills
            self._one()
            if self.report.kills > before:
                progress()
        if not self.report.failures:
            self._compare(*self._child(self.killed))
        return self.report

    def _one(self) -> None:
        """One child that is to die."""
        if self.rng.random() < 0.5:
            status, told = self._child(self.killed, at=self.rng.randrange(self.operations))
            timed = False
        else:
            status, told = self._child(self.killed, after=self.rng.uniform(0.0, self.seconds))
            timed = True
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            self._compare(status, told)
            return
        self.report.kills += 1
        self.report.by_time += timed
        if not timed:
            name = told.partition(" ")[0]
            self.report.by_operation[name] = self.report.by_operation.get(name, 0) + 1

    def _compare(self, status: int, told: str) -> None:
        """A run has ended by itself: is it the one that it should be?"""
        if not _well(status):
            self.report.failures.append(told or f"a child ended with status {status}")
            return
        found = outcome_of(self.killed)
        wrong = sorted(name for name in {*found, *self.expected} if found.get(name) != self.expected.get(name))
        if wrong:
            self.report.failures.append(f"after {self.report.kills} kills these differ: {', '.join(wrong)}")
        self.report.runs += 1
        shutil.rmtree(self.killed)

    def _child(self, place: Path, at: int = -1, after: float | None = None) -> tuple[int, str]:
        """Train in a child that dies at an operation or after a time: (how it ended, the last it said)."""
        said, log = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(said)
            self._in_child(place, at, log)
        os.close(log)
        if after is not None:
            time.sleep(after)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        told = b""
        while part := os.read(said, 65536):
            told = (told + part)[-4000:]
        os.close(said)
        _, status = os.waitpid(child, 0)
        return status, told.decode(errors="replace").rpartition("\n")[2]

    def _in_child(self, place: Path, at: int, log: int) -> None:
        count = 0

        def watch(operation: str, path: str) -> None:
            nonlocal count
            if count == at:
                if operation == "write":
                    with contextlib.suppress(OSError), Path(path).open("ab") as file:
                        file.write(TORN)
                os.write(log, f"\n{operation} {path}".encode())
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1

        code = 1
        try:
            disk.operation = watch
            self.start(place)
            os.write(log, f"\n{count}".encode())
            code = 0
        except BaseException as error:
            os.write(log, b"\n" + f"{type(error).__name__}: {error}".replace("\n", " ").encode()[:2000])
        finally:
            os._exit(code)


def _well(status: int) -> bool:
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def outcome_of(place: Path) -> dict[str, str]:
    """Hashes of all that must not depend on kills: the newest checkpoint, the buffer it lists, the logs, the games."""
    store = Store(place)
    newest = store.iterations(resumable=True)[-1]
    found = {name: entry["sha256"] for name, entry in store.manifest(newest)["files"].items()}
    found["iteration"] = str(newest)
    files = [place / name for name in LOGS]
    files += sorted((place / "games").iterdir()) if (place / "games").is_dir() else []
    for path in files:
        content = path.read_bytes() if path.exists() else b""
        found[path.name] = hashlib.sha256(content).hexdigest()
    return found
