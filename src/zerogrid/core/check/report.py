"""What a check found: sentences for the author of a game, and where to look for oneself."""

import json
from dataclasses import dataclass, field
from typing import Any

from zerogrid.core.game import Game


@dataclass(frozen=True)
class Where:
    """The way to a position: the seed of the start, and the actions played from there."""

    seed: int = 0
    moves: tuple[int, ...] = ()

    def then(self, action: int) -> "Where":
        """One play further."""
        return Where(self.seed, (*self.moves, action))

    def as_line(self, game: Game) -> str:
        """The line of a positions file that `zerogrid replay` and `zerogrid show` understand."""
        return json.dumps({"game": game.spec, "seed": self.seed, "moves": list(self.moves)})

    def in_words(self, game: Game) -> str:
        """The way as a person would say it."""
        start = "at the start" if self.seed == 0 else f"at the start with seed {self.seed}"
        if not self.moves:
            return start
        names = " ".join(_name(game, move) for move in self.moves)
        return f"after {names}" + (f" (seed {self.seed})" if self.seed else "")


def _name(game: Game, action: int) -> str:
    """The action's name, or its number where the file fails to name it."""
    try:
        return game.action_name(action)
    except Exception:
        return str(action)


@dataclass
class Finding:
    """One thing that is wrong, said once however often it was met."""

    name: str
    sentence: str
    where: Where | None = None
    times: int = 1


@dataclass
class Report:
    """All that a check found, and what it looked at. True when nothing is wrong."""

    game: Game
    findings: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    targets: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def add(self, name: str, sentence: str, where: Where | None = None) -> None:
        """Note something that is wrong; of the same thing the shortest way there is kept."""
        for found in self.findings:
            if found.name == name:
                found.times += 1
                if where and found.where and len(where.moves) < len(found.where.moves):
                    found.sentence, found.where = sentence, where
                return
        self.findings.append(Finding(name, sentence, where))

    def has(self, *names: str) -> bool:
        """Whether one of these was found."""
        return any(found.name in names for found in self.findings)

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        found = [
            {
                "name": one.name,
                "sentence": one.sentence,
                "times": one.times,
                "position": json.loads(one.where.as_line(self.game)) if one.where else None,
            }
            for one in self.findings
        ]
        return {
            "game": self.game.spec,
            "ok": self.ok,
            "findings": found,
            "skipped": self.skipped,
            "games": self.games,
            "positions": self.positions,
            "targets": self.targets,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        looked = f"{self.games:,} games, {self.positions:,} positions, on {', '.join(self.targets)}"
        count = len(self.findings)
        verdict = "nothing wrong" if self.ok else "one thing is wrong" if count == 1 else f"{count} things are wrong"
        lines = [f"{self.game.spec}: {verdict} ({looked})"]
        for number, found in enumerate(self.findings, start=1):
            often = f" [{found.times} times]" if found.times > 1 else ""
            lines.append(f"{number}. {found.name}: {found.sentence}{often}")
            if found.where is not None:
                lines.append(f"   seen {found.where.in_words(self.game)}")
        lines += [f"not checked: {words}" for words in self.skipped]
        return "\n".join(lines)
