"""How long one waits before anything happens: python benchmarks/startup.py [--runs 10]

Each line is the median of several fresh processes, with Python's own start-up taken off in the last column.
"""

import argparse
import statistics
import subprocess
import sys
import time

CASES = {
    "python": ["-c", ""],
    "import zerogrid": ["-c", "import zerogrid"],
    "zerogrid": ["-m", "zerogrid"],
    "zerogrid games": ["-m", "zerogrid", "games"],
    "zerogrid show gomoku": ["-m", "zerogrid", "show", "gomoku"],
    "zerogrid perft tictactoe --depth 2": ["-m", "zerogrid", "perft", "tictactoe", "--depth", "2"],
}


def seconds(words: list[str], runs: int) -> float:
    """The median time of a fresh process; the first one warms the disk and the cache of compiled code."""
    times = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def main() -> None:
    """Measure every case and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    bare = None
    for name, words in CASES.items():
        taken = seconds(words, runs)
        bare = taken if bare is None else bare
        print(f"{name:<36}{taken:6.3f} s  {taken - bare:6.3f} s more than Python alone")


if __name__ == "__main__":
    main()
