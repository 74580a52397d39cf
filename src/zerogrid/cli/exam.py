"""zerogrid exam: how often an agent gives value away; and zerogrid exam-set, which makes exams."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from zerogrid.cli.inputs import GAME, Plugins, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game

if TYPE_CHECKING:
    from zerogrid.agents.agent import Agent
    from zerogrid.arena.exam import ExamSet

POSITIONS = (
    "set: the exam that comes with ZeroGrid; held: a thousand other positions, held back while learning; uniform:200: "
    "so many positions reached by chance; own:20: all positions of so many games against itself; or a file, an exam "
    "set or positions"
)


def exam(
    say: Output,
    agent: Annotated[str, "an agent, such as uct:1000 or net:FILE@sims=200"],
    game: Annotated[str, GAME],
    *,
    positions: Annotated[str, POSITIONS] = "set",
    seed: Annotated[int, "of the agent, and of positions by chance"] = 0,
    seconds: Annotated[float, "how long the solver may take for a position"] = 60.0,
    memory: Annotated[str, "how much the solver's table may take"] = "1G",
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    plot: Annotated[Path | None, "draw errors by move number into this .png or .svg file"] = None,
    plugin: Plugins = (),
) -> int:
    """Count how often an agent's move gives away value, against exact play.

    A move is an error if another one has a strictly better exact value for the side to move. In Dots-and-Boxes values
    are boxes, and "result_errors" counts the errors that turn the result. Positions that the solver does not settle
    in time are left out, and counted.

    Examples:
      zerogrid exam uct:1000 tictactoe
      zerogrid exam net:mine.safetensors@sims=0 gomoku:6x6x4 --plot errors.png
      zerogrid exam uct:200 pawn_dama:5x5 --positions own:10 --json
    """
    from zerogrid.arena.exam import exam as sit
    from zerogrid.arena.pictures import check_picture
    from zerogrid.arena.provenance import provenance
    from zerogrid.cli.matches import agents_for

    check_picture(plot)
    if not 0 < seconds < float("inf"):
        raise ZeroGridError(f"--seconds is a number above 0, not {quote(seconds)}.")
    chosen = named_game(game, plugin)
    with agents_for([agent], chosen, threads) as (made,):
        questions = _questions(made, chosen, positions, seed, seconds, memory)
        result = sit(made, questions, seed)
    say.record({**result.as_dict(), "seed": seed, **provenance()})
    whole, low, high = result.whole, result.rate.low, result.rate.high
    share = f"{result.rate.estimate:.1%} (95%: {low:.1%} to {high:.1%})"
    say.text(f"{agent} in {chosen.spec}: {whole.errors} errors in {whole.positions} positions, {share}")
    telling = result.whole.telling_rate
    sure = f"{telling.estimate:.1%} (95%: {telling.low:.1%} to {telling.high:.1%})"
    say.text(f"where a move can be wrong: {whole.errors} errors in {whole.telling} positions, {sure}")
    say.text(f"given away {whole.given_away:.3f} a position")
    if chosen.name == "dots_and_boxes":
        say.text(f"{whole.result_errors} errors turn the result")
    for stage, count in result.by_stage.items():
        first, last = result.stages[stage]
        rate = f"{count.rate.estimate:.1%} (95%: {count.rate.low:.1%} to {count.rate.high:.1%})"
        say.text(f"  {stage:<7} after {first:>2} to {last:>2} moves: {count.errors} of {count.positions}, {rate}")
    unsolved = questions.about.get("unsolved", 0)
    if unsolved:
        say.text(f"Note: {unsolved} positions were not solved in time and are left out.")
    if plot is not None:
        from zerogrid.arena.pictures import errors_by_move

        errors_by_move({agent: result}, plot, f"Moves that give value away, {chosen.spec}")
        say.text(f"Drawn into {plot}.")
    return 0


def _questions(agent: "Agent", game: Game, text: str, seed: int, seconds: float, memory: str) -> "ExamSet":
    from zerogrid.arena import exam_sets

    kind, _, number = text.partition(":")
    if kind in ("uniform", "own") and number.isascii() and number.isdigit() and 0 < int(number[:8]) <= 1_000_000:
        if kind == "own":
            return exam_sets.own_exam(agent, int(number), seed, seconds=seconds, memory=memory)
        return exam_sets.uniform_exam(game, int(number), seed, seconds=seconds, memory=memory)
    if text in ("set", "held"):
        return exam_sets.exam_for(game, held=text == "held")
    path = Path(text)
    if not path.is_file():
        kinds = "set, held, uniform:200, own:20 or a file"
        raise ZeroGridError(f"--positions is {kinds}, and there is no file {quote(text)}.")
    if exam_sets.is_exam(path):
        return exam_sets.read_exam(game, path)
    return exam_sets.exam_of_positions(game, path, seconds, memory)


def exam_set(
    say: Output,
    game: Annotated[str, GAME],
    *,
    out: Annotated[Path, "the file to write"],
    count: Annotated[int, "how many positions"] = 300,
    plies: Annotated[str, "moves played before, from and to, as 4-20; nothing: any number"] = "",
    seed: Annotated[int, "of the moves by chance"] = 0,
    guided: Annotated[bool, "leave out blunders on the way, as guided openings do"] = False,
    without: Annotated[Path | None, "an exam whose positions are left out"] = None,
    seconds: Annotated[float, "how long the solver may take for a position"] = 60.0,
    memory: Annotated[str, "how much the solver's table may take"] = "1G",
    plugin: Plugins = (),
) -> int:
    """Make an exam: positions reached by chance, each move with its exact value.

    The same seed makes the same exam again, as long as every position is solved in time ("unsolved" is 0).

    Examples:
      zerogrid exam-set tictactoe --count 200 --seed 1 --out tictactoe.jsonl
      zerogrid exam-set connect_four --plies 16-30 --out connect_four.jsonl
      zerogrid exam-set dots_and_boxes:5x5 --guided --plies 38-57 --out boxes.jsonl
    """
    from zerogrid.arena.exam_sets import read_exam, save_exam, sha256, uniform_exam

    chosen = named_game(game, plugin)
    span = re.fullmatch(r"(\d{1,4})-(\d{1,4})", plies) if plies else None
    if plies and span is None:
        raise ZeroGridError(f"--plies says from how many moves to how many, such as 4-20, not {quote(plies)}.")
    reach = (int(span[1]), int(span[2])) if span else None
    other = None if without is None else read_exam(chosen, without)
    made = uniform_exam(chosen, count, seed, reach, seconds, memory, guided, other)
    save_exam(made, out)
    digest, telling = sha256(made.questions), sum(question.telling for question in made.questions)
    said = {"game": chosen.spec, "positions": len(made.questions), "telling": telling, "sha256": digest}
    say.record({**made.about, **said, "file": str(out)})
    say.text(f"{len(made.questions)} positions of {chosen.spec} written to {out} (sha256 {digest[:16]}…).")
    say.text(f"In {telling} of them some move gives value away.")
    if made.about["unsolved"]:
        say.text(f"Note: {made.about['unsolved']} positions were not solved within {seconds:g} s and are left out.")
    return 0
