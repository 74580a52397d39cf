"""Everything a report shows, as plain data; --json is this and nothing else."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zerogrid.arena.intervals import wilson
from zerogrid.training.config import Config, as_dict
from zerogrid.training.diagnosis import Finding, diagnose
from zerogrid.training.directory import read_config
from zerogrid.training.journal import TIMINGS, read_lines
from zerogrid.training.ratings import exam_rows, ratings_of


@dataclass
class Findings:
    """What is known of a run."""

    name: str
    config: Config
    metrics: list[dict[str, Any]]
    timings: list[dict[str, Any]]
    champions: list[dict[str, Any]]
    diagnosis: list[Finding]
    ratings: list[dict[str, Any]] = field(default_factory=list)  # player, estimate, low, high, anchor
    first_games: list[dict[str, Any]] = field(default_factory=list)
    last_games: list[dict[str, Any]] = field(default_factory=list)

    @property
    def last(self) -> dict[str, Any]:
        """What was logged last."""
        return self.metrics[-1] if self.metrics else {}

    def series(self, *path: str) -> tuple[list[int], list[float]]:
        """(iterations, values) of what was logged under a name, inner names behind it."""
        at, values = [], []
        for metrics in self.metrics:
            value: Any = metrics
            for name in path:
                value = value.get(name) if isinstance(value, dict) else None
            if isinstance(value, int | float):
                at.append(int(metrics["iteration"]))
                values.append(float(value))
        return at, values

    def exam(self, who: str = "") -> dict[str, Any] | None:
        """The last exam, or the last of a champion; every score with its interval."""
        exams = [m["exam"] for m in self.metrics if m.get("exam") and who in ("", m["exam"].get("who"))]
        if not exams:
            return None
        told = dict(exams[-1])
        told["scores"] = {}
        for name, (wins, draws, losses) in exams[-1]["scores"].items():
            games = wins + draws + losses
            scored = wilson((wins + draws / 2) / games, games) if games else wilson(0.5, 0)
            told["scores"][name] = {"wins": wins, "draws": draws, "losses": losses, **scored.as_dict()}
        if told.get("positions") and told.get("error_rate") is not None:
            told["error_interval"] = wilson(min(1.0, told["error_rate"]), told["positions"]).as_dict()
        return told

    def seconds(self) -> float:
        """How long the run has worked."""
        return sum(float(told.get("seconds", 0.0)) for told in self.timings)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        gates = [{"iteration": m["iteration"], **m["gate"]} for m in self.metrics if m.get("gate")]
        return {
            "run": self.name,
            "game": self.config.game.spec,
            "network": self.config.network.name,
            "seed": self.config.run.seed,
            "iterations": self.last.get("iteration", 0),
            "games": self.last.get("total_games", 0),
            "positions": self.last.get("total_positions", 0),
            "simulations": self.last.get("total_simulations", 0),
            "seconds": round(self.seconds(), 1),
            "champion": self.last.get("champion"),
            "exam": self.exam(),
            "error_rates": list(zip(*self.series("exam", "error_rate"))),
            "rollback": list(zip(*self.series("curriculum", "search_from"))),
            "duplicates": sum(m.get("games", 0) - m.get("distinct_games", 0) for m in self.metrics),
            "gates": gates,
            "ratings": self.ratings,
            "diagnosis": [finding.as_dict() for finding in self.diagnosis],
            "config": as_dict(self.config),
        }


def findings_of(place: Path) -> Findings:
    """Read a run."""
    metrics = [m for m in read_lines(place / "metrics.jsonl") if isinstance(m.get("iteration"), int)]
    rated = ratings_of(exam_rows(place))
    ratings: list[dict[str, Any]] = []
    if rated is not None:
        anchors = rated.anchors
        ratings = [{"player": p, **rated[p].as_dict(), "anchor": p in anchors} for p in rated.order()]
    games = sorted((place / "games").glob("self-*.jsonl")) if (place / "games").is_dir() else []
    return Findings(
        name=place.name,
        config=read_config(place),
        metrics=metrics,
        timings=read_lines(place / TIMINGS),
        champions=read_lines(place / "champions.jsonl"),
        diagnosis=diagnose(metrics),
        ratings=ratings,
        first_games=read_lines(games[0]) if games else [],
        last_games=read_lines(games[-1]) if games else [],
    )
