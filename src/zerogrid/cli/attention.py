"""zerogrid attention: where a network looks, drawn over the board."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from zerogrid.cli.inputs import GAME, Plugins, Seed, named_game, position_after, write_text
from zerogrid.cli.output import Output
from zerogrid.core.errors import BadAction, BadNetwork, ZeroGridError, quote
from zerogrid.core.position import Position


@dataclass
class View:
    """Attention of one layer over the cells of the network's grid, and how the board shows it."""

    layer: str
    layers: list[str]
    heads: int
    cells: list[float]  # by cell of the network's grid
    elsewhere: float  # what goes to the whole board's token, to actions, to dots
    caption: str

    def svg(self, position: Position, shape: Any, turned: bool, **look: Any) -> str:
        """The board with heat over its cells; between dots over edges, and over boxes."""
        cells, heat = on_board(position, shape, self.cells, turned)
        return position.svg(cells=cells, heat=heat, labels={}, hints=(), caption=self.caption, **look)


def look(model: Any, position: Position, layer: int = -1, head: int | None = None, query: str = "") -> View:
    """The attention of a model for a position.

    layer counts from 0, or from -1 backwards; without a head the mean of all; the query is a cell of the network's
    grid by number, or an action by name, or left out: then the whole board's token, or the mean over all cells.
    """
    import torch

    from zerogrid.encodings import encoding
    from zerogrid.networks.attention_maps import attention_maps

    shown = encoding(position.game, model.encoding)
    planes = torch.from_numpy(shown.encode(position)).permute(2, 0, 1).unsqueeze(0)
    tokens = present = None
    if model.network.needs_tokens:
        if position.over:
            raise ZeroGridError("the game has ended here, so there are no actions to look from.")
        tokens = torch.stack([torch.from_numpy(shown.describe(position, one)) for one in position.actions]).unsqueeze(0)
        present = torch.ones(tokens.shape[:2], dtype=torch.bool)
    every = attention_maps(model.network, planes, tokens, present)
    names = [seen.layer for seen in every]
    if not -len(every) <= layer < len(every):
        last = len(every) - 1
        raise BadNetwork(f"there is no layer {layer}; those of {model.network.name} are numbered 0 to {last}.")
    seen = every[layer]
    heads = seen.weights.shape[0]
    if head is not None and not 0 <= head < heads:
        raise BadNetwork(f"there is no head {head}; layer {seen.layer} has {heads}, from 0 to {heads - 1}.")
    if seen.cells < 0:
        raise BadNetwork(f"layer {seen.layer} attends over positions in time, not over cells; ask for another layer.")
    weights = seen.weights.mean(0) if head is None else seen.weights[head]
    count = model.shape.cells
    if query:
        start = seen.cells + cell_of(position, model.shape, query, is_turned(shown, position))
        row, whose = weights[start], f"as {query} sees it"
    elif seen.cls:
        row, whose = weights[0], "as the whole board's token sees it"
    else:
        row, whose = weights.mean(0), "the mean over all cells"
    cells = row[seen.cells : seen.cells + count]
    who = "all heads" if head is None else f"head {head}"
    caption = f"layer {names.index(seen.layer)} ({seen.layer}), {who}: {whose}"
    return View(seen.layer, names, heads, cells.tolist(), max(0.0, float(1 - cells.sum())), caption)


def is_turned(shown: Any, position: Position) -> bool:
    """Whether the encoding shows this position half turned round."""
    walks = shown.game.name == "pawn_dama" and shown.name != "generic"
    return position.to_move == 1 and bool(walks or shown.settings.get("turned", False))


def cell_of(position: Position, shape: Any, query: str, turned: bool) -> int:
    """The cell of the network's grid that a number or an action's name means."""
    if query.isdigit() and int(query) < shape.cells:
        return int(query)
    try:
        places: tuple[int, ...] = shape.places[position.game.action(query)] if shape.places else ()
    except (BadAction, IndexError):
        places = ()
    if len(places) != 1 or places[0] < 0:
        last = shape.cells - 1
        raise BadAction(f"{quote(query)} is no cell: give a number from 0 to {last}, or an action with a place.")
    cell = int(places[0]) % int(shape.cells)
    return shape.cells - 1 - cell if turned else cell


def on_board(
    position: Position, shape: Any, weights: list[float], turned: bool
) -> tuple[dict[int, float], dict[int, float]]:
    """(weights of the board's cells, weights of actions): the latter for edges between dots."""
    given = weights[::-1] if turned else weights
    rows, columns = getattr(position.game.module, "ROWS", 0), getattr(position.game.module, "COLUMNS", 0)
    if (shape.height, shape.width) == (rows, columns):
        return dict(enumerate(given)), {}
    if (shape.height, shape.width) == (2 * rows + 1, 2 * columns + 1):
        boxes = [given[(2 * r + 1) * shape.width + 2 * c + 1] for r in range(rows) for c in range(columns)]
        edges = {action: given[places[0]] for action, places in enumerate(shape.places) if len(places) == 1}
        return dict(enumerate(boxes)), edges
    grid = f"{shape.height}x{shape.width}"
    raise BadNetwork(f"the network's {grid} grid does not lie on the board of {position.game.spec}.")


def attention(
    out: Output,
    model: Annotated[Path, "a model file"],
    game: Annotated[str, GAME],
    *,
    moves: Annotated[str, "moves from the start, by name or number, with commas between"] = "",
    layer: Annotated[int, "which attention layer, from 0; -1 is the last"] = -1,
    head: Annotated[int | None, "which head, from 0; left out, the mean of all"] = None,
    query: Annotated[str, "whose view: a cell of the network's grid by number, or an action's name"] = "",
    svg: Annotated[Path | None, "draw it over the board into this SVG file"] = None,
    seed: Seed = 0,
    plugin: Plugins = (),
) -> None:
    """Show where a network with attention looks in a position.

    Edges and boxes of Dots-and-Boxes are each drawn in proportion to their own strongest; --json has all numbers.

    Examples:
      zerogrid attention mine.safetensors dots_and_boxes:5x5 --moves h0.0,v0.0 --svg looks.svg
      zerogrid attention mine.safetensors gomoku:6x6x4 --moves c3 --layer 0 --head 2 --query c4 --json
    """
    from zerogrid.encodings import encoding
    from zerogrid.networks.files import load_model

    position = position_after(named_game(game, plugin), moves, seed)
    loaded = load_model(model)
    shown = encoding(position.game, loaded.encoding)
    if not fits(loaded.shape, shown):
        made_for = quote(loaded.game)
        raise BadNetwork(f"{quote(model.name)} was made for {made_for} and cannot look at {position.game.spec}.")
    view = look(loaded, position, layer, head, query)
    if svg is not None:
        write_text(svg, view.svg(position, loaded.shape, is_turned(shown, position)))
    grid = loaded.shape.height, loaded.shape.width
    out.record(
        {
            "model": str(model),
            "network": loaded.network.name,
            "game": position.game.spec,
            "moves": position.moves,
            "layers": view.layers,
            "layer": view.layer,
            "heads": view.heads,
            "head": head,
            "query": query or None,
            "grid": list(grid),
            "cells": view.cells,
            "elsewhere": view.elsewhere,
            "svg": None if svg is None else str(svg),
        }
    )
    out.text(view.caption)
    for row in range(grid[0]):
        out.text(" ".join(f"{100 * view.cells[row * grid[1] + column]:5.1f}" for column in range(grid[1])))
    out.text(f"in percent; {100 * view.elsewhere:.1f} go to tokens that are no cells.")
    out.text(f"Layers: {', '.join(view.layers)}; {view.heads} heads.")
    if svg is not None:
        out.text(f"Drawn into {svg}.")


def fits(shape: Any, shown: Any) -> bool:
    """Whether a network of that shape can read the encoding of a game."""
    fields = shown.shape_fields()
    return all(fields[name] == getattr(shape, name) for name in ("game", "planes", "height", "width", "actions"))
