"""Exam sets: made with the exact solver, kept as files, and those that come with ZeroGrid.

    {"exam": "gomoku:6x6x4", "way": "uniform", "seed": 1, "count": 400, "telling": 260, "sha256": "..."}
    {"seed": 0, "moves": [14, 20], "values": {"8": 1, "9": 0, ...}}

Two come with ZeroGrid for a game: `set`, which the training loop looks at while it learns, and `held`, a thousand other
positions to be looked at when all is done. "telling" counts those in which some move gives value away.

Positions are reached uniformly (after r moves by chance, r drawn evenly from those the game allows), or by guided
moves (see openings.py), or come from an agent's games against itself. What the solver does not settle within its limit
is left out, and counted in "unsolved".
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from zerogrid.agents.agent import Agent
from zerogrid.arena.exam import BadExam, ExamSet, Question
from zerogrid.arena.openings import Openings, has_chance, sensible
from zerogrid.arena.playing import Scheduled, play
from zerogrid.core import draws
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.core.positions import read_positions
from zerogrid.core.progress import Progress

OWN_EXAMS = Path(__file__).resolve().parent / "data" / "exams"
HELD_EXAMS = Path(__file__).resolve().parent / "data" / "held"
LARGEST = 50_000_000
TRIES = 2000


# --- files ----------------------------------------------------------------------------------------------------------


def _line(question: Question) -> str:
    values = {str(action): value for action, value in sorted(question.values.items())}
    kept = {"seed": question.seed, "moves": list(question.moves), "values": values}
    return json.dumps(kept, separators=(",", ":")) + "\n"


def sha256(questions: Iterable[Question]) -> str:
    """The hash of an exam's questions."""
    return hashlib.sha256("".join(map(_line, questions)).encode()).hexdigest()


def save_exam(exam_set: ExamSet, path: Path) -> None:
    """Write an exam set."""
    count, digest = len(exam_set.questions), sha256(exam_set.questions)
    telling = sum(question.telling for question in exam_set.questions)
    head = {"exam": exam_set.game.spec, **exam_set.about, "count": count, "telling": telling, "sha256": digest}
    try:
        path.write_text(json.dumps(head) + "\n" + "".join(map(_line, exam_set.questions)), encoding="utf-8")
    except OSError as error:
        raise BadExam(f"the exam {quote(path)} cannot be written: {error.strerror}.") from error


def exam_file(game: Game, held: bool = False) -> Path:
    """Where an exam of a game would lie that comes with ZeroGrid."""
    name = game.spec.replace(":", "-").replace(",", "-").replace("=", "-") + ".jsonl"
    return (HELD_EXAMS if held else OWN_EXAMS) / name


def exam_for(game: Game, held: bool = False) -> ExamSet:
    """The exam that comes with ZeroGrid, or the one held back."""
    file = exam_file(game, held)
    if not file.is_file():
        there = sorted(one.stem.replace("-", ":", 1) for one in file.parent.glob("*.jsonl"))
        raise BadExam(
            f"no {'held ' if held else ''}exam in {game.spec} comes with ZeroGrid (there are {', '.join(there)}); "
            "take --positions uniform:200, own:20, or a file of positions."
        )
    return read_exam(game, file)


def read_exam(game: Game, path: Path) -> ExamSet:
    """An exam set from a file, every move checked."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadExam(f"the exam {quote(path)} is too large; {LARGEST:,} bytes are the most.")
        head, *rest = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        spec = head["exam"]
        if spec != game.spec:
            raise BadExam(f"the exam {quote(path)} is in {quote(spec)}, not in {game.spec}.")
        questions = tuple(
            Question(int(q["seed"]), tuple(map(int, q["moves"])), {int(a): v for a, v in q["values"].items()})
            for q in rest
        )
    except OSError as error:
        raise BadExam(f"the exam {quote(path)} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadExam(f"the exam {quote(path)} cannot be read: {error}.") from error
    if head.get("sha256") != sha256(questions):
        raise BadExam(f"the exam {quote(path)} is damaged: its questions are not those that its hash was made of.")
    for number, question in enumerate(questions, start=2):
        try:
            actions = question.position(game).actions
        except ZeroGridError as error:
            raise BadExam(f"the exam {quote(path)}, line {number}: {error}") from error
        numbers = all(isinstance(value, int | float) for value in question.values.values())
        if set(actions) != set(question.values) or not actions or not numbers:
            raise BadExam(f"the exam {quote(path)}, line {number}: its values are not those of the legal moves.")
    return ExamSet(game, questions, {name: v for name, v in head.items() if name not in ("exam",)})


# --- making them ----------------------------------------------------------------------------------------------------


def uniform_exam(
    game: Game,
    count: int,
    seed: int = 0,
    plies: tuple[int, int] | None = None,
    seconds: float = 60.0,
    memory: str = "1G",
    guided: bool = False,
    without: ExamSet | None = None,
) -> ExamSet:
    """So many positions that were reached by chance, each another one, with at least two moves, and solved.

    Positions of the exam `without` are left out. `guided` leaves out blunders on the way, as guided openings do: in
    Dots-and-Boxes moves by chance alone leave nothing to decide in the end.
    """
    least, most = plies or (0, game.MAX_PLIES - 1)
    if count < 1 or not 0 <= least <= most:
        raise BadExam(f"an exam of {count} positions after {least} to {most} moves cannot be made.")
    solve = _Solving(game, seconds, memory)
    questions: list[Question] = []
    seen = {_place(question.position(game)) for question in without.questions} if without else set()
    unsolved = 0
    with Progress(f"solving positions of {game.spec}", count, "positions") as progress:
        for attempt in range(TRIES + 40 * count):
            position = _reached(game, seed, attempt, least, most, sensible if guided else _any)
            if position is None or _place(position) in seen or len(position.actions) < 2:
                continue
            seen.add(_place(position))
            question = solve(position)
            if question is None:
                unsolved += 1
                continue
            questions.append(question)
            progress.advance()
            if len(questions) == count:
                break
    if not questions:
        raise BadExam(f"no position of {game.spec} after {least} to {most} moves was solved within {seconds:g} s.")
    questions.sort(key=lambda question: len(question.moves))
    about = {"way": "guided" if guided else "uniform", "plies": [least, most], "seed": seed, "unsolved": unsolved}
    if without is not None:
        about["without"] = sha256(without.questions)
    return ExamSet(game, tuple(questions), about)


def _place(position: Position) -> Any:
    return position._future(), position.seed


def _any(position: Position) -> list[int]:
    return position.actions


def _reached(
    game: Game, seed: int, attempt: int, least: int, most: int, options: Callable[[Position], list[int]]
) -> Position | None:
    start = draws.word(seed, draws.TEST, attempt, 0) if has_chance(game) else 0
    position = game.start(start)
    for ply in range(least + draws.below(most - least + 1, seed, draws.TEST, attempt, 1)):
        actions = options(position)
        if not actions:
            return None
        position.play(actions[draws.below(len(actions), seed, draws.TEST, attempt, ply + 2)])
    return None if position.over else position


def own_exam(
    agent: Agent, games: int, seed: int = 0, openings: str = "random:2", seconds: float = 60.0, memory: str = "1G"
) -> ExamSet:
    """All positions of an agent's games against itself, each once, that have at least two moves and can be solved."""
    game = agent.game
    solve = _Solving(game, seconds, memory)
    seen: set[Any] = set()
    questions: list[Question] = []
    unsolved = 0
    schedule = [Scheduled(number, ("self", "self again"), number) for number in range(games)]
    table = Openings(game, openings, seed)
    records = list(play(game, {"self": agent, "self again": agent}, schedule, table, seed))
    with Progress(f"solving positions of {game.spec}", len(records), "games") as progress:
        for record in sorted(records, key=lambda record: (record.number, record.attempt)):
            position = game.start(record.seed)
            for ply, move in enumerate(record.moves):
                if ply >= record.opened and _place(position) not in seen and len(position.actions) > 1:
                    seen.add(_place(position))
                    question = solve(position)
                    unsolved += question is None
                    questions += [question] if question is not None else []
                position.play(move)
            progress.advance()
    about = {"way": "own games", "of": agent.name, "games": games, "openings": openings, "seed": seed}
    return ExamSet(game, tuple(questions), {**about, "unsolved": unsolved})


def exam_of_positions(game: Game, path: Path, seconds: float = 60.0, memory: str = "1G") -> ExamSet:
    """The positions of a positions file, solved; finished ones are left out."""
    solve = _Solving(game, seconds, memory)
    placed = list(read_positions(path))
    questions, unsolved, left_out = [], 0, 0
    with Progress(f"solving positions of {game.spec}", len(placed), "positions") as progress:
        for one in placed:
            if one.position.game != game:
                other = one.position.game.spec
                raise BadExam(f"{path.name}, line {one.line} is a position of {other}, not of {game.spec}.")
            if one.position.over:
                left_out += 1
            else:
                question = solve(one.position)
                unsolved += question is None
                questions += [question] if question is not None else []
            progress.advance()
    return ExamSet(game, tuple(questions), {"way": path.name, "unsolved": unsolved, "finished": left_out})


def is_exam(path: Path) -> bool:
    """Whether a file is an exam set rather than a file of positions."""
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline(100_000))
        return isinstance(head, dict) and "exam" in head
    except (OSError, ValueError, RecursionError):
        return False


class _Solving:
    """Positions to questions."""

    def __init__(self, game: Game, seconds: float, memory: str) -> None:
        from zerogrid.solvers.choose import solver_for

        self.seconds, self.solver = seconds, solver_for(game, memory)

    def __call__(self, position: Position) -> Question | None:
        solution = self.solver.solve(position, seconds=self.seconds, line=False)
        if not solution.solved:
            return None
        return Question(position.seed, tuple(position.moves), dict(solution.action_values))
