"""Exams: the champion against an exact solver, against fixed opponents, and against the champion of the exam before.

Nothing of it is learned from and nobody is promoted by it, so its games may be rated: `zerogrid report` does.
"""

from typing import Any

from zerogrid.training.config import Config
from zerogrid.training.config_checks import opponents_of
from zerogrid.training.gates import counts_of
from zerogrid.training.parts import Contender, Engine, GameRecord, Match
from zerogrid.training.roster import Roster
from zerogrid.training.seeds import seed_of

OPENINGS = "random:4"


class Examiner:
    """Holds exams as the configuration says."""

    def __init__(self, config: Config, engine: Engine, roster: Roster) -> None:
        self.config, self.engine, self.roster = config, engine, roster
        self.opponents = opponents_of(config.exam.opponents)

    def hold(self, champion: str, before: str) -> tuple[dict[str, Any], list[GameRecord]]:
        """(what came out, the games). `before` is the champion of the exam before."""
        exam = self.config.exam
        simulations = exam.simulations or self.config.search.simulations
        seed = seed_of(self.config.run.seed, "exam")  # the same positions and openings each time
        told: dict[str, Any] = {"who": champion, "scores": {}}
        found = self.engine.exam(self.roster(champion), exam.positions, simulations, seed) if exam.positions else None
        told |= found or {}
        games: list[GameRecord] = []
        rivals: list[Contender] = list(self.opponents)
        if before != champion:
            rivals.append(self.roster(before))
        for rival in rivals if exam.games else ():
            name = rival if isinstance(rival, str) else rival.name
            openings = self.config.gate.openings if self.config.gate.openings != "none" else OPENINGS
            match = Match(self.roster(champion), rival, exam.games // 2, 0, openings, simulations, "0:0", seed)
            played = self.engine.match(match)
            told["scores"][name] = list(counts_of(played))
            games += played
        return told, games
