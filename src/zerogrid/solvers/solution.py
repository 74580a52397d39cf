"""What a solver answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Solution:
    """Exact values, all from the viewpoint of the player to move: 1 won, 0 drawn, -1 lost.

    For Dots-and-Boxes they are the margin still to come: boxes from here on, the mover's minus the other's. What was
    not found within the limit is None, or missing; nothing here is ever a guess.
    """

    to_move: int
    value: float | None
    action_values: Mapping[int, float] = field(default_factory=dict)
    best_line: tuple[int, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    solved: bool = False  # whether everything that was asked for was found

    @property
    def best_actions(self) -> list[int]:
        """The moves that keep the value."""
        return [action for action, value in self.action_values.items() if value == self.value]

    def loss(self, action: int) -> float | None:
        """How much value a move gives away; 0 for a best move, None where that was not found."""
        if self.value is None or action not in self.action_values:
            return None
        return self.value - self.action_values[action]

    def record(self) -> dict[str, Any]:
        """The answer for programs: plain numbers, actions as texts."""
        return {
            "solved": self.solved,
            "value": self.value,
            "action_values": {str(action): value for action, value in self.action_values.items()},
            "best_line": list(self.best_line),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
