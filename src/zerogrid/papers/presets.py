"""The papers' experiments as presets, each with the paper's own numbers; what a paper does not say is marked so.

    preset("papers/sigmago/hybrid").config()        all_presets() also has ours: quick and strong
    preset("papers/sigmago/hybrid-modern")          the same game, network and simulations, used as one would today
"""

from functools import cache

from zerogrid.core.errors import nearest, quote
from zerogrid.papers import battlefield, dotsformer, pawn_dama, sigmago
from zerogrid.papers.modern import modern
from zerogrid.training.options import BadConfig
from zerogrid.training.presets import OURS, Preset


@cache
def all_presets() -> dict[str, Preset]:
    """Every preset by its name, ours first."""
    papers = [preset for paper in (pawn_dama, dotsformer, sigmago, battlefield) for preset in paper.presets()]
    papers += [modern(preset) for preset in papers]
    return {**OURS, **{preset.name: preset for preset in papers}}


def preset(name: str) -> Preset:
    """The preset of that name."""
    known = all_presets()
    if name not in known:
        families = ", ".join(dict.fromkeys(one.rpartition("/")[0] or one for one in known))
        raise BadConfig(f"there is no preset {quote(name)}; there are {families}.{nearest(name, known)}")
    return known[name]
