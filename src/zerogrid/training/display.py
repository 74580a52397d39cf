"""What one sees while a run goes on: a live table in a terminal, a line an iteration elsewhere. On standard error.

Both are listeners. The words are made in `cells_of`, so that a terminal and a log say the same.
"""

import sys
import time
from typing import Any, TextIO

from zerogrid.core.progress import duration
from zerogrid.training import events
from zerogrid.training.ratings import Row, ratings_of, rows_of

COLUMNS = ("iteration", "games", "games/s", "loss", "policy", "value", "entropy", "gate", "champion", "exam", "left")
SHOWN = 12  # iterations in the live table
GETTING_READY = 3.0  # seconds of playing after which it is said why nothing is to be seen
PATIENCE, LONGEST_PAUSE = 15.0, 60.0  # seconds within a stage without a line, at first and at most
STAGES = {"play": "playing", "learn": "learning", "gate": "at the gate", "exam": "in an exam", "save": "saving"}


class Clock:
    """How long the rest will take, from the iterations of this session; the first, in which kernels are compiled and
    networks converted, counts only until there is a second."""

    def __init__(self) -> None:
        self.began = self.last = time.monotonic()  # of what counts, and when the last iteration was done
        self.first = self.iteration = self.iterations = 0
        self.warm = False

    def hear(self, event: events.Event) -> None:
        """Begin, or count an iteration."""
        if isinstance(event, events.Began):
            self.first, self.iteration, self.iterations = event.iteration, event.iteration, event.iterations
            self.began = self.last = time.monotonic()
        elif isinstance(event, events.IterationDone):
            if not self.warm and self.iteration > self.first:
                self.warm, self.first, self.began = True, self.iteration, self.last
            self.iteration, self.last = event.iteration, time.monotonic()

    def left(self) -> str:
        """In words; nothing while it cannot be known."""
        done = self.iteration - self.first
        if done <= 0 or self.iteration >= self.iterations:
            return ""
        whole = (self.last - self.began) / done * (self.iterations - self.iteration)
        return duration(max(0.0, whole - (time.monotonic() - self.last)))


class Doing:
    """What is going on at this moment, and for how long."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.where, self.what, self.far = "", "beginning", ""
        self.began = time.monotonic()
        self.done = self.wanted = 0
        self.first = False

    def hear(self, event: events.Event) -> None:
        """Another stage, or how far this one has come."""
        if isinstance(event, events.Stage):
            who = "" if event.seat == "main" else f" ({event.seat})"
            self.where = f"iteration {event.iteration} of {self.clock.iterations}: " if event.iteration else ""
            self.what, self.far, self.done = STAGES[event.name] + who, "", 0
            self.first = event.name == "play" and self.clock.iteration == self.clock.first
            self.began = time.monotonic()
        elif isinstance(event, events.Going):
            self.done, self.wanted = event.done, event.wanted
            self.far = f", {event.done:,} of {event.wanted:,} {event.unit}"

    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.began

    def words(self) -> str:
        """In one line, with the time that it and the run will still take, where that can be known."""
        spent, left = self.seconds(), self.clock.left()
        told = f"{self.where}{self.what}{self.far}, {duration(spent)}"
        if self.first and not self.far and spent >= GETTING_READY:
            told += " (kernels are compiled the first time, and no game has ended yet)"
        if 0 < self.done < self.wanted and spent >= 1.0:
            told += f", about {duration(spent * (self.wanted - self.done) / self.done)} left"
        return f"{told}; the run: about {left} left" if left else told


def cells_of(done: events.IterationDone, elo: str, left: str) -> dict[str, str]:
    """One iteration in words."""
    m, t = done.metrics, done.timings
    play = t.get("play_s") or 0.0
    return {
        "iteration": f"{done.iteration}",
        "games": f"{m['total_games']:,}",
        "games/s": f"{t.get('games', m['games']) / play:,.0f}" if play else "",
        "loss": _number(m, "loss"),
        "policy": _number(m, "policy_loss"),
        "value": _number(m, "value_loss"),
        "entropy": _number(m, "policy_entropy", 2),
        "gate": gate_words(m.get("gate")),
        "champion": str(m["champion"]).removeprefix("main@"),
        "exam": exam_words(m.get("exam"), elo),
        "left": left,
    }


def _number(metrics: dict[str, Any], name: str, digits: int = 3) -> str:
    return f"{metrics[name]:.{digits}f}" if name in metrics else ""


def gate_words(gate: dict[str, Any] | None) -> str:
    """A gate's decision with its numbers."""
    if not gate:
        return ""
    if gate["kind"] == "always":
        return "always"
    word = "promoted" if gate["promoted"] else "rejected"
    return f"{word} +{gate['wins']} ={gate['draws']} -{gate['losses']}"


def exam_words(exam: dict[str, Any] | None, elo: str = "") -> str:
    """An exam: errors by the solver, points against fixed opponents, the rating so far."""
    if not exam:
        return ""
    words = []
    if exam.get("error_rate") is not None:
        words.append(f"error {exam['error_rate']:.1%}")
    for name, (wins, draws, losses) in exam["scores"].items():
        games = wins + draws + losses
        if games and "@" not in name:
            words.append(f"{name} {(wins + draws / 2) / games:.0%}")
    return ", ".join([*words, elo] if elo else words)


class Watcher:
    """Keeps what both forms of display need: the clock, and the champions' rating."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.doing = Doing(self.clock)
        self.rows: list[Row] = []
        self.elo = ""

    def hear(self, event: events.Event) -> dict[str, str] | None:
        """The cells of an iteration when one is done."""
        self.clock.hear(event)
        self.doing.hear(event)
        if isinstance(event, events.GamesPlayed) and event.kind == "exam":
            self.rows += rows_of(event.games)
        elif isinstance(event, events.IterationDone):
            return cells_of(event, self._rated(event.metrics.get("exam")), self.clock.left())
        return None

    def _rated(self, exam: dict[str, Any] | None) -> str:
        if not exam or not self.rows:
            return ""
        ratings = ratings_of(self.rows, samples=100)
        if ratings is None or exam["who"] not in ratings.players:
            return ""
        one = ratings[exam["who"]]
        return f"Elo {one.estimate:.0f} [{one.low:.0f}, {one.high:.0f}]"


class Lines:
    """A line an iteration, for pipes and logs; where an iteration takes long, a line now and then."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.watcher = Watcher()
        self._pause = PATIENCE

    def __call__(self, event: events.Event) -> None:
        cells = self.watcher.hear(event)
        for line in words_of(event, cells):
            print(line, file=self.stream, flush=True)
        doing = self.watcher.doing
        if isinstance(event, events.Stage):
            self._pause = PATIENCE
        elif isinstance(event, events.Going) and doing.seconds() >= self._pause:
            self._pause = doing.seconds() + min(self._pause, LONGEST_PAUSE)
            print(doing.words(), file=self.stream, flush=True)


def words_of(event: events.Event, cells: dict[str, str] | None) -> list[str]:
    """What a log says about an event."""
    if cells is not None:
        return [", ".join(f"{name} {text}" for name, text in cells.items() if text)]
    if isinstance(event, events.Began):
        notes = [f"note: {note}" for note in event.notes]
        where = f"goes on after iteration {event.iteration}" if event.iteration else "begins"
        return [*notes, f"run {event.run} {where}; {event.iterations} iterations in all"]
    if isinstance(event, events.NotFiniteMet):
        again = "Trying again from the last checkpoint."
        return [f"iteration {event.iteration}, attempt {event.attempt}: {event.what} {again}"]
    if isinstance(event, events.Ended):
        why = {"done": "done", "time": "its time is over", "asked": "stopped as asked; the same command goes on"}
        return [f"iteration {event.iteration}: {why[event.why]}"]
    return []


class Live:
    """A table in the terminal that grows, and a line that says what is going on; drawn anew four times a second."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.watcher = Watcher()
        self.rows: list[dict[str, str]] = []
        self.notes: list[str] = []
        self._ended = False
        self._live: Any = None

    def __enter__(self) -> "Live":
        from rich.console import Console
        from rich.live import Live as RichLive

        self._live = RichLive(get_renderable=self._drawn, console=Console(stderr=True), refresh_per_second=4)
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._live.stop()

    def __call__(self, event: events.Event) -> None:
        cells = self.watcher.hear(event)
        if cells is not None:
            self.rows = [*self.rows, cells][-SHOWN:]
        else:
            self.notes = [*self.notes, *words_of(event, None)][-4:]

    def _drawn(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        used = [name for name in COLUMNS if any(row[name] for row in self.rows)] or ["iteration"]
        table = Table(title=self.title, box=None, pad_edge=False, header_style="bold")
        for name in used:
            table.add_column(name, justify="left" if name in ("gate", "exam") else "right", no_wrap=name != "exam")
        for row in self.rows:
            style = "green" if row["gate"].startswith("promoted") else ""
            table.add_row(*(row[name] for name in used), style=style)
        now = "" if self._ended else self.watcher.doing.words()
        return Group(table, *(Text(note) for note in self.notes), Text(now, style="dim"))
