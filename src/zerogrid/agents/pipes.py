"""A program of someone else's that answers line by line: started when needed, watched, and ended for certain.

Whatever it does, a question comes back as an answer or as AgentFailed: it may end, stall, close its output, write
without end or write what is no text. After a failure it is ended with all it started, and begun anew when next needed.
"""

import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable

from zerogrid.agents.agent import AgentFailed, UnknownAgent
from zerogrid.core.errors import quote

LONGEST_LINE = 10_000
PIECE = 65_536  # bytes read at once
PATIENCE = 0.5  # seconds for a program that was told to end
WAITING_LINES = 10_000  # a program that writes more than this without being asked waits until it is read


class Program:
    """One running program."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UnknownAgent(f"the command {quote(command)} cannot be read: {error}.") from error
        if not self._words:
            raise UnknownAgent("an engine needs a command, such as engine:./my-engine or gomocup:./pbrain.")
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    @property
    def running(self) -> bool:
        """Whether it has been started and not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Begin anew."""
        self.kill()
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or error
            raise UnknownAgent(f"the engine {quote(self.command)} cannot be started: {reason}.") from error
        self._lines = queue.Queue(WAITING_LINES)
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()

    def send(self, *lines: str) -> None:
        """Write lines to it."""
        process = self._process
        if process is None or process.stdin is None:
            raise AgentFailed(f"the engine {quote(self.command)} is not running.")
        try:
            process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def wait_for(self, wanted: Callable[[str], bool], seconds: float) -> str:
        """The next line that is wanted; others are passed over."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self.kill()
                raise AgentFailed(f"the engine {quote(self.command)} stalled: no answer in {seconds:g} s.") from None
            if line is None:
                raise self._ended()
            if wanted(line):
                return line

    def kill(self) -> None:
        """End it, and all that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)  # its own session, so its own group
            else:
                process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def end(self, farewell: str) -> None:
        """Ask it to end, and see to it."""
        if self._process is not None:
            with contextlib.suppress(AgentFailed, subprocess.TimeoutExpired):
                self.send(farewell)
                self._process.wait(PATIENCE)
            self.kill()

    def _ended(self) -> AgentFailed:
        code = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = self._process.wait(PATIENCE)
        self.kill()
        how = f"crashed (exit code {code})" if code else "ended without an answer"
        return AgentFailed(f"the engine {quote(self.command)} {how}.")


def _read(process: "subprocess.Popen[bytes]", lines: "queue.Queue[str | None]") -> None:
    """In a thread of its own: what the program writes, line by line; None once there is no more.

    Lines end with LF, CR LF or CR alone, as the program likes.
    """
    assert process.stdout is not None
    unfinished = b""
    try:
        while piece := os.read(process.stdout.fileno(), PIECE):
            *whole, unfinished = re.split(rb"[\r\n]+", unfinished + piece)
            for line in whole:
                lines.put(line[:LONGEST_LINE].decode("utf-8", errors="replace").strip())
            unfinished = unfinished[:LONGEST_LINE]
    except (OSError, ValueError):  # closed while being read
        pass
    if unfinished:
        lines.put(unfinished.decode("utf-8", errors="replace").strip())
    lines.put(None)
