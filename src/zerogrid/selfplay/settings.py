"""How self-play plays; the same for all games and all iterations of a run."""

from dataclasses import dataclass, field

from zerogrid.core.errors import BadSetting, quote
from zerogrid.search.settings import SearchSettings, check_number


@dataclass(frozen=True)
class PlaySettings:
    """One way to play games that are learned from."""

    games: int = 256  # side by side
    search: SearchSettings = field(default_factory=lambda: SearchSettings(noise=0.25))
    temperature: tuple[tuple[int, float], ...] = ((0, 1.0),)  # of the move played: from a ply on, so much
    target_temperature: float = 1.0  # the policy target is visits ** (1 / this)
    draw_value: float = 0.0  # what a draw is worth to both
    keep_tree: bool = True  # the part of the tree below the move played is kept
    cap_share: float = 1.0  # share of moves searched in full; the others are cheap and not learned from
    cap_simulations: int = 0  # for a cheap move
    resign_check: float = 0.1  # share of games played on, to see whether resigning would have been right
    shaped_targets: bool = False  # note what shaping adds to each example
    gamma: float = 1.0  # by which a potential counts less a move later
    pace: int = 0  # simulations between two looks for trees that are ready; 0: a fiftieth of a search

    def __post_init__(self) -> None:
        if self.search.kind == "uct":
            raise BadSetting("self-play learns from a network's search; uct has none. Use puct or gumbel.")
        if self.games < 1:
            raise BadSetting(f"games is a number from 1 up, not {quote(self.games)}.")
        if not 0.0 < self.cap_share <= 1.0:
            raise BadSetting(f"cap_share lies above 0 and up to 1, not {quote(self.cap_share)}.")
        if self.cap_share < 1.0 and not 1 <= self.cap_simulations <= self.search.simulations:
            most = self.search.simulations
            raise BadSetting(f"cheap moves need cap_simulations from 1 to {most}, not {quote(self.cap_simulations)}.")
        if not self.temperature or self.temperature[0][0] != 0:
            raise BadSetting("temperature begins at ply 0.")
        for ply, value in self.temperature:
            check_number(f"the temperature from ply {ply} on", value, 0.0, 100.0)
        if self.target_temperature <= 0.0:
            raise BadSetting(f"target_temperature is a number above 0, not {quote(self.target_temperature)}.")
        check_number("target_temperature", self.target_temperature, 0.0, 100.0)
        check_number("draw_value", self.draw_value, -1.0, 1.0)
        check_number("resign_check", self.resign_check, 0.0, 1.0)
        check_number("gamma", self.gamma, 0.0, 1.0)
        check_number("pace", self.pace, 0, 1_000_000)

    def temperature_at(self, ply: int) -> float:
        """The temperature of the move played at a ply."""
        return [value for start, value in self.temperature if start <= ply][-1]

    def steps_between_looks(self) -> int:
        """Steps of the search between two looks for trees that are ready."""
        return self.pace or max(1, self.search.simulations // (50 * self.search.leaves))
