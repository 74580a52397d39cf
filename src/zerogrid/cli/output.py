"""What a command says: words for people, or with --json one JSON object or JSON lines for programs.

Both go to standard output, progress and errors to standard error; so a command says each thing in both forms and only
one of them is heard.
"""

import json
from collections.abc import Mapping
from typing import Any


class Output:
    """Standard output in the form that was asked for."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json

    def text(self, text: object = "") -> None:
        """A line for people."""
        if not self.as_json:
            print(text)

    def record(self, record: Mapping[str, Any]) -> None:
        """A line for programs: one JSON object."""
        if self.as_json:
            print(json.dumps(record, allow_nan=False, default=_plain), flush=True)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, paths and the like, as JSON knows them."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
