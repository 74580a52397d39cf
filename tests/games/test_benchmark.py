"""The benchmark of the rules measures what it says, in the smallest run there is."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "rules.py"


def test_the_benchmark_writes_rates_and_ratios(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    short = ["--seconds", "0.01", "--repeats", "2", "--json", str(rows)]
    command = [sys.executable, str(BENCHMARK), "--games", "dots_and_boxes:1x1", "nonsense", *short]
    done = subprocess.run(command, capture_output=True, text=True)
    found = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    by_name = {row["what"]: row for row in found if "what" in row}
    assert {"compiled", "python", "compiled / python"} <= set(by_name)
    assert by_name["compiled"]["plies"] == 4
    assert all(row["least"] <= row["median"] <= row["most"] for row in by_name.values())
    assert done.returncode == 1, "a game that cannot be measured is told, and the others are measured all the same"
    assert "there is no game" in done.stdout
