"""Draws the pictures of README.md and docs/games: python scripts/pictures.py [FOLDER].

Tests compare them with docs/images, so that no picture shows rules or drawings of the past.
"""

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


def numbered(spec: str, moves: str = "", caption: str = "", arrows: str = "", seed: int = 0) -> str:
    """A board with the number of each action on it: of every empty place, or of some moves drawn as arrows."""
    position = zerogrid.game(spec).start(seed)
    for move in moves.split():
        position.play(move)
    wanted = arrows.split() or position.legal
    actions = [action for action in position.actions if position.game.action_name(action) in wanted]
    heat = dict.fromkeys(actions, 1.0) if arrows else {}
    labels = {action: str(action) for action in actions}
    return position.svg(heat=heat, labels=labels, last=False, hints=False, header=False, caption=caption)


def othello() -> str:
    """Every empty square with its number, legal now or not."""
    position = zerogrid.game("othello:6x6").start()
    empty = [cell for cell in range(36) if position.state[cell] == 0]
    labels = {cell: str(cell) for cell in empty}
    return position.svg(labels=labels, hints=False, header=False, caption="36 is the pass")


ORDERS = "up right down left shoot-up shoot-right shoot-down shoot-left"
PICTURES = {
    "boards.svg": boards,
    "games/tictactoe.svg": lambda: numbered("tictactoe"),
    "games/gomoku.svg": lambda: numbered("gomoku:6x6x4"),
    "games/connect_four.svg": lambda: numbered("connect_four:6x7"),
    "games/othello.svg": othello,
    "games/dots_and_boxes.svg": lambda: numbered("dots_and_boxes:3x3"),
    "games/pawn_dama.svg": lambda: numbered(
        "pawn_dama:6x6", "c2-c4 d5-d3", "e2xd3 is 10 + 36 × 15 = 550", "e2xd3 c4xb5 b2-b3 a2-a4"
    ),
    "games/breakthrough.svg": lambda: numbered(
        "breakthrough:6x6", "c2-c3 d5-d4", "c3xd4 is 2 × 16 + 3 × 2 + 1 = 39", "c3-d4 c3-b4 a2-a3 f2-e3"
    ),
    "games/battlefield.svg": lambda: numbered(
        "battlefield:7x7,agents=1,obstacles=3,range=2", "down up down up down up", "0 is to wait", ORDERS, seed=0
    ),
}


def main() -> None:
    """Write every picture into the folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    for name, draw in PICTURES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
