"""Kill training runs and see whether they come out as if nothing had happened: 1,000 times, in all variants.

    .venv/bin/python benchmarks/kills.py [--kills 1000] [--game tictactoe] [--json]

Without --game the trivial engine of the tests plays, so that a kill costs milliseconds; this tries the frame: saving,
restoring, logs, gates, league. With --game a real dummy run is killed (`zerogrid train GAME --smoke`); each child then
takes seconds to begin. 0 failures in N kills bound the rate of failure below 3/N at 95%.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

VARIANTS: dict[str, dict[str, Any]] = {
    "threshold": {},
    "sprt on a pool": {"gate.kind": "sprt", "gate.pool": 3, "gate.least": 8, "gate.most": 24},
    "always, rollback": {"gate.kind": "always", "curriculum.kind": "rollback", "curriculum.rollback_every": 1},
    "league": {"league.past": 0.3, "league.every": 2, "league.exploiters": 1, "league.exploiter_patience": 3},
}


def trivial(changes: dict[str, Any], iterations: int) -> Callable[[Path], None]:
    """Training with the engine of the tests."""
    from training.fake import tiny, train

    config = tiny(**{"run.iterations": iterations, "curriculum.rollback_start": 5, **changes})

    def start(place: Path) -> None:
        train(place, config)

    return start


def real(game: str, iterations: int) -> Callable[[Path], None]:
    """A real dummy run."""

    def start(place: Path) -> None:
        from zerogrid.cli.frame import run

        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        code = run(["train", game, "--smoke", "--iterations", str(iterations), "--run", str(place)])
        if code != 0:
            raise RuntimeError(f"zerogrid train ended with {code}")

    return start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=8)
    parser.add_argument("--game", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    from zerogrid.training.torture import Torture

    starts = {asked.game: real(asked.game, asked.iterations)} if asked.game else {}
    starts = starts or {name: trivial(changes, asked.iterations) for name, changes in VARIANTS.items()}
    failures = 0
    for number, (name, start) in enumerate(starts.items()):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            torture = Torture(start, Path(folder), asked.iterations, asked.seed + number)
            report = torture.run(-(-asked.kills // len(starts)))
        failures += len(report.failures)
        told = {"variant": name, **vars(report), "seconds": round(time.monotonic() - began, 1)}
        if asked.json:
            print(json.dumps(told))
        else:
            at = ", ".join(f"{count} at {what}" for what, count in sorted(report.by_operation.items()))
            print(f"{name}: {report.kills} kills ({report.by_time} at a random moment, {at})")
            print(f"  {report.runs} runs finished in spite of them, {len(report.failures)} not as they should")
            for failure in report.failures:
                print(f"  FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
