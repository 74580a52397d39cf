"""Games as SGF, which other programs show: Gomoku (GM[4]) and Othello (GM[2]).

Points are two letters, column and row from the top left, as in Go; a pass is an empty point. The moves of the opening
are ordinary moves, and a comment says where it ended.
"""

from collections.abc import Sequence

from zerogrid.arena.games import GameRecord
from zerogrid.core.catalogue import game as game_of
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game

KINDS = {"gomoku": 4, "othello": 2}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FORMAT = 4


class NoSgf(ZeroGridError):
    """SGF does not know the game."""


def as_sgf(records: Sequence[GameRecord]) -> str:
    """A collection of games; void ones are left out."""
    return "\n".join(one_game(record) for record in records if record.scores is not None) + "\n"


def one_game(record: GameRecord) -> str:
    """One game as a tree without branches."""
    game = game_of(record.game)
    if game.name not in KINDS:
        raise NoSgf(f"SGF knows {' and '.join(KINDS)}, not {game.spec}.")
    position = game.start(record.seed)
    rows, columns = int(game.ROWS), int(game.COLUMNS)
    size = str(columns) if rows == columns else f"{columns}:{rows}"
    result = {1.0: "B+", 0.5: "0", 0.0: "W+"}[record.result] if record.result is not None else "Void"
    nodes = [
        f"GM[{KINDS[game.name]}]FF[{FORMAT}]CA[UTF-8]AP[ZeroGrid]SZ[{size}]PB[{_text(record.players[0])}]"
        f"PW[{_text(record.players[1])}]RE[{result}]GN[{_text(f'{game.spec}, game {record.number}')}]"
    ]
    board = position.state[: rows * columns].tolist()
    for name, stone in (("AB", 1), ("AW", 2)):
        there = [_point(game, cell) for cell, value in enumerate(board) if value == stone]
        nodes[0] += name + "".join(f"[{point}]" for point in there) if there else ""
    for number, move in enumerate(record.moves, start=1):
        remark = "C[the opening ends here]" if number == record.opened else ""
        nodes.append(f"{'BW'[position.to_move]}[{_point(game, move)}]{remark}")
        position.play(move)
    return f"(;{';'.join(nodes)})"


def _point(game: Game, action: int) -> str:
    if action >= game.ROWS * game.COLUMNS:
        return ""  # a pass
    return LETTERS[action % game.COLUMNS] + LETTERS[action // game.COLUMNS]


def _text(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\]:" else sign for sign in text)
