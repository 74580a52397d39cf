"""The figure in docs/networks/dotsformer.md: chains of a late board, and where a head looks from three of them.

    python scripts/attention_figure.py MODEL --out docs/images/chains.svg [--layer 0 --head 3] [--seed 7]

The first board shows the chains; then one board for each of the three longest, asked from the edge that is marked.
Edges, boxes and dots stand on one scale, the strongest cell of a board the darkest; what goes to the asking edge itself
is left out. Of each chain the edge asks whose share within the chain is the median of its edges. Without --layer and
--head the head is taken whose edges look most at their own chain, compared with what edges of other chains look at it
and with what their places alone explain (attention_chains.py). The board is the one of --seed; without it, among
twenty, the one where that head is closest to its mean, so that no lucky board is shown.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from attention_chains import COLUMNS, Chain, Grid, chains_of, late_position, maps_of, measured, shares

from zerogrid.core.position import Position
from zerogrid.views.board import Board
from zerogrid.views.boxes import dots_of, square
from zerogrid.views.look import Look
from zerogrid.views.sheet import sheet

COLOURS = ("blue", "orange", "green", "pink", "sky", "red")
LEAST = 4  # edges of a chain that is asked
SHOWN = 3
PAD = 0.25


class Picture:
    """One board: edges drawn, and what is laid over it."""

    def __init__(self, position: Position, caption: str) -> None:
        game = position.game
        self.position, self.rows, self.columns = position, int(game.ROWS), int(game.COLUMNS)
        look = Look(header=False, coordinates=False, caption=caption, title=game.spec, size=300)
        self.board = Board(look, self.rows, self.columns, square, pad=PAD)
        self.board.ground("board", PAD, corner=8)
        self.cell = self.board.cell

    def ends(self, edge: int) -> tuple[float, float, float, float]:
        """Where an edge begins and ends."""
        r1, c1, r2, c2 = dots_of(self.rows, self.columns, edge)
        left, top, side = self.board.left, self.board.top, self.cell
        return left + c1 * side, top + r1 * side, left + c2 * side, top + r2 * side

    def edges(self) -> None:
        """What is drawn already, and the dots."""
        for edge in range(self.position.game.EDGES):
            if self.position.state[edge]:
                self.board.line(*self.ends(edge), "line", line=2.2)
            else:
                self.board.line(*self.ends(edge), "line", line=1.2, dashes="1 5")

    def dots(self) -> None:
        """The dots, above all else."""
        for r in range(self.rows + 1):
            for c in range(self.columns + 1):
                self.board.circle(self.board.left + c * self.cell, self.board.top + r * self.cell, 3.2, "ink")

    def box(self, box: int, colour: str, opacity: float) -> None:
        """A wash over a box."""
        x, y = self.board.box(box)
        room = self.cell * 0.14
        side = self.cell - 2 * room
        self.board.rect(x + room, y + room, side, side, colour, corner=5, opacity=opacity)

    def edge(self, edge: int, colour: str, opacity: float) -> None:
        """A thick line."""
        self.board.line(*self.ends(edge), colour, line=self.cell * 0.15, opacity=opacity)

    def mark(self, edge: int, colour: str) -> None:
        """The edge that asks."""
        x1, y1, x2, y2 = self.ends(edge)
        self.board.circle((x1 + x2) / 2, (y1 + y2) / 2, self.cell * 0.19, "paper", colour, line=3)
        self.board.text((x1 + x2) / 2, (y1 + y2) / 2, "?", self.cell * 0.28, "ink", bold=True)

    def svg(self) -> str:
        """The picture."""
        self.dots()
        return self.board.svg()


def chains_picture(position: Position, chains: list[Chain]) -> str:
    """The chains in colours, the longest first."""
    shown = Picture(position, f"the chains and loops\nof {LEAST} edges or more")
    shown.edges()
    for chain, colour in zip(chains, COLOURS, strict=False):
        for box in chain.boxes:
            shown.box(box, colour, 0.35)
        for edge in chain.edges:
            shown.edge(edge, colour, 0.9)
    return shown.svg()


def attention_picture(position: Position, weights: Any, chain: Chain, colour: str, edge: int, words: str) -> str:
    """Where the edge looks, as [cells] of the grid."""
    grid = Grid(position.game.ROWS, position.game.COLUMNS)
    shown = Picture(position, words)
    shown.edges()
    row = weights.copy()
    row[grid.edge[edge]] = 0.0
    row = row / row.max()
    for box in range(position.game.BOXES):
        shown.box(box, "heat", float(row[grid.box(box)]))
    for other, cell in grid.edge.items():
        if row[cell] > 0.02:
            shown.edge(other, "heat", float(row[cell]))
    for r in range(shown.rows + 1):
        for c in range(shown.columns + 1):
            share = float(row[2 * r * grid.width + 2 * c])
            if share > 0.02:
                x, y = shown.board.left + c * shown.cell, shown.board.top + r * shown.cell
                shown.board.circle(x, y, shown.cell * 0.16, "heat", opacity=share)
    shown.mark(edge, colour)
    return shown.svg()


def most_alike(found: dict[tuple[int, int], Any]) -> tuple[int, int]:
    """The layer and head that look most at their own chain beyond places and strangers."""
    own, others, places = (COLUMNS.index(name) for name in ("own", "others", "own_places"))

    def beyond(key: tuple[int, int]) -> float:
        rows = found[key].mean(0)
        return float(rows[own] - max(rows[others], rows[places]))

    return max(found, key=beyond)


def middle(chain: Chain, weights: Any, mask: Any, grid: Grid) -> int:
    """The edge of a chain whose share within it is the median of all its edges: neither the best nor the worst."""
    at = [grid.edge[edge] for edge in chain.edges]
    order = np.argsort(shares(weights[None], at, mask)[0], kind="stable")
    return chain.edges[int(order[len(order) // 2])]


def main() -> None:
    """Draw it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--layer", type=int)
    parser.add_argument("--head", type=int)
    parser.add_argument("--seed", type=int, help="which board")
    parser.add_argument("--out", required=True, type=Path)
    given = parser.parse_args()
    from zerogrid.networks.files import load_model

    model = load_model(given.model)
    candidates = range(20) if given.seed is None else [given.seed]
    boards = [late_position(model.game, seed) for seed in candidates]
    boards = [b for b in boards if sum(len(c.edges) >= LEAST for c in chains_of(b)) >= SHOWN] or boards
    if given.layer is None or given.head is None:
        found, _ = measured(model, [late_position(model.game, 1000 + i) for i in range(20)], LEAST)
        layer, head = most_alike(found)
    else:
        layer, head = given.layer, given.head
    grid = Grid(boards[0].game.ROWS, boards[0].game.COLUMNS)

    def own(position: Position) -> float:
        weights = maps_of(model, position)[layer][head : head + 1]
        chains = [chain for chain in chains_of(position) if len(chain.edges) >= LEAST]
        seen = [shares(weights, [grid.edge[e] for e in chain.edges], grid.mask(chain)).mean() for chain in chains]
        return float(np.mean(seen))

    means = [own(board) for board in boards]
    position = boards[int(np.argsort(np.abs(np.array(means) - np.mean(means)), kind="stable")[0])]
    chains = [chain for chain in chains_of(position) if len(chain.edges) >= LEAST]
    weights = maps_of(model, position)[layer][head]
    pictures = [chains_picture(position, chains)]
    for chain, colour in list(zip(chains, COLOURS, strict=False))[:SHOWN]:
        mask = grid.mask(chain)
        edge = middle(chain, weights, mask, grid)
        share = float(shares(weights[None], [grid.edge[edge]], mask)[0, 0])
        cells = (mask.sum() - 1) / (grid.cells - 1)
        words = f"layer {layer}, head {head}\n{share:.0%} to its chain\n({cells:.0%} of the cells)"
        pictures.append(attention_picture(position, weights[grid.edge[edge]], chain, colour, edge, words))
    given.out.write_text(sheet(pictures, Look(title="Attention along chains"), 4), encoding="utf-8")
    print(f"{position.game.spec} --moves {','.join(position.game.action_name(m) for m in position.moves)}")
    print(f"layer {layer}, head {head}; drawn into {given.out}")


if __name__ == "__main__":
    main()
