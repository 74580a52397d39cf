"""When to resign: a value that moves so that few resignations are wrong, measured on games played on to the end."""

from typing import Any

from zerogrid.training.parts import Played
from zerogrid.training.sections import SelfplaySection

ENOUGH = 20  # games played on before the value moves
SAFER, BOLDER = 0.3, 0.02


class Resigning:
    """A player resigns below minus `value`; 0 means that nobody resigns."""

    def __init__(self, section: SelfplaySection) -> None:
        self.section = section
        self.value = section.resign
        self.checked = 0
        self.wrong = 0

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"value": self.value, "checked": self.checked, "wrong": self.wrong}

    def restore(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.value, self.checked, self.wrong = float(state["value"]), int(state["checked"]), int(state["wrong"])

    def after(self, played: Played) -> None:
        """Move the value when enough games have been played on."""
        if self.section.resign == 0:
            return
        self.checked += played.checked
        self.wrong += played.false_resigns
        if self.checked < ENOUGH:
            return
        share = self.wrong / self.checked
        if share > self.section.resign_wrong:
            self.value += (1.0 - self.value) * SAFER
        elif share < self.section.resign_wrong / 2:
            self.value = max(self.section.resign, self.value - BOLDER)
        self.checked = self.wrong = 0
