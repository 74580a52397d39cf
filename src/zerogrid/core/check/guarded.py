"""The rules of a game on arrays that notice every slip: the python target, with a name for each array.

What compiled code does silently (an index outside, a number too large for 16 bits, a division by zero) is a `Trouble`
here, with a sentence that says how to mend it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core import rules
from zerogrid.core.binding import Binder
from zerogrid.core.errors import CannotLink
from zerogrid.core.game import Game
from zerogrid.core.plain import PlainArray, constant

State = npt.NDArray[np.int16]


class Trouble(Exception):
    """Something is wrong with the game; the name of the finding and the sentence."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.sentence = sentence


class _Outside(IndexError):
    def __init__(self, what: str, index: object) -> None:
        super().__init__(f"index {index} of {what}")
        self.what = what
        self.index = index


class _NotAnEntry(ValueError):
    def __init__(self, what: str, index: int, value: object) -> None:
        super().__init__(f"{value!r} for {what}[{index}]")
        self.what = what
        self.index = index
        self.value = value


class Guarded(PlainArray):
    """The state or the buffer for actions, which knows its name."""

    __slots__ = ("least", "most", "size", "what")

    def __init__(self, array: npt.NDArray[Any], what: str) -> None:
        super().__init__(array)
        self.what = what
        self.size = len(array)
        limits = np.iinfo(array.dtype)
        self.least, self.most = int(limits.min), int(limits.max)

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int:
            if 0 <= index < self.size:
                return self.array.item(index)
            raise _Outside(self.what, index)
        self._check_other(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is int:
            if not 0 <= index < self.size:
                raise _Outside(self.what, index)
            if not isinstance(value, int | np.integer) or not self.least <= value <= self.most:
                raise _NotAnEntry(self.what, index, value)
        else:
            self._check_other(index)
        super().__setitem__(index, value)

    def _check_other(self, index: Any) -> None:
        if isinstance(index, slice):
            ends = [end for end in (index.start, index.stop) if end is not None]
            if any(not 0 <= end <= self.size for end in ends):
                raise _Outside(self.what, f"{index.start}:{index.stop}")
        elif not isinstance(index, np.integer) or not 0 <= index < self.size:
            raise _Outside(self.what, index)


class GuardedRules:
    """The functions of the rules interface for one game, run with every guard up."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.file = str(game.module.__file__)
        self.unlinkable: list[Trouble] = []
        self._functions: dict[str, Callable[..., Any]] = {}
        for name in rules.FUNCTIONS:
            plain = getattr(game.module, name)
            try:
                self._functions[name], _ = Binder({}, finish=lambda f: f, constant=constant).function(plain)
            except CannotLink as error:
                self.unlinkable.append(Trouble("cannot_link", str(error)))
                self._functions[name] = plain

    # --- the interface ----------------------------------------------------------------------------------------------

    def start(self, seed: int) -> State:
        """The start position for a seed."""
        state = np.zeros(self.game.STATE_SIZE, np.int16)
        self._call("start", state, seed)
        return state

    def play(self, state: State, action: int) -> None:
        """Play in place."""
        self._call("play", state, action)

    def legal(self, state: State, filler: int = -1) -> list[int]:
        """The actions as the game wrote them; the buffer holds the filler beforehand."""
        buffer = np.full(self.game.MAX_LEGAL, filler, np.int32)
        count = self._call("legal", state, Guarded(buffer, "actions"))
        if not isinstance(count, int) or not 0 <= count <= self.game.MAX_LEGAL:
            most = self.game.MAX_LEGAL
            right = f"return how many actions were written, 0 to {most}"
            raise Trouble("legal_count", f"legal returned {count!r}; {right}.")
        return [int(action) for action in buffer[:count]]

    def ended(self, state: State) -> int:
        """0, or the number of an ending."""
        found = self._call("ended", state)
        endings = len(self.game.ENDINGS)
        if not isinstance(found, int) or not 0 <= found <= endings:
            right = f"0 while the game goes on, else 1 to {endings}, a line of ENDINGS"
            raise Trouble("ended_value", f"ended returned {found!r}; it must be {right}.")
        return int(found)

    def to_move(self, state: State) -> int:
        """0 or 1."""
        found = self._call("to_move", state)
        if not isinstance(found, int) or found not in (0, 1):
            raise Trouble("to_move_value", f"to_move returned {found!r}; it must be 0 or 1, the player to move.")
        return int(found)

    def score(self, state: State, player: int) -> float:
        """The result for a player."""
        found = self._call("score", state, player)
        if not isinstance(found, int | float) or not -1 <= found <= 1:
            words = "it must be a number from -1 (lost) to 1 (won)"
            raise Trouble("score_range", f"score for player {player} returned {found!r}; {words}.")
        return float(found)

    def key(self, state: State) -> int:
        """A signed 64-bit number."""
        found = self._call("key", state)
        if not isinstance(found, int) or not -(2**63) <= found < 2**63:
            words = "a whole number of 64 bits with sign; build it with draws.mix, or leave key out and have it made"
            raise Trouble("key_value", f"key returned {found!r}; it must be {words}.")
        return int(found)

    # --- guards -----------------------------------------------------------------------------------------------------

    def _call(self, name: str, state: State, *args: Any) -> Any:
        try:
            return self._functions[name](Guarded(state, "state"), *args)
        except _Outside as error:
            raise self._outside(name, error) from error
        except _NotAnEntry as error:
            raise self._not_an_entry(name, error) from error
        except Exception as error:
            raise self._failed(name, error) from error

    def _outside(self, name: str, error: _Outside) -> Trouble:
        place = self._place(error)
        most = self.game.MAX_LEGAL
        if error.what == "actions" and error.index == most:
            mend = "raise it to the most that can be legal at once, or find out why there are more"
            return Trouble("max_legal", f"{name} writes more than MAX_LEGAL = {most} actions{place}; {mend}.")
        size = most if error.what == "actions" else self.game.STATE_SIZE
        mend = "compiled code would read or destroy other memory there; test the index first"
        what = f"index {error.index} of the {'state' if error.what == 'state' else 'buffer for actions'}"
        return Trouble("out_of_bounds", f"{name} uses {what}, which has indices 0 to {size - 1}{place}; {mend}.")

    def _not_an_entry(self, name: str, error: _NotAnEntry) -> Trouble:
        what = self.game.layout.where(error.index) if error.what == "state" else f"action {error.index} of the buffer"
        place = self._place(error)
        if isinstance(error.value, int | np.integer):
            mend = "split it over two entries, or count something smaller"
            limits = "which holds -32768 to 32767" if error.what == "state" else "which holds 32 bits"
            return Trouble("too_large", f"{name} writes {error.value} into {what}, {limits}{place}; {mend}.")
        mend = "a state holds whole numbers; use // instead of /, or keep it in hundredths"
        return Trouble("not_whole", f"{name} writes {error.value!r} into {what}{place}; {mend}.")

    def _failed(self, name: str, error: Exception) -> Trouble:
        place = self._place(error)
        if "read-only" in str(error):
            mend = "games played later would see it; keep all that changes in the state"
            return Trouble("changes_file", f"{name} changes an array of the game file{place}; {mend}.")
        if isinstance(error, IndexError):
            mend = "compiled code would read other memory there; test the index first"
            return Trouble("out_of_bounds", f"{name} looks into a table at {_first_line(error)}{place}; {mend}.")
        if isinstance(error, UnboundLocalError):
            mend = "give it a value first, on every way there; compiled code would use whatever lies in memory"
            return Trouble("crash", f"{name} uses a name before it has a value{place}: {_first_line(error)}; {mend}.")
        if isinstance(error, ZeroDivisionError):
            mend = "test for it first; compiled code would go on with another number"
            return Trouble("crash", f"{name} divides by zero{place}; {mend}.")
        if isinstance(error, RecursionError):
            return Trouble("crash", f"{name} calls itself without end{place}; use a loop.")
        return Trouble("crash", f"{name} fails{place}: {type(error).__name__}: {_first_line(error)}.")

    def _place(self, error: Exception) -> str:
        """The line of the game file at which it happened."""
        trace, found = error.__traceback__, ""
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                file = self.file.replace("\\", "/").rpartition("/")[2]
                found = f" ({file}, line {trace.tb_lineno})"
            trace = trace.tb_next
        return found


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0].rstrip(".")[:200]
