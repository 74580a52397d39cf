"""What several commands are given: games, moves, files to write."""

from pathlib import Path
from typing import Annotated

from zerogrid.core.errors import ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

Plugins = Annotated[tuple[Path, ...], "a game file of one's own, to be used under its name; may be given again"]
Seed = Annotated[int, "for games with chance: which start"]
GAME = "a game, such as gomoku:6x6x4; zerogrid games lists them"


def named_game(spec: str, plugins: tuple[Path, ...] = ()) -> Game:
    """The game that someone asked for; only files they named themselves are run."""
    from zerogrid.core import catalogue

    use_plugins(plugins)
    return catalogue.game(spec)


def use_plugins(plugins: tuple[Path, ...]) -> None:
    """Make the game files named on the command line known."""
    from zerogrid.core import catalogue

    for file in plugins:
        catalogue.use_file(file)


def position_after(game: Game, moves: str, seed: int = 0) -> Position:
    """The position after the moves in a text, which has commas or spaces between them."""
    check_seed(seed)
    position = game.start(seed)
    for count, move in enumerate(moves.replace(",", " ").split(), start=1):
        try:
            position.play(move)
        except ZeroGridError as error:
            raise type(error)(f"move {count}: {error}") from error
    return position


def check_seed(seed: int) -> None:
    """Refuse what cannot be the seed of a game."""
    if not 0 <= seed < 2**63:
        raise ZeroGridError(f"--seed is a whole number from 0 to 2^63 - 1, not {quote(seed)}.")


def write_text(file: Path, text: str) -> None:
    """Write a file that the user named."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ZeroGridError(f"{quote(file)} cannot be written: {error.strerror}.") from error
