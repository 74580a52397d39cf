"""Auxiliary labels of Dots-and-Boxes (paper 2, sections 4.3 and B.1), as plain functions that can be linked.

    made = labels_for(game)                              # for other games: labels that say nothing
    link(kernel, "cuda", {core.labels: made.module})     # kernels call labels.initiative, labels.classes

    initiative of a move   0 capture: a box could be taken and was    1 sacrifice: it could, and was not
                           2 neutral: no box could be taken
    class of a cell        0 forbidden: a dot, a box, or a drawn edge      1 conceding: leaves a box with three edges
                           2 safe                                          3 scoring: completes a box

An edge that completes one box and leaves another with three edges is scoring. The cells are those of the grid of dots,
edges and boxes. The numbers are those of networks/losses.py; neither layer may import the other.
"""

from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import labels as interface
from zerogrid.core import spmd
from zerogrid.core.catalogue import game as game_of
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.encodings.dots import boxes_beside_edges, drawn_around, edges_around_boxes, edges_in_cells, grid_move

CAPTURE, SACRIFICE, NEUTRAL = range(3)
FORBIDDEN, CONCEDING, SAFE, SCORING = range(4)
EDGE_IN: Any = None  # tables of one game, see encodings/dots.py
BESIDE: Any = None
AROUND: Any = None


# --- linked ---------------------------------------------------------------------------------------------------------


def initiative(state: Any, action: int) -> int:
    """What a move says of the initiative."""
    if edge_class(state, action) == SCORING:
        return CAPTURE
    for box in range(len(AROUND)):
        if drawn_around(state, box, AROUND) == 3:
            return SACRIFICE
    return NEUTRAL


def rank(state: Any, action: int) -> int:
    """An edge that completes a box first, then one that is safe, then one that gives a box away."""
    return edge_class(state, action)


def classes(state: Any, lane: int, out: Any) -> None:
    """The class of every cell of the grid."""
    for cell in range(lane, len(EDGE_IN), spmd.LANES):
        edge = EDGE_IN[cell]
        out[cell] = FORBIDDEN if edge < 0 else edge_class(state, int(edge))


def edge_class(state: Any, edge: int) -> int:
    """The class of an edge: from how many edges the boxes beside it have."""
    if state[edge] != 0:
        return FORBIDDEN
    found = SAFE
    for direction in range(2):
        box = int(BESIDE[edge, direction])
        if box >= 0:
            drawn = drawn_around(state, box, AROUND)
            if drawn == 3:
                return SCORING
            if drawn == 2:
                found = CONCEDING
    return found


# --- for one game ---------------------------------------------------------------------------------------------------


class Labels(NamedTuple):
    """The labels of one game: a module to link, and how they change places under the game's symmetries."""

    module: Any
    height: int
    width: int
    moves: tuple[tuple[int, ...], ...]  # for each symmetry of the game where each cell goes

    @property
    def gathers(self) -> npt.NDArray[np.int64]:
        """For each symmetry where each cell comes from, for augmentation: moved[cell] = classes[gathers[m, cell]]."""
        return np.argsort(np.array(self.moves, np.int64), 1)


def labels_for(game: Game | str) -> Labels:
    """The labels of a game; a game that has none is labelled NO_LABEL throughout."""
    return _make(game_of(game) if isinstance(game, str) else game)


@lru_cache(maxsize=64)
def _make(game: Game) -> Labels:
    module: Any = ModuleType("zerogrid_labels")
    if game.name != "dots_and_boxes":
        for stand_in in (interface.initiative, interface.rank, interface.classes):
            setattr(module, stand_in.__name__, FunctionType(stand_in.__code__, vars(interface), stand_in.__name__))
        module.LABELLED, module.LABEL_CELLS = False, 1
        return Labels(module, 1, 1, ((0,),) * len(game.symmetries))
    rows, columns = int(game.ROWS), int(game.COLUMNS)
    tables = {
        "EDGE_IN": edges_in_cells(rows, columns),
        "BESIDE": boxes_beside_edges(rows, columns),
        "AROUND": edges_around_boxes(rows, columns),
    }
    names = {**globals(), **tables}
    for function in (edge_class, initiative, rank, classes):
        names[function.__name__] = FunctionType(function.__code__, names, function.__name__)
    module.initiative, module.rank, module.classes = names["initiative"], names["rank"], names["classes"]
    module.LABELLED, module.LABEL_CELLS = True, len(tables["EDGE_IN"])
    moves = tuple(grid_move(symmetry, rows, columns, 1).cells for symmetry in game.symmetries)
    return Labels(module, 2 * rows + 1, 2 * columns + 1, moves)


# --- many at once ---------------------------------------------------------------------------------------------------


class LabelArgs(NamedTuple):
    """Positions with the moves chosen in them, and room for their labels."""

    states: Any  # int16 [N, STATE_SIZE]
    actions: Any  # int32 [N]
    initiative: Any  # int8 [N]
    classes: Any  # int8 [N, LABEL_CELLS]


def label_kernel(b: int, lane: int, args: LabelArgs) -> None:
    """Label position b and the move chosen in it."""
    if lane == 0:
        args.initiative[b] = interface.initiative(args.states[b], args.actions[b])
    interface.classes(args.states[b], lane, args.classes[b])


def label_many(
    game: Game | str, states: npt.NDArray[np.int16], actions: npt.NDArray[np.int32], target: str = "cpu"
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """The initiative [n] of each position's chosen move, and the classes [n, cells] of the position's cells."""
    made = labels_for(game)
    cells = np.full((len(states), made.height * made.width), 100, np.int8)
    args = LabelArgs(states, actions, np.full(len(states), 100, np.int8), cells)
    kernel = link(label_kernel, target, {interface: made.module})
    if target == "cuda":
        from zerogrid.core.cuda import to_device, to_host

        on_card = to_device(args)
        kernel(len(states), on_card)
        args = to_host(on_card)
    else:
        kernel(len(states), args)
    return args.initiative, args.classes
