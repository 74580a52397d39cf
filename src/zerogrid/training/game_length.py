"""How long games are, from a few random ones: learned games are about as long."""

from functools import cache

from zerogrid.core import draws
from zerogrid.core.game import Game

GAMES = 12
LONGEST = 400
MOST_RANDOM = 30


@cache
def mean_plies(game: Game) -> float:
    """The mean length of random games."""
    total = 0
    for seed in range(GAMES):
        position = game.start(seed)
        while not position.over and len(position.moves) < LONGEST:
            legal = position.actions
            position.play(legal[draws.below(len(legal), seed, draws.AGENT, len(position.moves), 0)])
        total += len(position.moves)
    return total / GAMES


def random_moves_for(game: Game) -> int:
    """How many random moves a game may start with and still be worth playing: half of a random game."""
    return max(1, min(MOST_RANDOM, round(mean_plies(game) / 2)))
