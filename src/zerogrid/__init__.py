"""ZeroGrid: a laboratory for learning grid games from nothing."""

from zerogrid.core.catalogue import game, names, use_file
from zerogrid.core.game import Game
from zerogrid.core.position import Outcome, Position

__version__ = "0.1.0"
__all__ = ["Game", "Outcome", "Position", "game", "names", "use_file"]
