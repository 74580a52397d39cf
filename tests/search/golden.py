"""Golden trees: recorded searches that carry their own configuration. Run this file to record them anew.

    PYTHONPATH=src:tests python -m search.golden

A change here means that searches choose differently: say so in the CHANGELOG, for runs will not repeat.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import zerogrid
from search.harness import chosen, grow, policy, whole_tree
from zerogrid.core.draws import mix
from zerogrid.kernels import tree
from zerogrid.search.settings import SearchSettings

FOLDER = Path(__file__).parents[1] / "data" / "golden"

RECORDED: dict[str, tuple[str, list[str | int], SearchSettings]] = {
    "tictactoe_puct": ("tictactoe", ["b2", "a1"], SearchSettings(simulations=80)),
    "tictactoe_gumbel": ("tictactoe", ["b2"], SearchSettings(kind="gumbel", simulations=32)),
    "tictactoe_uct": ("tictactoe", [], SearchSettings.for_kind("uct", simulations=300)),
    "dots_and_boxes_papers": (
        "dots_and_boxes:2x2", [0, 5], SearchSettings.paper(simulations=60, noise=0.25, alpha=0.3)
    ),
    "othello_leaves": ("othello:4x4", [], SearchSettings(simulations=64, leaves=4, virtual_loss=1)),
    "gomoku_forced": ("gomoku:4x4x3", [5], SearchSettings(simulations=60, forced=2.0, noise=0.25, c_base=500.0)),
}


def outcome(spec: str, moves: list[Any], settings: SearchSettings, target: str = "python") -> dict[str, Any]:
    """What a search comes to, in numbers that hold everywhere."""
    position = zerogrid.game(spec).start()
    for move in moves:
        position.play(move)
    forest = grow([position], settings, target)
    first, count = forest.trees.node[0, 0, tree.FIRST], forest.trees.node[0, 0, tree.COUNT]
    rows = forest.trees.edge[0, first : first + count]
    return {
        "actions": forest.trees.action[0, first : first + count].tolist(),
        "visits": rows[:, tree.TRIED].tolist(),
        "priors": rows[:, tree.PRIOR].tolist(),
        "sums": forest.trees.worth[0, first : first + count].tolist(),
        "bounds": rows[:, [tree.LEAST, tree.MOST]].tolist(),
        "policy": policy(forest),
        "chosen": chosen(forest),
        "nodes": int(forest.trees.game[0, tree.NODES]),
        "tree": digest(whole_tree(forest)),
    }


def digest(told: Any) -> str:
    """The whole tree in eight hexadecimal digits."""
    h = 1

    def stir(part: Any) -> None:
        nonlocal h
        if isinstance(part, list):
            h = mix(h, len(part))
            for one in part:
                stir(one)
        else:
            h = mix(mix(h, -1 if part is None else part), (0 if part is None else part) >> 32)

    stir(told)
    return f"{h:08x}"


def main() -> None:
    """Record all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (spec, moves, settings) in RECORDED.items():
        found = outcome(spec, moves, settings)
        record = {"game": spec, "moves": moves, "settings": asdict(settings), "expected": found}
        (FOLDER / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
