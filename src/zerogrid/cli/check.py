"""zerogrid check: what is wrong with a game."""

from typing import Annotated

from zerogrid.cli.inputs import Plugins, use_plugins
from zerogrid.cli.output import Output
from zerogrid.core.progress import Progress


def check(
    out: Output,
    game: Annotated[str, "a game, such as gomoku:6x6x4, or a file with one, such as mine.py"],
    *,
    twin: Annotated[str, "a game that should be the same, to be compared move for move"] = "",
    plugin: Plugins = (),
) -> int:
    """Say in plain words what is wrong with a game, and how to mend it.

    Random games are played with every contract of the rules checked at every ply; names, texts, symmetries and keys are
    tried; the plain and the compiled rules must agree move for move; and the encodings that show the game to networks
    must keep to their contracts. Exits with 1 when something is wrong.

    Examples:
      zerogrid check mine.py
      zerogrid check mine:6x4 --plugin mine.py
      zerogrid check gomoku:3x3x3 --twin tictactoe
      zerogrid check mine.py --json
    """
    from zerogrid.core import catalogue
    from zerogrid.encodings.check_game import check_game

    use_plugins(plugin)
    if game.endswith(".py"):
        game = catalogue.use_file(game)
    with Progress(f"checking {game}") as progress:
        report = check_game(game, twin=twin or None, tell=progress.stage)
    out.record(report.as_json())
    out.text(report)
    return 0 if report.ok else 1
