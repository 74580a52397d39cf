"""How long one waits before anything happens: python benchmarks/startup.py [--runs 5] [--json]

Each line is the median of several fresh processes: seconds on the clock, and seconds of processor time, which another
program on the same machine does not change. A game is compiled for the CPU and asked for its moves two plies deep:
cold with an empty cache of compiled code, warm with the cache that the cold run left.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

IMPORTS = {
    "python alone": ["-c", ""],
    "import numpy": ["-c", "import numpy"],
    "import zerogrid": ["-c", "import zerogrid"],
    "zerogrid": ["-m", "zerogrid"],
    "zerogrid games": ["-m", "zerogrid", "games"],
    "zerogrid show gomoku": ["-m", "zerogrid", "show", "gomoku"],
}
GAMES = (
    "tictactoe", "gomoku:15x15x5", "connect_four:6x7", "othello:8x8", "dots_and_boxes:5x5", "pawn_dama:8x8",
    "battlefield:7x7",
)  # fmt: skip


def once(words: list[str], cache: str) -> tuple[float, float]:
    """The seconds of one fresh process, on the clock and of the processor."""
    began = time.perf_counter()
    environment = os.environ | {"ZEROGRID_CACHE": cache}
    process = subprocess.Popen([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with exit code {process.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


def median(words: list[str], runs: int, cold: bool) -> tuple[float, float]:
    """The medians of several processes. Warm ones come after one that warms the disk and fills the cache."""
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        if not cold:
            once(words, os.path.join(folder, "warm"))
        for run in range(runs):
            taken.append(once(words, os.path.join(folder, f"cold{run}" if cold else "warm")))
    return statistics.median(clock for clock, _ in taken), statistics.median(used for _, used in taken)


def main() -> None:
    """Measure every case and print a table, or JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cases = [(name, words, False) for name, words in IMPORTS.items()]
    for game in GAMES:
        words = ["-m", "zerogrid", "perft", game, "--depth", "2"]
        cases += [(f"{game}, compiled, cold", words, True), (f"{game}, compiled, warm", words, False)]
    for name, words, cold in cases:
        clock, used = median(words, min(given.runs, 3) if cold else given.runs, cold)
        if given.json:
            record = {"case": name, "seconds": round(clock, 3), "processor_seconds": round(used, 3)}
            print(json.dumps(record), flush=True)
        else:
            print(f"{name:<36}{clock:7.3f} s   processor {used:7.3f} s", flush=True)


if __name__ == "__main__":
    main()
