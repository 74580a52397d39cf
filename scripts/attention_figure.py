"""The figure in docs/networks that shows where a Dotsformer looks on a late board with chains.

    python scripts/attention_figure.py MODEL [--game dots_and_boxes:5x5] [--moves h0.0,...] --out docs/images/chains.svg

Four boards side by side: the heads of one layer, each the mean over all cells. Without --moves a late position of
guarded random play is taken: nobody gives a box away as long as another move is left, so that chains remain.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

import zerogrid
from zerogrid.cli.attention import look
from zerogrid.core.position import Position
from zerogrid.networks.files import load_model


def late_position(spec: str, seed: int) -> Position:
    """Random moves that leave no box with three edges, until there is none left."""
    draw = np.random.default_rng(seed)
    position = zerogrid.game(spec).start()
    while True:
        quiet = []
        for action in position.actions:
            after = position.copy().play(action)
            mover = position.to_move
            gives = any(after.copy().play(reply).to_move == after.to_move for reply in after.actions)
            if after.to_move != mover and not gives:
                quiet.append(action)
        if not quiet:
            return position
        position.play(int(draw.choice(quiet)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--game", default="dots_and_boxes:5x5")
    parser.add_argument("--moves", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layer", type=int, default=-1)
    parser.add_argument("--query", default="")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    model = load_model(given.model)
    if given.moves:
        position = zerogrid.game(given.game).start()
        for move in given.moves.split(","):
            position.play(move)
    else:
        position = late_position(given.game, given.seed)
    from zerogrid.cli.attention import is_turned
    from zerogrid.encodings import encoding
    from zerogrid.views.look import Look
    from zerogrid.views.sheet import sheet

    turned = is_turned(encoding(position.game, model.encoding), position)
    views = [look(model, position, given.layer, head, given.query) for head in range(4)]
    pictures = [view.svg(position, model.shape, turned, header=False, size=420) for view in views]
    Path(given.out).write_text(sheet(pictures, Look(), 2), encoding="utf-8")
    print(f"{position!r}\n{views[0].layers}\nDrawn into {given.out}.")


if __name__ == "__main__":
    main()
