"""Draws the pictures of README.md: python scripts/pictures.py [FOLDER]. A test compares them with docs/images."""

import sys
from pathlib import Path

import zerogrid
from zerogrid.core.drawing import draw_sheet

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"

# Positions that show what each game is about; every move is checked as it is played.
BOARDS = {
    "gomoku:6x6x4": "c3 d4 c4 d3 c2 c5 d2 e2 b2 b3 e4",
    "othello:6x6": "c2 b4 d5 c1 b1 e6 b3 b2 d6 e3 d1 e4 a4 c6",
    "dots_and_boxes:3x3": "h0.0 v0.0 h1.1 v1.2 h2.0 v2.1 h3.2 h1.0 v0.1 h0.1",
    "pawn_dama:6x6": "e2-e4 d5-d3 e1-e3 c5-c4 f2-f3 c4-c3 f3-f4 c6-c4 e4xf5",
    "battlefield:7x7": "down+down left+up down+down left+up left+left up+up shoot-down+wait",
    "connect_four:6x7": "b g e e d d e d g g c",
}


def boards() -> str:
    """Six games side by side."""
    positions = []
    for spec, moves in BOARDS.items():
        position = zerogrid.game(spec).start(seed=7)
        for move in moves.split():
            position.play(move)
        positions.append(position)
    return draw_sheet(positions, columns=3, captions=[position.game.title for position in positions])


PICTURES = {"boards.svg": boards}


def main() -> None:
    """Write every picture into the folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
