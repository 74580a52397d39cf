"""Many networks, one exam: python benchmarks/exams.py GAME MODEL... [--simulations 0 100] [--device cuda] [--json]

Examines every model file, or every checkpoint of a run's folder, on the held exam of its game, so that learning becomes
a curve: error rate over all positions and over the telling ones, with 95% intervals, and the seconds an exam took. All
positions are searched side by side. On a card the search is compiled once and takes over the weights of one model after
the other (models of one kind of network); the first line pays for that, the others do not.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zerogrid
from zerogrid.agents.searching import SearchAgent
from zerogrid.arena.exam import exam
from zerogrid.arena.exam_sets import exam_for, read_exam
from zerogrid.evaluators.loading import evaluator_for, fits
from zerogrid.networks.files import load_model
from zerogrid.search.settings import SearchSettings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("models", nargs="+", type=Path, help="model files, or folders of runs")
    parser.add_argument("--positions", default="held", help="held, set, or an exam's file")
    parser.add_argument("--simulations", nargs="+", type=int, default=[0, 100])
    parser.add_argument("--kind", default="puct", choices=("puct", "gumbel"))
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    game = zerogrid.game(asked.game)
    held = asked.positions in ("held", "set")
    questions = exam_for(game, asked.positions == "held") if held else read_exam(game, Path(asked.positions))
    agents: dict[int, SearchAgent] = {}
    for name, file in files_of(asked.models):
        for simulations in asked.simulations:
            began = time.perf_counter()
            agents[simulations] = agent_of(agents.get(simulations), file, game, simulations, asked)
            result = exam(agents[simulations], questions)
            row = {"model": name, "simulations": simulations, **result.whole.as_dict()}
            show({**row, "seconds": round(time.perf_counter() - began, 2)}, asked.json)


def files_of(places: list[Path]) -> Iterator[tuple[str, Path]]:
    """Model files, those of a run in the order of its iterations."""
    for place in places:
        if place.is_dir():
            for file in sorted(place.glob("checkpoints/*/model.safetensors")):
                yield f"{place.name}@{int(file.parent.name)}", file
        else:
            yield str(place), place


def agent_of(before: SearchAgent | None, file: Path, game: Any, simulations: int, asked: Any) -> SearchAgent:
    """An agent with the model's weights; on a card the one there is takes them over."""
    model = load_model(file)
    if before is not None and asked.device == "cuda":
        if not fits(model.game, game):
            raise SystemExit(f"{file} was made for {model.game}, not for {game.spec}.")
        before.evaluator.update(model.network)
        return before
    if before is not None:
        before.close()
    settings = SearchSettings.for_kind(asked.kind, simulations=max(1, simulations))
    evaluator = evaluator_for(model, game, asked.device, asked.threads)
    games = 1024 if asked.device == "cuda" else 256
    return SearchAgent(file.stem, game, evaluator, settings, None, games, asked.threads, raw=simulations == 0)


def show(row: dict[str, Any], as_json: bool) -> None:
    """A line, as it is found."""
    if as_json:
        print(json.dumps(row), flush=True)
        return
    low, high = row["interval"]
    telling = f"{row['telling_error_rate']:.1%} of {row['telling']}"
    print(
        f"{row['model']:<40} {row['simulations']:>6} sims: {row['errors']:>4} errors in {row['positions']}, "
        f"{row['error_rate']:.1%} ({low:.1%} to {high:.1%}); telling {telling}; {row['seconds']:.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
