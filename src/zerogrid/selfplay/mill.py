"""The mill: all rooms together. Plays until there is enough, and says what came of it.

    mill = Mill(game, encoding, PlaySettings(games=256), seed=1, threads=2)
    harvest = mill.play(evaluator, positions=8192)
    harvest.columns["state"], harvest.columns["policy"], ...        examples of games that have ended

Games go on from one call to the next. The same calls give the same harvests, whatever the number of threads: rooms
are as many as the games ask for, and threads only share them out.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Evaluator
from zerogrid.kernels import mill_arrays as names
from zerogrid.kernels.mill_arrays import Numbers
from zerogrid.selfplay.room import Errand, Room, Yield
from zerogrid.selfplay.settings import PlaySettings

Rival = tuple[Evaluator, float, str]  # whom to meet, in which share of the games, by which name
ROOM_GAMES = 64  # games in a room, about
MOST_ROOMS = 64
SAMPLE = 64  # games told move by move

COLUMNS = ("state", "known", "policy", "z", "q", "shaped", "weight", "game_id", "ply", "player", "initiative")


@dataclass(frozen=True)
class PlayedGame:
    """One finished game."""

    moves: tuple[int, ...]
    scores: tuple[float, float]
    seed: int
    opened: int
    ending: int  # as rules.ended says; 0 where somebody resigned
    players: tuple[str, str] = ("self", "self")


@dataclass
class Harvest:
    """What a call of play brought in."""

    columns: dict[str, Any] = field(default_factory=dict)
    positions: int = 0
    games: int = 0
    distinct: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    plies: int = 0
    simulations: int = 0
    evaluations: int = 0
    resigned: int = 0
    checked: int = 0
    false_resigns: int = 0
    against: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    sample: list[PlayedGame] = field(default_factory=list)
    seconds: float = 0.0


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
        self._rooms: dict[tuple[str, int, int], Any] = {}  # whose games, which room, of how many games
        self._restored: dict[str, dict[str, npt.NDArray[Any]]] = {}

    # --- sharing out --------------------------------------------------------------------------------------------------

    def _plan(self, rivals: Sequence[Rival]) -> list[tuple[str, int, int, Evaluator | None]]:
        """(whose games, room, games in it, rival): one's own games first."""
        planned: list[tuple[str, int, int, Evaluator | None]] = []
        left = self.settings.games
        for rival, share, name in rivals:
            games = min(left - 1, max(1, round(share * self.settings.games)))
            if games > 0:
                planned.append((name, 0, games, rival))
                left -= games
        if sum(share for _, share, _ in rivals) >= 1.0 and planned:
            name, room, games, rival_ = planned[-1]
            planned[-1] = (name, room, games + left, rival_)
            return planned
        rooms = min(MOST_ROOMS, max(1, left // ROOM_GAMES)) if self.device == "cpu" else 2
        rooms = min(rooms, left)
        own = [("self", i, left * (i + 1) // rooms - left * i // rooms, None) for i in range(rooms)]
        return [*own, *planned]

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
    ) -> Harvest:
        """Play until so many new examples are there and so many games have ended."""
        began = time.perf_counter()
        plan, errands, first = self._plan(rivals), [], 0
        archived = archive is not None and len(archive) > 0
        for name, _, count, _ in plan:
            share = count / self.settings.games
            numbers = Numbers(
                seed=self.seed,
                slots=self.settings.games,
                first_slot=first,
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
                keep=self.settings.keep_tree and name == "self",  # nobody goes on with an opponent's tree
                rival=name != "self",
            )
            wanted = -(-int(positions * count) // self.settings.games)
            errands.append(Errand(numbers, wanted, int(np.ceil(games * share)), archive if archived else None))
            first += count
        rooms = [self._room(*key[:3], errand) for key, errand in zip(plan, errands, strict=True)]
        self._number_anew(rooms)
        found = self._run(rooms, evaluator, errands, stop, [key[3] for key in plan])
        harvest = gather(found, [key[0] for key in plan], self.game, self.seed)
        harvest.seconds = time.perf_counter() - began
        return harvest

    def _room(self, name: str, number: int, games: int, errand: Errand) -> Any:
        key = (name, number, games)
        if key not in self._rooms:
            self._rooms[key] = self._make(games)
            state = self._restored.pop("/".join(map(str, key)), None)
            if state:
                self._rooms[key].restore(state, errand)
        return self._rooms[key]

    def _number_anew(self, rooms: Sequence[Any]) -> None:
        """Where other rooms had these slots meanwhile (rivals came or went), go on from their games' numbers."""
        others = [room.numbered_up_to() for room in self._rooms.values() if room not in rooms]
        others += [int(arrays["slot"][:, names.BEGUN].max()) for arrays in self._restored.values()]
        for room in rooms:
            room.number_from(max(others, default=0))

    def _run(
        self,
        rooms: Sequence[Any],
        evaluator: Evaluator,
        errands: Sequence[Errand],
        stop: Callable[[], bool] | None,
        rivals: Sequence[Evaluator | None],
    ) -> list[Yield]:
        if self.device == "cuda":
            from zerogrid.selfplay.card import play_together

            return play_together(rooms, evaluator, errands, stop, rivals)
        work = list(zip(rooms, errands, rivals, strict=True))
        if self.threads == 1 or len(rooms) == 1:
            return [room.play(evaluator, errand, stop, rival) for room, errand, rival in work]
        rooms[0].compile(errands[0])
        with ThreadPoolExecutor(min(self.threads, len(rooms))) as pool:
            return list(pool.map(lambda one: one[0].play(evaluator, one[1], stop, one[2]), work))

    # --- for checkpoints ----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All games under way, as plain arrays."""
        kept = {}
        for key, room in self._rooms.items():
            for name, array in room.state().items():
                kept["/".join(map(str, key)) + "/" + name] = array
        for prefix, arrays in self._restored.items():
            kept |= {f"{prefix}/{name}": array for name, array in arrays.items()}
        return kept

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on with the games of a state; those of this mill are forgotten."""
        self._rooms.clear()
        self._restored = {}
        for name, array in state.items():
            prefix, _, field_name = name.rpartition("/")
            self._restored.setdefault(prefix, {})[field_name] = array


# --- gathering ------------------------------------------------------------------------------------------------------


def gather(found: Sequence[Yield], whose: Sequence[str], game: Game, seed: int) -> Harvest:
    """One harvest from all rooms, in their order."""
    lines = np.concatenate([one.lines for one in found])
    moves = np.concatenate([one.moves for one in found])
    players = [name for one, name in zip(found, whose, strict=True) for _ in range(len(one.lines))]
    first, second = lines[:, names.SCORE_0] / 1000.0, lines[:, names.SCORE_1] / 1000.0
    gave_up = lines[:, names.STOOD] >= names.RESIGNED_0
    would = lines[:, names.RESIGNER]
    their_score = np.where(would == 1, second, first)
    harvest = Harvest(
        columns=columns_of(found),
        positions=sum(len(one.whole) for one in found),
        games=len(lines),
        distinct=len({tuple(line) for line in lines[:, [names.HASH_LOW, names.HASH_HIGH]].tolist()}),
        wins=(int((first > second).sum()), int((second > first).sum())),
        draws=int((first == second).sum()),
        plies=int(lines[:, names.LENGTH].sum()),
        simulations=int(lines[:, names.SIMULATIONS].sum()),
        evaluations=int(lines[:, names.ASKED_FOR].sum()),
        resigned=int(gave_up.sum()),
        checked=int(((would >= 0) & (lines[:, names.PLAYED_ON] == 1)).sum()),
        false_resigns=int(((would >= 0) & (their_score >= 0)).sum()),
    )
    for i, name in enumerate(players):
        if name != "self":
            own = int(lines[i, names.LEARNER])
            mine, theirs = (first[i], second[i]) if own == 0 else (second[i], first[i])
            won, drawn, lost = harvest.against.get(name, (0, 0, 0))
            harvest.against[name] = (won + int(mine > theirs), drawn + int(mine == theirs), lost + int(mine < theirs))
    from_start = np.flatnonzero(lines[:, names.OPENING] >= 0)  # games told by their moves alone
    for i in from_start[:SAMPLE]:
        own, name = int(lines[i, names.LEARNER]), players[i]
        sides = ("self", "self") if own < 0 else (("self", name) if own == 0 else (name, "self"))
        length = int(lines[i, names.LENGTH])
        harvest.sample.append(
            PlayedGame(
                moves=tuple(int(move) for move in moves[i, :length]),
                scores=(float(first[i]), float(second[i])),
                seed=seed_of_game(seed, int(lines[i, names.NUMBER])),
                opened=int(lines[i, names.OPENING]),
                ending=int(lines[i, names.ENDING]),
                players=sides,
            )
        )
    return harvest


def seed_of_game(seed: int, number: int) -> int:
    """The seed of a game's chance, as the kernels make it."""
    from zerogrid.kernels.mill import seed_of_game as made

    return made(seed, number)


def columns_of(found: Sequence[Yield]) -> dict[str, Any]:
    """The examples of all rooms as columns."""
    states, policy, whole, real = (together([one[i] for one in found]) for i in range(4))
    return {
        "state": states,
        "known": whole[:, names.KNOWN],
        "policy": policy,
        "z": real[:, names.Z],
        "q": real[:, names.Q],
        "shaped": real[:, names.SHAPED],
        "weight": real[:, names.WEIGHT],
        "game_id": whole[:, 4],
        "ply": whole[:, names.PLY],
        "player": whole[:, names.PLAYER],
        "initiative": whole[:, names.INITIATIVE],
    }


def together(parts: Sequence[Any]) -> Any:
    """Arrays one behind the other, in memory of their own."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    import torch

    return torch.cat(list(parts))
