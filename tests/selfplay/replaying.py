"""What self-play brought in, checked against the rules: each example is found in its game, played once more."""

from typing import Any

import numpy as np

from search.judges import Hashing
from zerogrid.core.game import Game
from zerogrid.encodings import encoding
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay.mill import Harvest, Mill
from zerogrid.selfplay.settings import PlaySettings

SEARCH = SearchSettings(simulations=12, noise=0.25)


def settings(**changes: Any) -> PlaySettings:
    return PlaySettings(**{"games": 6, "search": SEARCH, "pace": 1, **changes})


def mill(game: Game, play: PlaySettings, seed: int = 5, target: str = "python", shown: str = "", **more: Any) -> Mill:
    return Mill(game, encoding(game, shown) if shown else encoding(game), play, seed=seed, target=target, **more)


def judge(one: Mill, salt: int = 0) -> Hashing:
    return Hashing(one.encoding, salt)


def by_game(harvest: Harvest) -> dict[int, list[int]]:
    """Rows of examples, by game number, in the order of plies."""
    found: dict[int, list[int]] = {}
    for row, number in enumerate(harvest.columns["game_id"].tolist()):
        found.setdefault(number, []).append(row)
    return found


def legal(game: Game, state: Any) -> list[int]:
    out = [0] * game.MAX_LEGAL
    return out[: game.legal([int(n) for n in state], out)]


def after(game: Game, state: Any, action: int) -> np.ndarray:
    numbers = [int(n) for n in state]
    game.play(numbers, action)
    return np.array(numbers, np.int16)


def same(one: Harvest, other: Harvest) -> None:
    """Everything that two harvests say is equal, but for the time they took."""
    for name, column in one.columns.items():
        np.testing.assert_array_equal(column, other.columns[name], err_msg=name)
    for name in ("positions", "games", "distinct", "wins", "draws", "plies", "simulations", "evaluations", "resigned"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.sample == other.sample
