"""Every kernel that a card runs compiles to PTX, which needs no card: the search of every game, and one game's rest."""

from typing import Any

import pytest

from zerogrid.core import catalogue, cuda
from zerogrid.core import labels as labels_interface
from zerogrid.encodings import encoding
from zerogrid.encodings.labels import labels_for
from zerogrid.kernels import mill
from zerogrid.kernels import step as kernels
from zerogrid.search.forest import Forest, interfaces_for
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay.room import Errand, Room
from zerogrid.selfplay.settings import PlaySettings

pytestmark = pytest.mark.skipif(cuda.SIMULATED, reason="the simulator compiles nothing")


def ptx_of(kernel: Any, forest: Forest, settings: SearchSettings) -> str:
    """The PTX of a kernel for this forest's arrays."""
    interfaces = interfaces_for(forest.game, settings, forest.encoding)
    return cuda.ptx(kernel, interfaces, forest.trees)


@pytest.mark.parametrize("name", catalogue.names())
def test_the_search_of_every_game_compiles(name: str) -> None:
    shown = encoding(catalogue.game(name))
    settings = SearchSettings(simulations=4)
    forest = Forest(shown.game, settings, 1, shown, target="python")
    for kernel in (kernels.take_answers, kernels.choose_leaves):
        assert ".entry" in ptx_of(kernel, forest, settings)


@pytest.mark.parametrize("kind", ["puct", "gumbel"])
def test_every_manner_compiles_in_full(kind: Any) -> None:
    shown = encoding("tictactoe")
    settings = SearchSettings(kind=kind, simulations=4, noise=0.25 if kind == "puct" else 0.0)
    forest = Forest(shown.game, settings, 1, shown, target="python")
    for kernel in (kernels.plant_trees, kernels.choose_leaves, kernels.conclude, kernels.play_chosen):
        assert ".entry" in ptx_of(kernel, forest, settings)


def test_random_games_compile() -> None:
    settings = SearchSettings(kind="uct", simulations=4)
    forest = Forest(catalogue.game("tictactoe"), settings, 1, target="python")
    assert ".entry" in ptx_of(kernels.search_playouts, forest, settings)


def test_self_play_compiles() -> None:
    shown = encoding("tictactoe")
    settings = PlaySettings(games=1, search=SearchSettings(simulations=4, noise=0.25))
    room = Room(shown, settings, 1, target="python")
    interfaces = interfaces_for(shown.game, settings.search, shown)
    interfaces[labels_interface] = labels_for(shown.game).module
    numbers = mill_numbers()
    arrays = room._prepare(Errand(numbers, 4, 1, None))
    for kernel in (mill.advance, mill.release):
        assert ".entry" in cuda.ptx(kernel, interfaces, (room.forest.trees, arrays))


def mill_numbers() -> Any:
    """Any numbers of the right types."""
    from zerogrid.kernels.mill_arrays import Numbers

    return Numbers(1, 1, 0, 4, 0, 1.0, 0, 0, 0.0, 0.0, 0.1, 0.0, 1.0, 1.0, True, False)
