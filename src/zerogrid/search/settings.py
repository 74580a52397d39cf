"""How to search: every choice with its default, and where it comes from.

    SearchSettings(simulations=800)                         PUCT as in AlphaZero, with our additions
    SearchSettings.paper(simulations=800, c=1.0)            as the papers have it: no first-play reduction, no proofs
    SearchSettings(kind="uct", simulations=1000)            random games instead of a network: pure MCTS
    SearchSettings(kind="gumbel", simulations=16)           few simulations, and still a better policy
"""

from dataclasses import dataclass, fields, replace
from math import isfinite
from types import SimpleNamespace
from typing import Any, Literal, get_args

from zerogrid.core.errors import BadSetting, nearest, quote
from zerogrid.kernels import gumbel, manner, puct, uct
from zerogrid.kernels.tree import Options

Kind = Literal["puct", "uct", "gumbel"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MANNERS = {"puct": puct, "uct": uct, "gumbel": gumbel}
MOST_SIMULATIONS = 10_000_000


@dataclass(frozen=True)
class SearchSettings:
    """One way to search; the same for all trees of a forest."""

    kind: Kind = "puct"
    simulations: int = 200  # positions looked at for one move, the root's own included
    c: float = 1.5  # weight of exploration; the papers: 1 (Pawn Dama, Dotsformer), 5 (SigmaGo's code); UCT: sqrt(2)
    c_base: float = 0.0  # > 0: c grows with visits as in AlphaZero, where it is 19652
    fpu: float = 0.2  # first-play reduction (KataGo: 0.2); below 0: unvisited moves count as drawn, as in the papers
    leaves: int = 1  # several leaves of one tree at a time, kept apart by virtual loss
    virtual_loss: int = 1  # games thought lost on each path that waits for an answer
    proofs: bool = True  # proven results are kept, played, and not searched again
    shaping: bool = False  # add differences of a potential along the path (paper 4)
    gamma: float = 1.0  # by which a potential counts less a move later
    forced: float = 0.0  # forced playouts and target pruning at the root (KataGo: 2)
    considered: int = 16  # Gumbel: moves among which the root's simulations are shared out
    c_visit: float = 50.0  # Gumbel: sigma(q) = (c_visit + most visits) c_scale q
    c_scale: float = 1.0
    gumbel_scale: float = 1.0  # 0: no Gumbel noise, for playing one's best
    noise: float = 0.0  # share of Dirichlet noise in the root's priors (papers: 0.25 in self-play)
    alpha: float = 0.0  # its parameter (SigmaGo: 0.3); 0: 10 / number of legal moves
    temperature: float = 0.0  # of the move played: 0 plays the best, 1 by share of visits
    tries: int = 8  # finished games that one step may meet on its way to a position for the network

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadSetting(f"there is no search {quote(self.kind)}; there are {', '.join(KINDS)}.")
        check_number("simulations", self.simulations, 1, MOST_SIMULATIONS)
        check_number("leaves", self.leaves, 1, 1024)
        check_number("virtual_loss", self.virtual_loss, 0, 64)
        check_number("considered", self.considered, 1, 4096)
        check_number("tries", self.tries, 1, 1024)
        check_number("c", self.c, 0.0, 1000.0)
        check_number("c_base", self.c_base, 0.0, 1e9)
        check_number("fpu", self.fpu, -1.0, 10.0)
        check_number("gamma", self.gamma, 0.0, 1.0)
        check_number("forced", self.forced, 0.0, 100.0)
        check_number("c_visit", self.c_visit, 0.0, 1e6)
        check_number("c_scale", self.c_scale, 0.0, 1e3)
        check_number("gumbel_scale", self.gumbel_scale, 0.0, 100.0)
        check_number("noise", self.noise, 0.0, 1.0)
        check_number("alpha", self.alpha, 0.0, 1000.0)
        check_number("temperature", self.temperature, 0.0, 100.0)
        if self.kind == "uct" and self.noise > 0:
            raise BadSetting("root noise is mixed into priors, and uct has none; set noise to 0.")
        if self.kind == "gumbel" and (self.noise > 0 or self.forced > 0):
            raise BadSetting("gumbel draws its own noise and shares out its own playouts; set noise and forced to 0.")

    @staticmethod
    def paper(**settings: Any) -> "SearchSettings":
        """PUCT as the four papers have it, with these changes."""
        return SearchSettings(**{"c": 1.0, "fpu": -1.0, "proofs": False, **settings})

    @staticmethod
    def for_kind(kind: Kind, **settings: Any) -> "SearchSettings":
        """The defaults that suit a kind of search, with these changes."""
        suits: dict[str, dict[str, Any]] = {"uct": {"c": 2.0**0.5}, "gumbel": {"gumbel_scale": 0.0}}
        return SearchSettings(**{"kind": kind, **suits.get(kind, {}), **settings})

    def but(self, **changes: Any) -> "SearchSettings":
        """The same with some changes; a name that does not exist is refused."""
        known = [part.name for part in fields(self)]
        for name in changes:
            if name not in known:
                there_are = ", ".join(known)
                raise BadSetting(f"a search has no setting {quote(name)}; it has {there_are}.{nearest(name, known)}")
        return replace(self, **changes)

    def manner(self) -> SimpleNamespace:
        """What is linked in the place of kernels/manner.py."""
        functions = {name: getattr(MANNERS[self.kind], name) for name in manner.FUNCTIONS}
        return SimpleNamespace(
            **functions, PROOFS=self.proofs, SHAPING=self.shaping, FORCED=self.forced > 0, NOISE=self.noise > 0
        )

    def options(self) -> Options:
        """The numbers, as the kernels want them."""
        return Options(
            c=float(self.c),
            c_base=float(self.c_base),
            fpu=float(self.fpu),
            virtual_loss=self.virtual_loss if self.leaves > 1 else 0,
            gamma=float(self.gamma),
            forced=float(self.forced),
            c_visit=float(self.c_visit),
            c_scale=float(self.c_scale),
            gumbel=float(self.gumbel_scale),
            considered=self.considered,
            noise=float(self.noise),
            alpha=float(self.alpha),
            tries=self.tries,
        )


def check_number(name: str, value: Any, least: float, most: float) -> None:
    """Refuse what is no number from least to most; a whole one where `least` is."""
    kind = int if isinstance(least, int) else (int, float)
    good = isinstance(value, kind) and not isinstance(value, bool) and isfinite(value) and least <= value <= most
    if not good:
        number = "a whole number" if kind is int else "a number"
        raise BadSetting(f"{name} must be {number} from {least:,} to {most:,}, not {quote(value)}.")
