"""zerogrid demo: the main job. A game is learned from nothing, and then it is shown how strong that made it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from zerogrid.cli.inputs import GAME
from zerogrid.cli.output import Output

if TYPE_CHECKING:
    from zerogrid.arena.report import MatchReport
    from zerogrid.core.game import Game

LEARNED = "gomoku:6x6x4"
OPPONENTS = ("random", "naive", "uct:1000")
MEANING = {
    "random": "any legal move",
    "naive": "rows of stones, rule by rule",
    "uct:1000": "pure MCTS, 1,000 random games a move",
}
OPENINGS = "random:2"  # where there is no book of balanced ones
MINUTES = 5.0


def demo(
    out: Output,
    game: Annotated[str, GAME] = LEARNED,
    *,
    run: Annotated[str, "the run's name, or a folder; a run that is there is gone on with"] = "demo",
    minutes: Annotated[float, "no further iteration begins after so many minutes of learning; 0: no limit"] = MINUTES,
    games: Annotated[int, "games against each opponent, an even number"] = 100,
    sims: Annotated[int, "simulations a move in these games and in the exam"] = 200,
    seed: Annotated[int, "all chance follows from it"] = 0,
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    smoke: Annotated[bool, "every number small: what happens, in seconds, and nothing learned"] = False,
) -> int:
    """Learn a game from nothing, then show how strong that made the network, and how to play against it.

    Learning takes about five minutes on two cores. Then the network, with a search, plays games against simple agents,
    each opening from both sides, and takes an exam in which an exact solver knows the value of every move; so does
    the network as it was before it learned. Stopped at any moment, the same command goes on.

    Examples:
      zerogrid demo
      zerogrid demo tictactoe --minutes 1 --run little
      zerogrid demo --smoke --run look
    """
    from zerogrid.agents.naming import check_name
    from zerogrid.cli.inputs import check_seed, named_game
    from zerogrid.cli.train import carry_out
    from zerogrid.core.errors import ZeroGridError
    from zerogrid.training.directory import place_of

    if games < 2 or games % 2:
        raise ZeroGridError(f"--games is an even number from 2 up, not {games}.")
    check_seed(seed)
    chosen = named_game(game, ())
    place = place_of(run)
    config = _config(chosen.spec, seed, minutes, threads, smoke)
    out.text(f"{chosen.title} ({chosen.spec}), learned from nothing but its rules: {place}")
    out.text("Games against itself, a network that learns from them, and an exam now and then. Ctrl-C stops it;")
    out.text("the same command goes on.")
    out.text()
    code = carry_out(out, config, place)
    if code:
        return code
    if smoke:
        games, sims = 2, 8
    out.text()
    _exams(out, chosen, place, sims, threads)
    opponents = [name for name in OPPONENTS if _known(check_name, name, chosen)]
    _matches(out, chosen, place, opponents, games, sims, seed, threads)
    out.text("To play against it:")
    out.text(f"  zerogrid play {chosen.spec} --against {_agent(place, sims)}")
    out.text("How it learned, on one page; and why it plays what it plays:")
    out.text(f"  zerogrid report {_short(place)}")
    out.text(f"  zerogrid analyse {chosen.spec} --agent {_agent(place, sims)}")
    return 0


def _config(spec: str, seed: int, minutes: float, threads: int, smoke: bool) -> Any:
    from zerogrid.papers.presets import preset
    from zerogrid.training.config_checks import resolved
    from zerogrid.training.presets import smoke as smaller

    config = preset("quick").config(spec).but({"run.seed": seed, "run.minutes": minutes, "run.threads": threads})
    return resolved(smaller(config) if smoke else config)


def _known(check: Any, name: str, game: "Game") -> bool:
    from zerogrid.agents.agent import UnknownAgent

    try:
        check(name, game)
    except UnknownAgent:
        return False
    return True


def _short(place: Path) -> str:
    """A run's name where that is enough to find it."""
    return place.name if place.parent == Path("runs") else str(place)


def _agent(place: Path, sims: int, iteration: int | None = None) -> str:
    at = "" if iteration is None else f"iteration={iteration},"
    return f"run:{_short(place)}@{at}sims={sims}"


# --- the exam -------------------------------------------------------------------------------------------------------


def _exams(out: Output, game: "Game", place: Path, sims: int, threads: int) -> None:
    """Errors by the exact solver, before and after learning, with search and without."""
    from zerogrid.arena.exam import BadExam
    from zerogrid.arena.exam_sets import exam_for

    try:
        questions = exam_for(game)
    except BadExam:
        return
    count = len(questions.questions)
    out.text(f"An exam of {count} positions of which an exact solver knows every move. Moves that give value away:")
    out.text()
    out.text(f"  {'':<18}{'before learning':>24}{'after':>24}")
    for words, simulations in (("the network alone", 0), (f"with {sims} sims", sims)):
        cells = []
        for when, iteration in (("before", 0), ("after", None)):
            result = _sat(game, _agent(place, simulations, iteration), questions, threads)
            rate = result.rate
            cells.append(f"{rate.estimate:.1%} ({rate.low:.1%} to {rate.high:.1%})")
            told = {"step": "exam", "when": when, "simulations": simulations, "positions": result.positions}
            out.record({**told, "errors": result.whole.errors, "error_rate": rate.as_dict()})
        out.text(f"  {words:<18}{cells[0]:>24}{cells[1]:>24}")
    out.text()


def _sat(game: "Game", name: str, questions: Any, threads: int) -> Any:
    from zerogrid.arena.exam import exam
    from zerogrid.cli.matches import agents_for

    with agents_for([name], game, threads) as (agent,):
        return exam(agent, questions)


# --- the matches ----------------------------------------------------------------------------------------------------


def _matches(
    out: Output, game: "Game", place: Path, opponents: list[str], games: int, sims: int, seed: int, threads: int
) -> None:
    """Games against agents that learn nothing, and a table of what they say."""
    way = "of the book" if _openings(game) == "book" else f"({OPENINGS})"
    out.text(f"{games} games against each, two from each opening {way}, sides swapped; {sims} simulations a move:")
    out.text()
    out.text(f"  {'':<10}{'':<38}{'won':>5}{'drawn':>7}{'lost':>6}{'score':>8}   95% interval")
    for report in _played(game, place, opponents, games, sims, seed, threads):
        low, high = report.paired.low, report.paired.high
        counts = f"{report.wins:>5}{report.draws:>7}{report.losses:>6}"
        about = MEANING[report.opponent]
        score = f"{report.score:>8.1%}   {low:.1%} to {high:.1%}"
        out.text(f"  {report.opponent:<10}{about:<38}{counts}{score}")
        out.record({"step": "match", **report.as_dict()})
    out.text()


def _played(
    game: "Game", place: Path, opponents: list[str], games: int, sims: int, seed: int, threads: int
) -> Iterator["MatchReport"]:
    from zerogrid.arena.event import Event, paired
    from zerogrid.arena.report import report
    from zerogrid.cli.matches import agents_for, at_work

    name, openings = _agent(place, sims), _openings(game)
    for opponent in opponents:
        with agents_for([name, opponent], game, threads or os.cpu_count() or 1) as agents:
            event = Event("match", game, dict(zip((name, opponent), agents)), openings, seed)
            try:
                at_work(event, paired((name, opponent), games), f"against {opponent}", name)
            finally:
                event.close()
        yield report(event.records, name, opponent)


def _openings(game: "Game") -> str:
    from zerogrid.arena.books import book_for
    from zerogrid.core.errors import ZeroGridError

    try:
        book_for(game, "")
    except ZeroGridError:
        return OPENINGS
    return "book"
