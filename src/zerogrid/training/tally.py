"""What a run counts from its first game to its last, and where it stands."""

from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass
class Tally:
    """Where a run stands after an iteration."""

    iteration: int = 0
    champion: str = "main@0"
    examined: str = "main@0"  # the champion of the last exam
    games: int = 0
    positions: int = 0
    simulations: int = 0
    steps: int = 0
    lr_multiplier: float = 1.0
    rejected: int = 0  # candidates in a row

    def as_dict(self) -> dict[str, Any]:
        """For a checkpoint."""
        return asdict(self)

    @staticmethod
    def of(data: dict[str, Any]) -> "Tally":
        """From a checkpoint; a value of another type is a mistake there."""
        made = Tally()
        for part in fields(Tally):
            value = data[part.name]
            wanted = type(getattr(made, part.name))
            if type(value) is not wanted:
                raise ValueError(f"{part.name} is {value!r}")
            setattr(made, part.name, value)
        return made
