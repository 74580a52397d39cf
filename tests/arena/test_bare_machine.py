"""A machine with little on it, as rented cards are: matches and exams need no SciPy, matplotlib or OpenVINO."""

import json
import os
import subprocess
import sys

BARE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("scipy", "matplotlib", "openvino", "tensorboard", "onnx", "pandas"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from zerogrid.cli.frame import run
for words in (["exam", "random", "tictactoe"], ["match", "random", "random", "tictactoe", "--games", "4"],
              ["tournament", "tictactoe", "random", "solver", "--games", "4"]):
    sys.argv = ["zerogrid", *words, "--threads", "1", "--json"]
    if run():
        sys.exit(1)
"""


def test_matches_tournaments_and_exams_need_no_scientific_packages() -> None:
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
    ran = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, timeout=300, env=quiet)
    assert ran.returncode == 0, ran.stderr[-2000:]
    exam, match, tournament = map(json.loads, ran.stdout.splitlines())
    assert exam["positions"] == 200
    assert 0 < match["superiority"] < 1
    assert tournament["games"] == 4
