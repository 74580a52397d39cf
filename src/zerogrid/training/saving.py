"""From a run in memory to a checkpoint, and back.

A checkpoint holds, for every seat, the state of its learner and of its self-play, the new examples of its buffer, and
its model; and for the loop its tally, curriculum, gate, league and resigning, and the lengths of the logs.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from zerogrid.core.errors import ZeroGridError
from zerogrid.training.forms import WRONG, BadCheckpoint
from zerogrid.training.parts import Arrays, Seat, State
from zerogrid.training.store import Checkpoint, Shard, Store, shards_of
from zerogrid.training.tally import Tally

SPLIT = "/"


class Remembers(Protocol):
    """A piece of the loop with a small state."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


class Saver:
    """Writes and reads the checkpoints of one run. Knows which examples are on disk already."""

    def __init__(self, store: Store, seats: Mapping[str, Seat], pieces: Mapping[str, Remembers]) -> None:
        self.store = store
        self.seats = dict(seats)
        self.pieces = dict(pieces)
        self.shards: dict[str, list[Shard]] = {name: [] for name in seats}

    def save(self, tally: Tally, logs: dict[str, int], provenance: dict[str, Any], needed: Iterable[str]) -> None:
        """Write a checkpoint. `needed` are the names of the weights that going on from it may ask for."""
        iteration = tally.iteration
        checkpoint = Checkpoint(iteration)
        seats: dict[str, Any] = {}
        for name, seat in self.seats.items():
            learner, selfplay = seat.learner.state(), seat.selfplay.state()
            checkpoint.arrays |= _prefixed(f"{name}/learner", learner.arrays)
            checkpoint.arrays |= _prefixed(f"{name}/selfplay", selfplay.arrays)
            checkpoint.models[name] = seat.learner.model({**provenance, "seat": name, "iteration": iteration})
            oldest, total = seat.buffer.total - len(seat.buffer), seat.buffer.total
            self.shards[name] = [shard for shard in self.shards[name] if shard.last > oldest]
            saved = self.shards[name][-1].last if self.shards[name] else oldest
            checkpoint.examples[name] = seat.buffer.rows(max(saved, oldest), total)
            seats[name] = {"total": total, "learner": learner.data, "selfplay": selfplay.data}
        pieces = {name: piece.state() for name, piece in self.pieces.items()}
        models = sorted({int(name.partition("@")[2]) for name in needed})
        checkpoint.data = {"tally": tally.as_dict(), "pieces": pieces, "logs": logs, "seats": seats, "models": models}
        self.store.save(checkpoint, self.shards)

    def newest(self) -> tuple[dict[str, Any] | None, list[str]]:
        """Restore the newest checkpoint that can be read: (its data, what was wrong with newer ones)."""
        complaints: list[str] = []
        for iteration in reversed(self.store.iterations(resumable=True)):
            try:
                checkpoint = self.store.read(iteration)
                self._restore(checkpoint)
            except ZeroGridError as error:
                complaints.append(str(error))
                continue
            return checkpoint.data, complaints
        return None, complaints

    def _restore(self, checkpoint: Checkpoint) -> None:
        """Put everything back; whatever does not fit is a BadCheckpoint."""
        data = checkpoint.data
        try:
            for name, piece in self.pieces.items():
                piece.restore(data["pieces"][name])
            for name, seat in self.seats.items():
                told = data["seats"][name]
                shards = shards_of(data, name)
                first, total = (shards[0].first if shards else int(told["total"])), int(told["total"])
                if shards and shards[-1].last != total:
                    raise BadCheckpoint(f"checkpoint {checkpoint.iteration} does not list all of its examples.")
                seat.learner.restore(State(_within(f"{name}/learner", checkpoint.arrays), told["learner"]))
                seat.selfplay.restore(State(_within(f"{name}/selfplay", checkpoint.arrays), told["selfplay"]))
                seat.buffer.restore(first, self.store.examples(name, shards))
                self.shards[name] = shards
        except (*WRONG, AssertionError, RuntimeError) as error:
            reason = f"{type(error).__name__}: {str(error)[:200]}"
            raise BadCheckpoint(f"checkpoint {checkpoint.iteration} does not fit this run ({reason}).") from error


def _prefixed(prefix: str, arrays: Arrays) -> Arrays:
    return {f"{prefix}{SPLIT}{name}": array for name, array in arrays.items()}


def _within(prefix: str, arrays: Arrays) -> Arrays:
    start = prefix + SPLIT
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
