"""A sequential test over real games: pairs enter in the order of the schedule, and the test stops when it has seen
enough.

Games that finish early wait for those scheduled before them, so the verdict is the same however many run at once, and
the same when a test goes on after an interruption. A pair of which a game is void for good is left out, and counted.
"""

from collections.abc import Iterator

from zerogrid.arena.event import Event, paired
from zerogrid.arena.games import GameRecord
from zerogrid.arena.sprt import Sprt


class SequentialMatch:
    """A test of one player against another, in progress."""

    def __init__(self, event: Event, test: Sprt, players: tuple[str, str]) -> None:
        self.event, self.test, self.players = event, test, players
        self.fed = 0  # pairs seen
        self.left_out = 0  # pairs of which a game is void
        self._settled: dict[int, GameRecord] = {}
        for record in event.records:
            self._note(record)

    def run(self) -> Iterator[GameRecord]:
        """Play until there is a verdict; every game comes out as it finishes."""
        if self._feed():
            return
        for record in self.event.play(paired(self.players, 2 * self.test.max_pairs)):
            self._note(record)
            over = self._feed()
            yield record
            if over:
                return

    def _note(self, record: GameRecord) -> None:
        settled = self.event.settled(record.number) if record.void else record
        if settled is not None:
            self._settled[record.number] = settled

    def _feed(self) -> bool:
        """Give the test what is complete, in order; whether there is a verdict."""
        while not self.test.done and 2 * self.fed in self._settled and 2 * self.fed + 1 in self._settled:
            one, other = self._settled[2 * self.fed], self._settled[2 * self.fed + 1]
            self.fed += 1
            points, swapped = self._points(one), self._points(other)
            if points is None or swapped is None:
                self.left_out += 1
                continue
            opening = self.event.openings[one.opening]
            moves = frozenset((one.same, other.same))
            self.test.feed(points, swapped, opening, moves)
        return self.test.done

    def _points(self, record: GameRecord) -> float | None:
        """The points of the player who is tested; None for a void game."""
        if record.result is None or record.players[0] == self.players[0]:
            return record.result
        return 1.0 - record.result
