"""Searches on the CPU beside others and beside themselves, in one run: `python benchmarks/search.py [--json FILE]`.

    playouts     UCT with random games on one core: ours, and OpenSpiel's C++ MCTSBot (extra `bench`) on the same games
    growth       time per simulation from 100 to 10,000 simulations a move: trees alone, and with a small network
    one tree     one position, one core, a small network: search beside the bare network, by leaves at a time

Times are processor time of this process, the best of some repeats, ours and theirs by turns: on a machine that others
keep busy that is what can be compared. `zerogrid bench search` measures many games at once.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

PLAYOUTS = {  # our game, OpenSpiel's, simulations a move
    "tictactoe": ("tic_tac_toe", 10_000),
    "connect_four": ("connect_four", 10_000),
    "dots_and_boxes:3x3": ("dots_and_boxes(num_rows=3,num_cols=3)", 10_000),
    "othello": ("othello", 2_000),
}
NETWORK_GAME, NETWORK = "gomoku:6x6x4", "sigmago/vanilla"


def best_rate(work: Callable[[], int], repeats: int, least: float = 0.3) -> float:
    """The most units of work in a second of processor time."""
    best = 0.0
    for _ in range(repeats):
        count, began = 0, time.process_time()
        while True:
            count += work()
            spent = time.process_time() - began
            if spent >= least:
                break
        best = max(best, count / spent)
    return best


def our_playouts(spec: str, simulations: int) -> Callable[[], int]:
    """Search the first position of a game; proofs off, as MCTSBot is without its solver."""
    import zerogrid
    from zerogrid.kernels import tree
    from zerogrid.search.forest import Forest
    from zerogrid.search.settings import SearchSettings

    game = zerogrid.game(spec)
    settings = SearchSettings.for_kind("uct", simulations=simulations, proofs=False)
    forest = Forest(game, settings, 1)
    state = game.start().state[None]
    seed = 0

    def work() -> int:
        nonlocal seed
        seed += 1
        forest.plant(state, [seed])
        forest.playouts()
        return int(forest.trees.game[0, tree.DONE])

    work()
    return work


def their_playouts(name: str, simulations: int) -> Callable[[], int] | None:
    """The same by OpenSpiel's C++ bot: one random game for each simulation, no solver, no limit of memory."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    bots = [
        pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0**0.5, simulations, 1000, False, seed, False
        )
        for seed in range(3)
    ]
    state, turn = game.new_initial_state(), 0

    def work() -> int:
        nonlocal turn
        turn += 1
        bots[turn % 3].step(state)
        return simulations

    work()
    return work


def playouts(repeats: int) -> list[dict[str, Any]]:
    """One row for each game."""
    rows = []
    for spec, (name, simulations) in PLAYOUTS.items():
        ours, theirs = our_playouts(spec, simulations), their_playouts(name, simulations)
        mine = other = 0.0
        for _ in range(repeats):
            mine = max(mine, best_rate(ours, 1))
            if theirs is not None:
                other = max(other, best_rate(theirs, 1))
        rows.append({
            "what": "playouts", "game": spec, "simulations": simulations, "sims_per_s": round(mine),
            "open_spiel_sims_per_s": round(other) or None, "times": round(mine / other, 2) if other else None,
        })  # fmt: skip
        show(rows[-1])
    return rows


def searched(encoding: Any, evaluator: Any, simulations: int, games: int, leaves: int = 1) -> Callable[[], int]:
    """Search positions of a game with an evaluator."""
    from zerogrid.kernels import tree
    from zerogrid.search.forest import Forest
    from zerogrid.search.measure import openings
    from zerogrid.search.settings import SearchSettings

    settings = SearchSettings(simulations=simulations, leaves=leaves, proofs=False)
    forest = Forest(encoding.game, settings, games, encoding, tokens=evaluator.tokens)
    states = openings(encoding.game, games)

    def work() -> int:
        forest.plant(states, range(games))
        while forest.step():
            evaluator.evaluate(forest.batch)
        forest.settle()
        return int(forest.trees.game[:, tree.DONE].sum())

    work()
    return work


def small_network() -> tuple[Any, Any]:
    """An encoding and the fastest evaluator of the small network, on one core."""
    import torch

    import zerogrid
    from zerogrid.encodings import encoding as encoding_of
    from zerogrid.evaluators.network import shape_of
    from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator, openvino_missing
    from zerogrid.evaluators.torch_cpu import TorchEvaluator
    from zerogrid.networks.registry import make

    torch.set_num_threads(1)
    encoding = encoding_of(zerogrid.game(NETWORK_GAME))
    network = make(NETWORK, shape_of(encoding)).eval()
    made: Any = TorchEvaluator if openvino_missing() else OpenVinoEvaluator
    return encoding, made(network, encoding)


def growth(repeats: int) -> list[dict[str, Any]]:
    """Trees alone and with the network, from 100 to 10,000 simulations."""
    from zerogrid.search.measure import Silent

    encoding, evaluator = small_network()
    rows = []
    for who, judge in (("trees alone", Silent(encoding, evaluator.tokens)), (NETWORK, evaluator)):
        first = 0.0
        for simulations in (100, 1_000, 10_000):
            spent = 1 / best_rate(searched(encoding, judge, simulations, 8), repeats)
            first = first or spent
            rows.append({
                "what": "growth", "game": NETWORK_GAME, "network": who, "simulations": simulations,
                "microseconds": round(1e6 * spent, 3), "times": round(spent / first, 2),
            })  # fmt: skip
            show(rows[-1])
    return rows


def one_tree(repeats: int) -> list[dict[str, Any]]:
    """One position on one core."""
    from zerogrid.evaluators.evaluator import empty_batch

    encoding, evaluator = small_network()
    rows = []
    for leaves in (1, 2, 4, 8, 16):
        batch = empty_batch(encoding, leaves, evaluator.tokens)

        def bare(batch: Any = batch) -> int:
            for _ in range(100):
                evaluator.evaluate(batch)
            return 100 * batch.rows

        search = searched(encoding, evaluator, 800, 1, leaves)
        bare_rate = sims_rate = 0.0
        for _ in range(repeats):
            bare_rate = max(bare_rate, best_rate(bare, 1))
            sims_rate = max(sims_rate, best_rate(search, 1))
        ratio = round(sims_rate / bare_rate, 3)
        rows.append({
            "what": "one tree", "game": NETWORK_GAME, "network": NETWORK, "leaves": leaves,
            "bare_evals_per_s": round(bare_rate), "sims_per_s": round(sims_rate), "ratio": ratio,
        })  # fmt: skip
        show(rows[-1])
    return rows


def show(row: dict[str, Any]) -> None:
    """A row for people."""
    print("  ".join(f"{key} {value:,}" if isinstance(value, int | float) else f"{value}" for key, value in row.items()),
          flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["playouts", "growth", "one_tree"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write the rows into this file, one JSON object a line")
    asked = parser.parse_args()
    known = {"playouts": playouts, "growth": growth, "one_tree": one_tree}
    rows = [row for part in asked.parts for row in known[part](asked.repeats)]
    if asked.json is not None:
        asked.json.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
