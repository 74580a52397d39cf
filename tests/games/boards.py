"""Positions for the tests of the rules: played from the start, or drawn by hand."""

import zerogrid
from zerogrid.core.position import Position


def after(spec: str, moves: str, seed: int = 0) -> Position:
    """The position after these moves, each checked as it is played."""
    position = zerogrid.game(spec).start(seed)
    for move in moves.split():
        position.play(move)
    return position


def drawn(spec: str, board: str, *lines: str) -> Position:
    """A position from its text; `board` may be indented."""
    rows = [line.strip() for line in board.strip().splitlines()]
    return Position.parse("\n".join([spec, *rows, *lines]))


def ending(position: Position) -> tuple[str, float, float] | None:
    """Why the game ended and what it is worth to each player."""
    outcome = position.outcome
    return None if outcome is None else (outcome.reason, *outcome.scores)
