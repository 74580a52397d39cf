"""The loop: champion -> self-play -> buffer -> learner -> candidate -> gate -> champion.

    with Lock(place), Stopper() as stopper:
        Loop(config, engine, place, [display], stopper).run()

The stages of an iteration are in stages.py; here is what makes them a run: going on, saving, trying again, stopping.
An iteration exists once its checkpoint does. All chance follows from the seed, the iteration and what is in the
checkpoint, so a run that was killed goes on as if nothing had happened.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from zerogrid.training import events
from zerogrid.training.config import Config
from zerogrid.training.directory import BadRun
from zerogrid.training.forms import WRONG
from zerogrid.training.journal import TIMINGS, Journal, read_lines
from zerogrid.training.memory import lack_of_memory_named
from zerogrid.training.parts import Engine, NotFinite
from zerogrid.training.roster import Roster
from zerogrid.training.saving import Remembers, Saver
from zerogrid.training.stages import MAIN, Stages
from zerogrid.training.stopping import Stopper
from zerogrid.training.store import Store
from zerogrid.training.tally import Tally


class TrainingFailed(Exception):
    """The work itself failed, again and again; the message is a report. What was saved before is intact."""


class Loop:
    """One run, from its directory to its end."""

    def __init__(
        self,
        config: Config,
        engine: Engine,
        place: Path,
        listeners: Sequence[events.Listener] = (),
        stopper: Stopper | None = None,
        provenance: dict[str, Any] | None = None,
    ) -> None:
        self.config, self.place = config, place
        self.stopper = stopper or Stopper()
        self.provenance = {"run": place.name, **(provenance or {})}
        self.store = Store(place)
        self.journal = Journal(place, config.game.spec)
        self.listeners: list[events.Listener] = [self.journal, *listeners]
        self.roster = Roster(engine, self.store)
        with lack_of_memory_named(config, f"for what {place.name} holds"):
            self.stages = Stages(config, engine, self.roster, self._tell)
        self.stages.stop = self.stopper.now
        stages = self.stages
        pieces: dict[str, Remembers] = {"curriculum": stages.curriculum, "gate": stages.gate}
        pieces |= {"league": stages.league, "resigning": stages.resigning}
        self.saver = Saver(self.store, stages.seats, pieces)
        self.attempts: dict[int, list[str]] = {}  # iteration -> what was not finite, each time

    @property
    def done(self) -> int:
        """The last iteration that is complete."""
        return self.stages.tally.iteration

    # --- from the first to the last iteration -------------------------------------------------------------------------

    def run(self) -> str:
        """Begin or go on, and stop when it is `done`, when its `time` is over, or when it is `asked` to."""
        with lack_of_memory_named(self.config, f"to begin {self.place.name}", "no checkpoint was touched"):
            self.begin()
        spent = sum(float(told.get("seconds", 0.0)) for told in read_lines(self.place / TIMINGS))
        why = "done"
        while self.done < self.config.run.iterations:
            if self.config.run.minutes and spent >= 60.0 * self.config.run.minutes:
                why = "time"
                break
            began = time.monotonic()
            with lack_of_memory_named(self.config, f"in iteration {self.done + 1} of {self.place.name}", self._good()):
                self.one_iteration()
            spent += time.monotonic() - began
            if self.stopper.asked:
                why = "asked"
                break
        if self.store.iterations(resumable=True)[-1:] != [self.done]:
            self._save()
        self._tell(events.Ended(self.done, why))
        return why

    def begin(self) -> None:
        """Restore the newest good checkpoint; where there is none, make checkpoint 0."""
        self.store.tidy()
        notes = self._restore()
        self._tell(events.Began(self.place.name, self.done, self.config.run.iterations, tuple(notes or ())))
        if notes is None:
            self.roster.hold(self.stages.seats[MAIN].learner.weights("main@0"))
            self.stages.gate.accept("main@0")
            self._save()  # and see at once whether the disk takes what a checkpoint needs

    def _restore(self) -> list[str] | None:
        """Go back to the newest good checkpoint: what had to be mended, or None where there is no checkpoint."""
        data, complaints = self.saver.newest()
        if data is None:
            if complaints:
                raise BadRun(
                    f"the run {self.place.name} cannot go on, for none of its checkpoints can be read: "
                    f"{complaints[0]} Begin another run with --run."
                )
            self.journal.cut_back(0, {})
            return None
        try:
            self.stages.tally = Tally.of(data["tally"])
            logs = {str(name): int(length) for name, length in data["logs"].items()}
        except WRONG as error:
            raise BadRun(f"the newest checkpoint of {self.place.name} makes no sense: {error}.") from error
        if complaints:
            self.store.set_aside(newer_than=self.done)
        self.roster.keep_only(set())
        return [*complaints, *self.journal.cut_back(self.done, logs)]

    # --- one iteration ------------------------------------------------------------------------------------------------

    def one_iteration(self) -> None:
        """All stages; when a number is not finite, back to the last checkpoint, and once more with other chance."""
        iteration = self.done + 1
        try:
            self._one_attempt(iteration)
        except NotFinite as error:
            met = self.attempts.setdefault(iteration, [])
            met.append(str(error))
            self._tell(events.NotFiniteMet(iteration, len(met), str(error)))
            self._restore()
            if len(met) >= self.config.run.attempts:
                raise TrainingFailed(self._report(iteration, met)) from error

    def _one_attempt(self, iteration: int) -> None:
        began = time.monotonic()
        metrics, wanted = self.stages.one(iteration, len(self.attempts.get(iteration, ())))
        timings = {**self.stages.timings, "seconds": time.monotonic() - began}
        timings = {name: round(value, 4) for name, value in timings.items()}
        timings["at"] = datetime.now(UTC).isoformat(timespec="seconds")  # type: ignore[assignment]
        self._tell(events.IterationDone(iteration, metrics, timings))
        last = iteration >= self.config.run.iterations or self.stopper.asked
        if wanted or last or iteration % self.config.saving.every == 0:
            self._save()

    def _report(self, iteration: int, met: list[str]) -> str:
        times = "".join(f"\n  {k}. {what}" for k, what in enumerate(met, start=1))
        return (
            f"iteration {iteration} of {self.place.name} met numbers that are not finite, {len(met)} times in a row:"
            f"{times}\nNothing of it was kept; checkpoint {self.done} is good. A lower learner.lr, a learner.clip "
            "above 0 or learner.precision float32 may help, in another run."
        )

    def _good(self) -> str:
        saved = self.store.iterations(resumable=True)
        return f"checkpoint {saved[-1]} is good" if saved else "nothing was saved yet"

    def _save(self) -> None:
        stages, saving = self.stages, self.config.saving
        self._tell(events.Stage(self.done, "save"))
        self.saver.save(stages.tally, self.journal.lengths(), self.provenance, stages.needed())
        self._tell(events.Saved(self.done))
        self.store.prune(saving.keep, {n for n in self.store.iterations() if n % saving.models == 0})
        self.roster.keep_only(stages.needed())
        self.attempts = {n: met for n, met in self.attempts.items() if n > self.done}

    def _tell(self, event: events.Event) -> None:
        for listener in self.listeners:
            listener(event)
