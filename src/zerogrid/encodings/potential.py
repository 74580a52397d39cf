"""Potentials: how promising a position is for a player, for potential shaping; each is one file in potentials/.

    phi = potential_for("battlefield:7x7", "tactics,health=0.5")
    link(kernel, "cuda", {core.potential: phi.module})      # kernels call potential.potential(state, player)
    phi.of(position, 0)                                     # for people and tests

A potential file is written like an encoding file: it asks for `game_module` and `setting` at the top, and defines
`potential(state, player)`, a plain function with a result in [-1, 1], and 0 where the game has ended.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import potential as interface
from zerogrid.core.catalogue import game as game_of
from zerogrid.core.errors import BadPotentialFile, UnknownPotential
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.core.position import Position
from zerogrid.core.rules import Setting
from zerogrid.encodings.shelf import Shelf, Values

NONE = "none"  # no shaping
OWN_FILES = Path(__file__).resolve().parent / "potentials"
SHELF = Shelf("potential", OWN_FILES, UnknownPotential, BadPotentialFile, example="tactics,health=0.5")


class Potential:
    """One potential, made for a game with its weights. Two are equal when their games and specs are."""

    def __init__(
        self, game: Game, name: str, module: ModuleType, settings: Mapping[str, Any], declared: Mapping[str, Setting]
    ) -> None:
        if not isinstance(getattr(module, "potential", None), FunctionType):
            raise BadPotentialFile(f"{name}.py does not define potential(state, player); see zerogrid.core.potential.")
        self.game = game
        self.name = name
        self.module: Any = module
        self.settings = dict(settings)
        self.declared = dict(declared)
        self.spec = Shelf.write(name, self.settings, self.declared)

    def of(self, position: Position, player: int) -> float:
        """How promising a position is for a player."""
        return float(self.module.potential(position._state, player))

    def of_many(self, states: npt.NDArray[np.int16], target: str = "cpu") -> npt.NDArray[np.float64]:
        """The potentials of many states for both players: [n, 2]."""
        args = PotentialArgs(states, np.full((len(states), 2), np.nan))
        kernel = link(potential_kernel, target, {interface: self.module})
        if target == "cuda":
            from zerogrid.core.cuda import to_device, to_host

            on_card = to_device(args)
            kernel(len(states), on_card)
            return np.asarray(to_host(on_card.out))
        kernel(len(states), args)
        return np.asarray(args.out)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Potential) and (other.game, other.spec) == (self.game, self.spec)

    def __hash__(self) -> int:
        return hash((self.game, self.spec))

    def __repr__(self) -> str:
        return f"zerogrid.encodings.potential_for({self.game.spec!r}, {self.spec!r})"


class PotentialArgs(NamedTuple):
    """States, and room for what they promise each player."""

    states: Any  # int16 [N, STATE_SIZE]
    out: Any  # float64 [N, 2]


def potential_kernel(b: int, lane: int, args: PotentialArgs) -> None:
    """What state b promises each player."""
    for player in range(2):
        if lane == 0:
            args.out[b, player] = interface.potential(args.states[b], player)


def potential_for(game: Game | str, spec: str = NONE) -> Potential:
    """The potential of a game that a spec names: name, then ',weight=value' as often as needed."""
    game = game_of(game) if isinstance(game, str) else game
    return _make(game, *SHELF.find(game, spec, NONE))


def potentials_for(game: Game | str) -> list[str]:
    """The names of the potentials that a game has; every game has the one that promises nothing."""
    return list(SHELF.names_for(game_of(game) if isinstance(game, str) else game))


def use_potential_file(path: str | Path) -> str:
    """Make a potential file of one's own known under its file name; returns that name."""
    _make.cache_clear()
    return SHELF.use_file(path)


@lru_cache(maxsize=256)
def _make(game: Game, name: str, values: Values) -> Potential:
    module, declared = SHELF.run(name, game, values)
    return Potential(game, name, module, dict(values), declared)
