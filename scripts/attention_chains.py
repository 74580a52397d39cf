"""How much of a network's attention follows the chains of Dots-and-Boxes, for every layer and head.

    python scripts/attention_chains.py MODEL [--positions 100] [--seed 0]          a table for docs/networks

On each late board (guided moves by chance until none is left that gives nothing away) every free edge of a chain or
loop of at least --least edges asks once: how much of its attention goes to the other cells of its own chain, its free
edges and the boxes they run through? Its attention to itself is left out, and the rest counts as the whole. Beside it

    cells     the share of the cells that the chain has: what attention without a preference would give
    places    the share that goes to the same cells from the same edge on the other boards, where they are no chain:
              what the edge's place and the distance alone explain
    others    the share that goes to the same cells, on the same board, from the edges of other chains

and the same for all chains of the board together: the head that lights up chains, whoever asks.

A second table says what kinds of cells the same edges look at, as multiples of what their number alone would give: free
edges of long chains, other free edges, drawn edges, boxes of long chains, other boxes, dots.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

import zerogrid
from zerogrid.arena.openings import sensible
from zerogrid.core import draws
from zerogrid.core.position import Position
from zerogrid.encodings.dots import boxes_beside_edges, edges_around_boxes, edges_in_cells


class Chain(NamedTuple):
    """A chain or loop: its free edges, and the boxes with two drawn edges that they run through."""

    edges: tuple[int, ...]
    boxes: tuple[int, ...]


def late_position(spec: str, seed: int) -> Position:
    """Guided moves by chance, until none is left that gives nothing away."""
    from zerogrid.agents.boxes import boxes_of

    game = zerogrid.game(spec)
    position, boxes = game.start(), boxes_of(game)
    while True:
        edges = position.state[: game.EDGES].tolist()
        quiet = boxes.safe(edges, position.actions)
        if not quiet:
            return position
        options = sensible(position)
        position.play(options[draws.below(len(options), seed, draws.OPENING, len(position.moves), 1)])


def chains_of(position: Position) -> list[Chain]:
    """The chains and loops of a position (Dotsformer, section 4.1), the longest first."""
    rows, columns = position.game.ROWS, position.game.COLUMNS
    around, beside = edges_around_boxes(rows, columns), boxes_beside_edges(rows, columns)
    state = position.state
    drawn = (state[around] != 0).sum(1)
    left = {edge for edge in range(position.game.EDGES) if state[edge] == 0}
    found = []
    while left:
        waiting, edges, boxes = [min(left)], set(), set()
        while waiting:
            edge = waiting.pop()
            edges.add(edge)
            for box in beside[edge]:
                if box >= 0 and drawn[box] == 2:
                    boxes.add(int(box))
                    waiting += [int(e) for e in around[box] if state[e] == 0 and int(e) not in edges]
        left -= edges
        found.append(Chain(tuple(sorted(edges)), tuple(sorted(boxes))))
    return sorted(found, key=lambda chain: (-len(chain.edges), chain.edges))


class Grid:
    """Where edges and boxes lie on the network's grid."""

    def __init__(self, rows: int, columns: int) -> None:
        self.width = 2 * columns + 1
        self.cells = self.width * (2 * rows + 1)
        self.columns = columns
        self.edge = {int(edge): cell for cell, edge in enumerate(edges_in_cells(rows, columns)) if edge >= 0}

    def box(self, box: int) -> int:
        """The cell of a box's centre."""
        r, c = divmod(box, self.columns)
        return (2 * r + 1) * self.width + 2 * c + 1

    def mask(self, chain: Chain) -> Any:
        """Which cells a chain takes, bool [cells]."""
        mask = np.zeros(self.cells, bool)
        mask[[self.edge[edge] for edge in chain.edges] + [self.box(box) for box in chain.boxes]] = True
        return mask


def maps_of(model: Any, position: Position) -> dict[int, Any]:
    """The weights of every layer whose tokens are cells: layer -> [heads, cells, cells]."""
    import torch

    from zerogrid.encodings import encoding
    from zerogrid.networks.attention_maps import attention_maps

    shown = encoding(position.game, model.encoding)
    planes = torch.from_numpy(shown.encode(position)).permute(2, 0, 1).unsqueeze(0)
    count = model.shape.cells
    seen = attention_maps(model.network, planes)
    return {
        layer: one.weights[:, one.cells : one.cells + count, one.cells : one.cells + count].numpy()
        for layer, one in enumerate(seen)
        if one.cells >= 0
    }


def measured(model: Any, positions: list[Position], least: int) -> tuple[dict[tuple[int, int], Any], int]:
    """({(layer, head): a row of COLUMNS for each board}, how many edges were asked)."""
    grid = Grid(positions[0].game.ROWS, positions[0].game.COLUMNS)
    boards = [
        (maps_of(model, position), [chain for chain in chains_of(position) if len(chain.edges) >= least])
        for position in positions
    ]
    free = np.array([position.state[: position.game.EDGES] == 0 for position in positions])
    rows: dict[tuple[int, int], list[Any]] = defaultdict(list)
    asked = 0
    for number, (maps, chains) in enumerate(boards):
        if len(chains) < 2:
            continue
        masks = [grid.mask(chain) for chain in chains]
        every = np.any(masks, 0)
        for layer, weights in maps.items():
            seen = []
            for chain, mask in zip(chains, masks, strict=True):
                strangers = [grid.edge[edge] for other in chains if other is not chain for edge in other.edges]
                for edge in chain.edges:
                    at = [grid.edge[edge]]
                    rest = mask.copy()
                    rest[at] = False  # the same cells for both
                    others = shares(weights, strangers, rest).mean(1)
                    elsewhere = [boards[n][0][layer] for n in np.flatnonzero(free[:, edge]) if n != number][:10]
                    if not elsewhere:
                        continue
                    told = [shares(weights, at, mask)[:, 0], others, shares(weights, at, every)[:, 0]]
                    told += [np.mean([shares(one, at, area)[:, 0] for one in elsewhere], 0) for area in (mask, every)]
                    cells = [np.full_like(others, (area.sum() - 1) / (grid.cells - 1)) for area in (mask, every)]
                    seen.append(np.stack([*told, *cells]))
            asked += len(seen) if layer == min(maps) else 0
            for head, row in enumerate(np.mean(seen, 0).T):
                rows[layer, head].append(row)
    return {key: np.array(row) for key, row in rows.items()}, asked


COLUMNS = ("own", "others", "all", "own_places", "all_places", "own_cells", "all_cells")
KINDS = ("edges of chains", "other free edges", "drawn edges", "boxes of chains", "other boxes", "dots")


def kinds_of(position: Position, chains: list[Chain]) -> Any:
    """Which cells are of which kind, bool [kinds, cells]."""
    grid, state = Grid(position.game.ROWS, position.game.COLUMNS), position.state
    kinds = np.zeros((len(KINDS), grid.cells), bool)
    chained = {edge for chain in chains for edge in chain.edges}
    boxed = {box for chain in chains for box in chain.boxes}
    for edge, cell in grid.edge.items():
        kinds[2 if state[edge] else 0 if edge in chained else 1, cell] = True
    for box in range(position.game.BOXES):
        kinds[3 if box in boxed else 4, grid.box(box)] = True
    kinds[5] = ~kinds.any(0)
    return kinds


def by_kind(model: Any, positions: list[Position], least: int) -> dict[tuple[int, int], Any]:
    """{(layer, head): [kinds]}: attention of edges of chains to cells of each kind, 1 where there is no preference."""
    grid = Grid(positions[0].game.ROWS, positions[0].game.COLUMNS)
    given: dict[tuple[int, int], Any] = defaultdict(lambda: np.zeros(len(KINDS)))
    cells = np.zeros(len(KINDS))
    for position in positions:
        chains = [c for c in chains_of(position) if len(c.edges) >= least]
        queries = [grid.edge[edge] for chain in chains for edge in chain.edges]
        if not queries:
            continue
        kinds = kinds_of(position, chains)
        cells += kinds.mean(1)
        for layer, weights in maps_of(model, position).items():
            for head in range(len(weights)):
                given[layer, head] += kinds @ weights[head, queries].mean(0)
    return {key: share / np.maximum(cells, 1e-9) for key, share in given.items()}


def shares(weights: Any, queries: list[int], mask: Any) -> Any:
    """[heads, queries]: which share of each query's attention, itself left out, goes to the cells of a mask."""
    row = weights[:, queries].copy()
    row[:, np.arange(len(queries)), queries] = 0.0
    return row[..., mask].sum(2) / row.sum(2)


def more(differences: Any) -> str:
    """The mean of a difference over boards, with its 95% interval."""
    half = 1.96 * differences.std(ddof=1) / len(differences) ** 0.5
    return f"{100 * differences.mean():+.1f} +- {100 * half:.1f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--positions", type=int, default=100, help="how many boards")
    parser.add_argument("--least", type=int, default=4, help="edges that a chain has at least: 4 are three boxes")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    from zerogrid.networks.files import load_model

    model = load_model(given.model)
    positions = [late_position(model.game, given.seed + i) for i in range(given.positions)]
    found, asked = measured(model, positions, given.least)
    boards = max(len(rows) for rows in found.values())
    heading = f"{boards} boards of {model.game} with at least two chains of {given.least} edges or more"
    print(f"{asked:,} edges on {heading}\n")
    own = "own chain | cells | places | others | own - others"
    print(f"| layer | head | {own} | all chains | cells | places | all - places |")
    print("|" + "---|" * 11)
    for (layer, head), rows in sorted(found.items()):
        told = dict(zip(COLUMNS, rows.T, strict=True))
        words = [f"{told[name].mean():.1%}" for name in ("own", "own_cells", "own_places", "others")]
        words.append(more(told["own"] - told["others"]))
        words += [f"{told[name].mean():.1%}" for name in ("all", "all_cells", "all_places")]
        words.append(more(told["all"] - told["all_places"]))
        print(f"| {layer} | {head} | {' | '.join(words)} |")
    print(f"\n| layer | head | {' | '.join(KINDS)} |")
    print("|---|---|" + "---|" * len(KINDS))
    for (layer, head), lifts in sorted(by_kind(model, positions, given.least).items()):
        print(f"| {layer} | {head} | {' | '.join(f'{lift:.1f}' for lift in lifts)} |")


if __name__ == "__main__":
    main()
