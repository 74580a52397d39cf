"""zerogrid games: what there is to play."""

from collections.abc import Mapping
from typing import Any

from zerogrid.cli.inputs import Plugins, use_plugins
from zerogrid.cli.output import Output
from zerogrid.core.rules import Setting


def games(out: Output, *, plugin: Plugins = ()) -> None:
    """List all games with their settings.

    A game is named with its size behind a colon and other settings behind commas, as in pawn_dama:6x6,stuck=loss. What
    is left out has its default.

    Examples:
      zerogrid games
      zerogrid games --plugin mine.py
      zerogrid games --json
    """
    from zerogrid.core import catalogue

    use_plugins(plugin)
    for name in catalogue.names():
        game = catalogue.game(name)
        form = getattr(game.module, "VARIANT", "")
        out.record(
            {
                "name": name,
                "title": game.title,
                "example": game.spec,
                "variant": form,
                "players": game.players,
                "actions": game.ACTIONS,
                "longest_game": game.MAX_PLIES,
                "settings": [_record(setting) for setting in game.declared.values()],
            }
        )
        out.text(f"{game.spec:<24}{game.title}")
        for line in _explained(game.declared, form):
            out.text(f"    {line}")


def _record(setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "default": setting.default,
        "least": setting.least,
        "most": setting.most,
        "choices": setting.choices,
        "help": setting.help,
    }


def _explained(settings: Mapping[str, Setting], form: str) -> list[str]:
    """One line for the size, and one for every setting that stands behind a comma."""
    if not settings:
        return []
    size = [setting for setting in settings.values() if f"{{{setting.name}}}" in form]
    others = [setting for setting in settings.values() if setting not in size]
    lines = [", ".join(f"{setting.name} {_values(setting)}" for setting in size)] if size else []
    return lines + [f",{setting.name}={_values(setting):<16} {setting.help}".rstrip() for setting in others]


def _values(setting: Setting) -> str:
    if setting.choices is not None:
        return "|".join(setting.choices)
    if isinstance(setting.default, bool):
        return "true|false"
    least, most = ("" if end is None else str(end) for end in (setting.least, setting.most))
    return f"{least}..{most}"
