"""The same numbers on a card as in plain Python: python benchmarks/on_card.py [--leaves 30000000]

What tests/cuda asks of simulated blocks is asked here of a real card: arithmetic to the last bit, draws, the joining of
lanes, every game's check move for move, and perft against known counts. Ends with exit code 1 where anything differs.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import zerogrid  # noqa: E402
from core import kernels  # noqa: E402
from zerogrid.core import cuda, rules  # noqa: E402
from zerogrid.core.check import check_game  # noqa: E402
from zerogrid.kernels.perft import perft  # noqa: E402


def differing(one: Any, other: Any) -> list[str]:
    """The names of the arrays that are not the same to the last bit."""
    return [name for name, a, b in zip(one._fields, one, other, strict=True) if a.tobytes() != b.tobytes()]


def primitives() -> str:
    """What lanes are told, beside what one lane finds."""
    made = kernels.run(kernels.bring, "cuda", kernels.brought())
    for row, (best, most) in enumerate(kernels.told(cuda.LANES)):
        if set(made.best[row, : cuda.LANES]) != {best} or set(made.most[row, : cuda.LANES]) != {most}:
            return f"row {row}: {made.best[row, : cuda.LANES]}, {made.most[row, : cuda.LANES]}, not {best}, {most}"
    one, many = (kernels.run(kernels.join, target, kernels.rows(64, 101)) for target in ("python", "cuda"))
    wrong = [name for name in ("best", "most", "mirror") if not np.array_equal(getattr(one, name), getattr(many, name))]
    if not np.array_equal(one.sums[:, [0, 2]], many.sums[:, [0, 2]]):
        wrong.append("sums")
    return ", ".join(wrong)


def arithmetic() -> str:
    """Integers, floats, casts, exp and log."""
    game = {rules: zerogrid.game("gomoku:4x5x3").module}
    made = [kernels.run(kernels.arithmetic, target, kernels.numbers(500), game) for target in ("python", "cuda")]
    return ", ".join(differing(*made))


def drawing() -> str:
    """Every kind of draw."""
    made = [kernels.run(kernels.draw, target, kernels.seeds(500)) for target in ("python", "cuda")]
    return ", ".join(differing(*made))


def checked(name: str) -> str:
    """A game's check on the card."""
    report = check_game(name, targets=("python", "cuda"))
    return "" if report.ok and "cuda" in report.targets else str(report)


def counted(spec: str, known: dict[str, Any], leaves: int) -> str:
    """Perft on the card, as deep as there are so many leaves at most."""
    depth, total = 0, 0
    while depth < len(known["leaves"]) and total + known["leaves"][depth] <= leaves:
        total += known["leaves"][depth]
        depth += 1
    depth = max(depth, 1)
    found = perft(zerogrid.game(spec), depth, "cuda")
    right = list(found.leaves) == known["leaves"][:depth] and list(found.finished) == known["finished"][:depth]
    return "" if right else f"{found.leaves} {found.finished}"


def main() -> int:
    """Ask everything, and say a line about each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=30_000_000, help="of perft, for each game at most")
    leaves = parser.parse_args().leaves
    known = json.loads((ROOT / "tests/data/truth/perft.json").read_text("utf-8"))["games"]
    questions: list[tuple[str, Any]] = [("primitives", primitives), ("arithmetic", arithmetic), ("draws", drawing)]
    questions += [(f"check {name}", lambda name=name: checked(name)) for name in zerogrid.names()]
    questions += [(f"perft {spec}", lambda spec=spec: counted(spec, known[spec], leaves)) for spec in known]
    failed = 0
    for title, ask in questions:
        began = time.perf_counter()
        wrong = ask()
        failed += bool(wrong)
        seconds = time.perf_counter() - began
        print(f"{title:<28}{'differs: ' + wrong if wrong else 'the same'}  {seconds:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
