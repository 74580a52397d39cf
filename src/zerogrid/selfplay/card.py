"""A room on a CUDA card: games, trees, examples under way and those let out never leave it; the host only launches.

One graph holds a turn: some simulations of every tree (network, answers, leaves). Beside the first of them, on a stream
of their own, the trees that are ready make their moves, running sums give finished games their places, and these games
are released: such trees wait for no answer, so nobody touches the same tree, and the network hides it all.

    stream        network | answers, leaves | network | answers, leaves | ...
    side stream   moves, sums, releases     |

The host looks at two counters now and then, to see whether there is enough.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.link import Linked, link
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators import device
from zerogrid.evaluators.card import CardEvaluator
from zerogrid.evaluators.evaluator import BadAnswer, Evaluator
from zerogrid.kernels import mill, tree
from zerogrid.kernels.mill_arrays import AFRESH, BEGUN, OWN, Mill, mill_arrays
from zerogrid.search.card import CardForest, Group
from zerogrid.selfplay.room import STATE, Errand, Yield, mill_interfaces, mill_sizes
from zerogrid.selfplay.settings import PlaySettings

LOOK_EVERY = 8  # turns between two looks at the counters
ARCHIVED = 4096  # positions of earlier games that games may start from


class CardRoom:
    """Games in the memory of a card."""

    def __init__(
        self, encoding: Encoding, settings: PlaySettings, games: int, tokens: bool = False, potential: Any = None
    ) -> None:
        self.encoding, self.settings, self.games = encoding, settings, games
        self.forest = CardForest(
            encoding.game, settings.search, games, encoding, settings.keep_tree, potential=potential, tokens=tokens
        )
        self.forest.planted = games
        self.side = device.stream()
        self._interfaces = mill_interfaces(encoding, settings, tokens, potential)
        self._linked: dict[Any, Linked] = {}
        self._examples = self._lines = 0
        self.tensors: dict[str, Tensor] = {}
        self._recording: device.Recording | None = None
        self._recorded: tuple[Any, ...] = ()
        self.counters = device.zeros((2,), np.int64)  # examples and games let out
        self.let_out = (0, 0)  # what they said when they were last looked at
        self.begun = False
        self.least_begun = 0

    # --- memory -------------------------------------------------------------------------------------------------------

    def _prepare(self, errand: Errand) -> Mill:
        examples, lines = errand.most_examples(self.encoding.game), max(errand.positions, errand.games)
        if not self.tensors or examples > self._examples or lines > self._lines:
            self._examples, self._lines = max(examples, self._examples), max(lines, self._lines)
            sizes = mill_sizes(self.encoding, self.settings, self.games, self._examples, self._lines, ARCHIVED)
            old, self._recording = self.tensors, None
            self.tensors = {
                name: old[name]
                if name in old and not name.startswith("out_")
                else device.zeros(shape, kind)
                for name, (shape, kind) in mill_arrays(sizes).items()
            }
            self.tensors["slot"][:, BEGUN].clamp_(min=self.least_begun)
            temperatures = [self.settings.temperature_at(ply) for ply in range(sizes.plays + 1)]
            self.tensors["temperature"].copy_(torch.tensor(temperatures, dtype=torch.float64))
        if errand.archive is not None:
            rows = np.resize(errand.archive, (ARCHIVED, errand.archive.shape[1]))
            self.tensors["archive"].copy_(torch.from_numpy(rows))
        return Mill(numbers=errand.numbers, **{name: device.seen_by_kernels(one) for name, one in self.tensors.items()})

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """The games under way; thinking about their next moves begins anew."""
        if not self.begun:
            return {}
        self.forest.stream.synchronize()
        t, nodes = self.forest.tensors, self.forest.capacity.nodes
        kept = {name: self.tensors[name].cpu().numpy() for name in STATE}
        kept["roots"] = t["states"][:, 0].cpu().numpy()
        kept["pasts"] = t["states"][:, nodes : nodes + self.encoding.history - 1].cpu().numpy()
        kept["tree_game"], kept["tree_seed"] = t["game"].cpu().numpy(), t["seed"].cpu().numpy()
        return kept

    def restore(self, state: dict[str, npt.NDArray[Any]], errand: Errand) -> None:
        """Go on with the games under way."""
        self._prepare(errand)
        t, nodes = self.forest.tensors, self.forest.capacity.nodes
        for name in STATE:
            self.tensors[name].copy_(torch.from_numpy(state[name]))
        t["states"][:, 0] = device.put(state["roots"], np.int16)
        t["states"][:, nodes : nodes + self.encoding.history - 1] = device.put(state["pasts"], np.int16)
        t["game"].copy_(torch.from_numpy(state["tree_game"]))
        t["seed"].copy_(torch.from_numpy(state["tree_seed"]))
        device.wait()
        self.begun = True

    def numbered_up_to(self) -> int:
        """How many games the slot that began most has begun."""
        return int(self.tensors["slot"][:, BEGUN].max()) if self.tensors else 0

    def number_from(self, begun: int) -> None:
        """Let no slot number a game as if it had begun fewer; for numbers that others have used meanwhile."""
        self.least_begun = begun
        if self.tensors:
            self.tensors["slot"][:, BEGUN].clamp_(min=begun)

    # --- work ---------------------------------------------------------------------------------------------------------

    def _run(self, kernel: Any, arrays: Mill, stream: Any = None) -> None:
        if kernel not in self._linked:
            self._linked[kernel] = link(kernel, "cuda", self._interfaces)
        linked = self._linked[kernel]
        device.launch_on(stream or self.forest.stream, lambda: linked(self.games, (self.forest.trees, arrays)))

    def _move(self, arrays: Mill) -> None:
        """Moves of the trees that are ready; places for the games that ended; their release. On the side stream."""
        self._run(mill.advance, arrays, self.side)
        ended = self.tensors["to_copy"] >= 0
        counts = self.tensors["to_copy"].clamp(min=0).long()
        self.tensors["place"].copy_(self.counters[0] + torch.cumsum(counts, 0) - counts)
        self.tensors["line_place"].copy_(self.counters[1] + torch.cumsum(ended, 0) - ended.long())
        self.counters.add_(torch.stack((counts.sum(), ended.sum())))
        self._run(mill.release, arrays, self.side)

    def begin(self, group: Group, errand: Errand) -> None:
        """Set out on an errand: first leaves for all games, new ones or those under way."""
        self.arrays = arrays = self._prepare(errand)
        with device.on(self.forest.stream):
            self.counters.zero_()
            self.forest.tensors["game"][:, tree.FAULT] = 0
            self.tensors["to_copy"].fill_(AFRESH if self.begun else 0)
            self.tensors["line_place"].fill_(self.tensors["out_line"].shape[0])
        self._run(mill.release, arrays)
        self.begun = True
        if self._recording is None or self._recorded != (group, errand.numbers):
            self._record(group, arrays)
            self._recorded = (group, errand.numbers)
        with device.on(self.forest.stream):
            group.take_and_choose()

    def _record(self, group: Group, arrays: Mill) -> None:
        """Compile everything by doing it once without effect, then capture a turn."""
        stream = self.forest.stream
        with device.on(stream):
            for _ in range(3):
                group.judge()
            group.take_and_choose()  # compiles; the leaves it chooses are forgotten again
            self._run(mill.advance, arrays)
            self.tensors["to_copy"].fill_(AFRESH)
            self._run(mill.release, arrays)
            self._recording = device.Recording(stream, lambda: self._take_turn(group, arrays))

    def _take_turn(self, group: Group, arrays: Mill) -> None:
        """What is recorded."""
        stream = self.forest.stream
        self.side.wait_stream(stream)
        with device.on(self.side):
            self._move(arrays)
        for step in range(self.settings.steps_between_looks()):
            group.judge()
            if step == 0:
                stream.wait_stream(self.side)
            group.take_and_choose()

    def turn(self) -> None:
        """Some simulations of every tree, and the moves of those that are ready."""
        with device.on(self.forest.stream):
            assert self._recording is not None
            self._recording.replay()

    def has(self, errand: Errand) -> bool:
        """Whether the errand is done; waits for the card."""
        self.forest.stream.synchronize()
        examples, games = self.counters.tolist()
        self.let_out = (int(examples), int(games))
        return bool(examples >= errand.positions and games >= errand.games)

    def take(self) -> Yield:
        """What came out. It stays on the card, all but the lines about games."""
        self.forest.stream.synchronize()
        if bool(self.forest.tensors["game"][:, tree.FAULT].any()):
            raise BadAnswer("the evaluator gave answers that are no evaluations (NaN or out of range).")
        examples, games = (int(count) for count in self.counters.tolist())
        t = self.tensors
        examples, games = min(examples, len(t["out_whole"])), min(games, len(t["out_line"]))
        return Yield(
            t["out_state"][:examples],
            t["out_policy"][:examples],
            t["out_whole"][:examples],
            t["out_real"][:examples],
            t["out_line"][:games].cpu().numpy(),
            t["out_moves"][:games].cpu().numpy(),
        )


class RivalGroup(Group):
    """A group whose trees are judged by a rival where the rival is to move."""

    def __init__(self, room: CardRoom, evaluator: CardEvaluator, rival: CardEvaluator) -> None:
        super().__init__(room.forest, evaluator)
        self.room, self.rival = room, rival

    def judge(self) -> None:
        """Both answer for every leaf; the root's mover decides whose answer counts."""
        t = self.forest.tensors
        offered = t["leaf"][:, :, tree.OFFERED].reshape(-1)
        logits, values = self.evaluator.answers(t["planes"], t["tokens"], offered)
        other_logits, other_values = self.rival.answers(t["planes"], t["tokens"], offered)
        own = t["node"][:, 0, tree.MOVER] == self.room.tensors["slot"][:, OWN]
        rows = own.repeat_interleave(self.forest.capacity.leaves)
        self.forest.listen(
            torch.where(rows[:, None], logits, other_logits), torch.where(rows, values, other_values)
        )


def play_together(
    rooms: Sequence[CardRoom],
    evaluator: Evaluator,
    errands: Sequence[Errand],
    stop: Callable[[], bool] | None,
    rivals: Sequence[Evaluator | None],
    progress: Callable[[int, int, int], None] | None = None,
) -> list[Yield]:
    """All rooms take turns until each has done its errand; `progress` hears of a room, its examples and its games."""
    if not isinstance(evaluator, CardEvaluator):
        raise ZeroGridError("self-play on a card needs an evaluator on the card.")
    for room, errand, rival in zip(rooms, errands, rivals, strict=True):
        kept = getattr(room, "group", None)
        if kept is None or kept.evaluator is not evaluator or getattr(kept, "rival", None) is not rival:
            if isinstance(rival, CardEvaluator):
                room.group = RivalGroup(room, evaluator, rival)  # type: ignore[attr-defined]
            else:
                room.group = Group(room.forest, evaluator)  # type: ignore[attr-defined]
        room.begin(room.group, errand)  # type: ignore[attr-defined]
    going = list(zip(rooms, errands, strict=True))
    while going:
        for _ in range(LOOK_EVERY):
            for room, _ in going:
                room.turn()
        going = [(room, errand) for room, errand in going if not room.has(errand)]
        if progress is not None:
            for number, room in enumerate(rooms):
                progress(number, *room.let_out)
        if stop is not None and stop():
            raise KeyboardInterrupt
    return [room.take() for room in rooms]
