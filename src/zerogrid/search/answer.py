"""What a search found out about one position, for people and programs.

Every value says for whom it is: `value` and `values` are the mover's, `value_for` takes a player.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.game import Game
from zerogrid.kernels import tree
from zerogrid.kernels.tree import FINE, ONE, Tree


@dataclass(frozen=True)
class Answer:
    """A searched position: its moves in increasing order, and what is thought of each."""

    game: Game
    to_move: int
    actions: tuple[int, ...]
    visits: tuple[int, ...]
    priors: tuple[float, ...]
    values: tuple[float | None, ...]  # for the player to move; None where a move was never looked at
    proven: tuple[float | None, ...]  # exact results, likewise
    policy: tuple[float, ...]  # what the search recommends, summing to 1
    choice: int  # the best move
    value: float  # of the position, for the player to move
    solved: bool  # whether that value is proven
    line: tuple[int, ...]  # the best moves for both sides, as far as the search saw
    simulations: int
    evaluations: int
    cache_hits: int = 0
    seconds: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)

    def value_for(self, player: int) -> float:
        """The position's value for a player."""
        return self.value if player == self.to_move else -self.value

    @property
    def best(self) -> list[int]:
        """Indices into the moves, the most promising first."""
        worth = [-2.0 if value is None else value for value in self.values]
        order = range(len(self.actions))
        return sorted(order, key=lambda i: (self.actions[i] != self.choice, -self.visits[i], -worth[i], i))

    def record(self) -> dict[str, Any]:
        """Plain numbers for programs."""
        name = self.game.action_name
        moves = [
            {
                "action": self.actions[i],
                "name": name(self.actions[i]),
                "visits": self.visits[i],
                "prior": round(self.priors[i], 6),
                "value": None if (value := self.values[i]) is None else round(value, 6),
                "proven": self.proven[i],
                "policy": round(self.policy[i], 6),
            }
            for i in self.best
        ]
        return {
            "game": self.game.spec,
            "to_move": self.to_move,
            "best": self.choice,
            "best_name": name(self.choice),
            "value_to_move": round(self.value, 6),
            "value_player_0": round(self.value_for(0), 6),
            "value_player_1": round(self.value_for(1), 6),
            "solved": self.solved,
            "line": [name(action) for action in self.line],
            "moves": moves,
            "simulations": self.simulations,
            "evaluations": self.evaluations,
            "cache_hits": self.cache_hits,
            "seconds": round(self.seconds, 6),
            **self.about,
        }


def read_answer(
    game: Game, trees: Tree, b: int, proofs: bool = True, seconds: float = 0.0, cache_hits: int = 0
) -> Answer:
    """The answer that stands in tree b after `settle`; the arrays are NumPy's."""
    node, edge, worth = trees.node[b], trees.edge[b], trees.worth[b]
    first, count = int(node[0, tree.FIRST]), int(node[0, tree.COUNT])
    mover = int(node[0, tree.MOVER])
    sign = 1 if mover == 0 else -1
    mine = slice(first, first + count)
    root, action = edge[mine], trees.action[b]
    tried = root[:, tree.TRIED]
    gains = worth[mine] / (np.maximum(tried, 1) * float(FINE))
    exact = root[:, tree.LEAST] == root[:, tree.MOST]
    results = sign * root[:, tree.LEAST] / ONE
    low, high = int(node[0, tree.LOW]), int(node[0, tree.HIGH])
    solved = proofs and low == high
    mean = sign * float(trees.total[b, 0]) / (max(int(node[0, tree.VISITS]), 1) * float(FINE))
    choice = int(trees.game[b, tree.CHOICE])
    return Answer(
        game=game,
        to_move=mover,
        actions=tuple(int(one) for one in action[mine]),
        visits=tuple(int(n) for n in tried),
        priors=tuple(float(p) / FINE for p in root[:, tree.PRIOR]),
        values=tuple(
            float(r) if known else (float(q) if n else None)
            for r, known, q, n in zip(results, exact, gains, tried, strict=True)
        ),
        proven=tuple(float(r) if known else None for r, known in zip(results, exact, strict=True)),
        policy=tuple(float(p) for p in trees.root[b, :count, tree.POLICY]),
        choice=int(action[choice]),
        value=sign * low / ONE if solved else min(max(mean, -1.0), 1.0),
        solved=solved,
        line=tuple(principal_variation(trees, b, choice)),
        simulations=int(trees.game[b, tree.DONE]),
        evaluations=int(trees.game[b, tree.ASKED]),
        cache_hits=cache_hits,
        seconds=seconds,
    )


def principal_variation(trees: Tree, b: int, choice: int) -> list[int]:
    """From the chosen root edge on, the best result proven, else the most visited edge of each node."""
    node, edge, action = trees.node[b], trees.edge[b], trees.action[b]
    line = [int(action[choice])]
    at = int(edge[choice, tree.CHILD])
    while at > 0 and node[at, tree.COUNT] > 0 and len(line) < len(node):
        first, count = int(node[at, tree.FIRST]), int(node[at, tree.COUNT])
        mine = edge[first : first + count]
        best = first + _best(mine, int(node[at, tree.MOVER]), int(node[at, tree.LOW]), int(node[at, tree.HIGH]))
        if edge[best, tree.TRIED] == 0:
            break
        line.append(int(action[best]))
        at = int(edge[best, tree.CHILD])
    return line


def _best(edges: npt.NDArray[np.int32], mover: int, low: int, high: int) -> int:
    tried = edges[:, tree.TRIED].astype(np.int64)
    if low == high:  # proven: the moves that keep the result, before all others
        keeps = (edges[:, tree.LEAST] == low) & (edges[:, tree.MOST] == high)
        tried = np.where(keeps, tried + 1, -1)
    return int(np.argmax(tried))
