"""An encoding: one encoding file, run for one game with its settings, and what follows from it.

    e = zerogrid.encodings.encoding(zerogrid.game("gomoku:6x6x4"), "stones,history=5")
    link(kernel, "cuda", {core.encoding: e.module})    # kernels call encoding.encode, .slot, .describe
    e.encode(position)                                 # float32 [height, width, planes], for people and tests
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import encoding as interface
from zerogrid.core.encoding import Move
from zerogrid.core.errors import BadEncodingFile, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.core.rules import Setting
from zerogrid.encodings import standard
from zerogrid.encodings.actions import lie_of, places_of
from zerogrid.encodings.shelf import Shelf

Floats = npt.NDArray[np.float32]
LIMITS = {"HISTORY": 256, "PLANES": 1024, "HEIGHT": 64, "WIDTH": 64, "SLOTS": 65_536, "SCRATCH": 65_536}
LIMITS["FEATURES"] = 1024


class Gathers(NamedTuple):
    """All moves as tables to gather by: moved[cell, plane] = planes[cells[m, cell], planes[m, plane]], slots alike."""

    cells: npt.NDArray[np.int64]
    planes: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int64]


class Encoding:
    """How one game is shown to a network. Two encodings are equal when their games and specs are."""

    def __init__(
        self, game: Game, name: str, module: ModuleType, settings: Mapping[str, Any], declared: Mapping[str, Setting]
    ) -> None:
        self.game = game
        self.name = name
        self.module: Any = module
        self.settings = dict(settings)
        self.declared = dict(declared)
        self._complete()
        self.spec = Shelf.write(name, self.settings, self.declared)

    # --- completing what the file leaves out --------------------------------------------------------------------------

    def _complete(self) -> None:
        module, file = self.module, str(self.module.__file__).rpartition("/")[2]
        own = vars(module)
        names = tuple(str(name) for name in own.get("PLANE_NAMES", ()))
        if not names:
            raise BadEncodingFile(f"{file} has no PLANE_NAMES; write PLANE_NAMES = ('own stones', 'enemy stones').")
        own.setdefault("HISTORY", interface.HISTORY)
        own.setdefault("SCRATCH", interface.SCRATCH)
        own.setdefault("SLOTS", self.game.ACTIONS)
        for name in ("HEIGHT", "WIDTH", "HISTORY"):
            self._check_constant(file, name)
        if "encode" not in own:
            own["encode"] = self._encode_from_parts(file, len(names))
            own["PLANES"] = len(names) * module.HISTORY
            own["STACKED"] = module.HISTORY
            names = tuple(f"{name}{_ago(step)}" for step in range(module.HISTORY) for name in names)
        own.setdefault("PLANES", len(names))
        own.setdefault("STACKED", 1)
        self.plane_names = names
        if len(names) != own["PLANES"]:
            raise BadEncodingFile(f"{file} names {len(names)} planes in PLANE_NAMES and has PLANES = {own['PLANES']}.")
        lie = lie_of(self.game.module)
        self.feature_names = tuple(own.get("FEATURE_NAMES", lie.names))
        own.setdefault("slot", standard.slot)
        if "describe" not in own:
            own["FEATURES"] = lie.features
            own["describe"] = lie.functions()["describe"]
        for name in interface.CONSTANTS:
            self._check_constant(file, name)
        if own["FEATURES"] - len(self.feature_names):
            count = len(self.feature_names)
            raise BadEncodingFile(f"{file} has {count} FEATURE_NAMES and FEATURES = {own['FEATURES']}.")
        if "places" in own:
            self.policy_planes = int(own["POLICY_PLANES"])
            self.places = tuple(tuple(int(place) for place in row) for row in module.places())
        elif lie.cells and (lie.rows, lie.columns, self.game.ACTIONS) == (module.HEIGHT, module.WIDTH, module.SLOTS):
            self.policy_planes, self.places = places_of(lie)
        else:
            self.policy_planes, self.places = 0, ()

    def _check_constant(self, file: str, name: str) -> None:
        value, least = getattr(self.module, name, None), 0 if name == "FEATURES" else 1
        if type(value) is not int or not least <= value <= LIMITS[name]:
            limits = f"from {least} to {LIMITS[name]}"
            raise BadEncodingFile(f"{file}: {name} must be a whole number {limits}, not {quote(value)}.")

    def _encode_from_parts(self, file: str, base: int) -> FunctionType:
        """`encode` from the file's `paint`, or from its `show`."""
        module = self.module
        names: dict[str, Any] = {"CELLS": module.HEIGHT * module.WIDTH, "BASE": base, "SHARED": base & -base}
        if not hasattr(module, "paint"):
            if not isinstance(getattr(module, "show", None), FunctionType):
                raise BadEncodingFile(f"{file} defines none of show, paint and encode; see zerogrid.core.encoding.")
            module.paint = standard.completed(standard.paint, {**names, "show": module.show})
        names |= {"to_move": self.game.module.to_move, "HISTORY": module.HISTORY, "paint": module.paint}
        return standard.completed(standard.encode, {**names, "blank": standard.completed(standard.blank, names)})

    # --- what others ask ----------------------------------------------------------------------------------------------

    @property
    def planes(self) -> int:
        """Planes of one input, those of earlier positions included."""
        return int(self.module.PLANES)

    @property
    def height(self) -> int:
        """Rows of the planes."""
        return int(self.module.HEIGHT)

    @property
    def width(self) -> int:
        """Columns of the planes."""
        return int(self.module.WIDTH)

    @property
    def slots(self) -> int:
        """Places in the policy vector."""
        return int(self.module.SLOTS)

    @property
    def history(self) -> int:
        """How many positions encode looks back on, the newest included."""
        return int(self.module.HISTORY)

    @property
    def stacked(self) -> int:
        """How many positions are shown one behind the other, with equally many planes each."""
        return int(self.module.STACKED)

    @property
    def features(self) -> int:
        """Numbers that describe an action."""
        return int(self.module.FEATURES)

    @property
    def scratch(self) -> int:
        """Entries of int16 scratch memory that encode needs."""
        return int(self.module.SCRATCH)

    @property
    def unordered(self) -> tuple[tuple[int, int], ...]:
        """For each position shown: planes from the first to before the second may come in any order."""
        if not hasattr(self.module, "UNORDERED"):
            return ()
        base, (first, last) = self.planes // self.stacked, self.module.UNORDERED
        return tuple((step * base + first, step * base + last) for step in range(self.stacked))

    def shape_fields(self) -> dict[str, Any]:
        """The fields of a zerogrid.networks.shapes.Shape."""
        return {
            "game": self.game.name,
            "planes": self.planes,
            "height": self.height,
            "width": self.width,
            "actions": self.slots,
            "history": self.stacked,
            "action_features": self.features,
            "agents": int(getattr(self.module, "AGENTS", 0)),
            "boxes": tuple(getattr(self.module, "BOXES", (0, 0))),
            "policy_planes": self.policy_planes,
            "places": self.places,
        }

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """For each symmetry of the game, in order, how cells, planes and slots change places."""
        own = getattr(self.module, "move", None)
        made = []
        for symmetry in self.game.symmetries:
            if own is not None:
                move = own(symmetry)
            else:
                move = Move(symmetry.cells, tuple(range(self.planes)), symmetry.actions)
            stacked = len(move.planes) < self.planes and self.planes == self.stacked * len(move.planes)
            if stacked:  # the file speaks of one position
                base = len(move.planes)
                planes = tuple(step * base + plane for step in range(self.stacked) for plane in move.planes)
                move = Move(move.cells, planes, move.slots)
            sizes = {"cells": self.height * self.width, "planes": self.planes, "slots": self.slots}
            for part, size in sizes.items():
                if sorted(getattr(move, part)) != list(range(size)):
                    raise BadEncodingFile(
                        f"encoding {self.name} of {self.game.spec} must say in move(symmetry) how its {size} {part} "
                        f"change places under {quote(symmetry.name)}: each of 0 to {size - 1} once."
                    )
            made.append(move)
        return tuple(made)

    @cached_property
    def gathers(self) -> Gathers:
        """All moves as tables, for augmentation on whole batches."""
        parts = ([np.argsort(getattr(move, part)) for move in self.moves] for part in ("cells", "planes", "slots"))
        return Gathers(*(np.array(part, np.int64) for part in parts))

    # --- for people and tests -----------------------------------------------------------------------------------------

    def encode(self, position: Position) -> Floats:
        """The planes of a position and its past: [height, width, planes]."""
        planes: Floats = self.encode_many([position], target="python")[0]
        return planes

    def encode_many(self, positions: Sequence[Position], target: str = "cpu") -> Floats:
        """The planes of many positions: [n, height, width, planes]."""
        from zerogrid.encodings.running import run_encode

        planes: Floats = run_encode(self, [position.history for position in positions], target)
        return planes

    def slot(self, position: Position, action: int) -> int:
        """Where in the policy vector a legal action lies."""
        return int(self.module.slot(position._state, action))

    def describe(self, position: Position, action: int) -> Floats:
        """The numbers that describe a legal action."""
        out = np.zeros(self.features, np.float32)
        self.module.describe(position._state, action, out)
        return out

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoding) and (other.game, other.spec) == (self.game, self.spec)

    def __hash__(self) -> int:
        return hash((self.game, self.spec))

    def __repr__(self) -> str:
        return f"zerogrid.encodings.encoding({self.game.spec!r}, {self.spec!r})"


def _ago(step: int) -> str:
    return "" if step == 0 else f", {step} play{'s' if step > 1 else ''} before"
