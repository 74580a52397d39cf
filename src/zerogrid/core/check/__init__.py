"""check_game: what is wrong with a game, in plain words.

    report = zerogrid.check_game("my_game")      a spec, or a Game
    print(report)                                each thing once: its name, how to mend it, a position to see it in
    report.ok, report.findings                   for programs

Random games are played with every contract of rules.py checked at every ply: masks, purity, ends, scores, limits of
all arrays. Then names and texts go to people and back, symmetries move whole games, keys are compared with futures,
thousands of compiled games look for what is rare, and python, cpu and cuda play the same games move for move.

Whether these are the rules one had in mind, no check can know; two things tell it:

    EXAMPLES = (("a1 b2 a2 b3 a3", "crosses wins: three in a row"), ("a1", "noughts to move"))     in the game file
    check_game("my_game", twin="tictactoe")      the same game, written another way
"""

import time
from collections.abc import Callable, Sequence

from zerogrid.core.catalogue import game as game_of
from zerogrid.core.check.guarded import GuardedRules
from zerogrid.core.check.keys import check_keys
from zerogrid.core.check.people import check_drawings, check_examples, check_names, check_texts, check_words
from zerogrid.core.check.plays import Sample, random_game
from zerogrid.core.check.report import Finding, Report, Where
from zerogrid.core.check.symmetry import check_symmetries
from zerogrid.core.check.targets import compare_target, survey_games
from zerogrid.core.check.twin import compare_with_twin
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.link import check_target

__all__ = ["Finding", "Report", "Where", "check_game"]

Tell = Callable[[str, int, int], None]  # what is being done, how much of it is done, how much there is
More = Callable[[Game, Sequence[str], Tell, Report], None]  # a check of a layer above: game, targets, tell, report

GAMES, POSITIONS = 4, 300  # at least so many games in plain Python, and more until there are so many positions
MOST_GAMES = 60
UNSAFE = (
    "cannot_link",
    "out_of_bounds",
    "max_legal",
    "legal_count",
    "legal_order",
    "action_range",
    "crash",
    "changes_file",
)


def check_game(
    game: Game | str,
    twin: Game | str | None = None,
    targets: Sequence[str] = ("python", "cpu", "cuda"),
    tell: Tell | None = None,
    more: Sequence[More] = (),
) -> Report:
    """Look for everything that is wrong with a game; `tell(step, done, total)` is called as the work goes on.

    `more` checks what layers above make of the game, where nothing is wrong with the game itself.
    """
    began = time.monotonic()
    for target in targets:
        check_target(target)
    if isinstance(game, str):
        game = game_of(game)
    report = Report(game, targets=["python"])
    tell = tell or _silent
    _check(game, game_of(twin) if isinstance(twin, str) else twin, targets, tell, report)
    if report.ok:
        for check in more:
            check(game, targets, tell, report)
    report.seconds = time.monotonic() - began
    return report


def _silent(step: str, done: int, total: int) -> None:
    pass


def _check(game: Game, twin: Game | None, targets: Sequence[str], tell: Tell, report: Report) -> None:
    rules = GuardedRules(game)
    for trouble in rules.unlinkable:
        report.add(trouble.name, trouble.sentence)
    sampled = _play(rules, tell, report)
    positions = [sample for samples in sampled for sample in samples]
    if not positions:
        report.skipped.append("all that needs a position: there is none yet.")
        return
    tell("names and texts", 0, 1)
    check_words(game, report)
    check_names(game, positions, report)
    check_texts(game, _spread(positions, 40), report)
    check_drawings(game, _spread(positions, 3), report)
    examples = check_examples(rules, report)
    tell("symmetries and keys", 0, 1)
    check_symmetries(rules, _spread(positions, 24), report)
    check_keys(rules, _spread(positions, 12), report)
    if twin is not None:
        tell("the twin", 0, 1)
        compare_with_twin(rules, twin, report, games=len(sampled))
    elif not examples:
        words = "these are the rules you mean (give EXAMPLES in the file, or a twin to compare with)"
        report.skipped.append(f"whether {words}.")
    if report.has(*UNSAFE):
        report.skipped.append("compiled code: it could do damage before what stands above is mended.")
        return
    complete = [samples for samples in sampled if samples]
    if "cpu" in targets:
        tell("compiling", 0, 1)
        compare_target(game, "cpu", complete, report)
        if "cpu" in report.targets:
            survey_games(game, rules, report, lambda done, total: tell("many games", done, total))
    if "cuda" in targets:
        _on_cuda(game, complete, tell, report)


def _play(rules: GuardedRules, tell: Tell, report: Report) -> list[list[Sample]]:
    """Random games in plain Python, until there is enough to look at or too much is wrong."""
    sampled: list[list[Sample]] = []
    positions = 0
    while len(sampled) < MOST_GAMES and (len(sampled) < GAMES or positions < POSITIONS):
        tell("random games", min(positions, POSITIONS), POSITIONS)
        sampled.append(random_game(rules, len(sampled), report))
        positions += len(sampled[-1])
        if len(sampled) >= GAMES and not report.ok:
            break
    return sampled


def _spread(samples: Sequence[Sample], count: int) -> list[Sample]:
    """Some samples, evenly from all of them, the first and the last included."""
    if len(samples) <= count:
        return list(samples)
    return [samples[round(i * (len(samples) - 1) / (count - 1))] for i in range(count)]


def _on_cuda(game: Game, sampled: Sequence[Sequence[Sample]], tell: Tell, report: Report) -> None:
    """Run on a card or in the simulator; without either, see at least that it compiles for a card."""
    from zerogrid.core import cuda

    if cuda.available():
        tell("cuda", 0, 1)
        few = sampled[:2] if cuda.SIMULATED else sampled
        compare_target(game, "cuda", few, report)
        return
    report.skipped.append("running on cuda: there is no card here (NUMBA_ENABLE_CUDASIM=1 simulates one).")
    tell("compiling for cuda", 0, 1)
    _compile_for_cuda(game, sampled[:1], report)


def _compile_for_cuda(game: Game, sampled: Sequence[Sequence[Sample]], report: Report) -> None:
    from zerogrid.core import cuda, rules
    from zerogrid.core.check.targets import _replay_of, replay

    try:
        cuda.ptx(replay, {rules: game.module}, _replay_of(game, sampled))
    except ZeroGridError as error:
        report.add("cannot_compile", str(error))
