"""Every error a user can cause, by name.

Each one is a single sentence: what was wrong, quoted, and what would be right. The command line prints the sentence
and exits with 2; a program may catch `ZeroGridError` or the particular class.
"""

import difflib
from collections.abc import Iterable


class ZeroGridError(Exception):
    """Something the user gave, asked or wrote is wrong; the message says what and how to mend it."""

    exit_code = 2  # of the command line; 1 where what was asked was right and the work failed


class UnknownGame(ZeroGridError):
    """There is no game of that name."""


class BadSetting(ZeroGridError):
    """A game has no such setting or variant, or the value is out of its range."""


class BadGameFile(ZeroGridError):
    """A game's own file breaks the rules interface."""


class BadAction(ZeroGridError):
    """A text or number does not name an action of the game."""


class IllegalMove(ZeroGridError):
    """The action exists but may not be played in this position."""


class GameOver(ZeroGridError):
    """The game has ended; nothing can be played any more."""


class BadPosition(ZeroGridError):
    """A text does not describe a position, or a file of positions is malformed."""


class BadLook(ZeroGridError):
    """A drawing was asked for something that drawings do not have."""


class CannotLink(ZeroGridError):
    """A rules or kernel function uses something that cannot be compiled for the target."""


class TargetMissing(ZeroGridError):
    """The asked target is not available on this machine."""


class UnknownEncoding(ZeroGridError):
    """The game has no encoding of that name."""


class BadEncodingFile(ZeroGridError):
    """An encoding's own file breaks the encoding interface."""


class UnknownPotential(ZeroGridError):
    """The game has no potential of that name."""


class BadPotentialFile(ZeroGridError):
    """A potential's own file breaks the potential interface."""


class BadNetwork(ZeroGridError):
    """There is no network of that name, it has no such setting, or it cannot express the game."""


class BadResults(ZeroGridError):
    """Results of games, or a question about them, that cannot be rated."""


class BadModelFile(ZeroGridError):
    """A model file is damaged, hostile, or made for something else."""


def quote(text: object, longest: int = 60) -> str:
    """The user's own words in quotation marks, cut short and with nothing unprintable in them."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text)[: longest + 1])
    return f'"{shown[:longest]}…"' if len(shown) > longest else f'"{shown}"'


def nearest(word: str, known: Iterable[str]) -> str:
    """' Did you mean "gomoku"?' or nothing: to be put behind a sentence that refuses a name."""
    close = difflib.get_close_matches(word[:100], list(known), n=1)
    return f' Did you mean "{close[0]}"?' if close else ""
