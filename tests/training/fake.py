"""A trivial engine: everything the loop asks for, with nothing behind it, deterministic to the last bit.

Its "weights" are eight numbers, its "games" are drawn from a counter that lives in its state, and games are left under
way between iterations, so that a run which forgets any part of its state shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from zerogrid.training import disk
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config
from zerogrid.training.directory import settle_config
from zerogrid.training.lock import Lock
from zerogrid.training.loop import Loop
from zerogrid.training.parts import (
    Buffer,
    Engine,
    GameRecord,
    Learner,
    Match,
    NotFinite,
    Orders,
    Played,
    Seat,
    SelfPlay,
    State,
    Weights,
    Work,
    example_fields,
)

SIZE, LEGAL = 6, 4
FIELDS = example_fields(1, SIZE, LEGAL)
PLIES = 5


def draws(seed: int, counter: int) -> np.random.Generator:
    """Random numbers that depend on these two numbers alone."""
    return np.random.Generator(np.random.Philox(key=seed % 2**64, counter=counter))


class FakeSelfPlay(SelfPlay):
    """Games of five plies; some are left under way."""

    def __init__(self) -> None:
        self.counter = np.zeros(1, np.int64)
        self.under_way = np.zeros((3, PLIES), np.int64)
        self.spoil: dict[int, str] = {}  # iteration -> the column that gets a NaN, once
        self.asked: list[Orders] = []

    def play(self, orders: Orders, buffer: Buffer) -> Played:
        self.asked.append(orders)
        assert orders.weights is not None
        rng = draws(orders.seed, int(self.counter[0]))
        weights = np.asarray(orders.weights.inside)
        played, wanted = Played(), max(orders.games, -(-orders.positions // PLIES))
        seen: set[bytes] = set()
        first, draw, second = 0, 0, 0
        for game in range(wanted):
            moves = (self.under_way[game % 3] + rng.integers(0, 9, PLIES)) % 9
            self.under_way[game % 3] = moves
            z = float(np.sign(np.sin(moves.sum() + weights.sum())))
            first, second, draw = first + (z > 0), second + (z < 0), draw + (z == 0)
            seen.add(moves.tobytes())
            columns = {name: np.zeros((PLIES, *shape), kind) for name, (kind, shape) in FIELDS.items()}
            columns["state"][:] = rng.integers(0, 3, (PLIES, 1, SIZE))
            columns["policy"][:] = rng.dirichlet(np.ones(LEGAL), PLIES)
            columns["z"][:] = z
            columns["q"][:] = np.tanh(z + rng.normal(0, 0.2, PLIES))
            columns["game_id"][:] = self.counter[0]
            columns["ply"][:] = np.arange(PLIES) + orders.search_from
            columns["iteration"][:] = orders.iteration
            if game == 0 and orders.iteration in self.spoil:
                columns[self.spoil.pop(orders.iteration)][0] = np.nan
            buffer.append(columns)
            self.counter += 1
            scores = (z, -z)
            for rival in orders.rivals:
                old = played.against.get(rival.weights.name, (0, 0, 0))
                result = (old[0] + (z > 0), old[1] + (z == 0), old[2] + (z < 0))
                played.against[rival.weights.name] = tuple(map(int, result))  # type: ignore[assignment]
            played.sample.append(GameRecord(tuple(map(int, moves)), scores))
        if orders.progress:
            orders.progress(wanted * PLIES, wanted)
        played.games, played.positions, played.plies = wanted, wanted * PLIES, wanted * PLIES
        played.distinct, played.draws, played.wins = len(seen), int(draw), (int(first), int(second))
        played.simulations = played.evaluations = wanted * PLIES * orders.simulations
        played.seconds = 0.001
        return played

    def state(self) -> State:
        arrays = {"counter": self.counter.copy(), "under_way": self.under_way.copy()}
        return State(arrays, {"games": int(self.counter[0])})

    def restore(self, state: State) -> None:
        self.counter = state.arrays["counter"].copy()
        self.under_way = state.arrays["under_way"].copy()
        assert int(self.counter[0]) == state.data["games"]


class FakeLearner(Learner):
    """Eight numbers that drift with what is in the buffer, with momentum."""

    def __init__(self, seed: int) -> None:
        self.w = draws(seed, 0).normal(0, 1, 8)
        self.momentum = np.zeros(8)
        self.steps = 0
        self.spoil: dict[int, str] = {}  # iteration -> what goes wrong, each time: loss, weights, raise
        self.works: list[Work] = []

    def learn(self, buffer: Buffer, work: Work) -> dict[str, float]:
        self.works.append(work)
        assert isinstance(buffer, RingBuffer)
        rng = draws(work.seed, self.steps)
        gradient = np.zeros(8)
        for _ in range(work.steps):
            rows = rng.integers(0, len(buffer), work.batch)
            z = buffer.columns["z"][rows].astype(np.float64)
            gradient = np.tanh(self.w - z.mean() + rng.normal(0, 0.1, 8))
            self.momentum = 0.9 * self.momentum + gradient
            self.w = self.w - work.lr * self.momentum
            self.steps += 1
        loss = float((self.w**2).mean())
        wrong = self.spoil.get(work.iteration)
        if wrong == "loss":
            loss = float("nan")
        elif wrong == "weights":
            self.w[3] = np.inf
        elif wrong == "raise":
            raise NotFinite("the gradient is not finite.")
        told = {"loss": loss, "policy_loss": loss / 2, "value_loss": loss / 2, "policy_entropy": 1.0, "kl": 0.02}
        return told | {"target_entropy": 0.9, "value_spread": 0.3, "gradient": float(np.abs(gradient).sum())}

    def weights(self, name: str) -> Weights:
        return Weights(name, self.w.copy())

    def model(self, provenance: dict[str, Any]) -> bytes:
        if not np.isfinite(self.w).all():
            raise NotFinite("the weights are not finite.")
        return bytes(save({"w": self.w}, {"iteration": str(provenance["iteration"])}))

    def adopt(self, weights: Weights) -> None:
        self.w, self.momentum = np.array(weights.inside), np.zeros(8)

    def state(self) -> State:
        return State({"w": self.w.copy(), "momentum": self.momentum.copy()}, {"steps": self.steps})

    def restore(self, state: State) -> None:
        self.w, self.momentum = state.arrays["w"].copy(), state.arrays["momentum"].copy()
        self.steps = int(state.data["steps"])


@dataclass
class FakeEngine(Engine):
    """Seats made of the above. `strength` says how good weights are; by default what they add up to."""

    config: Config
    seats: dict[str, Seat] = field(default_factory=dict)
    matches: list[Match] = field(default_factory=list)
    always: float | None = None  # the candidate's chance to win any game, instead of by strength

    def seat(self, name: str) -> Seat:
        if name not in self.seats:
            seed = self.config.run.seed + len(self.seats)
            buffer = RingBuffer(FIELDS, self.config.buffer.capacity)
            self.seats[name] = Seat(name, FakeSelfPlay(), buffer, FakeLearner(seed))
        return self.seats[name]

    def weights(self, model: bytes, name: str) -> Weights:
        return Weights(name, load(model)["w"])

    def match(self, match: Match) -> list[GameRecord]:
        self.matches.append(match)
        a, b = (self._strength(one) for one in (match.a, match.b))
        chance = 1 / (1 + np.exp(-(a - b))) if self.always is None else self.always
        games = []
        for pair in range(match.first, match.first + match.pairs):
            rng = draws(match.seed, pair)
            opening = tuple(map(int, rng.integers(0, 9, 2)))
            for side in (0, 1):
                won = bool(rng.random() < chance)
                score = 1.0 if won == (side == 0) else -1.0
                moves = opening + tuple(map(int, rng.integers(0, 9, 3)))
                names = [one if isinstance(one, str) else one.name for one in (match.a, match.b)]
                players = (names[side], names[1 - side])
                games.append(GameRecord(moves, (score, -score), players, match.seed, pair, 2))
        return games

    @staticmethod
    def _strength(who: Any) -> float:
        return float(np.asarray(who.inside).sum()) if isinstance(who, Weights) else 0.0

    def exam(self, who: Weights, positions: int, simulations: int, seed: int) -> dict[str, float] | None:
        rate = float(1 / (1 + np.exp(np.asarray(who.inside).sum())))
        return {"positions": positions, "errors": round(rate * positions), "error_rate": rate, "raw_error_rate": rate}

    def size(self) -> dict[str, float]:
        return {"parameters": 8, "example_bytes": 64, "model_bytes": 200}


def tiny(**changes: Any) -> Config:
    """A configuration for the fake engine that goes through every stage."""
    base: dict[str, Any] = {
        "game.spec": "tictactoe",
        "run.iterations": 6,
        "run.seed": 7,
        "search.simulations": 8,
        "selfplay.positions": 40,
        "buffer.capacity": 150,
        "learner.batch": 16,
        "learner.samples": 2.0,
        "curriculum.kind": "none",
        "gate.kind": "threshold",
        "gate.games": 8,
        "gate.share": 0.5,
        "exam.every": 2,
        "exam.games": 4,
        "exam.positions": 10,
        "exam.opponents": "random",
        "saving.keep": 2,
        "saving.models": 4,
        "saving.games": 3,
        "saving.tensorboard": False,
    }
    return Config().but({**base, **{name.replace("__", "."): value for name, value in changes.items()}})


def train(place: Path, config: Config, engine: Engine | None = None, listeners: Iterable[Any] = ()) -> Loop:
    """Train in a directory to the end; the loop afterwards."""
    disk.make_folder(place)
    with Lock(place):
        config = settle_config(place, config)
        loop = Loop(config, engine or FakeEngine(config), place, list(listeners))
        loop.run()
    return loop
