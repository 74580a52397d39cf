"""A room: some games under way, their trees, and the examples they leave, in ordinary memory.

    step        every tree: take the answers, choose the next leaves
    advance     trees that are ready make their move
    release     games that have ended let their examples out, and the next ones begin
    evaluate    the leaves that wait

Several rooms can be at work at once, each in a thread of its own. What happens in a room depends on nothing outside it.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import labels as labels_interface
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link
from zerogrid.encodings.encoding import Encoding
from zerogrid.encodings.labels import labels_for
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.kernels import manner, mill, tree
from zerogrid.kernels import step as kernels
from zerogrid.kernels.mill_arrays import AFRESH, BEGUN, OWN, Mill, MillSizes, Numbers, mill_arrays
from zerogrid.search.forest import Forest, interfaces_for
from zerogrid.selfplay.settings import PlaySettings

STOP_EVERY = 64  # steps between two questions whether to stop


class Errand(NamedTuple):
    """What a room is to do in one call."""

    numbers: Numbers
    positions: int  # go on until so many examples are out
    games: int  # and so many games have ended
    archive: npt.NDArray[np.int16] | None

    def most_examples(self, game: Game) -> int:
        """How many may be out before the last game is that was asked for."""
        return max(self.positions, self.games * int(game.MAX_PLIES))


class Yield(NamedTuple):
    """What came out: arrays as in kernels/mill_arrays.py, NumPy's or tensors."""

    states: Any
    policy: Any
    whole: Any
    real: Any
    lines: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32]


def mill_sizes(
    encoding: Encoding, settings: PlaySettings, games: int, examples: int, lines: int, archive: int = 1
) -> MillSizes:
    """Room for everything that `games` slots can leave, beside the examples and lines asked for."""
    game = encoding.game
    plays = int(game.MAX_PLIES)
    return MillSizes(
        games=games,
        plays=plays,
        history=encoding.history,
        state=game.STATE_SIZE,
        legal=game.MAX_LEGAL,
        examples=examples + games * plays,
        lines=lines + 2 * games,
        shaping=settings.shaped_targets or settings.search.shaping,
        archive=archive,
    )


def mill_interfaces(encoding: Encoding, settings: PlaySettings, tokens: bool, potential: Any) -> dict[Any, Any]:
    """The modules that self-play's kernels reach. Gains are noted where the search or only the targets are shaped."""
    if settings.shaped_targets and potential is None:
        raise ZeroGridError("shaped targets need a potential; this self-play was given none.")
    made = interfaces_for(encoding.game, settings.search, encoding, tokens, potential)
    shaping = settings.search.shaping or settings.shaped_targets
    made[manner] = SimpleNamespace(**{**vars(made[manner]), "SHAPING": shaping})
    made[labels_interface] = labels_for(encoding.game).module
    return made


class Room:
    """Games in ordinary memory, on the target cpu or python."""

    def __init__(
        self,
        encoding: Encoding,
        settings: PlaySettings,
        games: int,
        tokens: bool = False,
        potential: Any = None,
        target: str = "cpu",
    ) -> None:
        self.encoding, self.settings, self.games, self.target = encoding, settings, games, target
        search = settings.search
        self.forest = Forest(
            encoding.game, search, games, encoding, target, settings.keep_tree, potential=potential, tokens=tokens
        )
        self.forest.planted = games
        self._interfaces = mill_interfaces(encoding, settings, tokens, potential)
        self._linked: dict[Any, Linked] = {}
        self._examples = self._lines = 0
        self._arrays: Mill | None = None
        self.begun = False
        self.least_begun = 0

    # --- memory -------------------------------------------------------------------------------------------------------

    def _prepare(self, errand: Errand) -> Mill:
        """The arrays for an errand: those of the last one where they are large enough."""
        examples, lines = errand.most_examples(self.encoding.game), max(errand.positions, errand.games)
        if self._arrays is None or examples > self._examples or lines > self._lines:
            old = self._arrays
            self._examples, self._lines = max(examples, self._examples), max(lines, self._lines)
            sizes = mill_sizes(self.encoding, self.settings, self.games, self._examples, self._lines)
            made = {name: np.zeros(shape, kind) for name, (shape, kind) in mill_arrays(sizes).items()}
            if old is not None:
                for name in made:
                    if not name.startswith(("out_", "archive")):
                        made[name] = getattr(old, name)
            made["slot"][:, BEGUN] = np.maximum(made["slot"][:, BEGUN], self.least_begun)
            made["temperature"][:] = [self.settings.temperature_at(ply) for ply in range(sizes.plays + 1)]
            self._arrays = Mill(numbers=errand.numbers, **made)
        archive = self._arrays.archive if errand.archive is None else np.ascontiguousarray(errand.archive)
        self._arrays = self._arrays._replace(numbers=errand.numbers, archive=archive)
        return self._arrays

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """The games under way; thinking about their next moves begins anew."""
        if self._arrays is None or not self.begun:
            return {}
        t, nodes = self.forest.trees, self.forest.capacity.nodes
        kept = {name: getattr(self._arrays, name).copy() for name in STATE}
        kept["roots"] = t.states[:, 0].copy()
        kept["pasts"] = t.states[:, nodes : nodes + self.encoding.history - 1].copy()
        kept["tree_game"], kept["tree_seed"] = t.game.copy(), t.seed.copy()
        return kept

    def restore(self, state: dict[str, npt.NDArray[Any]], errand: Errand) -> None:
        """Go on with the games under way."""
        arrays, t, nodes = self._prepare(errand), self.forest.trees, self.forest.capacity.nodes
        for name in STATE:
            getattr(arrays, name)[:] = state[name]
        t.states[:, 0] = state["roots"]
        t.states[:, nodes : nodes + self.encoding.history - 1] = state["pasts"]
        t.game[:], t.seed[:] = state["tree_game"], state["tree_seed"]
        self.begun = True

    def numbered_up_to(self) -> int:
        """How many games the slot that began most has begun."""
        return 0 if self._arrays is None else int(self._arrays.slot[:, BEGUN].max())

    def number_from(self, begun: int) -> None:
        """Let no slot number a game as if it had begun fewer; for numbers that others have used meanwhile."""
        self.least_begun = begun
        if self._arrays is not None:
            np.maximum(self._arrays.slot[:, BEGUN], begun, out=self._arrays.slot[:, BEGUN])

    # --- work ---------------------------------------------------------------------------------------------------------

    def run(self, kernel: Any, arrays: Mill) -> None:
        """Run a kernel of kernels/mill.py on every slot."""
        if kernel not in self._linked:
            self._linked[kernel] = link(kernel, self.target, self._interfaces)
        self._linked[kernel](self.games, (self.forest.trees, arrays))

    def compile(self, errand: Errand) -> None:
        """Compile all kernels, or find them on the disk, before threads ask for them together."""
        arrays = self._prepare(errand)
        for kernel in (mill.advance, mill.release):
            self._linked.setdefault(kernel, link(kernel, self.target, self._interfaces))
            self._linked[kernel].prepare((self.forest.trees, arrays))
        self.forest.compile(kernels.step)

    def play(
        self,
        evaluator: Evaluator,
        errand: Errand,
        stop: Callable[[], bool] | None = None,
        rival: Evaluator | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Yield:
        """Play until the errand is done; `progress` hears how many examples are out and how many games have ended."""
        arrays, forest, batch = self._prepare(errand), self.forest, self.forest.batch
        forest.trees.game[:, tree.FAULT] = 0
        arrays.to_copy[:] = AFRESH if self.begun else 0
        arrays.line_place[:] = len(arrays.out_line)
        self.run(mill.release, arrays)
        self.begun = True
        pace, steps, examples, lines = self.settings.steps_between_looks(), 0, 0, 0
        while True:
            forest.run(kernels.step)
            steps += 1
            if steps % pace == 0:
                self.run(mill.advance, arrays)
                ended = arrays.to_copy >= 0
                if ended.any():
                    counts = np.where(ended, arrays.to_copy, 0)
                    arrays.place[:] = examples + np.cumsum(counts) - counts
                    arrays.line_place[:] = lines + np.cumsum(ended) - ended
                    self.run(mill.release, arrays)
                    examples, lines = examples + int(counts.sum()), lines + int(ended.sum())
                    if progress is not None:
                        progress(examples, lines)
                    if examples >= errand.positions and lines >= errand.games:
                        break
            if stop is not None and steps % STOP_EVERY == 0 and stop():
                raise KeyboardInterrupt
            judge(evaluator, rival, batch, forest, arrays)
        forest.check_answers()
        return Yield(
            arrays.out_state[:examples],
            arrays.out_policy[:examples],
            arrays.out_whole[:examples],
            arrays.out_real[:examples],
            arrays.out_line[:lines].copy(),
            arrays.out_moves[:lines].copy(),
        )


STATE = (
    "slot",
    "number",
    "moves",
    "pending_state",
    "pending_policy",
    "pending_whole",
    "pending_real",
    "gain",
    "mover",
    "first_state",
)


def judge(evaluator: Evaluator, rival: Evaluator | None, batch: Batch, forest: Forest, arrays: Mill) -> None:
    """Answers for all leaves that wait; those of trees in which the rival is to move come from the rival."""
    evaluator.evaluate(batch)
    if rival is None:
        return
    logits, values = batch.logits.copy(), batch.values.copy()
    rival.evaluate(batch)
    own = forest.trees.node[:, 0, tree.MOVER] == arrays.slot[:, OWN]
    rows = np.repeat(own, forest.capacity.leaves)
    batch.logits[rows] = logits[rows]
    batch.values[rows] = values[rows]
