"""The solvers against all that is known, with times: python benchmarks/solvers.py WHAT [--only 5x5] [--seconds 60]

truth     every value of tests/data/truth/values.json; a line each, and whether it is the known one
figures   the figures the project promises, in one run: small boards from the start, endings, positions from mid-game
exams     many random positions of a game, with the value of every move: what an exam set costs
tables    tables of Dots-and-Boxes endings and enumerations, with the numbers of positions that are known
rules     the moves that the search of Dots-and-Boxes leaves out, checked on every set of edges of a board

Compiling is not counted. Every search is one thread. Seconds are those on the clock and those of the processor; where
other work runs beside it, the second are the ones to compare.
"""

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import zerogrid
from zerogrid.core.position import Position
from zerogrid.solvers import Solution, solve_many, solver_for
from zerogrid.solvers.enumeration import Enumerated, Enumeration
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.lines import line_game
from zerogrid.solvers.proof import ProofSearch
from zerogrid.solvers.subsets import Subsets, build_subsets
from zerogrid.solvers.table_file import open_table

ROOT = Path(__file__).parent.parent
TRUTH = json.loads((ROOT / "tests/data/truth/values.json").read_text())
EXAMS = (  # game, random plies at least and at most, positions
    ("tictactoe", 0, 8, 1000),
    ("gomoku:6x6x4", 0, 15, 1000),
    ("gomoku:7x7x5", 15, 15, 20),
    ("pawn_dama:5x5", 0, 16, 1000),
    ("pawn_dama:6x6", 10, 10, 20),
    ("dots_and_boxes:5x5", 36, 50, 1000),
    ("dots_and_boxes:5x5", 32, 32, 200),
    ("connect_four:6x7", 16, 30, 1000),
)
FIGURES = (  # game, random plies, positions, whether the values of all moves are asked for
    ("tictactoe", 0, 1, True),
    ("dots_and_boxes:3x3", 0, 1, True),
    ("pawn_dama:5x5", 0, 1, True),
    ("gomoku:6x6x4", 0, 1, True),
    ("gomoku:5x5x4", 0, 1, True),
    ("dots_and_boxes:5x5", 36, 10, True),
    ("dots_and_boxes:5x5", 32, 10, True),
    ("connect_four:6x7", 20, 20, True),
    ("connect_four:6x7", 16, 20, True),
    ("connect_four:6x7", 14, 20, True),
    ("gomoku:7x7x5", 15, 20, True),
    ("pawn_dama:6x6", 10, 10, False),
)
ENDINGS = 24, 28  # edges to draw
ENUMERATED = ("gomoku:3x4x3", "gomoku:3x4x4", "othello:4x4", "pawn_dama:4x3", "pawn_dama:5x3", "pawn_dama:4x4")


def solved(spec: str, seconds: float, moves: bool = True) -> Solution:
    """The start of a game, in a fresh table. Tiny boards are done before they would be compiled."""
    game = zerogrid.game(spec)
    tiny = game.MAX_PLIES <= 13 or getattr(game, "COLUMNS", 9) <= 2
    solver = solver_for(game, "2G", "python" if tiny else "cpu")
    return solver.solve(game.start(), seconds=seconds, moves=moves, line=False)


def truths(seconds: float) -> Iterator[tuple[str, Any, Any, Solution]]:
    """Name, what was found, what is known, and the solution."""
    for name, known in TRUTH["pawn_dama"]["boards"].items():
        solution = solved(f"pawn_dama:{name}", seconds, moves="move_values" in known)
        cells = known["ranks"] * known["files"]
        found = {f"{a % cells}-{a // cells}": value for a, value in solution.action_values.items()}
        moves = known.get("move_values")
        yield f"pawn_dama:{name}", (solution.value, moves and found), (known["value"], moves), solution
        if "value_if_blocked_loses" in known:
            solution = solved(f"pawn_dama:{name},stuck=loss", seconds, moves=False)
            value = solution.value if solution.to_move == 0 or solution.value is None else -solution.value
            yield f"pawn_dama:{name},stuck=loss", value, known["value_if_blocked_loses"], solution
    for name, known in TRUTH["mnk"]["boards"].items():
        rows, columns = known["rows"], known["cols"]
        engine = ProofSearch(line_game(rows, columns, known["k"]), 2 << 30, "python" if rows * columns < 13 else "cpu")
        engine.prepare()
        limit = Limit(seconds)
        empty = engine.game.pack(np.zeros(rows * columns + 1, np.int16))
        value = engine.value(empty, -1, 1, limit)
        yield f"{name} in a row", value, known["value"], Solution(0, value, {}, (), limit.nodes, limit.seconds)
    for name, known in TRUTH["dots_boxes"]["boards"].items():
        solution = solved(f"dots_and_boxes:{name}", seconds)
        found = solution.value, list(solution.action_values.values())
        yield f"dots_and_boxes:{name}", found, (known["margin"], known["move_margins"]), solution
    for name, known in TRUTH["connect_four"]["boards"].items():
        solution = solved(f"connect_four:{name}", seconds)
        found = solution.value, list(solution.action_values.values())
        yield f"connect_four:{name}", found, (known["value"], known["first_moves"]), solution
    solution = solved("othello:4x4", seconds)
    yield "othello:4x4", solution.value, -1, solution
    game = zerogrid.game("tictactoe")
    yield "tictactoe", solved(game.spec, seconds).value, 0, solved(game.spec, seconds)


def truth(only: str, seconds: float) -> bool:
    """Print a line for each; whether all are right."""
    right, before = True, time.process_time()
    for name, found, known, solution in truths(seconds) if not only else filtered(only, seconds):
        processor, before = time.process_time() - before, time.process_time()
        verdict = "right" if found == known else "NOT SOLVED" if not solution.solved and found != known else "WRONG"
        right &= verdict != "WRONG"
        took = f"{solution.seconds:>9.2f} s, {processor:.1f} s of the processor with compiling"
        print(f"{name:<28}{verdict:<12}{solution.nodes:>12,} nodes {took}", flush=True)
    return right


def filtered(only: str, seconds: float) -> Iterator[tuple[str, Any, Any, Solution]]:
    """The truths of the boards whose name, or whose kind of game, holds some text."""
    for kind in ("pawn_dama", "mnk", "dots_boxes", "connect_four"):
        boards = TRUTH[kind]["boards"]
        TRUTH[kind]["boards"] = {name: known for name, known in boards.items() if only in name or only in kind}
    yield from truths(seconds)


def random_positions(spec: str, least: int, most: int, number: int) -> list[Position]:
    """Unfinished positions after so many random plies, the same every time."""
    game, draw, positions = zerogrid.game(spec), random.Random(spec), []
    while len(positions) < number:
        position = game.start()
        for _ in range(draw.randint(least, most)):
            if not position.over:
                position.play(draw.choice(position.actions))
        if not position.over:
            positions.append(position)
    return positions


def figures(only: str, seconds: float) -> bool:
    """Tables of endings; then searches, each position in turn, with one table of 2 GB for those of a line."""
    print(f"load of the machine's {os.cpu_count()} cores before: {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for free in ENDINGS:
            game, path = zerogrid.game("dots_and_boxes:5x5"), Path(folder) / "endings"
            if only not in game.spec:
                continue
            position = random_positions(game.spec, game.EDGES - free, game.EDGES - free, 1)[0]
            began, before = time.perf_counter(), time.process_time()
            build_subsets(game, position.state, path, "64M")
            took, processor_took = time.perf_counter() - began, time.process_time() - before
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            size = f"{path.stat().st_size:,} bytes, at most {peak} MB in memory, Python's own included"
            print(f"table of {free} edges to draw: {took:.1f} s (processor {processor_took:.1f} s), {size}", flush=True)
            path.unlink()
    for spec, plies, number, moves in FIGURES:
        if only not in spec:
            continue
        solver, nodes, clock, processor, done = solver_for(zerogrid.game(spec), "2G"), 0, [], [], 0
        solver.prepare()
        for position in random_positions(spec, plies, plies, number):
            before = time.process_time()
            solution = solver.solve(position, seconds=seconds, moves=moves, line=False)
            processor.append(time.process_time() - before)
            clock.append(solution.seconds)
            nodes += solution.nodes
            done += solution.solved
        quick = ", ".join(f"{sum(t <= most for t in processor)} within {most} s of the processor" for most in (10, 60))
        times = f"{sum(clock):.3f} s (processor {sum(processor):.3f} s, slowest {max(processor):.3f} s)"
        asked = "all moves" if moves else "value"
        answers = f"{done} of {number} solved, {nodes:,} nodes"
        print(f"{spec}, {plies} plies, {asked}: {answers}, {times}; {quick}", flush=True)
    print(f"load after: {os.getloadavg()[0]:.1f}", flush=True)
    return True


def exams(only: str, seconds: float) -> bool:
    """Random positions, each at most so many seconds."""
    for spec, least, most, number in EXAMS:
        if only not in spec:
            continue
        game, positions = zerogrid.game(spec), random_positions(spec, least, most, number)
        solver = solver_for(game, "1G")
        solver.prepare()
        began, processor = time.perf_counter(), time.process_time()
        found = solve_many(game, positions, seconds=seconds, solver=solver)
        took, processor = time.perf_counter() - began, time.process_time() - processor
        done = sum(solution.solved for solution in found)
        slowest = max(solution.seconds for solution in found)
        plies = f"{least} to {most} plies"
        times = f"{took:.1f} s ({processor:.1f} s of the processor), slowest {slowest:.1f} s"
        print(f"{spec:<22}{plies:<16}{done} of {number} solved, {times}", flush=True)
    return True


def tables(only: str, seconds: float) -> bool:
    """Build each in a temporary folder."""
    right = True
    with tempfile.TemporaryDirectory() as folder:
        for name in ("2x4", "3x3", "2x5"):
            game, path = zerogrid.game(f"dots_and_boxes:{name}"), Path(folder) / name
            if only in game.spec:
                began = time.perf_counter()
                build_subsets(game, game.start().state, path, "64M")
                took = time.perf_counter() - began
                value = Subsets(game, open_table(path)).value(array("h", game.start().state.tobytes()))
                right &= value == TRUTH["dots_boxes"]["boards"][name]["margin"]
                print(f"{game.spec:<22}{path.stat().st_size:>14,} bytes {took:>8.1f} s, margin {value}", flush=True)
        for spec in ENUMERATED:
            if only in spec:
                game, path = zerogrid.game(spec), Path(folder) / "enumeration"
                began = time.perf_counter()
                Enumeration(game, path, "2G").build(game.start().state)
                took = time.perf_counter() - began
                count = len(Enumerated(game, open_table(path)))
                print(f"{spec:<22}{count:>14,} positions {took:>8.1f} s", flush=True)
                path.unlink()
    return right


def rules(only: str, seconds: float) -> bool:
    """Every set of edges."""
    sys.path.insert(0, str(ROOT / "tests/solvers"))
    from edge_rules import wrong_sets

    right = True
    with tempfile.TemporaryDirectory() as folder:
        for name in ("2x3", "2x4", "3x3"):
            if only in name:
                wrong, left_out, sets = wrong_sets(f"dots_and_boxes:{name}", Path(folder) / name, step=1)
                right &= wrong == 0
                print(f"{name}: {sets:,} sets of edges, {left_out:,} with moves left out, {wrong} wrong", flush=True)
    return right


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="truth", choices=("truth", "figures", "exams", "tables", "rules"))
    parser.add_argument("--only", default="", help="boards or games whose name holds this")
    parser.add_argument("--seconds", type=float, default=600.0, help="at most, for each position")
    words = parser.parse_args()
    sys.exit(0 if globals()[words.what](words.only, words.seconds) else 1)
