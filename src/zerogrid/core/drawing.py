"""Drawing positions: from what a person asks for to a look, and on to the game's own drawing or the default one.

    position.svg(heat={"c4": 120, "d3": 40}, theme="dark")      visits of a search over the board
    position.svg(cells=weights, caption="layer 2, head 1")      attention over the cells
    draw_sheet([p.undo() ...], columns=4, heading="A game")     several boards in one picture

A game file may define `svg(state, look)` and `terminal(state, look)`; see zerogrid.views.Look for what a look holds.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from zerogrid.core.errors import BadLook, nearest, quote
from zerogrid.core.layout import Field
from zerogrid.core.position import Position
from zerogrid.views import default
from zerogrid.views.ansi import framed, wants_colour
from zerogrid.views.look import THEMES, Look
from zerogrid.views.sheet import sheet

FACTS = ("players", "to_move", "winner", "legal", "title", "status", "name")
OPTIONS = tuple(part.name for part in fields(Look) if part.name not in FACTS)
LEAST_SIZE, LARGEST_SIZE = 40, 4000
LONGEST_CAPTION = 500


def draw_svg(position: Position, **options: Any) -> str:
    """The board as SVG; what may be asked of it stands in zerogrid.views.Look."""
    look = look_at(position, options)
    own = getattr(position.game.module, "svg", None)
    if own is not None:
        return str(own(position._state, look))
    grid = _grid(position)
    if grid is None:
        return default.text_svg(look, str(position))
    return default.svg(look, position.game.ROWS, position.game.COLUMNS, _entries(position, grid), grid.symbols)


def draw_terminal(position: Position, **options: Any) -> str:
    """The board for a terminal; coloured where the output is a terminal that shows colours, or as asked."""
    look = look_at(position, {"colour": wants_colour(), **options})
    own = getattr(position.game.module, "terminal", None)
    if own is not None:
        return str(own(position._state, look))
    grid = _grid(position)
    if grid is None:
        return framed(look.noting(look.weighed), str(position), [("1", "bold"), ("2", "bold")])
    return default.terminal(look, position.game.ROWS, position.game.COLUMNS, _entries(position, grid), grid.symbols)


def attention_svg(position: Position, cells: Any, caption: str | None = None, **options: Any) -> str:
    """The board with a weight on each cell, such as where one head of a network looks."""
    return draw_svg(position, cells=cells, caption=caption, **options)


def draw_sheet(
    positions: Iterable[Position],
    columns: int | None = None,
    heading: str = "",
    captions: Sequence[str] | None = None,
    **options: Any,
) -> str:
    """Several positions in one picture: a game play by play, or the final boards of a match."""
    shown = list(positions)
    if not shown:
        raise BadLook("a sheet needs at least one position; none was given.")
    if columns is not None and not (type(columns) is int and columns >= 1):
        raise BadLook(f"the columns of a sheet are a whole number from 1, not {quote(columns)}.")
    if captions is not None and len(captions) != len(shown):
        raise BadLook(f"{len(captions)} captions were given for {len(shown)} positions; give one for each.")
    size = options.pop("size", None)
    pictures = [
        draw_svg(position, **options, **({"caption": captions[place]} if captions else {}))
        for place, position in enumerate(shown)
    ]
    look = look_at(shown[0], {"theme": options.get("theme", "auto"), "size": size})
    return sheet(pictures, look, columns, heading)


# --- from what was asked to a look ----------------------------------------------------------------------------------


def look_at(position: Position, options: Mapping[str, Any]) -> Look:
    """The look that a person asked for, checked, with the facts of the position."""
    asked = dict(options)
    for name in asked:
        if name not in OPTIONS:
            raise BadLook(f"a drawing has no {quote(name)}; it has {', '.join(OPTIONS)}.{nearest(name, OPTIONS)}")
    legal = tuple(position.actions)
    asked["heat"] = _weights(position, "heat", asked.get("heat"))
    asked["labels"] = _labels(position, asked.get("labels"))
    asked["cells"] = _cells(position, asked.get("cells"))
    asked["last"] = _last(position, asked.get("last", True))
    if "hints" in asked:
        asked["hints"] = _hints(position, asked["hints"], legal)
    for name in ("threats", "targets", "coordinates", "header", "colour"):
        if not isinstance(asked.get(name, False), bool):
            raise BadLook(f"{name} is True or False, not {quote(asked[name])}.")
    if asked.get("theme", "auto") not in THEMES:
        raise BadLook(f"the theme is one of {', '.join(THEMES)}, not {quote(asked['theme'])}.")
    size, caption = asked.get("size"), asked.get("caption")
    if size is not None and not (type(size) is int and LEAST_SIZE <= size <= LARGEST_SIZE):
        raise BadLook(f"the size is a width in pixels from {LEAST_SIZE} to {LARGEST_SIZE}, not {quote(size)}.")
    if caption is not None and (not isinstance(caption, str) or len(caption) > LONGEST_CAPTION):
        raise BadLook(f"a caption is a text of up to {LONGEST_CAPTION} characters, not {quote(caption)}.")
    return Look(**asked, **_facts(position, legal))


def _facts(position: Position, legal: tuple[int, ...]) -> dict[str, Any]:
    game, outcome = position.game, position.outcome
    variant = game.spec.partition(":")[2]
    if outcome is None:
        status = f"{game.players[position.to_move]} to move"
    elif outcome.winner is None:
        status = f"a draw: {outcome.reason}"
    else:
        status = f"{game.players[outcome.winner]} won: {outcome.reason}"
    return {
        "players": game.players,
        "to_move": None if outcome else position.to_move,
        "winner": outcome.winner if outcome else None,
        "legal": legal,
        "title": f"{game.title} {variant}".strip(),
        "status": status,
        "name": game.action_name,
    }


def _weight(what: str, key: object, value: Any) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = math.nan
    if not (math.isfinite(weight) and weight >= 0):
        raise BadLook(f"{what}: the weight of {quote(key)} is a number from 0, not {quote(value)}.")
    return weight


def _pairs(what: str, given: Any) -> list[tuple[Any, Any]]:
    """A mapping, or one value for each number from 0."""
    if isinstance(given, Mapping):
        return list(given.items())
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadLook(f"{what} is a dictionary such as {{0: 1.0, 1: 2.0}} or a list of numbers, not {quote(given)}.")
    return list(enumerate(given))


def _weights(position: Position, what: str, given: Any) -> dict[int, float]:
    return {position.game.action(key): _weight(what, key, value) for key, value in _pairs(what, given)}


def _labels(position: Position, given: Any) -> dict[int, str] | None:
    if given is None:
        return None
    return {position.game.action(key): in_brief(value) for key, value in _pairs("labels", given)}


def _cells(position: Position, given: Any) -> dict[int, float]:
    rows, columns = getattr(position.game.module, "ROWS", 0), getattr(position.game.module, "COLUMNS", 0)
    found = {}
    for key, value in _pairs("cells", given):
        if isinstance(key, bool) or not hasattr(key, "__index__") or not 0 <= key < rows * columns:
            raise BadLook(f"there is no cell {quote(key)}; {position.game.spec} has cells 0 to {rows * columns - 1}.")
        found[int(key)] = _weight("cells", key, value)
    return found


def _last(position: Position, given: Any) -> int | None:
    """The action to mark as just played: where nothing is said, the last one that the position knows of."""
    if given is False or given is None:
        return None
    if given is not True:
        return position.game.action(given)
    if position.last is not None:
        return position.last
    for part in position.game.layout.fields:
        if part.kind == "action" and part.name == "last" and part.length == 1:
            value = int(position._state[part.offset])
            return value if 0 <= value < position.game.ACTIONS else None
    return None


def _hints(position: Position, given: Any, legal: tuple[int, ...]) -> tuple[int, ...] | None:
    if given is None:
        return None
    if isinstance(given, bool):
        return legal if given else ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadLook(f"hints are True, False or a list of moves, not {quote(given)}.")
    return tuple(position.game.action(one) for one in given)


def in_brief(value: Any) -> str:
    """A label in a few characters: 12345 visits are 12k, a value has two decimals."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) or (not isinstance(value, int) and not hasattr(value, "__index__")):
        try:
            return f"{float(value):.2f}"
        except (TypeError, ValueError):
            return str(value)
    whole = int(value)
    if abs(whole) < 10_000:
        return str(whole)
    return f"{whole / 1e3:.0f}k" if abs(whole) < 1_000_000 else f"{whole / 1e6:.1f}M"


# --- the default drawing --------------------------------------------------------------------------------------------


def _grid(position: Position) -> Field | None:
    """The field of the layout that shows the board: one symbol for each cell."""
    module = position.game.module
    size = getattr(module, "ROWS", 0) * getattr(module, "COLUMNS", 0)
    return next((part for part in position.game.layout.fields if part.symbols and part.length == size), None)


def _entries(position: Position, part: Field) -> list[int]:
    return list(position._state[part.offset : part.offset + part.length])
