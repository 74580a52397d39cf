"""What searches and self-play do on a card, in simulated CUDA and ordinary memory: the same as on the processor."""

from typing import Any

import numpy as np
import pytest

import zerogrid
from cuda.ordinary import CardLooking, Looking, no_card_needed  # noqa: F401 - a fixture
from search.harness import a_position
from zerogrid.encodings import encoding
from zerogrid.search.card import CardSearcher
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay.mill import Mill
from zerogrid.selfplay.settings import PlaySettings

pytestmark = pytest.mark.usefixtures("no_card_needed")
SEARCH = SearchSettings(simulations=8, noise=0.25)


@pytest.mark.parametrize("settings", [SEARCH, SEARCH.but(leaves=3)], ids=["one leaf", "three leaves"])
def test_answers_are_those_of_the_processor(settings: SearchSettings) -> None:
    positions = [a_position("tictactoe", plies, seed=plies) for plies in (0, 2, 5, 6, 3)]
    shown = encoding(positions[0].game)
    seeds = list(range(5))
    here = Searcher(positions[0].game, Looking(shown), settings, 8).search(positions, seeds)
    there = CardSearcher(positions[0].game, CardLooking(shown), settings, 4).search(positions, seeds)
    for one, other in zip(here, there, strict=True):
        for name in ("visits", "choice", "policy", "values", "line", "simulations", "evaluations"):
            assert getattr(one, name) == getattr(other, name), name


def games_of(mill: Mill, evaluator: Any, **wanted: Any) -> dict[int, Any]:
    """Games by their seeds: moves and scores, and the examples' policies in the order of plies."""
    harvest = mill.play(evaluator, **wanted)
    assert not harvest.against or sum(map(sum, harvest.against.values())) > 0
    columns = {name: np.asarray(column) for name, column in harvest.columns.items()}
    policies: dict[int, list[bytes]] = {}
    for row in np.lexsort((columns["ply"], columns["game_id"])):
        policies.setdefault(int(columns["game_id"][row]), []).append(columns["policy"][row].tobytes())
    assert len(policies) <= harvest.games
    assert harvest.positions == len(columns["z"]) >= wanted["positions"]
    told = {game.seed: (game.moves, game.scores) for game in harvest.sample}
    return {"games": told, "policies": policies}


def both(play: PlaySettings, rivals: bool = False, **wanted: Any) -> None:
    game = zerogrid.game("tictactoe")
    shown = encoding(game)
    found = []
    for device, judge in (("cpu", Looking), ("cuda", CardLooking)):
        mill = Mill(game, shown, play, seed=3, device=device)
        met = {"rivals": [(judge(shown, 9), 0.5, "other")]} if rivals else {}
        calls = 1 if play.keep_tree else 2  # between calls trees are let go of, wherever they stand
        found.append([games_of(mill, judge(shown), **wanted, **met) for _ in range(calls)])
    for here, there in zip(*found, strict=True):
        for kind in ("games", "policies"):
            shared = here[kind].keys() & there[kind].keys()
            assert len(shared) >= 2
            assert all(here[kind][number] == there[kind][number] for number in shared)


def test_games_are_those_of_the_processor() -> None:
    """Each game follows from its number; which ones end first depends on how many steps are between two looks."""
    both(PlaySettings(games=3, search=SEARCH, pace=2), positions=14, random_moves=2)


def test_games_against_rivals_are_those_of_the_processor() -> None:
    both(PlaySettings(games=4, search=SEARCH.but(simulations=5), keep_tree=False, pace=1), rivals=True, positions=8)


def test_games_under_way_are_taken_up_again() -> None:
    game = zerogrid.game("tictactoe")
    shown = encoding(game)
    play = PlaySettings(games=3, search=SEARCH.but(simulations=5), pace=1)
    one, other = (Mill(game, shown, play, seed=3, device="cuda") for _ in range(2))
    one.play(CardLooking(shown), positions=6)
    other.restore({name: array.copy() for name, array in one.state().items()})  # from a card it is a copy as it is
    again = [games_of(mill, CardLooking(shown), positions=8) for mill in (one, other)]
    assert again[0] == again[1]
