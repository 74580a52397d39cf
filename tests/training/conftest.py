"""What the tests of learning share."""

import os
from collections.abc import Iterator

import pytest

from zerogrid.training import disk


@pytest.fixture(autouse=True)
def _quiet_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test leaves its watcher at the disk; and none waits for it, for a death loses nothing that was written."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    yield
    disk.operation = disk.nothing
