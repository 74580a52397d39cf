"""A run is a directory: its name, its place, its configuration, and what can be known of it from outside.

    runs/NAME/
        config.toml         resolved and complete          checkpoints/NNNNNN/   see store.py
        metrics.jsonl       a line an iteration            champions.jsonl       a line a promotion
        timings.jsonl       how long things took           games/*.jsonl         some games, replayable
        events.out.tfevents...  for TensorBoard            lock                  held while it trains
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerogrid.core.errors import ZeroGridError, nearest, quote
from zerogrid.training import disk
from zerogrid.training.config import Config, differences, from_toml, to_toml
from zerogrid.training.journal import read_lines
from zerogrid.training.lock import holder_of
from zerogrid.training.store import Store

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
CONFIG = "config.toml"
MAY_CHANGE = {"run.iterations", "run.minutes", "run.device", "run.threads", "run.attempts"}
MAY_CHANGE |= {"selfplay.games", "learner.batch", "buffer.capacity"}  # what takes memory


class BadRun(ZeroGridError):
    """There is no such run, or it cannot be gone on with as asked."""


def runs_folder() -> Path:
    """Where runs are: in the current folder."""
    return Path("runs")


def place_of(run: str) -> Path:
    """The directory of a run, by its name; a text with a slash is a path."""
    if "/" in run or os.sep in run:
        return Path(run)
    if not NAME.fullmatch(run):
        raise BadRun(f"{quote(run)} is not a name for a run; letters, digits, -, _ and . make one, or give a path.")
    return runs_folder() / run


def default_name(spec: str, preset: str) -> str:
    """What a run is called when nobody says: the game and the preset."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", f"{spec}-{preset.removeprefix('papers/')}")[:80].strip("-.")


def existing(run: str) -> Path:
    """The directory of a run that is there; else the nearest one is named."""
    if (Path(run) / CONFIG).is_file():
        return Path(run)
    place = place_of(run)
    if not (place / CONFIG).is_file():
        names = [path.name for path in all_runs()]
        hint = nearest(run, names) or (f" There are {', '.join(names[:8])}." if names else " There is none yet.")
        raise BadRun(f"there is no run {quote(run)} in {quote(place.parent)}.{hint}")
    return place


def all_runs(folder: Path | None = None) -> list[Path]:
    """Every run there is, by name."""
    folder = folder or runs_folder()
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if (path / CONFIG).is_file())


def read_config(place: Path) -> Config:
    """The configuration of a run."""
    return from_toml(disk.read_file(place / CONFIG, 1_000_000), f"{place.name}/{CONFIG}")


def settle_config(place: Path, asked: Config) -> Config:
    """Write the configuration of a new run, or compare the one asked for with that of a run that goes on."""
    if not (place / CONFIG).exists():
        disk.write_file(place / CONFIG, to_toml(asked).encode())
        return asked
    there = read_config(place)
    for name, ours, theirs in differences(asked, there):
        if name not in MAY_CHANGE and not name.startswith(("exam.", "saving.")):
            raise BadRun(
                f"the run {quote(place.name)} was begun with {name} = {theirs}, and {ours} is asked for now; leave it "
                "as it was, or begin another run with --run."
            )
    if asked != there:
        disk.write_file(place / CONFIG, to_toml(asked).encode())
    return asked


@dataclass(frozen=True)
class Summary:
    """A run at a glance."""

    name: str
    game: str
    network: str
    iteration: int
    iterations: int
    games: int
    champion: str
    error_rate: float | None
    held_by: str | None
    checkpoints: int

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))


def summary_of(place: Path) -> Summary:
    """What `zerogrid runs` shows."""
    config = read_config(place)
    metrics = read_lines(place / "metrics.jsonl")
    last = metrics[-1] if metrics else {}
    exams = [m["exam"] for m in metrics if m.get("exam")]
    rates = [exam["error_rate"] for exam in exams if exam.get("error_rate") is not None]
    return Summary(
        name=place.name,
        game=config.game.spec,
        network=config.network.name,
        iteration=int(last.get("iteration", 0)),
        iterations=config.run.iterations,
        games=int(last.get("total_games", 0)),
        champion=str(last.get("champion", "main@0")),
        error_rate=rates[-1] if rates else None,
        held_by=holder_of(place),
        checkpoints=len(Store(place).iterations()),
    )
