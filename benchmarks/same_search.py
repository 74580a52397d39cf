"""The same trees on a card as on the processor, to the last bit: python benchmarks/same_search.py [--games 64]

Every game is searched on both with the same made-up answers, which depend on the position alone: by PUCT, and some also
by Gumbel, with several leaves at a time, with root noise and forced playouts, with actions as tokens. All arrays that
tell of trees are compared. One JSON line each; ends with exit code 1 where anything differs. With --target python the
naive target stands in for the card, which needs none.
"""

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

import zerogrid
from zerogrid.encodings import encoding
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.search.forest import Forest
from zerogrid.search.measure import openings
from zerogrid.search.settings import SearchSettings

PUCT = SearchSettings(noise=0.25, forced=2.0)
GUMBEL = SearchSettings.for_kind("gumbel", gumbel_scale=1.0)
SEARCHES: list[tuple[str, str, SearchSettings, bool]] = [
    *((spec, "puct", PUCT, False) for spec in (
        "tictactoe", "gomoku:6x6x4", "gomoku:15x15x5", "connect_four:6x7", "othello:8x8", "breakthrough:6x6",
        "pawn_dama:8x8", "battlefield:7x7", "dots_and_boxes:5x5",
    )),
    ("othello:6x6", "papers", SearchSettings.paper(), False),
    ("dots_and_boxes:3x3", "gumbel", GUMBEL, False),
    ("connect_four:6x7", "gumbel", GUMBEL, False),
    ("gomoku:6x6x4", "four leaves", PUCT.but(leaves=4, forced=0.0), False),
    ("dots_and_boxes:3x3", "gumbel, four leaves", GUMBEL.but(leaves=4), False),
    ("battlefield:5x5,agents=1", "tokens", PUCT, True),
]  # fmt: skip
COMPARED = {"node": tree.NODES, "states": tree.NODES, "edge": tree.EDGES, "action": tree.EDGES}


def answers(states: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits in [-2, 2) and values in [-0.5, 0.5), the same for equal states."""
    weights = np.arange(1, states.shape[1] + 1, dtype=np.int64) * 0x9E3779B1 | 1
    keys = (states.astype(np.int64) * weights).sum(1) & 0x7FFFFFFF
    slots = (keys[:, None] * (2 * np.arange(width, dtype=np.int64) + 1) * 0x85EBCA6B >> 13) & 4095
    values = (keys * 0xC2B2AE35 >> 17 & 1023) / 1024.0 - 0.5
    return (slots / 1024.0 - 2.0).astype(np.float32), values.astype(np.float32)


def on_processor(forest: Forest, states: np.ndarray) -> Forest:
    """The search as the CPU does it."""
    forest.plant(states, range(len(states)))
    while forest.step():
        forest.batch.logits[:], forest.batch.values[:] = answers(forest.waiting(), forest.batch.logits.shape[1])
    forest.settle()
    return forest


def on_card(forest: Any, states: np.ndarray) -> Any:
    """The same in the pieces that a card runs."""
    import torch

    rows, leaves = len(states) * forest.capacity.leaves, forest.capacity.leaves
    width = forest.sizes.legal if forest.sizes.features else forest.sizes.slots
    logits, values = torch.zeros(rows, width, device="cuda"), torch.zeros(rows, device="cuda")
    forest.listen(logits, values)
    forest.begin(states, np.arange(len(states)))
    t = forest.tensors
    for _ in range(4 * forest.settings.simulations):
        for kernel in kernels.pieces(leaves):
            forest.run(kernel)
        if not forest.any_waiting:
            break
        nodes = t["leaf"][:, :, tree.LEAF].clamp(min=0).long()
        waiting = t["states"][torch.arange(len(states), device="cuda")[:, None], nodes].reshape(rows, -1).cpu().numpy()
        made = answers(waiting, width)
        logits.copy_(torch.from_numpy(made[0]))
        values.copy_(torch.from_numpy(made[1]))
    forest.stream.synchronize()
    forest.run(kernels.conclude)
    forest.stream.synchronize()
    return forest


def differing(one: Forest, other: Any, card: bool) -> list[str]:
    """The arrays that are not the same wherever something was written."""
    found = []
    theirs = {name: tensor.cpu().numpy() for name, tensor in other.tensors.items()} if card else other.trees._asdict()
    for name, counter in COMPARED.items():
        mine = getattr(one.trees, name)
        for b in range(one.planted):
            count = one.trees.game[b, counter]
            if mine[b, :count].tobytes() != theirs[name][b, :count].tobytes():
                found.append(name)
                break
    same_root = np.array_equal(one.trees.root[..., tree.POLICY], theirs["root"][..., tree.POLICY])
    same_game = np.array_equal(np.delete(one.trees.game, tree.LIMIT, 1), np.delete(theirs["game"], tree.LIMIT, 1))
    return found + ["policy"] * (not same_root) + ["game"] * (not same_game)


def main() -> int:
    """Search everything, and say a line about each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=60)
    parser.add_argument("--target", default="cuda", choices=("cuda", "python"))
    asked = parser.parse_args()
    failed = 0
    for spec, name, settings, tokens in SEARCHES:
        began = time.perf_counter()
        game = zerogrid.game(spec)
        shown, search = encoding(game), settings.but(simulations=asked.simulations)
        states = openings(game, asked.games)
        one = on_processor(Forest(game, search, asked.games, shown, tokens=tokens), states)
        if asked.target == "cuda":
            from zerogrid.search.card import CardForest

            other: Any = on_card(CardForest(game, search, asked.games, shown, tokens=tokens), states)
        else:
            other = on_processor(Forest(game, search, asked.games, shown, "python", tokens=tokens), states)
        wrong = differing(one, other, asked.target == "cuda")
        failed += bool(wrong)
        nodes = int(one.trees.game[:, tree.NODES].sum())
        told = {"game": spec, "search": name, "games": asked.games, "simulations": asked.simulations, "nodes": nodes}
        print(json.dumps({**told, "differs": wrong, "seconds": round(time.perf_counter() - began, 1)}), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
