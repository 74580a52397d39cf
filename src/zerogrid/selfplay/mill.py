"""The mill: all rooms together. Plays until there is enough, and says what came of it.

    mill = Mill(game, encoding, PlaySettings(games=256), seed=1, threads=2)
    harvest = mill.play(evaluator, positions=8192)
    harvest.columns["state"], harvest.columns["policy"], ...        examples of games that have ended

Games go on from one call to the next. The same calls give the same harvests, whatever the number of threads: rooms
are as many as the games ask for, and threads only share them out. Games against a rival that is not met any more are
given up, and their memory with them.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Evaluator
from zerogrid.kernels import mill_arrays as names
from zerogrid.kernels.mill_arrays import Numbers
from zerogrid.selfplay.harvest import SELF, Harvest, gather, seed_of_game
from zerogrid.selfplay.meter import Meter
from zerogrid.selfplay.room import Errand, Room, Yield
from zerogrid.selfplay.settings import PlaySettings
from zerogrid.selfplay.sharing import allotted

Key = tuple[str, int, int]  # a room: whose games, which room of theirs, how many games it holds
Rival = tuple[Evaluator, float, str]  # whom to meet, in which share of the games, by which name
ROOM_GAMES = 64  # games in a room, about
MOST_ROOMS = 64
APART = 100_000  # games of a slot that are left out before another attempt, more than any iteration plays

COUNTS, FIRST = "counts", "first"  # names in a state


class Mill:
    """Games under way on one device."""

    def __init__(
        self,
        game: Game,
        encoding: Encoding,
        settings: PlaySettings,
        seed: int = 0,
        device: str = "cpu",
        threads: int = 1,
        tokens: bool = False,
        potential: Any = None,
        target: str = "cpu",
    ) -> None:
        if encoding.game != game:
            raise ZeroGridError(f"the encoding is for {encoding.game.spec}, and the games are of {game.spec}.")
        self.game, self.encoding, self.settings, self.seed = game, encoding, settings, seed
        self.device, self.threads = device, threads
        self._make: Callable[[int], Any] = lambda games: Room(encoding, settings, games, tokens, potential, target)
        if device == "cuda":
            from zerogrid.selfplay.card import CardRoom

            self._make = lambda games: CardRoom(encoding, settings, games, tokens, potential)
        elif device != "cpu":
            raise ZeroGridError(f"there is no device {device!r}; there are cpu and cuda.")
        self._rooms: dict[Key, Any] = {}
        self._first: dict[Key, int] = {}  # the first slot of each room of the last call, in their order
        self._begun = 0  # no slot numbers a game as if it had begun fewer
        self._restored: dict[Key, dict[str, npt.NDArray[Any]]] = {}  # rooms that nobody has asked for yet

    # --- sharing out --------------------------------------------------------------------------------------------------

    def _plan(self, rivals: Sequence[Rival]) -> dict[Key, Evaluator | None]:
        """The rooms of a call in the order of their slots, and whom they meet: one's own games first."""
        games = self.settings.games
        before = {name: count for name, _, count in self._first if name != SELF}
        parts = allotted(games, {name: share for _, share, name in rivals}, before)
        left = games - sum(parts.values())
        rooms = min(MOST_ROOMS, max(1, left // ROOM_GAMES)) if self.device == "cpu" else 1
        rooms = min(rooms, left)
        own: dict[Key, Evaluator | None] = {
            (SELF, i, left * (i + 1) // rooms - left * i // rooms): None for i in range(rooms)
        }
        return own | {(name, 0, parts[name]): rival for rival, _, name in rivals if name in parts}

    def play(
        self,
        evaluator: Evaluator,
        positions: int = 0,
        games: int = 0,
        simulations: int | None = None,
        random_moves: int = 0,
        search_from: int = 0,
        archive: npt.NDArray[np.int16] | None = None,
        archive_share: float = 0.0,
        resign: float = 0.0,
        stop: Callable[[], bool] | None = None,
        rivals: Sequence[Rival] = (),
        progress: Callable[[int, int], None] | None = None,
    ) -> Harvest:
        """Play until so many new examples are there and so many games have ended; `progress` hears of both."""
        began = time.perf_counter()
        plan, errands = self._plan(rivals), []
        first: dict[Key, int] = {}
        archived = archive is not None and len(archive) > 0
        for key in plan:
            name, _, count = key
            first[key] = sum(other[2] for other in first)
            share = count / self.settings.games
            numbers = Numbers(
                seed=self.seed,
                slots=self.settings.games,
                first_slot=first[key],
                simulations=self.settings.search.simulations if simulations is None else simulations,
                cap_simulations=self.settings.cap_simulations,
                cap_share=float(self.settings.cap_share),
                random_moves=random_moves,
                search_from=search_from,
                archive_share=float(archive_share) if archived else 0.0,
                resign=float(resign),
                resign_check=float(self.settings.resign_check),
                draw_value=float(self.settings.draw_value),
                target_temperature=float(self.settings.target_temperature),
                gamma=float(self.settings.gamma),
                keep=self.settings.keep_tree and name == SELF,  # nobody goes on with an opponent's tree
                rival=name != SELF,
            )
            wanted = -(-int(positions * count) // self.settings.games)
            errands.append(Errand(numbers, wanted, int(np.ceil(games * share)), archive if archived else None))
        self._seat(first)
        rooms = [self._room(key, errand) for key, errand in zip(plan, errands, strict=True)]
        for room in rooms:
            room.number_from(self._begun)
        found = self._run(rooms, evaluator, errands, stop, list(plan.values()), progress)
        harvest = gather(found, [key[0] for key in plan], self.game, self.seed)
        harvest.seconds = time.perf_counter() - began
        return harvest

    def _seat(self, first: dict[Key, int]) -> None:
        """Let go of rooms that are not among these. Where slots change hands, go on from the highest number of all."""
        if first != self._first:
            self._begun = max(self._begun, self._numbered_up_to())
            self._rooms = {key: room for key, room in self._rooms.items() if key in first}
            self._restored = {key: arrays for key, arrays in self._restored.items() if key in first}
            self._first = first

    def _numbered_up_to(self) -> int:
        """How many games the slot that began most has begun."""
        told = [room.numbered_up_to() for room in self._rooms.values()]
        told += [int(arrays["slot"][:, names.BEGUN].max()) for arrays in self._restored.values()]
        return max(told, default=0)

    def _room(self, key: Key, errand: Errand) -> Any:
        if key not in self._rooms:
            self._rooms[key] = self._make(key[2])
            state = self._restored.pop(key, None)
            if state:
                self._rooms[key].restore(state, errand)
        return self._rooms[key]

    def _run(
        self,
        rooms: Sequence[Any],
        evaluator: Evaluator,
        errands: Sequence[Errand],
        stop: Callable[[], bool] | None,
        rivals: Sequence[Evaluator | None],
        progress: Callable[[int, int], None] | None,
    ) -> list[Yield]:
        hear = None if progress is None else Meter(progress, len(rooms)).hear
        if self.device == "cuda":
            from zerogrid.selfplay.card import play_together

            return play_together(rooms, evaluator, errands, stop, rivals, hear)

        def work(number: int) -> Yield:
            heard = None if hear is None else partial(hear, number)
            found: Yield = rooms[number].play(evaluator, errands[number], stop, rivals[number], heard)
            return found

        if self.threads == 1 or len(rooms) == 1:
            return [work(number) for number in range(len(rooms))]
        rooms[0].compile(errands[0])
        with ThreadPoolExecutor(min(self.threads, len(rooms))) as pool:
            return list(pool.map(work, range(len(rooms))))

    # --- for checkpoints ----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All games under way, as plain arrays."""
        kept = {COUNTS: np.array([self.settings.games, self._begun], np.int64)}
        rooms = self._restored | {key: room.state() for key, room in self._rooms.items()}
        for key, arrays in rooms.items():
            prefix = "/".join(map(str, key))
            kept |= {f"{prefix}/{name}": array for name, array in arrays.items()}
            kept[f"{prefix}/{FIRST}"] = np.array([self._first.get(key, 0)], np.int64)
        return kept

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on with the games of a state; those of this mill are forgotten."""
        self._rooms, self._restored, self._first = {}, {}, {}
        games, self._begun = (int(count) for count in state.get(COUNTS, (self.settings.games, 0)))
        for name, array in state.items():
            prefix, _, field_name = name.rpartition("/")
            if prefix:
                whose, room, count = prefix.rsplit("/", 2)
                key = (whose, int(room), int(count))
                if field_name == FIRST:
                    self._first[key] = int(array[0])
                else:
                    self._restored.setdefault(key, {})[field_name] = array
        if games != self.settings.games:  # number n of a slot is another number among so many slots
            begun = max(self._begun, self._numbered_up_to())
            self._begun = -(-begun * games // self.settings.games)

    def vary(self, attempt: int) -> None:
        """Let what comes now be other than what came of the same state at other attempts; attempt 0 is the first."""
        if attempt == 0:
            return
        self.restore(self.state())
        self._begun = max(self._begun, self._numbered_up_to()) + attempt * APART
        for arrays in self._restored.values():
            arrays["tree_seed"] = np.array([seed_of_game(int(one), attempt) for one in arrays["tree_seed"]], np.int64)
