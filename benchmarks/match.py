"""A match of two small networks: python benchmarks/match.py [--games 1000] [--simulations 100] [--json]

Two networks with random weights (sigmago/vanilla) play Gomoku 6x6x4 in pairs from the book. Each time is taken once the
kernels are compiled: seconds on the clock, and seconds of processor time, which other programs hardly change.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import torch

import zerogrid
from zerogrid.agents.naming import agent_for
from zerogrid.arena.event import Event, paired
from zerogrid.arena.playing import SIDE_BY_SIDE
from zerogrid.arena.report import report
from zerogrid.encodings import encoding
from zerogrid.evaluators.network import shape_of
from zerogrid.networks.files import save_model
from zerogrid.networks.registry import make

GAME = "gomoku:6x6x4"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--simultaneous", type=int, default=SIDE_BY_SIDE)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    game, players = zerogrid.game(GAME), {}
    shown = encoding(game, "stones")
    with tempfile.TemporaryDirectory() as folder:
        for seed in (1, 2):
            torch.manual_seed(seed)
            path = Path(folder) / f"net{seed}.safetensors"
            save_model(path, make("sigmago/vanilla", shape_of(shown)), game.spec, "stones")
            players[f"net{seed}"] = agent_for(f"net:{path}@sims={asked.simulations}", game, threads=asked.threads)
    for player in players.values():
        player.choose([game.start()], [0])
    event = Event("match", game, players, "book", 0, None, asked.simultaneous)
    began, used = time.perf_counter(), time.process_time()
    for _ in event.play(paired(("net1", "net2"), asked.games)):
        pass
    seconds, used = time.perf_counter() - began, time.process_time() - used
    event.close()
    found = report(event.records, "net1", "net2")
    searched = sum(len(record.moves) - record.opened for record in event.records)
    row = {
        "game": GAME,
        "games": found.games,
        "distinct": found.distinct,
        "simulations": asked.simulations,
        "threads": asked.threads,
        "seconds": round(seconds, 2),
        "processor_seconds": round(used, 2),
        "games_per_s": round(found.games / seconds, 1),
        "searched_positions": searched,
        "simulations_per_processor_s": round(searched * asked.simulations / used),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(row) if asked.json else "\n".join(f"{name:<28} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
