"""From a game and a text such as "stones,history=5" to an encoding."""

from functools import lru_cache
from pathlib import Path

from zerogrid.core.catalogue import game as game_of
from zerogrid.core.errors import BadEncodingFile, UnknownEncoding
from zerogrid.core.game import Game
from zerogrid.core.rules import Setting
from zerogrid.encodings.encoding import Encoding
from zerogrid.encodings.shelf import Shelf, Values

# What a game is shown by where nobody says; other games by the generic encoding, which fits any.
DEFAULTS = {
    "gomoku": "stones",
    "tictactoe": "stones",
    "connect_four": "discs",
    "othello": "discs",
    "pawn_dama": "oneplane",
    "dots_and_boxes": "chainloop6",
    "battlefield": "teams",
    "breakthrough": "pawns",
}
GENERIC = "generic"
OWN_FILES = Path(__file__).resolve().parent / "files"
SHELF = Shelf("encoding", OWN_FILES, UnknownEncoding, BadEncodingFile, example="stones,history=5")


def encoding(game: Game | str, spec: str = "") -> Encoding:
    """The encoding of a game that a spec names: name, then ',setting=value' as often as needed; "" for the default."""
    game = game_of(game) if isinstance(game, str) else game
    return _make(game, *SHELF.find(game, spec, default_name(game)))


def default_name(game: Game) -> str:
    """The name of the encoding a game is shown by where nobody says."""
    preferred = DEFAULTS.get(game.name, GENERIC)
    return preferred if preferred in SHELF.names_for(game) else GENERIC


def default_encoding(game: Game | str) -> Encoding:
    """The encoding a game is shown by where nobody says."""
    return encoding(game)


def names_for(game: Game | str) -> list[str]:
    """The names of the encodings that a game has, those made for it before the generic one."""
    names = SHELF.names_for(game_of(game) if isinstance(game, str) else game)
    return sorted(names, key=lambda name: name == GENERIC)


def settings_of(game: Game | str, name: str) -> dict[str, Setting]:
    """The settings that an encoding declares."""
    return dict(encoding(game, name).declared)


def use_file(path: str | Path) -> str:
    """Make an encoding file of one's own known under its file name; returns that name."""
    _make.cache_clear()
    return SHELF.use_file(path)


@lru_cache(maxsize=256)
def _make(game: Game, name: str, values: Values) -> Encoding:
    module, declared = SHELF.run(name, game, values)
    return Encoding(game, name, module, dict(values), declared)
