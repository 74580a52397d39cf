"""What the loop asks of the engine room: playing, keeping examples, learning, matches, exams.

    engine = assemble.engine(config)
    seat = engine.seat("main")                               one learner with its own self-play and buffer
    played = seat.selfplay.play(orders, seat.buffer)         the champion plays; examples go into the buffer
    losses = seat.learner.learn(seat.buffer, work)           the candidate learns
    games = engine.match(match)                              two contenders meet

Every class here is small and abstract; tests/training/fake.py fills them with a trivial, deterministic engine. Nothing
an engine holds outlives the process unless it is in `state()`, in the buffer, or in a model's bytes.

An example is one position that was searched, as columns of one length (`example_fields`):

    state      int16   [HISTORY, STATE]   the position and those before it, newest first
    known      int16                      how many of them are real
    policy     float16 [MAX_LEGAL]        the policy target over the legal actions in increasing order
    z          float32                    the result of the game for `player`, a draw counting as `draw_value` says
    q          float32                    the value of the search at the root, for `player`
    shaped     float32                    what shaping adds to the value target, for `player`
    weight     float32                    how much the example counts, before its age does
    game_id    int64                      unique in the run
    iteration  int32                      in which it was played
    ply        int16                      plays made before it
    player     int8                       who is to move
    initiative int8                       CAPTURE, SACRIFICE, NEUTRAL of the move chosen; NO_LABEL where there is none
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError

Array = npt.NDArray[Any]
Arrays = dict[str, Array]  # plain host arrays by name, as a checkpoint holds them


class NotFinite(ZeroGridError):
    """A loss, gradient, weight, target or answer of a network is not a finite number; the iteration does not count."""


@dataclass
class State:
    """What a part needs to go on exactly where it was: arrays, and plain data that JSON can hold."""

    arrays: Arrays = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)


# --- playing --------------------------------------------------------------------------------------------------------


class Weights:
    """A network's weights, frozen, in whatever form the engine plays with. Equal names mean equal weights."""

    def __init__(self, name: str, inside: Any = None) -> None:
        self.name = name  # "main@33", "random"
        self.inside = inside


@dataclass(frozen=True)
class Rival:
    """Past weights that self-play is to meet, and in which share of its games."""

    weights: Weights
    share: float


@dataclass(frozen=True)
class Orders:
    """What self-play is to do in one iteration. All of it comes from the configuration and the curriculum."""

    iteration: int  # from 1
    seed: int  # of this iteration and attempt; every draw follows from it and from what is in `state()`
    attempt: int = 0  # above 0: the same was tried before and met a number that is none; play otherwise than then
    positions: int = 0  # go on until so many new examples are in the buffer, and
    games: int = 0  # so many games have been finished
    simulations: int = 0  # for one move
    random_moves: int = 0  # games start after r random moves, r drawn from 0 to this
    search_from: int = 0  # before this ply moves are guided-random and no examples
    archive: float = 0.0  # share of games that start from a position of an earlier game
    resign: float = 0.0  # a player whose search says less than minus this resigns; 0: nobody does
    weights: Weights | None = None  # who plays: the champion
    rivals: tuple[Rival, ...] = ()  # the rest of the games are played against oneself
    stop: Callable[[], bool] | None = None  # asked now and then; true: give up by raising KeyboardInterrupt
    progress: Callable[[int, int], None] | None = None  # told now and then of the examples and the games so far


@dataclass
class Played:
    """What self-play did. Everything but `seconds` is the same again with the same seed on the CPU."""

    games: int = 0  # finished in this iteration
    positions: int = 0  # examples put into the buffer
    distinct: int = 0  # games that differ from all others of this iteration
    wins: tuple[int, int] = (0, 0)  # by player 0, by player 1
    draws: int = 0
    plies: int = 0  # of the finished games together
    simulations: int = 0
    evaluations: int = 0
    resigned: int = 0
    checked: int = 0  # games in which a player would have resigned, played on to see
    false_resigns: int = 0  # of those, not lost by that player
    against: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # rival -> wins, draws, losses of oneself
    sample: list["GameRecord"] = field(default_factory=list)  # some of the games, for people
    seconds: float = 0.0

    @property
    def duplicates(self) -> int:
        """Games that repeat another one of this iteration move for move."""
        return self.games - self.distinct


@dataclass(frozen=True)
class GameRecord:
    """One game as it is kept. `players` are the names of player 0 and player 1."""

    moves: tuple[int, ...]
    scores: tuple[float, float]
    players: tuple[str, str] = ("self", "self")
    seed: int = 0
    opening: int = -1  # games of one opening, sides swapped, form a pair
    opened: int = 0  # how many of the moves were the opening
    ending: str = ""

    def as_dict(self, game: str) -> dict[str, Any]:
        """As a line of games/*.jsonl."""
        line: dict[str, Any] = {"game": game, "moves": list(self.moves), "scores": list(self.scores)}
        line |= {"players": list(self.players), "seed": self.seed, "opening": self.opening}
        return line | {"opened": self.opened, "ending": self.ending}


class SelfPlay(ABC):
    """Plays games and puts what they teach into a buffer."""

    @abstractmethod
    def play(self, orders: Orders, buffer: "Buffer") -> Played:
        """Play; raise NotFinite when a network answers with nonsense, before anything reaches the buffer."""

    @abstractmethod
    def state(self) -> State:
        """Games under way, counters of random numbers: all that the next iteration depends on."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Go on from a state."""


# --- keeping examples -----------------------------------------------------------------------------------------------


class Buffer(ABC):
    """The newest examples, up to `capacity`; the older ones are overwritten. See buffer.py for one that does."""

    capacity: int
    total: int = 0  # examples ever put in; they are numbered 0 to total - 1
    since: int = 0  # those before this number were forgotten all at once, see `restore`

    @abstractmethod
    def append(self, columns: Mapping[str, Any]) -> None:
        """Put in examples, as columns of one length."""

    @abstractmethod
    def rows(self, first: int, last: int) -> Arrays:
        """Examples number first to last - 1 as host arrays; they must still be there."""

    @abstractmethod
    def restore(self, first: int, parts: Iterable[Arrays]) -> None:
        """Forget everything, then put in parts of which the first example has number `first`."""

    @abstractmethod
    def finite(self, first: int) -> bool:
        """Whether all numbers from example `first` on are finite."""

    def __len__(self) -> int:
        return min(self.total - self.since, self.capacity)


# --- learning -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """What the learner is to do in one iteration."""

    iteration: int
    seed: int
    steps: int
    batch: int
    lr: float  # at the first step
    lr_end: float  # at the last one; in between it changes evenly
    step: int  # steps ever made before


class Learner(ABC):
    """Holds the weights that are being learned, and the optimiser."""

    @abstractmethod
    def learn(self, buffer: Buffer, work: Work) -> dict[str, float]:
        """Learn, and say how it went, as means over the steps; raise NotFinite when a number is none.

        Always: `loss` (everything), `policy_loss`, `value_loss`, `policy_entropy` (of the network, in nats),
        `target_entropy` (of the search), `value_spread` (standard deviation of the network's values),
        `gradient` (norm before clipping), `kl` (from the policy before to the policy after, on one batch).
        Where they exist: `initiative_loss`, `classes_loss`, `reg_loss`, `value_accuracy`.
        """

    @abstractmethod
    def weights(self, name: str) -> Weights:
        """The weights to play with as they are now (averaged, if that is asked for), frozen under a name."""

    @abstractmethod
    def model(self, provenance: dict[str, Any]) -> bytes:
        """The same weights as a model file."""

    @abstractmethod
    def adopt(self, weights: Weights) -> None:
        """Begin again from these weights, with a fresh optimiser: an exploiter that starts anew."""

    @abstractmethod
    def state(self) -> State:
        """Weights, optimiser, averages, counters, scaler."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Go on from a state."""


# --- matches and exams ----------------------------------------------------------------------------------------------

Contender = Weights | str  # weights of this run, or an agent by its name: "uct:1000", "random"


@dataclass(frozen=True)
class Match:
    """Pairs of games between two contenders: in each pair the same opening twice, sides swapped."""

    a: Contender
    b: Contender
    pairs: int
    first: int = 0  # openings first to first + pairs - 1 of the sequence that `openings` and `seed` define
    openings: str = "random:4"  # random:N or guided:N moves, or none
    simulations: int = 0
    temperature: str = "0:0"  # as in selfplay.temperature
    seed: int = 0


class Engine(ABC):
    """Everything that computes, for one configuration."""

    @abstractmethod
    def seat(self, name: str) -> "Seat":
        """The learner of that name with its own self-play and buffer: main, or exploiter-1 ..."""

    @abstractmethod
    def weights(self, model: bytes, name: str) -> Weights:
        """Weights from a model file of this run."""

    @abstractmethod
    def match(self, match: Match) -> list[GameRecord]:
        """2 x pairs games, in the order of the schedule: a first, b first, next opening."""

    def exam(self, who: Weights, positions: int, simulations: int, seed: int) -> dict[str, float] | None:
        """Measured against an exact solver: positions, errors, error_rate, raw_error_rate; None without a solver."""
        return None

    def size(self) -> dict[str, float]:
        """For the plan: parameters, example_bytes, model_bytes; simulations_per_second where it can be known."""
        return {}

    def close(self) -> None:
        """Let go of what is held."""
        return


@dataclass
class Seat:
    """One learner and what belongs to it."""

    name: str
    selfplay: SelfPlay
    buffer: Buffer
    learner: Learner


# --- columns --------------------------------------------------------------------------------------------------------

Fields = dict[str, tuple[Any, tuple[int, ...]]]  # name -> (dtype, shape of one example)


def example_fields(history: int, state_size: int, most_legal: int) -> Fields:
    """The columns of an example for a game."""
    one: tuple[int, ...] = ()
    return {
        "state": (np.int16, (history, state_size)),
        "known": (np.int16, one),
        "policy": (np.float16, (most_legal,)),
        "z": (np.float32, one),
        "q": (np.float32, one),
        "shaped": (np.float32, one),
        "weight": (np.float32, one),
        "game_id": (np.int64, one),
        "iteration": (np.int32, one),
        "ply": (np.int16, one),
        "player": (np.int8, one),
        "initiative": (np.int8, one),
    }


def check_columns(fields: Fields, columns: Mapping[str, Any]) -> int:
    """How many examples there are; columns that are missing, too many, or of another length are a mistake of ours."""
    assert set(columns) == set(fields), f"{sorted(set(columns) ^ set(fields))} are not columns of an example"
    lengths = {len(columns[name]) for name in fields}
    assert len(lengths) == 1, f"columns of lengths {sorted(lengths)}"
    for name, (_, shape) in fields.items():
        assert tuple(columns[name].shape[1:]) == shape, f"{name} is {tuple(columns[name].shape)}, not [n, *{shape}]"
    return lengths.pop()


def names_of(contenders: Sequence[Contender]) -> list[str]:
    """What contenders are called in results."""
    return [one.name if isinstance(one, Weights) else one for one in contenders]
