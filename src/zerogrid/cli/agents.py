"""zerogrid agents: who there is to play."""

from typing import Annotated

from zerogrid.cli.inputs import Plugins, named_game
from zerogrid.cli.output import Output


def agents(
    say: Output,
    game: Annotated[str, "only those that play this game"] = "",
    *,
    plugin: Plugins = (),
) -> None:
    """List the agents: how their names are written, what they do, and their options.

    Examples:
      zerogrid agents
      zerogrid agents gomoku:6x6x4 --json
    """
    from zerogrid.agents.naming import AGENTS

    chosen = named_game(game, plugin) if game else None
    shown = [(n, k) for n, k in AGENTS.items() if chosen is None or not k.games or chosen.name in k.games]
    wide = max(len(known.form) for _, known in shown)
    for name, known in shown:
        games = list(known.games) or "all"
        said = {"agent": name, "form": known.form, "about": known.about, "options": known.options, "games": games}
        say.record(said)
        where = f" ({', '.join(known.games)})" if known.games and chosen is None else ""
        say.text(f"{known.form:<{wide}}  {known.about}{where}")
        if known.options:
            say.text(f"{'':<{wide}}    options: {', '.join(known.options)}")
    say.text("More: docs/agents.md")
