"""Exams: how often an agent gives value away, in positions whose exact values are known.

    result = exam(agent, exam_set)
    result.rate                    share of positions with an error, and its interval
    result.by_stage["late"]        the same for a part of the game

A move is an error if another one has a strictly better exact value, from the mover's view: it turns a win into a draw
or a loss, or a draw into a loss; in Dots-and-Boxes it costs boxes. There `result_errors` counts the errors that turn
the result of the game. `given_away` is how much value errors cost, a position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zerogrid.agents.agent import Agent
from zerogrid.arena.intervals import Interval, wilson
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position

STAGES = ("early", "middle", "late")
SAME = 1e-9
AT_ONCE = 65_536


class BadExam(ZeroGridError):
    """An exam set is damaged or for another game, or an agent cannot sit it."""


@dataclass(frozen=True)
class Question:
    """A position, and the exact value of each of its moves for the player to move."""

    seed: int
    moves: tuple[int, ...]
    values: Mapping[int, float]

    @property
    def best(self) -> float:
        """The value of the position."""
        return max(self.values.values())

    @property
    def telling(self) -> bool:
        """Whether a choice can go wrong: some move keeps the value and some move gives it away."""
        return self.best - min(self.values.values()) > SAME

    def position(self, game: Game) -> Position:
        """The position itself."""
        made = game.start(self.seed)
        for move in self.moves:
            made.play(move)
        return made


@dataclass(frozen=True)
class ExamSet:
    """Positions of one game, and how they were made."""

    game: Game
    questions: tuple[Question, ...]
    about: dict[str, Any] = field(default_factory=dict)

    def sample(self, count: int) -> "ExamSet":
        """So many of the questions, spread evenly over the set, and so over the stages of the game."""
        have = len(self.questions)
        chosen = (self.questions[i * have // count] for i in range(count)) if count < have else self.questions
        return ExamSet(self.game, tuple(chosen), self.about)


@dataclass(frozen=True)
class Count:
    """Errors among positions."""

    positions: int
    errors: int
    given_away: float  # value lost by errors, a position
    result_errors: int  # errors that turn the result of the game
    hopeless: int = 0  # positions in which every move has the same value, so that no error was possible

    @property
    def telling(self) -> int:
        """Positions in which an error was possible."""
        return self.positions - self.hopeless

    @property
    def telling_rate(self) -> Interval:
        """The share of errors where an error was possible, with Wilson's interval."""
        return wilson(self.errors / self.telling if self.telling else 0.0, self.telling)

    @property
    def rate(self) -> Interval:
        """The share of errors, with Wilson's interval."""
        return wilson(self.errors / self.positions if self.positions else 0.0, self.positions)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "positions": self.positions,
            "errors": self.errors,
            "error_rate": self.errors / self.positions if self.positions else None,
            "interval": [self.rate.low, self.rate.high],
            "given_away": self.given_away,
            "result_errors": self.result_errors,
            "no_choice": self.hopeless,
            "telling": self.telling,
            "telling_error_rate": self.errors / self.telling if self.telling else None,
            "telling_interval": [self.telling_rate.low, self.telling_rate.high],
        }


@dataclass(frozen=True)
class ExamResult:
    """How an agent did."""

    agent: str
    game: str
    whole: Count
    by_stage: Mapping[str, Count]
    stages: Mapping[str, tuple[int, int]]  # the first and last ply of each stage
    by_ply: Mapping[int, Count]
    answers: tuple[int, ...]
    about: Mapping[str, Any]

    @property
    def positions(self) -> int:
        """How many positions there were."""
        return self.whole.positions

    @property
    def rate(self) -> Interval:
        """The share of positions with an error, and its interval."""
        return self.whole.rate

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        stages = {name: {"plies": list(self.stages[name]), **count.as_dict()} for name, count in self.by_stage.items()}
        plies = {str(ply): {"positions": count.positions, "errors": count.errors} for ply, count in self.by_ply.items()}
        about = {f"set_{name}" if name in ("game", "positions") else name: value for name, value in self.about.items()}
        named = {"agent": self.agent, "game": self.game}
        return {**named, **self.whole.as_dict(), "by_stage": stages, "by_ply": plies, "set": about}


def exam(agent: Agent, exam_set: ExamSet, seed: int = 0) -> ExamResult:
    """Let an agent answer all questions of a set."""
    if agent.game != exam_set.game:
        raise BadExam(f"the exam is in {exam_set.game.spec}, and {agent.name} plays {agent.game.spec}.")
    answers: list[int] = []
    for first in range(0, len(exam_set.questions), AT_ONCE):
        part = exam_set.questions[first : first + AT_ONCE]
        positions = [question.position(exam_set.game) for question in part]
        answers += agent.choose(positions, [seed + first + i for i in range(len(part))])
    return marked(agent.name, exam_set, answers)


def marked(name: str, exam_set: ExamSet, answers: Sequence[int]) -> ExamResult:
    """The result of these answers."""
    game, questions = exam_set.game, exam_set.questions
    for question, answer in zip(questions, answers, strict=True):
        if answer not in question.values:
            raise BadExam(f"{name} answered {answer} in a position of {game.spec} where it may not be played.")
    plies = [len(question.moves) for question in questions]
    stages = stages_of(plies)
    graded = [_graded(game, question, answer) for question, answer in zip(questions, answers)]
    by_stage = {
        stage: _count([g for g, ply in zip(graded, plies) if first <= ply <= last])
        for stage, (first, last) in stages.items()
    }
    by_ply = {ply: _count([g for g, other in zip(graded, plies) if other == ply]) for ply in sorted(set(plies))}
    return ExamResult(name, game.spec, _count(graded), by_stage, stages, by_ply, tuple(answers), exam_set.about)


def stages_of(plies: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Thirds of the moves between the earliest and the latest position."""
    if not plies:
        return {}
    first, span = min(plies), max(plies) - min(plies) + 1
    cuts = [first + span * part // 3 for part in range(4)]
    return {name: (cuts[i], cuts[i + 1] - 1) for i, name in enumerate(STAGES) if cuts[i] < cuts[i + 1]}


@dataclass(frozen=True)
class _Graded:
    lost: float
    turned: bool
    choice: bool  # whether moves differed in value


def _graded(game: Game, question: Question, answer: int) -> _Graded:
    best, value = question.best, question.values[answer]
    lost = best - value if best - value > SAME else 0.0
    turned = lost > 0
    if turned and game.name == "dots_and_boxes":
        position = question.position(game)
        state, mover = position._state, position.to_move
        lead = state[game.SCORES + mover] - state[game.SCORES + 1 - mover]
        turned = _sign(lead + best) != _sign(lead + value)
    return _Graded(lost, turned, question.telling)


def _sign(value: float) -> int:
    return (value > SAME) - (value < -SAME)


def _count(graded: Sequence[_Graded]) -> Count:
    errors = sum(g.lost > 0 for g in graded)
    away = sum(g.lost for g in graded) / len(graded) if graded else 0.0
    return Count(len(graded), errors, away, sum(g.turned for g in graded), sum(not g.choice for g in graded))
