"""States and actions of a game under its symmetries, on the device: for samples that are kept as states.

    turns = Turns(game, device="cuda")
    ids = turns.draw(len(states), generator)
    states, actions = turns.states(states, ids), turns.actions(actions, ids)
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from zerogrid.core.game import Game


class Turns:
    """The symmetries of one game on a device, in the game's own order."""

    def __init__(self, game: Game, device: Any = "cpu"):
        symmetries, fields = game.symmetries, game.layout.fields
        self.count = len(symmetries)
        # Entries below zero name no cell and no action: a symmetry only moves them. So it shows where each comes from.
        probe = (-1 - np.arange(game.STATE_SIZE)).astype(np.int16)
        images = [game.image(symmetry, probe) for symmetry in symmetries]
        self._origins = torch.from_numpy(-1 - np.array(images, np.int64)).to(device)
        self._cells = torch.tensor([symmetry.cells for symmetry in symmetries], device=device)
        self._actions = torch.tensor([symmetry.actions for symmetry in symmetries], device=device)
        self._named = tuple(
            (part.offset, part.offset + part.length, self._cells if part.kind == "cell" else self._actions)
            for part in fields
            if part.kind in ("cell", "action")
        )

    def draw(self, batch: int, generator: torch.Generator | None = None) -> Tensor:
        """A symmetry for each sample [batch]."""
        return torch.randint(self.count, (batch,), generator=generator, device=self._origins.device)

    def states(self, states: Tensor, ids: Tensor) -> Tensor:
        """The images of states [B, STATE_SIZE], each under its own symmetry."""
        turned = states.gather(1, self._origins[ids])
        for first, last, table in self._named:
            turned[:, first:last] = _renamed(turned[:, first:last], table, ids)
        return turned

    def actions(self, actions: Tensor, ids: Tensor) -> Tensor:
        """The images of actions [B] or [B, T]; what is below zero is none, and stays."""
        return _renamed(actions.reshape(len(actions), -1), self._actions, ids).view(actions.shape)


def _renamed(names: Tensor, table: Tensor, ids: Tensor) -> Tensor:
    """table[ids[b], names[b, t]], where there is a name."""
    at = ids.unsqueeze(1) * table.shape[1] + names.long().clamp(min=0)
    return torch.where(names >= 0, table.flatten()[at].to(names.dtype), names)
