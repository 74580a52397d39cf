"""From nothing to a strong player on one card: python benchmarks/train_on_card.py RECIPE... --out FOLDER

Trains each recipe for its minutes by the command anybody would use, then says in JSON lines how it went: positions,
games and simulations, how much of the bare network's speed self-play kept, where the time went, and the error rate of
some checkpoints on the game's held exam, with the move at 0 and at 100 simulations. The champion is exported as a model
folder. --minutes and --set change a recipe (--device cpu --minutes 0.5 tries it without a card).
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

# name: game, minutes, what differs from the preset `strong`
RECIPES: dict[str, tuple[str, float, dict[str, Any]]] = {
    "tictactoe": ("tictactoe", 0.5, {
        "network.settings.size": "nano", "search.simulations": 50, "selfplay.positions": 32_768, "learner.batch": 1024,
        "selfplay.temperature": "0:1.0", "run.iterations": 30}),
    "gomoku": ("gomoku:6x6x4", 4.5, {"selfplay.games": 8192, "run.iterations": 40}),
    "gomoku-50k-games": ("gomoku:6x6x4", 3.0, {
        "network.name": "sigmago/vanilla", "search.simulations": 500, "selfplay.games": 16_384,
        "curriculum.kind": "none", "selfplay.positions": 0, "selfplay.games_each": 10_000, "run.iterations": 5}),
    "pawn-dama-5x5": ("pawn_dama:5x5", 4.0, {"selfplay.games": 8192, "run.iterations": 40}),
    "pawn-dama-6x6": ("pawn_dama:6x6", 9.5, {"selfplay.games": 8192, "run.iterations": 80}),
    "dots-5x5": ("dots_and_boxes:5x5", 9.5, {"selfplay.games": 8192, "run.iterations": 60}),
    "connect-four": ("connect_four:6x7", 5.0, {"selfplay.games": 8192, "run.iterations": 40}),
}  # fmt: skip
CURVE = 8  # checkpoints that are examined


def train(name: str, asked: argparse.Namespace, folder: Path) -> Path:
    """Train one recipe; its run's folder."""
    game, minutes, changes = RECIPES[name]
    words = [sys.executable, "-m", "zerogrid", "train", game, "--preset", "strong", "--run", name, "--json"]
    words += ["--minutes", str(asked.minutes or minutes), "--device", asked.device]
    settled = {"exam.every": 100_000, "saving.every": 5, **changes}
    for change in [*(f"{key}={value}" for key, value in settled.items()), *asked.set]:
        words += ["--set", change]
    began = time.time()
    with (folder / f"{name}.jsonl").open("w") as lines, (folder / f"{name}.txt").open("w") as told:
        code = subprocess.run(words, cwd=folder, stdout=lines, stderr=told, env=environment()).returncode
    say({"recipe": name, "command": " ".join(["zerogrid", *words[3:]]), "exit": code, "seconds": time.time() - began})
    return folder / "runs" / name


def environment() -> dict[str, str]:
    """This checkout first."""
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def tell(name: str, run: Path, asked: argparse.Namespace) -> None:
    """Where the time went, and how fast self-play was beside the bare network; the first iteration compiles."""
    metrics, timings = (lines_of(run / f"{kind}.jsonl") for kind in ("metrics", "timings"))
    if not timings:
        return
    later = timings[1:] or timings
    played = sum(one["simulations"] for one in later) / sum(one["play_s"] for one in later)
    row = {"recipe": name, "iterations": len(metrics), "positions": metrics[-1]["total_positions"],
           "games": metrics[-1]["total_games"], "simulations": metrics[-1]["total_simulations"],
           "first_iteration_s": timings[0]["seconds"], "sims_per_s": played,
           "share_playing": sum(one["play_s"] for one in later) / sum(one["seconds"] for one in later),
           "share_learning": sum(one["learn_s"] for one in later) / sum(one["seconds"] for one in later)}  # fmt: skip
    if asked.device == "cuda":
        row["bare_evals_per_s"] = bare(run, RECIPES[name][2].get("selfplay.games", 4096))
        row["ratio"] = row["sims_per_s"] / row["bare_evals_per_s"]
    say(row)


def lines_of(file: Path) -> list[dict[str, Any]]:
    """A file of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def bare(run: Path, rows: int) -> float:
    """Evaluations a second of the run's network alone."""
    import zerogrid
    from zerogrid.encodings import encoding
    from zerogrid.evaluators.card import CardEvaluator
    from zerogrid.networks.files import load_model
    from zerogrid.search.measure import bare_on_card

    model = load_model(sorted(run.glob("checkpoints/*/model.safetensors"))[-1])
    return bare_on_card(CardEvaluator(model.network, encoding(zerogrid.game(model.game), model.encoding)), rows)()


def examine(name: str, run: Path, asked: argparse.Namespace, folder: Path) -> None:
    """The error rates of some checkpoints, the last one among them, and the champion as a model folder."""
    files = sorted(run.glob("checkpoints/*/model.safetensors"))
    chosen = sorted({round(i * (len(files) - 1) / max(1, CURVE - 1)) for i in range(CURVE)})
    words = [sys.executable, str(ROOT / "benchmarks/exams.py"), RECIPES[name][0], *(str(files[i]) for i in chosen)]
    words += ["--simulations", "0", "100", "--device", asked.device, "--json"]
    with (folder / f"{name}-exam.jsonl").open("w") as lines:
        subprocess.run(words, stdout=lines, env=environment(), check=False)
    for line in (folder / f"{name}-exam.jsonl").open():
        found = json.loads(line)
        kept = ("simulations", "positions", "errors", "error_rate", "interval", "telling_error_rate")
        say({"recipe": name, "iteration": int(Path(found["model"]).parent.name), **{key: found[key] for key in kept}})
    words = [sys.executable, "-m", "zerogrid", "export", str(run), "--out", str(folder / f"{name}-model")]
    subprocess.run(words, env=environment(), check=False)


def say(row: dict[str, Any]) -> None:
    """A line, as it is found."""
    print(json.dumps({key: round(one, 4) if isinstance(one, float) else one for key, one in row.items()}), flush=True)


def main() -> None:
    """Each recipe in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", nargs="+", choices=sorted(RECIPES))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--set", action="append", default=[])
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for name in asked.recipes:
        run = train(name, asked, asked.out)
        tell(name, run, asked)
        examine(name, run, asked, asked.out)


if __name__ == "__main__":
    main()
