"""A look: what to show of a position, beside its pieces. Every drawing of every game takes one.

People ask for a look by keywords, `position.svg(heat={"c4": 120, "d3": 40}, theme="dark")`; core/drawing.py checks
them, turns names into numbers, and adds what the drawing needs to know of the position. Weights need no scale: the
greatest one is drawn strongest.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class Look:
    """What a person may ask for (the first part), and the facts of the position (the second)."""

    heat: Mapping[int, float] = field(default_factory=dict)
    """Weight of each action, such as visits: over cells, over edges, or as arrows, as the game has it."""
    labels: Mapping[int, str] | None = None
    """A few characters for each action, such as visits or values; None labels heat in percent, {} not at all."""
    cells: Mapping[int, float] = field(default_factory=dict)
    """Weight of each cell, such as attention."""
    last: int | None = None
    """The action just played, to be marked."""
    hints: tuple[int, ...] | None = None
    """Legal actions to mark; None leaves it to the game's habit."""
    threats: bool = False
    """Whether to mark where somebody is about to win, in games whose drawing knows."""
    targets: bool = False
    """Whether to add invisible shapes with data-cell and data-action, by which a page finds what was clicked."""
    coordinates: bool = True
    header: bool = True
    """Whether the players, their pieces and scores stand above the board."""
    caption: str | None = None
    """The line under the board; None gives who is to move or how it ended, an empty text gives none."""
    theme: str = "auto"
    """light, dark, or auto: as the reader's screen is set."""
    size: int | None = None
    """The width of the picture in pixels."""
    colour: bool = False
    """Whether a drawing for the terminal may use colour."""

    players: tuple[str, str] = ("first player", "second player")
    to_move: int | None = None
    """The player to move; None when the game is over."""
    winner: int | None = None
    legal: tuple[int, ...] = ()
    title: str = ""
    status: str = ""
    """Who is to move or how it ended, in words."""
    name: Callable[[int], str] = str
    """What a person would type for an action."""

    @property
    def under(self) -> str:
        """The line under the board."""
        return self.status if self.caption is None else self.caption

    def noting(self, actions: Iterable[int]) -> "Look":
        """The look with the labels of actions that have no place on the board, such as a pass, added to its caption."""
        tags, percent = self.tags(), "" if self.labels is not None else "%"
        rest = sorted((one for one in actions if one in tags), key=lambda one: -self.heat.get(one, 0.0))
        words = ",  ".join(f"{self.name(action)} {tags[action]}{percent}" for action in rest[:8])
        more = f"  and {len(rest) - 8} more" if len(rest) > 8 else ""
        return replace(self, caption=f"{self.under}\n{words}{more}".strip()) if words else self

    def marks(self, habit: bool = False) -> tuple[int, ...]:
        """The legal actions to mark; a game with the habit marks them unless there is something else to see."""
        if self.hints is not None:
            return self.hints
        return self.legal if habit and not self.heat and not self.labels else ()

    @property
    def weighed(self) -> set[int]:
        """The actions that have a weight or a label."""
        return {*self.heat, *(self.labels or ())}

    def tags(self) -> dict[int, str]:
        """The label of each action: those asked for, else the share of the heat where it can be told."""
        if self.labels is not None:
            return dict(self.labels)
        total = sum(self.heat.values())
        shares = {action: 100 * weight / total for action, weight in self.heat.items()} if total else {}
        return {action: f"{share:.0f}" for action, share in shares.items() if share >= 0.5}


def strengths(weights: Mapping[int, float]) -> dict[int, float]:
    """Each weight as a part of the greatest, zeros left out."""
    most = max(weights.values(), default=0.0)
    return {place: weight / most for place, weight in weights.items() if weight > 0}
