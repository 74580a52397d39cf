"""The benchmark's runner: one measurement that fails or hangs costs only itself."""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).resolve().parents[2] / "benchmarks/one_at_a_time.py"
_spec: Any = importlib.util.spec_from_file_location("one_at_a_time", PLACE)
one_at_a_time: Any = importlib.util.module_from_spec(_spec)
sys.modules["one_at_a_time"] = one_at_a_time  # benchmarks/ itself would hide test folders of the same names
_spec.loader.exec_module(one_at_a_time)
Child, run = one_at_a_time.Child, one_at_a_time.run

HELLO = "print('READY', flush=True); input(); "
GOOD = HELLO + "print('PART {\"a\": 1}'); print('RESULT {\"b\": 2}', flush=True)"


def child(title: str, code: str, limit: float = 20.0) -> Any:
    return Child(title, [sys.executable, "-c", code], limit)


def test_failures_and_hangs_leave_the_others_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_at_a_time, "PATIENCE", 1.0)
    children = [
        child("chatters", "print('a line of some library', flush=True); " + GOOD),
        child("dies", "raise SystemError('broken')"),
        child("never ready", "import time; time.sleep(60)", limit=0.6),
        child("hangs when timed", HELLO + "import time; time.sleep(60)"),
        child("dies when timed", HELLO + "raise SystemError('late')"),
        child("says nonsense", HELLO + "print('RESULT {oh', flush=True)"),
        child("last", GOOD),
    ]
    results = list(run(children, workers=3, minutes=1, environment=dict(os.environ)))
    failed = {result["failed"]: result for result in results if "failed" in result}
    assert set(failed) == {"dies", "never ready", "hangs when timed", "dies when timed", "says nonsense"}
    assert "broken" in failed["dies"]["log"]
    assert "late" in failed["dies when timed"]["log"]
    assert [result for result in results if "failed" not in result] == [{"a": 1}, {"b": 2}] * 2
    assert all(one.process.poll() is not None for one in children), "something is still running"


def test_when_time_is_up_what_is_left_is_named_and_ended() -> None:
    children = [child("slow", "import time; time.sleep(60)"), child("waiting", GOOD)]
    results = list(run(children, workers=1, minutes=0.01, environment=dict(os.environ)))
    assert [(result["failed"], result["why"]) for result in results] == [
        ("slow", "out of time"), ("waiting", "out of time"),
    ]  # fmt: skip
    assert children[0].process.poll() is not None
