"""check_encoding: what is wrong with an encoding, in plain words.

    report = check_encoding("gomoku:6x6x4", "stones,history=3")
    print(report)                                each thing once: its name, how to mend it, a position to see it in
    report.ok, report.findings                   for programs

Every contract of core/encoding.py is tried on positions of random games: every number is written, finite and small
enough for half precision; nothing beyond what is known is read, nothing in a state is changed; legal actions have slots
and descriptions of their own; images under the game's symmetries are shown as images; older positions are shown as they
were; and python, cpu and cuda show the same.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerogrid.core import encoding as interface
from zerogrid.core.catalogue import game as game_of
from zerogrid.core.check.report import Report
from zerogrid.core.errors import CannotLink, TargetMissing, ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.link import check_target
from zerogrid.encodings.catalogue import encoding
from zerogrid.encodings.check_run import Seen, ShownArgs, random_positions, run_shown, shown_args, shown_kernel
from zerogrid.encodings.encoding import Encoding
from zerogrid.encodings.running import run_encode

POSITIONS = 48
LARGEST = 1024.0  # half precision tells whole numbers apart up to twice this
MOST_SYMMETRIES = 8  # tried on one position; with more, other positions try others
ON_CUDA = 4  # positions shown in the simulator
UNSAFE = ("crash", "cannot_link", "changes_states")


@dataclass
class EncodingReport(Report):
    """A report about one encoding of a game."""

    encoding: str = ""

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {"encoding": self.encoding, **super().as_json()}

    def __str__(self) -> str:
        return f"{self.encoding} of {super().__str__()}"


def check_encoding(
    game: Game | str,
    spec: str = "",
    targets: Sequence[str] = ("python", "cpu", "cuda"),
    positions: int = POSITIONS,
) -> EncodingReport:
    """Look for everything that is wrong with an encoding of a game."""
    began = time.monotonic()
    for target in targets:
        check_target(target)
    game = game_of(game) if isinstance(game, str) else game
    made = encoding(game, spec)
    report = EncodingReport(game, targets=["python"], encoding=made.spec)
    seen = random_positions(game, positions)
    report.games, report.positions = len({one.where.seed for one in seen}), len(seen)
    if seen:
        _Check(made, seen, report).everything(targets)
    else:
        report.skipped.append("anything: every game is over before its first play.")
    report.seconds = time.monotonic() - began
    return report


def unlike(one: Any, other: Any) -> Any:
    """Where numbers differ; what is no number is like what is none."""
    return (one != other) & ~(np.isnan(one) & np.isnan(other))


class _Check:
    def __init__(self, made: Encoding, seen: Sequence[Seen], report: Report) -> None:
        self.made, self.seen, self.report = made, seen, report
        self.fast = "python"

    def everything(self, targets: Sequence[str]) -> None:
        plain = self.in_python()
        if plain is None or self.report.has(*UNSAFE):
            self.report.skipped.append("compiled code: it could do damage before what stands above is mended.")
            return
        self.numbers(plain)
        if "cpu" in targets:
            self.compare("cpu", self.seen, plain)
        self.actions()
        self.history()
        self.symmetries()
        if "cuda" in targets:
            self.on_cuda(plain)

    def arguments(self, seen: Sequence[Seen], fill: float, few: bool) -> ShownArgs:
        return shown_args(self.made, [one.past for one in seen], [one.legal for one in seen], fill, few)

    # --- python -------------------------------------------------------------------------------------------------------

    def in_python(self) -> ShownArgs | None:
        """Everything shown twice, over different leftovers: what differs was never written, or read before it was."""
        results = []
        for fill in (np.nan, 77.0):
            args = self.arguments(self.seen, fill, few=True)
            states = args.states.copy()
            try:
                run_shown(self.made, args, "python")
            except CannotLink as error:
                self.report.add("cannot_link", str(error))
                return None
            except Exception as error:
                words = f"{type(error).__name__}: {error}"
                mend = "rows[i] and states exist for i < known only; out has HEIGHT * WIDTH cells and PLANES planes"
                self.report.add("crash", f"encode, slot or describe stops with {words}; {mend}.")
                return None
            if (args.states != states).any():
                self.report.add("changes_states", "encode, slot or describe changes a state; they may only read.")
            results.append(args)
        first, second = results
        self.same_twice(first, second)
        return first

    def same_twice(self, first: ShownArgs, second: ShownArgs) -> None:
        differ = unlike(first.out, second.out)
        if differ.any():
            b, cell, plane = (int(i) for i in np.argwhere(differ)[0])
            words = f"plane {self.plane(plane)} at cell {cell} is not written, or made from scratch that was not"
            self.report.add("not_written", f"{words}; write every number of out, zeros too.", self.seen[b].where)
        given = first.actions >= 0
        if self.made.features and (first.tokens[given] != second.tokens[given]).any():
            b, _, feature = (int(i) for i in np.argwhere((first.tokens != second.tokens) & given[..., None])[0])
            words = f"describe does not write {quote(self.made.feature_names[feature])}"
            self.report.add("not_described", f"{words}; write all FEATURES numbers.", self.seen[b].where)

    def numbers(self, plain: ShownArgs) -> None:
        for values, name in ((plain.out, "a plane"), (plain.tokens[plain.actions >= 0], "a description")):
            wrong = ~(np.abs(values) <= LARGEST)
            if wrong.any() and not self.report.has("not_written", "not_described"):
                value = values[tuple(np.argwhere(wrong)[0])]
                words = f"{name} holds {value:g}; half precision wants numbers from -{LARGEST:g} to {LARGEST:g}"
                self.report.add("not_bounded", f"{words}, so divide by the most there can be.")

    def plane(self, plane: int) -> str:
        return f"{plane} ({self.made.plane_names[plane]})"

    # --- actions ------------------------------------------------------------------------------------------------------

    def actions(self) -> None:
        """Every legal action of every position, on the fastest target there is."""
        args = self.arguments(self.seen, 0.0, few=self.fast == "python")
        run_shown(self.made, args, self.fast)
        for b, one in enumerate(self.seen):
            given = args.actions[b] >= 0
            legal, slots = args.actions[b][given], args.slots[b][given]
            outside = (slots < 0) | (slots >= self.made.slots)
            if outside.any():
                words = f"{self.name(legal[outside][0])} has slot {slots[outside][0]}"
                self.report.add("slot_range", f"{words}; slots are 0 to {self.made.slots - 1}.", one.where)
                return
            self.apart("slot", legal, slots[:, None], one, "a network could not tell them apart")
            if self.made.features:
                tokens = args.tokens[b][given]
                self.apart("description", legal, tokens, one, "say more of each action")
            if self.made.places and not self.report.has("same_slot"):
                self.places(legal, slots, one)

    def apart(self, what: str, legal: Any, rows: Any, one: Seen, mend: str) -> None:
        known: dict[bytes, int] = {}
        for action, row in zip(legal, np.ascontiguousarray(rows)):
            other = known.setdefault(row.tobytes(), action)
            if other != action:
                names = f"{self.name(other)} and {self.name(action)} are both legal and have the same {what}"
                self.report.add(f"same_{what}", f"{names}; {mend}.", one.where)

    def places(self, legal: Any, slots: Any, one: Seen) -> None:
        known: dict[tuple[int, ...], int] = {}
        for action, slot in zip(legal, slots):
            place = self.made.places[slot]
            if not place:
                self.report.add("no_place", f"{self.name(action)} is legal, and places() gives it none.", one.where)
            other = known.setdefault(place, action)
            if other != action:
                names = f"{self.name(other)} and {self.name(action)} are both legal and have the same place"
                self.report.add("same_place", f"{names}; use more POLICY_PLANES.", one.where)

    def name(self, action: Any) -> str:
        return self.made.game.action_name(int(action))

    # --- history ------------------------------------------------------------------------------------------------------

    def history(self) -> None:
        """Older positions as they were shown when they were new, where the same player was to move; before, zeros."""
        made = self.made
        if made.stacked == 1:
            return
        base, to_move = made.planes // made.stacked, made.game.module.to_move
        long = [one for one in self.seen if len(one.past) > 1][:12] + list(self.seen[:1])
        shown = self.show([one.past for one in long])
        for one, planes in zip(long, shown):
            for step in range(1, made.stacked):
                block = planes[..., step * base : (step + 1) * base]
                if step >= len(one.past):
                    if block.any():
                        words = f"position {step} plays before does not exist here, and is not shown as zeros"
                        self.report.add("before_start", f"{words}; look at `known`.", one.where)
                elif to_move(one.past[-1 - step].tolist()) == to_move(one.past[-1].tolist()):
                    then = self.show([one.past[: len(one.past) - step]])[0][..., :base]
                    if unlike(block, then).any():
                        words = f"the position {step} plays before is not shown as it was then"
                        self.report.add("history", f"{words}; its planes follow newest first.", one.where)

    def show(self, pasts: Sequence[Any]) -> Any:
        return run_encode(self.made, list(pasts), self.fast)

    # --- symmetries ---------------------------------------------------------------------------------------------------

    def symmetries(self) -> None:
        """encode(image) is the image of encode, slot(image, image action) the image of the slot."""
        made, game = self.made, self.made.game
        try:
            moves = made.moves
        except ZeroGridError as error:
            self.report.add("moves", str(error))
            return
        tried = [(n, b) for b in range(len(self.seen)) for n in self.some_symmetries(b)]
        pasts = [np.asarray(game.image(game.symmetries[n], self.seen[b].past)) for n, b in tried]
        before = self.show([one.past for one in self.seen]).reshape(len(self.seen), -1, made.planes)
        after = self.show(pasts).reshape(len(tried), -1, made.planes)
        for (n, b), shown in zip(tried, after):
            symmetry, move = game.symmetries[n], moves[n]
            expected = np.empty_like(shown)
            expected[np.ix_(move.cells, move.planes)] = before[b]
            for first, last in made.unordered:
                for planes in (expected, shown):
                    planes[:, first:last] = planes[:, first:last][:, np.lexsort(planes[:, first:last])]
            if unlike(expected, shown).any():
                cell, plane = (int(i) for i in np.argwhere(unlike(expected, shown))[0])
                words = f"the image under {quote(symmetry.name)} is not shown as the image: plane {self.plane(plane)}"
                words += f" at cell {cell} is {shown[cell, plane]:g}, not {expected[cell, plane]:g}"
                self.report.add("symmetry", f"{words}; see move(symmetry).", self.seen[b].where)
            if not self.report.has("slot_range", "same_slot"):
                self.slots_move(n, b)

    def some_symmetries(self, b: int) -> list[int]:
        others = len(self.made.game.symmetries) - 1
        return [1 + (b * MOST_SYMMETRIES + i) % others for i in range(min(MOST_SYMMETRIES, others))]

    def slots_move(self, n: int, b: int) -> None:
        made, symmetry, move = self.made, self.made.game.symmetries[n], self.made.moves[n]
        state = self.seen[b].past[-1]
        image = made.game.image(symmetry, state).tolist()
        for action in self.seen[b].legal[:: max(len(self.seen[b].legal) // 8, 1)]:
            slot = made.module.slot(state.tolist(), action)
            found = made.module.slot(image, symmetry.actions[action])
            if found != move.slots[slot]:
                words = f"under {quote(symmetry.name)} the slot of {self.name(action)} goes to {found}"
                mend = f"not to {move.slots[slot]}, as move(symmetry) says"
                self.report.add("symmetry_slots", f"{words}, {mend}.", self.seen[b].where)
            elif made.places and not (self.report.has("no_place", "same_place") or self.place_moves(slot, found, move)):
                words = f"under {quote(symmetry.name)} the place of {self.name(action)} does not go with its slot"
                self.report.add("symmetry_places", f"{words}; see places().", self.seen[b].where)

    def place_moves(self, slot: int, found: int, move: interface.Move) -> bool:
        board = self.made.height * self.made.width
        here = sorted(move.cells[place % board] for place in self.made.places[slot] if place >= 0)
        return here == sorted(place % board for place in self.made.places[found] if place >= 0)

    # --- other targets ------------------------------------------------------------------------------------------------

    def compare(self, target: str, seen: Sequence[Seen], plain: ShownArgs) -> None:
        """The same numbers on another target, to the last bit."""
        args = self.arguments(seen, np.nan, few=True)
        args.rows[args.rows < 0] = 0
        try:
            args = run_shown(self.made, args, target)
        except TargetMissing as error:
            self.report.skipped.append(str(error))
            return
        except CannotLink as error:
            self.report.add("cannot_link", str(error))
            return
        self.report.targets.append(target)
        if target == "cpu":
            self.fast = target
        for what in ("out", "slots", "tokens"):
            mine = getattr(plain, what)[: len(seen)]
            other = getattr(args, what)
            width = min(mine.shape[1], other.shape[1])
            differ = unlike(mine[:, :width], other[:, :width])
            if differ.any():
                b = int(np.argwhere(differ)[0][0])
                name = {"out": "planes", "slots": "slots", "tokens": "descriptions"}[what]
                words = f"the {name} are not the same on python and {target}"
                mend = "avoid rounding that differs, and lanes that write the same number"
                self.report.add(f"differs_on_{target}", f"{words}; {mend}.", seen[b].where)

    def on_cuda(self, plain: ShownArgs) -> None:
        """Run on a card or in the simulator; without either, see at least that it compiles for a card."""
        from zerogrid.core import cuda

        if cuda.available():
            self.compare("cuda", self.seen[:ON_CUDA] if cuda.SIMULATED else self.seen, plain)
            return
        self.report.skipped.append("running on cuda: there is no card here (NUMBA_ENABLE_CUDASIM=1 simulates one).")
        try:
            cuda.ptx(shown_kernel, {interface: self.made.module}, self.arguments(self.seen[:1], 0.0, few=True))
        except ZeroGridError as error:
            self.report.add("cannot_compile", str(error))
