"""Solved positions of tic-tac-toe and of Dots-and-Boxes 2x2: exact value, and which moves keep it.

Solved here by plain search over the rules, so that nothing of the solvers under test is needed.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

import zerogrid
from zerogrid.core.position import Position
from zerogrid.encodings import encoding
from zerogrid.networks import Shape

EACH = {1.0: 6, -1.0: 6, 0.0: 4}  # wins, losses and draws for the mover
BATCH = sum(EACH.values())


@dataclass
class Solved:
    """A batch: inputs, the best moves shared out evenly, which slots may be played, values for the mover."""

    shape: Shape
    planes: Tensor
    tokens: Tensor
    present: Tensor
    policy: Tensor  # [B, slots]
    legal: Tensor  # [B, slots]
    value: Tensor  # [B]
    actions: Tensor  # [B, T] the slot of each token


@cache
def positions_of(game: str) -> tuple[tuple[Position, ...], tuple[dict[int, float], ...]]:
    """Late positions, each different, and what each of their moves is worth to the mover."""
    draw = np.random.default_rng(1)
    at_least = 3 if game == "tictactoe" else 5
    left, seen, known = dict(EACH), set(), dict[int, float]()
    found: list[Position] = []
    worth: list[dict[int, float]] = []
    while len(found) < BATCH:
        position = zerogrid.game(game).start()
        for _ in range(int(draw.integers(at_least, at_least + 5))):
            if position.over:
                break
            position.play(int(draw.choice(position.actions)))
        if position.over or len(position.actions) < 2 or position.key in seen:
            continue
        seen.add(position.key)
        worths_here = worths(position, known)
        value = max(worths_here.values())
        if left[value]:
            left[value] -= 1
            found.append(position)
            worth.append(worths_here)
    return tuple(found), tuple(worth)


def worths(position: Position, known: dict[int, float]) -> dict[int, float]:
    """What each move is worth to the player who makes it, with best play."""
    mover, found = position.to_move, {}
    for action in position.actions:
        position.play(action)
        found[action] = value_for(position, mover, known)
        position.undo()
    return found


def value_for(position: Position, player: int, known: dict[int, float]) -> float:
    """The exact value of a position for a player."""
    if position.outcome is not None:
        return position.outcome.scores[player]
    if position.key not in known:
        known[position.key] = max(worths(position, known).values()) * (1 if position.to_move == 0 else -1)
    return known[position.key] * (1 if player == 0 else -1)


@cache
def solved(game: str, spec: str) -> Solved:
    """A batch of solved positions as an encoding shows them."""
    positions, worth = positions_of(game)
    shown = encoding(game, spec)
    shape = Shape(**shown.shape_fields())
    planes = torch.tensor(np.stack([shown.encode(position) for position in positions])).permute(0, 3, 1, 2)
    most = max(map(len, worth))
    policy, legal = torch.zeros(BATCH, shape.actions), torch.zeros(BATCH, shape.actions, dtype=torch.bool)
    tokens, present = torch.zeros(BATCH, most, shape.action_features), torch.zeros(BATCH, most, dtype=torch.bool)
    actions = torch.zeros(BATCH, most, dtype=torch.long)
    for row, (position, worths_here) in enumerate(zip(positions, worth)):
        best = max(worths_here.values())
        good = [action for action, value in worths_here.items() if value == best]
        for place, (action, value) in enumerate(worths_here.items()):
            slot = shown.slot(position, action)
            legal[row, slot] = True
            policy[row, slot] = (value == best) / len(good)
            tokens[row, place] = torch.tensor(shown.describe(position, action))
            present[row, place], actions[row, place] = True, slot
    value = torch.tensor([max(worths_here.values()) for worths_here in worth])
    return Solved(shape, planes, tokens, present, policy, legal, value, actions)
