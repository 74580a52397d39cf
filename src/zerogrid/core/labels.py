"""The labels interface: what else is true of a position, for a network's auxiliary heads.

Labels are plain linked functions like the rules. These, which are linked where a game has none, label nothing.
"""

from typing import Any

NO_LABEL = -1
LABELLED: bool = False  # whether the game has labels at all
LABEL_CELLS: int = 1  # cells of the grid whose classes are told


def initiative(state: Any, action: int) -> int:
    """Which kind of move an action is, or NO_LABEL."""
    return NO_LABEL


def rank(state: Any, action: int) -> int:
    """How soon a careful beginner would play an action: guided random moves are drawn among those ranked highest."""
    return 0


def classes(state: Any, lane: int, out: Any) -> None:
    """Write the class of every cell of the grid into out[:LABEL_CELLS]; the lanes share the work."""
    if lane == 0:
        out[0] = NO_LABEL
