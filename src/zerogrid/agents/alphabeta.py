"""alphabeta:D looks at every line of play D plies deep, by the rules alone, with alpha-beta cuts.

Beyond its horizon it knows what the game's own potential says, where the game has one, and else nothing: 0. Of equal
moves it takes one by chance. A result is worth less the later it comes, so that wins are played and losses delayed.

Values are whole numbers for player 0. A frame is one ply of the line being looked at.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zerogrid.agents.agent import Agent, UnknownAgent
from zerogrid.core import draws, rules
from zerogrid.core import potential as potential_interface
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.core.position import Position

WON = 1_000_000  # a game won for player 0, less one a ply
PROMISING = 400_000  # the most that a potential counts
BEYOND = 2 * WON
DEEPEST = 30
PIECE = 200_000  # positions between two looks at whether someone pressed Ctrl-C

FRAME, BUDGET, CHOICE, ROOT_VALUE = range(4)


class Looking(NamedTuple):
    """What the kernel works on, for each position b."""

    states: Any  # int16 [N, depth + 1, STATE_SIZE], the root first
    moves: Any  # int32 [N, depth, MAX_LEGAL]
    count: Any  # int32 [N, depth + 1]
    tried: Any  # int32 [N, depth + 1]
    alpha: Any  # int64 [N, depth + 1]
    beta: Any  # int64 [N, depth + 1]
    best: Any  # int64 [N, depth + 1]
    at: Any  # int64 [N, 4]: FRAME (-1: done), BUDGET, CHOICE, ROOT_VALUE
    seed: Any  # int64 [N, 2]: of the game, and the ply
    depth: int


def look(b: int, lane: int, t: Looking) -> None:
    """A kernel: go on until everything is looked at or the budget is spent."""
    frame = t.at[b, FRAME]
    while frame >= 0 and t.at[b, BUDGET] > 0:
        if t.tried[b, frame] == t.count[b, frame] or t.alpha[b, frame] >= t.beta[b, frame]:
            value = t.best[b, frame]
            frame -= 1
            if frame >= 0:
                count_in(b, frame, value, t)
            else:
                t.at[b, ROOT_VALUE] = value
            continue
        after = t.states[b, frame + 1]
        for i in range(t.states.shape[2]):
            after[i] = t.states[b, frame, i]
        rules.play(after, t.moves[b, frame, t.tried[b, frame]])
        t.at[b, BUDGET] -= 1
        if rules.ended(after) != 0:
            result = math.floor(rules.score(after, 0) * WON + 0.5)
            count_in(b, frame, result - frame if result > 0 else result + frame if result < 0 else 0, t)
        elif frame + 1 == t.depth:
            hope = (potential_interface.potential(after, 0) - potential_interface.potential(after, 1)) / 2.0
            count_in(b, frame, math.floor(hope * PROMISING + 0.5), t)
        else:
            frame += 1
            open_frame(b, frame, t)
    t.at[b, FRAME] = frame


def open_frame(b: int, frame: int, t: Looking) -> None:
    """Begin with a new position: its moves, and the bounds that still matter."""
    t.count[b, frame] = rules.legal(t.states[b, frame], t.moves[b, frame])
    t.tried[b, frame] = 0
    t.best[b, frame] = -BEYOND if rules.to_move(t.states[b, frame]) == 0 else BEYOND
    t.alpha[b, frame] = t.alpha[b, frame - 1] if frame > 0 else -BEYOND
    t.beta[b, frame] = t.beta[b, frame - 1] if frame > 0 else BEYOND
    if frame == 0:
        shuffle(b, t)


def shuffle(b: int, t: Looking) -> None:
    """The root's moves in an order by chance: the first of equal ones is kept."""
    for i in range(t.count[b, 0] - 1, 0, -1):
        j = draws.below(i + 1, t.seed[b, 0], draws.AGENT, t.seed[b, 1], i)
        kept = t.moves[b, 0, i]
        t.moves[b, 0, i] = t.moves[b, 0, j]
        t.moves[b, 0, j] = kept


def count_in(b: int, frame: int, value: int, t: Looking) -> None:
    """The move being tried is worth so much; go on to the next."""
    if rules.to_move(t.states[b, frame]) == 0:
        if value > t.best[b, frame]:
            t.best[b, frame] = value
            t.alpha[b, frame] = max(t.alpha[b, frame], value)
            if frame == 0:
                t.at[b, CHOICE] = t.moves[b, frame, t.tried[b, frame]]
    elif value < t.best[b, frame]:
        t.best[b, frame] = value
        t.beta[b, frame] = min(t.beta[b, frame], value)
        if frame == 0:
            t.at[b, CHOICE] = t.moves[b, frame, t.tried[b, frame]]
    t.tried[b, frame] += 1


def begin(b: int, lane: int, t: Looking) -> None:
    """A kernel: open the root."""
    open_frame(b, 0, t)


class LookAhead:
    """The search above, for many positions of one game."""

    def __init__(self, game: Game, depth: int, potential: Any = None, target: str = "cpu", threads: int = 1) -> None:
        self.game, self.depth, self.threads = game, depth, threads
        interfaces: dict[Any, Any] = {rules: game.module}
        if potential not in (None, potential_interface):  # left alone, the interface says 0
            interfaces[potential_interface] = potential
        self._begin, self._look = link(begin, target, interfaces), link(look, target, interfaces)

    def of(self, positions: Sequence[Position], seeds: Sequence[int]) -> tuple[list[int], list[int]]:
        """The best move of each position, and its value for player 0."""
        n, depth, game = len(positions), self.depth, self.game
        frames = {name: np.zeros((n, depth + 1), np.int64) for name in ("alpha", "beta", "best")}
        t = Looking(
            states=np.zeros((n, depth + 1, game.STATE_SIZE), np.int16),
            moves=np.zeros((n, depth, game.MAX_LEGAL), np.int32),
            count=np.zeros((n, depth + 1), np.int32),
            tried=np.zeros((n, depth + 1), np.int32),
            at=np.zeros((n, 4), np.int64),
            seed=np.array([[seed, len(p.moves)] for seed, p in zip(seeds, positions, strict=True)], np.int64),
            depth=depth,
            **frames,
        )
        t.states[:, 0] = [position.state for position in positions]
        self._begin(n, t)
        while (t.at[:, FRAME] >= 0).any():
            t.at[:, BUDGET] = PIECE
            self._look(n, t, threads=self.threads)
        return t.at[:, CHOICE].tolist(), t.at[:, ROOT_VALUE].tolist()


class AlphaBetaAgent(Agent):
    """Plays what looks best D plies deep."""

    def __init__(self, name: str, game: Game, depth: int, potential: Any = None, threads: int = 1) -> None:
        if not 1 <= depth <= DEEPEST:
            raise UnknownAgent(f"alphabeta looks from 1 to {DEEPEST} plies deep, not {quote(depth)}.")
        self.name, self.game = name, game
        self.ahead = LookAhead(game, depth, potential, threads=threads)

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return self.ahead.of(positions, seeds)[0] if positions else []
