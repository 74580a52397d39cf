"""What a search found out about one position, for a person to look at: a table, and visits over the board.

    found = zerogrid.analyse(position, agent="uct", seconds=2.0)      (agents/analysing.py turns names into searches)
    print(found)                board, table, best line
    found                       in a notebook: the board as SVG beside the table
    found.answer, found.svg()   numbers, and a picture
"""

import html
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from zerogrid.core.position import Position
from zerogrid.search.answer import Answer
from zerogrid.search.searcher import Searcher

SHOWN = 12  # rows of the table, where nobody asks for more
APART = 0x1E3779B97F4A7C15  # between the seeds of trees of one position


@dataclass(frozen=True)
class Analysis:
    """A position, and what a search thinks of it."""

    position: Position
    answer: Answer
    agent: str  # who searched
    stopped: bool = False  # whether someone stopped it before its time

    def __str__(self) -> str:
        return self.text()

    def text(self, most: int = SHOWN, colour: bool | None = None) -> str:
        """The board with the visits on it, the table of moves, the best line."""
        look: dict[str, Any] = {} if colour is None else {"colour": colour}
        board = self.position.terminal(heat=self.heat, **look)
        return "\n".join([board, "", *self.table(most), "", *self.summary()])

    @property
    def heat(self) -> dict[int, float]:
        """The share of the visits that each move got; for what is proven, of the moves that keep the result."""
        answer = self.answer
        weights = answer.policy if answer.solved else answer.visits
        return {action: float(n) for action, n in zip(answer.actions, weights, strict=True) if n > 0}

    @property
    def rows(self) -> list[tuple[str, int, float, float | None, float | None]]:
        """Name, visits, prior, value and proven result (both for the player to move) of each move, the best first."""
        a = self.answer
        name = a.game.action_name
        return [(name(a.actions[i]), a.visits[i], a.priors[i], a.values[i], a.proven[i]) for i in a.best]

    def table(self, most: int = SHOWN) -> list[str]:
        """The moves, the best first."""
        rows, total = self.rows, max(1, sum(self.answer.visits))
        told = max(self.answer.priors) > min(self.answer.priors) or len(rows) == 1  # random games have no opinion
        mover = self.answer.game.players[self.answer.to_move]
        wide = max(4, *(len(row[0]) for row in rows[:most]))
        head = f"{'prior':>6} " if told else ""
        lines = [f"{'move':{wide}} {'visits':>9} {'share':>6} {head} value for {mover}"]
        for name, visits, prior, value, proven in rows[:most]:
            worth = "      " if value is None else f"{value:+6.3f}"
            head = f"{100 * prior:5.1f}% " if told else ""
            line = f"{name:{wide}} {visits:9,} {100 * visits / total:5.1f}% {head} {worth}"
            lines.append(line if proven is None else f"{line}  proven {result(proven)}")
        if len(rows) > most:
            rest = sum(row[1] for row in rows[most:])
            lines.append(f"and {len(rows) - most} more with {rest:,} {'visit' if rest == 1 else 'visits'}")
        return lines

    def summary(self) -> list[str]:
        """The value for both players, the best line, and what it took."""
        a = self.answer
        names = a.game.players
        mover, other = names[a.to_move], names[1 - a.to_move]
        sure = f", a proven {result(a.value)} for {mover}" if a.solved else ""
        lines = [
            f"value  {a.value:+.3f} for {mover}, {a.value_for(1 - a.to_move):+.3f} for {other}{sure}",
            f"line   {' '.join(map(a.game.action_name, a.line))}",
        ]
        speed = f", {a.simulations / a.seconds:,.0f} a second" if a.seconds > 0 else ""
        stopped = ", stopped early" if self.stopped else ""
        lines.append(f"{self.agent}: {a.simulations:,} simulations in {a.seconds:.2f} s{speed}{stopped}")
        return lines

    def svg(self, **look: Any) -> str:
        """The board with the visits on it; `look` as in Position.svg."""
        return self.position.svg(**{"heat": self.heat, **look})

    def record(self) -> dict[str, Any]:
        """Plain numbers for programs."""
        name = self.answer.game.action_name
        return {
            **self.answer.record(),
            "agent": self.agent,
            "seed": self.position.seed,
            "played": [name(action) for action in self.position.moves],
            "stopped": self.stopped,
        }

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        words = html.escape("\n".join([*self.table(), "", *self.summary()]))
        picture = self.svg(theme="light", size=340)
        return f'<div style="display:flex;gap:2em;align-items:center">{picture}<pre>{words}</pre></div>'


def result(value: float) -> str:
    """What the player to move gets, in words."""
    return {1.0: "win", 0.0: "draw", -1.0: "loss"}.get(value, f"{value:+.3f}")


Watch = Callable[[Analysis], Any]  # sees the analysis grow


def analyse_with(
    searcher: Any,
    position: Position,
    agent: str,
    seed: int = 0,
    seconds: float | None = None,
    simulations: int | None = None,
    watch: Watch | None = None,
) -> Analysis:
    """Search one position with all the trees that the searcher has. Ctrl-C ends it with what is known by then.

    Several trees of the same position, each with random numbers of its own and on a core of its own, are put together:
    their visits are added up.
    """
    trees = getattr(searcher, "games", 1)
    if isinstance(searcher, Searcher):
        searcher.prepare()
    wanted = searcher.settings.simulations if simulations is None else simulations
    began = time.perf_counter()
    with interruptible() as asked:

        def look(answer: Answer) -> bool:
            if watch is not None:
                watch(Analysis(position, replace(answer, seconds=time.perf_counter() - began), agent))
            return asked.is_set()

        seeds = [(seed + tree * APART) % 2**63 for tree in range(trees)]
        each = -(-wanted // trees)
        looking: dict[str, Any] = {"look": look} if isinstance(searcher, Searcher) else {}  # not on a card
        answers = searcher.search([position] * trees, seeds, seconds, each, **looking)
    return Analysis(position, merged(answers), agent, asked.is_set())


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """While inside, Ctrl-C sets the event, once; a second one does what it always does."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked  # signals are for the main thread only
        return
    before = signal.getsignal(signal.SIGINT)

    def note(*_: Any) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def merged(answers: list[Answer]) -> Answer:
    """Several searches of the same position as one: visits added up, values weighed by them, proofs taken from any."""
    first = answers[0]
    if len(answers) == 1:
        return first
    sure = next((answer for answer in answers if answer.solved), None)
    moves = range(len(first.actions))
    visits = [sum(answer.visits[i] for answer in answers) for i in moves]
    proven = [next((a.proven[i] for a in answers if a.proven[i] is not None), None) for i in moves]
    values = [_mean([(a.values[i], a.visits[i]) for a in answers]) for i in moves]
    whole = replace(
        sure or first,
        visits=tuple(visits),
        proven=tuple(proven),
        values=tuple(value if known is None else known for value, known in zip(values, proven, strict=True)),
        simulations=sum(answer.simulations for answer in answers),
        evaluations=sum(answer.evaluations for answer in answers),
        cache_hits=max(answer.cache_hits for answer in answers),
        seconds=max(answer.seconds for answer in answers),
    )
    if sure is not None:
        return whole
    weights = [sum(answer.policy[i] * answer.simulations for answer in answers) for i in moves]
    total = math.fsum(weights)
    best = _choice(visits, proven, whole.values)
    value = _mean([(answer.value, answer.simulations) for answer in answers])
    lines = [answer for answer in answers if answer.choice == first.actions[best]]
    line = max(lines, key=lambda answer: answer.visits[best]).line if lines else (first.actions[best],)
    return replace(
        whole,
        policy=tuple(weight / total for weight in weights),
        choice=first.actions[best],
        value=0.0 if value is None else value,
        line=line,
    )


def _choice(visits: list[int], proven: list[float | None], values: tuple[float | None, ...]) -> int:
    """The most visited move that is not known to lose, or a proven one that is worth at least as much."""
    moves = range(len(visits))
    leader = max(moves, key=lambda i: (proven[i] is None or proven[i] != -1.0, visits[i]))
    known = [i for i in moves if proven[i] is not None]
    if not known:
        return leader
    surest = max(known, key=lambda i: (proven[i], visits[i]))
    hope, sure = values[leader], proven[surest]
    assert sure is not None
    return surest if hope is None or sure >= hope else leader


def _mean(pairs: list[tuple[float | None, int]]) -> float | None:
    known = [(value, weight) for value, weight in pairs if value is not None and weight > 0]
    if not known:
        return None
    return math.fsum(value * weight for value, weight in known) / sum(weight for _, weight in known)
