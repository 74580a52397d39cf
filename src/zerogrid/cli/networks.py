"""zerogrid networks: what networks there are, for which games, and how large they are."""

from typing import Annotated, Any

from zerogrid.cli.inputs import Plugins, named_game, use_plugins
from zerogrid.cli.output import Output

# Whether a game can be expressed depends on kinds of layers, not on how many there are: a short trunk is asked.
SHORT: dict[str, dict[str, Any]] = {
    "sigmago/resnet": {"blocks": 1},
    **{f"dotsformer/{name}": {"trunk": "T"} for name in ("tt", "tr", "rt", "linear-notopo")},
}


def networks(
    out: Output,
    game: Annotated[str, "a game, such as gomoku:6x6x4: which networks can express it, and how large they become"] = "",
    *,
    encoding: Annotated[str, "how the game is shown, such as stones,history=5; left out, the game's default"] = "",
    plugin: Plugins = (),
) -> None:
    """List the networks: for a game with its encoding, or all of them on the boards of their papers.

    Examples:
      zerogrid networks
      zerogrid networks dots_and_boxes:5x5 --encoding chainloop6
      zerogrid networks gomoku:6x6x4 --json
    """
    if game or encoding:
        _for_game(out, game, encoding, plugin)
    else:
        _all(out, plugin)


def _for_game(out: Output, spec: str, shown_as: str, plugin: Any) -> None:
    import torch

    from zerogrid.core.errors import BadNetwork
    from zerogrid.encodings import default_encoding, encoding
    from zerogrid.networks import NETWORKS, Shape, default_for, make
    from zerogrid.networks.blocks import parameters

    if not spec:
        raise BadNetwork("an encoding belongs to a game; name the game first, as in zerogrid networks gomoku:6x6x4.")
    named = named_game(spec, plugin)
    shown = encoding(named, shown_as) if shown_as else default_encoding(named)
    shape = Shape(**shown.shape_fields())
    best, settings = default_for(shape)
    out.text(f"{named.spec}, encoding {shown.spec}: {shape.planes} planes of {shape.height}x{shape.width}.\n")
    cannot = []
    for name, kind in NETWORKS.items():
        try:
            with torch.device("meta"):
                made = make(name, shape, **(settings if name == best else {}))
        except BadNetwork as error:
            cannot.append((name, str(error)))
            continue
        count = parameters(made)
        default = name == best
        out.record({"network": name, "about": kind.about, "works": True, "parameters": count, "default": default,
                    "settings": made.settings.to_json()})  # fmt: skip
        chosen = ", ".join(f"{key}={value}" for key, value in settings.items())
        mark = f"  <- the default, {chosen}" if default else ""
        out.text(f"  {name:34} {count:>12,} parameters   {kind.about}{mark}")
    if cannot:
        out.text("\nCannot:")
    for name, why in cannot:
        out.record({"network": name, "about": NETWORKS[name].about, "works": False, "why": why})
        out.text(f"  {name:34} {why}")


def _all(out: Output, plugin: Any) -> None:
    import torch

    from zerogrid.core import catalogue
    from zerogrid.encodings import default_encoding
    from zerogrid.networks import NETWORKS, Shape, make, refusal
    from zerogrid.networks.blocks import parameters
    from zerogrid.networks.published import CASES

    use_plugins(plugin)
    games = {name: Shape(**default_encoding(catalogue.game(name)).shape_fields()) for name in catalogue.names()}
    for name, kind in NETWORKS.items():
        able = [game for game, shape in games.items() if not refusal(name, shape, **SHORT.get(name, {}))]
        case = next(case for case in CASES if case.network == name)
        with torch.device("meta"):
            count = parameters(make(name, case.shape, **dict(case.settings)))
        limits = kind.settings().to_json() | dict(kind.preset)
        out.record({"network": name, "about": kind.about, "games": able, "parameters": count, "on": case.board,
                    "settings": limits})  # fmt: skip
        where = "every game" if len(able) == len(games) else ", ".join(able) or "encodings of its own (see its page)"
        out.text(f"{name}\n    {kind.about}\n    {count:,} parameters on {case.board}; for {where}")
    out.text("\nThis is with each game's default encoding; zerogrid networks GAME --encoding ... asks for another.")
