"""What the options of the search are, for --options: SearchSettings says what they may be, this what they mean."""

from dataclasses import fields
from typing import Any

from zerogrid.search.settings import SearchSettings
from zerogrid.training.options import Limits

ABOUT: dict[str, tuple[str, str]] = {
    "kind": ("puct, gumbel or uct", "PUCT"),
    "simulations": ("positions looked at for one move", "Dotsformer 800 and 400, SigmaGo 500, Battlefield 1,000"),
    "c": ("weight of exploration", "1"),
    "c_base": ("above 0: the weight grows with visits", "AlphaZero 19652"),
    "fpu": ("first-play reduction; below 0: unvisited moves count as drawn", "-1"),
    "leaves": ("several leaves of one tree at a time", "1"),
    "virtual_loss": ("games thought lost on each path that waits for an answer", ""),
    "proofs": ("proven results are kept, played, and not searched again", "false"),
    "shaping": ("set by [shaping]", ""),
    "gamma": ("set by [shaping]", ""),
    "forced": ("forced playouts and target pruning at the root", "KataGo 2"),
    "considered": ("gumbel: moves among which the root's simulations are shared out", "Danihelka 16"),
    "c_visit": ("gumbel: sigma(q) = (c_visit + most visits) c_scale q", "Danihelka 50"),
    "c_scale": ("gumbel: the same", "Danihelka 1"),
    "gumbel_scale": ("gumbel: how much noise; 0 when strength counts", "Danihelka 1"),
    "noise": ("set by [selfplay]", ""),
    "alpha": ("set by [selfplay]", ""),
    "temperature": ("set by [selfplay] and [gate]", ""),
    "tries": ("finished games that one step may meet on its way to a position", ""),
}
ELSEWHERE = ("shaping", "gamma", "noise", "alpha", "temperature")  # set by other sections


def search_limits() -> dict[str, Limits]:
    """What --set may set about the search, and of which type."""
    defaults: Any = SearchSettings()
    found = {}
    for part in fields(SearchSettings):
        about, papers = ABOUT[part.name]
        found[part.name] = Limits(type(getattr(defaults, part.name)), about, -1e9, 1e9, papers=papers)
    return found
