"""ZeroGrid: a laboratory for learning grid games from nothing."""

from typing import TYPE_CHECKING, Any

from zerogrid.core.catalogue import game, names, use_file
from zerogrid.core.game import Game
from zerogrid.core.position import Outcome, Position

if TYPE_CHECKING:
    from zerogrid.agents.analysing import analyse
    from zerogrid.encodings.check_game import check_game

__version__ = "0.1.0"
__all__ = ["Game", "Outcome", "Position", "analyse", "check_game", "game", "names", "use_file"]

# what few programs need, imported when it is asked for
_LATE = {"analyse": "zerogrid.agents.analysing", "check_game": "zerogrid.encodings.check_game"}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
