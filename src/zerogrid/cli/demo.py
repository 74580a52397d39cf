"""zerogrid demo: a tour of what there is, on a real game."""

import time

from zerogrid.cli.output import Output
from zerogrid.core import draws
from zerogrid.core.game import Game
from zerogrid.core.position import Position

GAME = "gomoku:6x6x4"
COUNTED = "connect_four:6x7"


def demo(out: Output) -> None:
    """Take a tour: the games, one of them played by chance, and its rules on two targets.

    Examples:
      zerogrid demo
      zerogrid demo --json
    """
    _show_games(out)
    _show_a_game_of_chance(out)
    _show_two_targets(out)
    out.text("Next:")
    out.text("  zerogrid new-game mine && zerogrid check mine.py    a game of your own, in a hundred lines")
    out.text("  zerogrid                                            everything else one can do")


def _show_games(out: Output) -> None:
    import zerogrid

    games = [zerogrid.game(name) for name in zerogrid.names()]
    out.record({"step": "games", "games": [game.spec for game in games]})
    out.text("The games that are here, with their usual sizes:")
    for game in games:
        out.text(f"  {game.spec:<24}{game.title}")
    out.text()


def _show_a_game_of_chance(out: Output) -> None:
    import zerogrid

    position = random_game(zerogrid.game(GAME), seed=1)
    outcome = position.outcome
    assert outcome is not None
    names = [position.game.action_name(action) for action in position.moves]
    out.record({"step": "game", "game": GAME, "moves": names, "scores": outcome.scores, "reason": outcome.reason})
    out.text(f"Two players who move at random on {GAME} ended like this after {len(names)} moves:")
    out.text()
    out.text(position.terminal())
    out.text()


def random_game(game: Game, seed: int) -> Position:
    """A game whose moves are drawn from the seed, played to its end."""
    position = game.start(seed)
    while not position.over:
        legal = position.actions
        position.play(legal[draws.below(len(legal), seed, draws.AGENT, len(position.moves), 0)])
    return position


def _show_two_targets(out: Output) -> None:
    import zerogrid
    from zerogrid.kernels.perft import perft

    game = zerogrid.game(COUNTED)
    out.text(f"The rules of {COUNTED} are plain Python. Here all sequences of 4 moves are counted with them as they")
    out.text("are, then with the same functions compiled:")
    perft(game, 3)  # compiles, or finds what was compiled before
    seconds = {}
    for target in ("python", "cpu"):
        began = time.perf_counter()
        leaves = perft(game, 4, target).leaves[-1]
        seconds[target] = time.perf_counter() - began
        out.text(f"  target {target:<7}{leaves:,} sequences in {1000 * seconds[target]:,.1f} ms")
        out.record({"step": "perft", "target": target, "leaves": leaves, "seconds": seconds[target]})
    out.text()
