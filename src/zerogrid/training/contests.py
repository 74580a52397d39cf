"""Matches and exams of a run, played by the arena: what an engine needs beside self-play and learning.

    contests = Contests(config, game, evaluator)      evaluator(weights): whoever judges positions with these weights
    contests.match(match), contests.exam(weights, positions, simulations, seed)

A network's moves are its search's best, or drawn by visits while gate.temperature says so. A network that answers with
numbers that are none ends the iteration (NotFinite); a fixed opponent that fails ends the run.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

from zerogrid.agents.agent import Agent, AgentFailed
from zerogrid.agents.naming import agent_for
from zerogrid.agents.searching import SearchAgent
from zerogrid.arena.exam import BadExam, ExamSet, exam
from zerogrid.arena.exam_sets import exam_for
from zerogrid.arena.openings import Openings
from zerogrid.arena.playing import ATTEMPTS, Scheduled, play
from zerogrid.core import draws
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.evaluators.evaluator import BadAnswer, Evaluator
from zerogrid.search.settings import SearchSettings
from zerogrid.training.config import Config
from zerogrid.training.parts import Contender, GameRecord, Match, NotFinite, Weights
from zerogrid.training.steps import Steps, steps_of, value_at

MOST_AT_ONCE = 1024


class NetworkPlayer(Agent):
    """A network that searches, with a temperature by ply."""

    def __init__(self, name: str, search: SearchAgent, temperature: Steps) -> None:
        self.name, self.game = name, search.game
        self.search, self.temperature = search, temperature
        self.failed = ""  # what was not finite

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        try:
            answers = self.search.answers(positions, seeds) if positions else []
        except BadAnswer as error:
            self.failed = str(error)
            raise
        return [self._move(*asked) for asked in zip(answers, positions, seeds, strict=True)]

    def _move(self, answer: Any, position: Position, seed: int) -> int:
        ply = len(position.moves)
        temperature = value_at(self.temperature, ply)
        most = max(answer.visits)
        if temperature == 0 or most == 0 or answer.solved:
            return int(answer.choice)
        weights = [(count / most) ** (1.0 / temperature) for count in answer.visits]
        left = draws.uniform(seed, draws.TEMPERATURE, ply, 0) * sum(weights)
        for action, weight in zip(answer.actions, weights):
            left -= weight
            if left < 0:
                return int(action)
        return int(answer.choice)


class Contests:
    """Plays the matches and holds the exams of one run."""

    def __init__(self, config: Config, game: Game, evaluator: Callable[[Weights], Evaluator]) -> None:
        self.config, self.game, self.evaluator = config, game, evaluator
        self.threads = config.run.threads or os.cpu_count() or 1
        self._openings: dict[tuple[str, int], Openings] = {}
        self._exam: ExamSet | None = None
        self._asked = False

    def match(self, match: Match) -> list[GameRecord]:
        """All games of a match, in the order of its schedule."""
        key = match.openings, match.seed
        openings = self._openings.setdefault(key, Openings(self.game, *key))
        at_once = min(2 * match.pairs, MOST_AT_ONCE)
        steps = steps_of("temperature", match.temperature)
        players = {"a": self._player(match.a, match.simulations, steps, at_once)}
        players["b"] = self._player(match.b, match.simulations, steps, at_once)
        schedule = [
            Scheduled(2 * opening + side, ("a", "b") if side == 0 else ("b", "a"), opening)
            for opening in range(match.first, match.first + match.pairs)
            for side in (0, 1)
        ]
        found = []
        for game in play(self.game, players, schedule, openings, match.seed, at_once):
            for player in players.values():
                if isinstance(player, NetworkPlayer) and player.failed:
                    raise NotFinite(f"{player.name}: {player.failed}")
            if game.scores is not None:
                found.append(game)
            elif game.attempt >= ATTEMPTS:
                raise AgentFailed(f"a game could not be played: {game.void}.")
        found.sort(key=lambda game: game.number)
        return [self._record(game, *(players[label].name for label in game.players)) for game in found]

    def _record(self, game: Any, first: str, second: str) -> GameRecord:
        told = game.moves, game.scores, (first, second), game.seed, game.opening, game.opened, game.ending
        return GameRecord(*told)

    def exam(self, who: Weights, positions: int, simulations: int, seed: int) -> dict[str, float] | None:
        """Errors by the exam that comes with ZeroGrid, with search and by the bare policy; None where there is none."""
        questions = self._questions(positions)
        if questions is None:
            return None
        told: dict[str, float] = {}
        for prefix, raw in (("", False), ("raw_", True)):
            settings = self.config.search_for_match(1 if raw else simulations)
            search = SearchAgent(who.name, self.game, self.evaluator(who), settings, None, 256, self.threads, raw)
            try:
                result = exam(search, questions, seed % 2**31)
            except BadAnswer as error:
                raise NotFinite(f"{who.name}: {error}") from error
            told[f"{prefix}errors"] = result.whole.errors
            told[f"{prefix}error_rate"] = result.whole.errors / max(1, result.positions)
        return {"positions": len(questions.questions), **told}

    def _questions(self, most: int) -> ExamSet | None:
        if not self._asked:
            self._asked = True
            try:
                self._exam = exam_for(self.game)
            except BadExam:
                self._exam = None
        if self._exam is None:
            return None
        return self._exam.sample(most)

    def _player(self, who: Contender, simulations: int, temperature: Steps, at_once: int) -> Agent:
        if not isinstance(who, Weights):
            return agent_for(who, self.game, self.threads)
        settings: SearchSettings = self.config.search_for_match(simulations)
        search = SearchAgent(who.name, self.game, self.evaluator(who), settings, None, at_once, self.threads)
        return NetworkPlayer(who.name, search, temperature)
