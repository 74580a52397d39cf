"""The logs of a run, as a listener: metrics.jsonl, champions.jsonl, timings.jsonl and games/*.jsonl.

Everything but timings.jsonl is the same again with the same seed. A checkpoint remembers how long the logs were; what
was written after it is cut off when the run goes on from there.
"""

import json
import re
from pathlib import Path
from typing import Any

from zerogrid.training import disk
from zerogrid.training.events import Event, GamesPlayed, IterationDone, Promoted

LOGS = ("metrics.jsonl", "champions.jsonl")
TIMINGS = "timings.jsonl"
GAMES = re.compile(r"(self|gate|exam)-(\d{6,9})\.jsonl")


class Journal:
    """Writes the logs of one run."""

    def __init__(self, run: Path, game: str) -> None:
        self.run = run
        self.game = game

    def __call__(self, event: Event) -> None:
        if isinstance(event, IterationDone):
            disk.append_to(self.run / "metrics.jsonl", line(event.metrics))
            disk.append_to(self.run / TIMINGS, line({"iteration": event.iteration, **event.timings}))
        elif isinstance(event, Promoted):
            told = {"iteration": event.iteration, "champion": event.name, "gate": event.decision}
            disk.append_to(self.run / "champions.jsonl", line(told))
        elif isinstance(event, GamesPlayed) and event.games:
            disk.make_folder(self.run / "games")
            lines = b"".join(line(game.as_dict(self.game)) for game in event.games)
            disk.write_file(self.run / "games" / f"{event.kind}-{event.iteration:06d}.jsonl", lines)

    def lengths(self) -> dict[str, int]:
        """How long the logs are now."""
        return {name: (self.run / name).stat().st_size if (self.run / name).exists() else 0 for name in LOGS}

    def cut_back(self, iteration: int, lengths: dict[str, Any]) -> list[str]:
        """Make the logs what they were at a checkpoint. Returns a sentence for each that had lost something."""
        lost = []
        for name in LOGS:
            wanted = int(lengths.get(name, 0))
            path = self.run / name
            there = path.stat().st_size if path.exists() else 0
            if there < wanted:
                lost.append(f"{name} has lost {wanted - there:,} bytes since the checkpoint; what is there is kept.")
            disk.cut(path, wanted)
        folder = self.run / "games"
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            found = GAMES.fullmatch(path.name)
            if path.name.endswith(disk.TEMPORARY) or (found and int(found.group(2)) > iteration):
                disk.remove(path)
        kept = [told for told in read_lines(self.run / TIMINGS) if told.get("iteration", 0) <= iteration]
        if kept or (self.run / TIMINGS).exists():
            disk.write_file(self.run / TIMINGS, b"".join(map(line, kept)))
        return lost


def line(told: dict[str, Any]) -> bytes:
    """One line of JSON."""
    return json.dumps(told, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a log; a last line that was cut off by a death is left out."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    found = []
    for text in content.split(b"\n"):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            found.append(record)
    return found
