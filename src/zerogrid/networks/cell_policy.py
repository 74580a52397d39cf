"""Policies read from the tokens of the cells: where an action lies on the board, there its logit is found."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from zerogrid.core.errors import BadNetwork
from zerogrid.networks.blocks import Places
from zerogrid.networks.shapes import Shape

ORDERS = 9  # wait; move up, right, down, left; shoot up, right, down, left
STEPS = ((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))
TARGET = (0, 1, 2, 3, 4, 1, 2, 3, 4)  # which of STEPS an order is aimed at
PAIR = 8  # width in which the orders of two agents are matched


class CellPolicy(nn.Module):
    """By the shape's places, or for teams of agents by the cells the agents stand on and aim at."""

    def __init__(self, shape: Shape, width: int):
        super().__init__()
        if shape.places:
            self.read: nn.Module = PlacedPolicy(shape, width)
        elif shape.agents:
            self.read = OrderPolicy(shape, width)
        else:
            raise BadNetwork(
                f"this network reads each action from a cell, and the encoding of {shape.game} does not say where its "
                "actions lie; battlefield/cnn and zerogrid/residual would work."
            )

    def forward(self, cells: Tensor, whole: Tensor, planes: Tensor) -> Tensor:
        """cells [B, cells, width], whole [B, width], planes as the network got them -> [B, actions]."""
        out: Tensor = self.read(cells, whole, planes)
        return out


class PlacedPolicy(nn.Module):
    """One linear layer gives every cell its maps; the shape's places say which entry is whose logit."""

    def __init__(self, shape: Shape, width: int):
        super().__init__()
        self.maps = nn.Linear(width, shape.policy_planes)
        self.places = Places(shape)
        self.whole = nn.Linear(width, 1) if self.places.needs_whole else None

    def forward(self, cells: Tensor, whole: Tensor, planes: Tensor) -> Tensor:
        aside = None if self.whole is None else self.whole(whole)
        out: Tensor = self.places(self.maps(cells).transpose(1, 2), aside)
        return out


class OrderPolicy(nn.Module):
    """The logit of a joint action: what each agent's order is worth at its own cell and at the cell it is aimed at,
    and for each pair of agents how well their two orders go together.

    Nothing is looked up by index: the agents' planes, one cell marked in each, pick the tokens by a product.
    """

    near: Tensor
    picks: Tensor

    def __init__(self, shape: Shape, width: int):
        super().__init__()
        self.agents = shape.agents
        self.own = nn.Linear(width, ORDERS)
        self.aimed = nn.Linear(width, ORDERS)
        self.pairs = nn.Linear(width, 2 * ORDERS * PAIR) if shape.agents > 1 else None
        picks = np.array([[target == step for target in TARGET] for step in range(len(STEPS))], dtype=np.float32)
        near = neighbours(shape.height, shape.width)
        self.register_buffer("near", torch.from_numpy(near), persistent=False)
        self.register_buffer("picks", torch.from_numpy(picks), persistent=False)

    def forward(self, cells: Tensor, whole: Tensor, planes: Tensor) -> Tensor:
        stands = planes[:, : self.agents].flatten(2)  # [B, agents, cells], one marked
        at_home = stands @ cells  # [B, agents, width]
        aims = (stands @ self.near.to(stands.dtype)).reshape(-1, self.agents * len(STEPS), stands.shape[2])
        offers = self.aimed(aims @ cells).unflatten(1, (self.agents, len(STEPS)))  # [B, agents, steps, orders]
        worth = self.own(at_home) + (offers * self.picks.to(offers.dtype)).sum(2)
        joint: Tensor = worth[:, 0]
        for agent in range(1, self.agents):
            joint = joint.unsqueeze(-1) + worth[:, agent].reshape(-1, *[1] * agent, ORDERS)
        if self.pairs is not None:
            gives, takes = self.pairs(at_home).unflatten(2, (2, ORDERS, PAIR)).unbind(2)
            for first in range(self.agents):
                for second in range(first + 1, self.agents):
                    match = gives[:, first] @ takes[:, second].transpose(1, 2)
                    sizes = [ORDERS if agent in (first, second) else 1 for agent in range(self.agents)]
                    joint = joint + match.reshape(-1, *sizes)
        return joint.flatten(1)


def neighbours(height: int, width: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """[cells, 5 * cells]: row c marks, in part s, the cell that lies step s away from c, if there is one."""
    cells = height * width
    table = np.zeros((cells, len(STEPS) * cells), dtype=np.float32)
    for step, (dy, dx) in enumerate(STEPS):
        for y in range(height):
            for x in range(width):
                if 0 <= y + dy < height and 0 <= x + dx < width:
                    table[y * width + x, step * cells + (y + dy) * width + x + dx] = 1
    return table
