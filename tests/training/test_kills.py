"""Killed at any instant, a run comes out as one that was left in peace, bit for bit.

The children are forked from a process of its own, which holds neither threads nor compiled code.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import json, os, sys
os.fsync = lambda handle: None  # a death loses nothing that was written; only a power cut does
from pathlib import Path
from training.fake import tiny, train
from zerogrid.training.torture import Torture
folder, kills, iterations, seed, changes = Path(sys.argv[1]), *map(int, sys.argv[2:5]), json.loads(sys.argv[5])
config = tiny(**{"run.iterations": iterations, **changes})
torture = Torture(lambda place: (train(place, config), None)[1], folder, iterations, seed)
report = torture.run(kills)
print(json.dumps({**vars(report), "compared": len(torture.expected)}))
"""
EVERYTHING = {
    "curriculum.kind": "rollback",
    "curriculum.rollback_start": 5,
    "curriculum.rollback_every": 1,
    "gate.kind": "sprt",
    "gate.pool": 2,
    "gate.least": 8,
    "gate.most": 24,
    "league.past": 0.3,
    "league.every": 2,
    "league.exploiters": 1,
    "league.exploiter_patience": 3,
    "selfplay.resign": 0.9,
    "learner.schedule": "kl",
}


def tortured(folder: Path, kills: int, iterations: int, seed: int, changes: dict[str, Any]) -> dict[str, Any]:
    """What came of it."""
    words = [str(folder), str(kills), str(iterations), str(seed), json.dumps(changes)]
    path = [str(ROOT / "src"), str(ROOT / "tests")]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{SCRIPT}", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("changes", [{}, EVERYTHING], ids=["plain", "everything"])
def test_a_run_that_is_killed_thirty_times_is_the_run_that_was_not(tmp_path: Path, changes: dict[str, Any]) -> None:
    told = tortured(tmp_path, 30, 8, 1, changes)
    assert told["failures"] == []
    assert told["kills"] == 30
    assert told["by_time"] > 0
    assert sum(told["by_operation"].values()) > 0
    assert told["runs"] >= 1
    assert told["compared"] > 20


def test_the_comparison_notices_a_difference(tmp_path: Path) -> None:
    """A learner that forgets its momentum when it is restored must be found out."""
    forgetful = SCRIPT.replace(
        "report = ",
        "from training import fake\n"
        "restore = fake.FakeLearner.restore\n"
        "def forget(self, state):\n"
        "    restore(self, state)\n"
        "    self.momentum[:] = 0\n"
        "fake.FakeLearner.restore = forget\n"
        "report = ",
    )
    path = [str(ROOT / "src"), str(ROOT / "tests")]
    code = f"import sys; sys.path[:0] = {path!r}\n{forgetful}"
    words = [str(tmp_path), "6", "6", "1", "{}"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    (failure,) = json.loads(done.stdout)["failures"]
    assert "model.safetensors" in failure
