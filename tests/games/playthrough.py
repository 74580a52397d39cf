"""Recorded games as text: every position, who is to move, what is legal, what was played, how it ended.

    Pawn Dama: a double step, a capture, and a race to the far row.
    pawn_dama:5x3, seed 0

    -- white to move
        5 B B B
        ...
    legal 6: a2-a3 b2-b3 ...
    played a2-a4

    -- a pawn reached the far row: white 1, black -1
        ...
"""

import textwrap
from collections.abc import Iterable
from pathlib import Path

import zerogrid
from zerogrid.core.position import Position

FOLDER = Path(__file__).resolve().parent.parent / "data" / "playthroughs"


def write(about: str, spec: str, seed: int, moves: Iterable[str]) -> str:
    """The record of a game."""
    position = zerogrid.game(spec).start(seed)
    lines = [about, f"{position.game.spec}, seed {seed}", *_scene(position)]
    for move in moves:
        action = position.game.action(move)
        position.play(action)
        lines += [f"played {position.game.action_name(action)}", *_scene(position)]
    return "\n".join(lines) + "\n"


def _scene(position: Position) -> list[str]:
    players, outcome = position.game.players, position.outcome
    if outcome is None:
        head = f"{players[position.to_move]} to move"
    else:
        head = f"{outcome.reason}: " + ", ".join(f"{who} {what:g}" for who, what in zip(players, outcome.scores))
    legal = f"legal {len(position.legal)}: {' '.join(position.legal)}".rstrip(" :")
    board = [f"    {line}".rstrip() for line in str(position).splitlines()[1:]]
    return ["", f"-- {head}", *board, *textwrap.wrap(legal, 116, subsequent_indent="    ", break_on_hyphens=False)]


def read(record: str) -> tuple[str, str, int, list[str]]:
    """What `write` needs to make the same record again: its first line, the game, the seed, the moves."""
    about, named, *rest = record.splitlines()
    spec, _, seed = named.rpartition(", seed ")
    moves = [line.removeprefix("played ") for line in rest if line.startswith("played ")]
    return about, spec, int(seed), moves


def records() -> dict[str, str]:
    """All records by their file's name; a file is named after its game, and perhaps what it shows: gomoku_draw.txt."""
    return {file.stem: file.read_text("utf-8") for file in sorted(FOLDER.glob("*.txt"))}
