"""Where the model of an agent lies: a file that was named, or a checkpoint of a run.

    run:first                 the newest champion of runs/first (or of a folder given as a path)
    run:first@iteration=40    checkpoint 40
"""

import json
from pathlib import Path

from zerogrid.agents.agent import UnknownAgent
from zerogrid.core.errors import quote

RUNS = "runs"
MODEL = "model.safetensors"


def model_file(text: str) -> Path:
    """A model file that someone named, or the one in a folder."""
    path = Path(text)
    if path.is_dir() and (path / MODEL).is_file():
        path = path / MODEL
    if not path.is_file():
        raise UnknownAgent(f"there is no model file {quote(text)}.")
    return path


def run_folder(name: str) -> Path:
    """The folder of a run, by its name under runs/ or by its path."""
    for folder in (Path(RUNS) / name, Path(name)):
        if (folder / "checkpoints").is_dir():
            return folder
    known = sorted(folder.parent.name for folder in Path(RUNS).glob("*/checkpoints"))
    raise UnknownAgent(f"there is no run {quote(name)}; there {'are ' + ', '.join(known) if known else 'is none yet'}.")


def checkpoint_model(name: str, iteration: int | None) -> Path:
    """The model of a checkpoint; without an iteration that of the newest champion, or else of the newest checkpoint."""
    folder = run_folder(name)
    found = {
        int(place.parent.name): place
        for place in (folder / "checkpoints").glob(f"*/{MODEL}")
        if place.parent.name.isdigit() and (place.parent / "manifest.json").is_file()
    }
    if not found:
        raise UnknownAgent(f"the run {quote(name)} has no checkpoint with a model yet.")
    wanted = _champion(folder, found) if iteration is None else iteration
    if wanted not in found:
        numbers = sorted(found)
        shown = ", ".join(map(str, numbers[:8] if len(numbers) <= 8 else [*numbers[:4], "...", *numbers[-3:]]))
        raise UnknownAgent(f"the run {quote(name)} has no model of iteration {wanted}; there are {shown}.")
    return found[wanted]


def _champion(folder: Path, found: dict[int, Path]) -> int:
    """The last line of champions.jsonl whose checkpoint still has its model."""
    file = folder / "champions.jsonl"
    if file.is_file():
        for line in reversed(file.read_text(encoding="utf-8", errors="replace").splitlines()):
            try:
                iteration = json.loads(line)["iteration"]
            except (ValueError, KeyError, TypeError):
                continue
            if iteration in found:
                return int(iteration)
    return max(found)
