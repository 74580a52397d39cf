"""From examples as they are kept to batches as a network learns from them, on the device where the examples lie.

    batches = Batches(game, encoding, section, needs_tokens, device="cpu", threads=2)
    rows = batches.draw(buffer, 4096, generator)                    which examples, each at most once a pass
    batch = batches.batch(buffer, rows, iteration, generator)       what a network sees, and what it should say

An example is kept as the state itself. Here it is turned by a symmetry, shown through the encoding, and its policy is
brought from the order of the legal actions into the network's slots. Networks that take actions as tokens keep that
order. States are turned before they are shown, so one way serves every encoding, every token and every label.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from zerogrid.core import cuda, labels, rules
from zerogrid.core import encoding as shown
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link
from zerogrid.encodings.encoding import Encoding
from zerogrid.encodings.labels import labels_for
from zerogrid.networks.turns import Turns
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.sections import LearnerSection, SelfplaySection, ShapingSection

LARGEST_PIECE = 1 << 21  # bytes of planes and tokens that are made at once; on the CPU what its caches hold
LARGEST_PIECE_ON_CARD = 1 << 29

# --- linked ---------------------------------------------------------------------------------------------------------


class ListArgs(NamedTuple):
    """Positions, and room for their legal actions."""

    states: Any  # int16 [N, STATE_SIZE]
    rows: Any  # int32 [B, HISTORY] where in `states` position b and those before it lie
    actions: Any  # int32 [B, MAX_LEGAL] -1 behind the last one


def list_kernel(b: int, lane: int, args: ListArgs) -> None:
    """The legal actions of position b."""
    if lane == 0:
        count = rules.legal(args.states[args.rows[b, 0]], args.actions[b])
        for i in range(count, len(args.actions[b])):
            args.actions[b, i] = -1


class ShowArgs(NamedTuple):
    """Positions with some of their legal actions, and room for what a network sees of them."""

    states: Any  # int16 [N, STATE_SIZE]
    rows: Any  # int32 [B, HISTORY]
    known: Any  # int32 [B]
    actions: Any  # int32 [B, T], -1 for none
    scratch: Any  # int16 [B, SCRATCH]
    planes: Any  # float32 [B, cells, planes]
    slots: Any  # int32 [B, T] written where there is an action
    tokens: Any  # float32 [B, T, features], or empty


def show_kernel(b: int, lane: int, args: ShowArgs) -> None:
    """The planes of position b, and where in the policy its actions lie."""
    shown.encode(args.states, args.rows[b], args.known[b], lane, args.scratch[b], args.planes[b])
    if lane == 0:
        for t in range(len(args.actions[b])):
            if args.actions[b, t] >= 0:
                args.slots[b, t] = shown.slot(args.states[args.rows[b, 0]], args.actions[b, t])


def describe_kernel(b: int, lane: int, args: ShowArgs) -> None:
    """The planes of position b, and its actions as tokens."""
    shown.encode(args.states, args.rows[b], args.known[b], lane, args.scratch[b], args.planes[b])
    if lane == 0:
        for t in range(len(args.actions[b])):
            if args.actions[b, t] >= 0:
                shown.describe(args.states[args.rows[b, 0]], args.actions[b, t], args.tokens[b, t])


class ClassArgs(NamedTuple):
    """Positions, and room for the classes of their cells."""

    states: Any  # int16 [N, STATE_SIZE]
    rows: Any  # int32 [B, HISTORY]
    classes: Any  # int8 [B, LABEL_CELLS]


def class_kernel(b: int, lane: int, args: ClassArgs) -> None:
    """The class of every cell of position b."""
    labels.classes(args.states[args.rows[b, 0]], lane, args.classes[b])


# --- batches --------------------------------------------------------------------------------------------------------


@dataclass
class Batch:
    """Positions as a network sees them, and what it should say; T are slots, or tokens."""

    planes: Tensor  # [B, planes, height, width] the channels last in memory
    tokens: Tensor | None  # [B, T, features]
    legal: Tensor  # bool [B, T] slots that may be played; tokens that are actions
    policy: Tensor  # [B, T] sums to 1 over the legal ones
    value: Tensor  # [B] for the player to move
    result: Tensor  # [B] the game's result alone
    weights: Tensor  # [B] how much each counts
    initiative: Tensor  # int64 [B]
    classes: Tensor | None  # int8 [B, cells of the labels' grid]

    def __len__(self) -> int:
        return len(self.value)

    def part(self, first: int, last: int) -> "Batch":
        """Some rows of it."""
        own: dict[str, Any] = {name: None if all_ is None else all_[first:last] for name, all_ in vars(self).items()}
        return Batch(**own)


class Batches:
    """Makes batches for one network's learning."""

    def __init__(
        self,
        game: Game,
        encoding: Encoding,
        learner: LearnerSection,
        selfplay: SelfplaySection,
        shaping: ShapingSection,
        needs_tokens: bool = False,
        device: str = "cpu",
        threads: int = 1,
    ) -> None:
        self.game, self.encoding, self.learner = game, encoding, learner
        self.needs_tokens, self.device, self.threads = needs_tokens, device, threads
        self.turns = Turns(game, device) if learner.augment and len(game.symmetries) > 1 else None
        self.mix = {"z": 0.0, "q": 1.0, "mix": selfplay.mix}[selfplay.target]
        self.shaping = shaping
        made = labels_for(game)
        self.labels = made if learner.classes_weight > 0 and made.module.LABELLED else None
        self._interfaces = {rules: game.module, shown: encoding.module, labels: made.module}
        self._linked: dict[Any, Linked] = {}

    @property
    def piece(self) -> int:
        """How many positions are best made at once."""
        one = 4 * self.encoding.height * self.encoding.width * self.encoding.planes + 8 * self.game.MAX_LEGAL
        one += 4 * self.game.MAX_LEGAL * self.encoding.features if self.needs_tokens else 4 * self.encoding.slots
        return max(1, (LARGEST_PIECE if self.device == "cpu" else LARGEST_PIECE_ON_CARD) // int(one))

    def draw(self, buffer: RingBuffer, count: int, generator: torch.Generator) -> Tensor:
        """Rows of so many examples: all that are held in an order by chance, and again in another, and so on."""
        oldest, held = buffer.held()[0], len(buffer)
        passes = [torch.randperm(held, generator=generator, device=self.device) for _ in range(-(-count // held))]
        return (torch.cat(passes)[:count] + oldest) % buffer.capacity

    def batch(self, buffer: RingBuffer, rows: Tensor, iteration: int, generator: torch.Generator | None) -> Batch:
        """The examples in these rows; without a generator they are not turned."""
        kept = {name: _tensor(column)[rows] for name, column in buffer.columns.items()}
        count, reach = kept["state"].shape[:2]
        flat = kept["state"].reshape(count * reach, -1)
        where = torch.arange(count * reach, dtype=torch.int32, device=self.device).view(count, reach)
        actions = self._room((count, self.game.MAX_LEGAL), torch.int32)
        self._run(list_kernel, count, ListArgs(flat, where, actions))
        if self.turns is not None and generator is not None:
            ids = self.turns.draw(count, generator)
            flat = self.turns.states(flat, ids.repeat_interleave(reach))
            actions = self.turns.actions(actions, ids)
        planes, tokens, slots = self._shown(flat, where, kept["known"].int(), actions)
        listed = actions >= 0
        target = kept["policy"].float().masked_fill(~listed, 0.0)
        target /= target.sum(1, keepdim=True).clamp(min=1e-6)
        if tokens is None:
            target, listed = self._in_slots(slots, listed, target)
        return Batch(
            planes=planes,
            tokens=tokens,
            legal=listed,
            policy=target,
            value=self._value(kept, iteration),
            result=kept["z"],
            weights=kept["weight"] * self.learner.age_decay ** (iteration - kept["iteration"]).clamp(min=0).float(),
            initiative=kept["initiative"].long(),
            classes=None if self.labels is None else self._classes(flat, where),
        )

    def _value(self, kept: dict[str, Tensor], iteration: int) -> Tensor:
        value = (1.0 - self.mix) * kept["z"] + self.mix * kept["q"]
        if self.shaping.potential != "none" and self.shaping.in_targets:
            value = value + self.shaping.scale * fading(self.shaping, iteration) * kept["shaped"]
        return value.clamp(-1.0, 1.0)

    def _shown(
        self, states: Tensor, where: Tensor, known: Tensor, actions: Tensor
    ) -> tuple[Tensor, Tensor | None, Tensor]:
        made, (count, most) = self.encoding, actions.shape
        planes = self._room((count, made.height * made.width, made.planes), torch.float32)
        scratch = self._room((count, made.scratch), torch.int16)
        slots = torch.full((count, 1 if self.needs_tokens else most), -1, dtype=torch.int32, device=self.device)
        tokens = torch.zeros((count, most if self.needs_tokens else 1, made.features or 1), device=self.device)
        kernel = describe_kernel if self.needs_tokens else show_kernel
        self._run(kernel, count, ShowArgs(states, where, known, actions, scratch, planes, slots, tokens))
        seen = planes.view(count, made.height, made.width, made.planes).permute(0, 3, 1, 2)
        return seen, tokens if self.needs_tokens else None, slots

    def _in_slots(self, slots: Tensor, listed: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """(policy, legal) by slot; what is no action goes behind the last slot, and is cut off."""
        width = self.encoding.slots
        to = torch.where(listed, slots, width).long()
        policy = target.new_zeros(len(slots), width + 1).scatter_(1, to, target)
        legal = torch.zeros(len(slots), width + 1, dtype=torch.bool, device=self.device).scatter_(1, to, True)
        return policy[:, :width], legal[:, :width]

    def _classes(self, states: Tensor, where: Tensor) -> Tensor:
        assert self.labels is not None
        classes = self._room((len(where), self.labels.module.LABEL_CELLS), torch.int8)
        self._run(class_kernel, len(where), ClassArgs(states, where, classes))
        return classes

    def _room(self, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        return torch.empty(shape, dtype=dtype, device=self.device)

    def _run(self, kernel: Any, count: int, args: Any) -> None:
        """Run a kernel on tensors: where they lie, and on a card in torch's own order of things."""
        target = "cpu" if self.device == "cpu" else "cuda"
        if kernel not in self._linked:
            self._linked[kernel] = link(kernel, target, self._interfaces)
        if target == "cpu":
            self._linked[kernel](count, type(args)(*(one.numpy() for one in args)), self.threads)
            return
        cuda.use_stream(torch.cuda.current_stream().cuda_stream)
        try:
            self._linked[kernel](count, type(args)(*(cuda.borrow(one) for one in args)))
        finally:
            cuda.use_stream(None)


def fading(shaping: ShapingSection, iteration: int) -> float:
    """The share of the shaping that is left in an iteration."""
    return 1.0 if shaping.fade == 0 else max(0.0, 1.0 - (iteration - 1) / shaping.fade)


def _tensor(column: Any) -> Tensor:
    """A column as a tensor over the same memory."""
    return torch.from_numpy(column) if isinstance(column, np.ndarray) else column
