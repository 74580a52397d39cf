"""What a command says: words for people, or with --json one JSON object or JSON lines for programs.

Both go to standard output, progress and errors to standard error; so a command says each thing in both forms and only
one of them is heard.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any

IN_MEMORY = 10_000_000  # of what is held back, so many characters; more goes to a temporary file


class Output:
    """Standard output in the form that was asked for."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self._held: IO[str] | None = None

    def text(self, text: object = "") -> None:
        """A line for people."""
        if not self.as_json:
            print(text, file=self._held)

    def record(self, record: Mapping[str, Any]) -> None:
        """A line for programs: one JSON object."""
        if self.as_json:
            print(json.dumps(record, allow_nan=False, default=_plain), file=self._held, flush=self._held is None)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """What is said inside is heard at its end, and not at all where it ends with an error."""
        with SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", errors="replace", newline="") as kept:
            self._held = kept
            try:
                yield
            finally:
                self._held = None
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, paths and the like, as JSON knows them."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
