"""Gates: whether a candidate becomes champion. The statistics are arena's; here it is decided who plays whom.

    always       every candidate
    threshold    a fixed number of games against the champion, a share of the decisive ones to win
    sprt         Wald's test over games with a pool of the last accepted champions; at the cap Wilson's lower bound
    pairs        the same on pairs of games against the champion, with error rates that hold (arena/sprt.py)
    ladder       pure MCTS: a better result than the best so far; once it is beaten in every game it thinks longer

Every gate plays pairs: the same opening twice, sides swapped. A gate's games never enter a rating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zerogrid.arena.gates import PoolGate, ThresholdGate
from zerogrid.arena.sprt import Sprt
from zerogrid.training.parts import Contender, GameRecord, Weights, names_of
from zerogrid.training.sections import GateSection

PIECE = 16  # pairs played before a sequential test is asked again

# play(opponent, pairs, first opening) -> games of the candidate: as player 0, as player 1, next opening ...
PlayMatch = Callable[[Contender, int, int], list[GameRecord]]


@dataclass
class Decision:
    """Whether the candidate was promoted, and every number that decided it."""

    promoted: bool
    kind: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    numbers: dict[str, Any] = field(default_factory=dict)
    games: list[GameRecord] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """For metrics.jsonl."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {"kind": self.kind, "promoted": self.promoted, **counts, **self.numbers}


class Gatekeeper:
    """The gate of a run, and what it remembers from one decision to the next."""

    def __init__(self, section: GateSection) -> None:
        self.section = section
        self.accepted: list[str] = []  # names of the last accepted champions, newest last
        self.level = section.ladder_start
        self.best = -1.0

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"accepted": self.accepted, "level": self.level, "best": self.best}

    def restore(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.accepted = [str(name) for name in state["accepted"]]
        self.level, self.best = int(state["level"]), float(state["best"])

    def accept(self, name: str) -> None:
        """Remember a champion; only as many as the pool wants."""
        self.accepted = [*self.accepted, name][-self.section.pool :]

    def decide(self, pool: Sequence[Weights], play: PlayMatch) -> Decision:
        """Ask the gate. `pool` are the last accepted champions, the newest last; the newest is the champion."""
        ways = {"threshold": self._threshold, "sprt": self._sprt, "pairs": self._pairs, "ladder": self._ladder}
        if self.section.kind == "always":
            return Decision(True, "always")
        decision = ways[self.section.kind](pool, play)
        decision.wins, decision.draws, decision.losses = counts_of(decision.games)
        return decision

    def _threshold(self, pool: Sequence[Weights], play: PlayMatch) -> Decision:
        games = play(pool[-1], self.section.games // 2, 0)
        wins, draws, losses = counts_of(games)
        made = ThresholdGate(self.section.share).decide(wins, draws, losses)
        return Decision(made.promoted, "threshold", numbers={"share": made.share, "needed": made.bound}, games=games)

    def _sprt(self, pool: Sequence[Weights], play: PlayMatch) -> Decision:
        s = self.section
        test = PoolGate(s.p0, s.p1, s.alpha, s.beta, s.least, s.most, safety=s.safety)
        games: list[GameRecord] = []
        opponents = list(reversed(pool))
        opening = 0
        while test.decision is None:
            each = max(1, min(PIECE, -(-s.most // 2) - opening) // len(opponents))
            rounds = [play(one, each, opening) for one in opponents]
            for k in range(each):  # in schedule order: each opponent once, then the next opening
                for played in rounds:
                    for game in played[2 * k : 2 * k + 2]:
                        if test.decision is None:
                            games.append(game)
                            test.feed(point_of(game, candidate_first=len(games) % 2 == 1))
            opening += each
        made = test.decision
        numbers: dict[str, Any] = {"rule": made.rule, "llr": test.llr, "bounds": [test.lower, test.upper]}
        numbers |= {"score": made.share, "value": made.value, "needed": made.bound, "pool": names_of(opponents)}
        return Decision(made.promoted, "sprt", numbers=numbers, games=games)

    def _pairs(self, pool: Sequence[Weights], play: PlayMatch) -> Decision:
        s = self.section
        least, most = max(1, s.least // 2), max(1, s.most // 2)
        openings = 1 if s.openings == "none" else min(16, least)
        test = Sprt(s.elo0, s.elo1, s.alpha, s.beta, "normalized", least, openings, most)
        games: list[GameRecord] = []
        opening = 0
        while not test.done:
            played = play(pool[-1], min(PIECE, most - opening), opening)
            for k in range(0, len(played), 2):
                if not test.done:
                    first, second = played[k : k + 2]
                    games += [first, second]
                    moves = (first.moves, second.moves)
                    test.feed(point_of(first, True), point_of(second, False), first.opening, moves)
            opening += PIECE
        return Decision(test.verdict == "accept", "pairs", numbers=test.as_dict(), games=games)

    def _ladder(self, pool: Sequence[Weights], play: PlayMatch) -> Decision:
        games = play(f"uct:{self.level}", self.section.games // 2, 0)
        wins, draws, _ = counts_of(games)
        share = (wins + draws / 2) / len(games)
        numbers = {"simulations": self.level, "share": share, "best": self.best}
        promoted = share > self.best
        if promoted:
            self.best = share
        if wins == len(games):
            self.level += self.section.ladder_step
            self.best = -1.0  # against the stronger opponent everything begins anew
        return Decision(promoted, "ladder", numbers=numbers, games=games)


def point_of(game: GameRecord, candidate_first: bool) -> float:
    """What the candidate got in a game: 1, 0.5 or 0."""
    score = game.scores[0 if candidate_first else 1]
    return 1.0 if score > 0 else 0.0 if score < 0 else 0.5


def counts_of(games: Sequence[GameRecord]) -> tuple[int, int, int]:
    """Wins, draws and losses of the candidate, which moves first in every other game."""
    points = [point_of(game, candidate_first=k % 2 == 0) for k, game in enumerate(games)]
    return points.count(1.0), points.count(0.5), points.count(0.0)
