"""The stages of one iteration: play, learn, gate, league, exam. What is decided is decided in pieces of their own."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from zerogrid.training import events
from zerogrid.training.config import Config
from zerogrid.training.curriculum import Curriculum
from zerogrid.training.exams import Examiner
from zerogrid.training.gates import Decision, Gatekeeper
from zerogrid.training.league import League
from zerogrid.training.parts import (
    Contender,
    Engine,
    GameRecord,
    Match,
    NotFinite,
    Orders,
    Played,
    Rival,
    Seat,
    Weights,
    Work,
)
from zerogrid.training.resigning import Resigning
from zerogrid.training.roster import Roster
from zerogrid.training.schedule import after_kl, rate_at, steps_for
from zerogrid.training.seeds import seed_of
from zerogrid.training.tally import Tally

MAIN = "main"
Counts = tuple[int, int, int]


class Stages:
    """All that takes part in an iteration, and the stages in their order."""

    def __init__(self, config: Config, engine: Engine, roster: Roster, tell: events.Listener) -> None:
        self.config, self.engine, self.roster, self.tell = config, engine, roster, tell
        self.league = League(config.league)
        self.curriculum = Curriculum(config.curriculum, config.search)
        self.gate = Gatekeeper(config.gate)
        self.resigning = Resigning(config.selfplay)
        self.examiner = Examiner(config, engine, roster)
        self.seats: dict[str, Seat] = {name: engine.seat(name) for name in (MAIN, *self.league.exploiters)}
        self.tally = Tally()
        self.timings: dict[str, float] = {}
        self.attempt = 0
        self.stop: Callable[[], bool] | None = None

    def one(self, iteration: int, attempt: int) -> tuple[dict[str, Any], bool]:
        """All stages of an iteration: (what to log, whether a later iteration needs a checkpoint of this one)."""
        self.timings, self.attempt = {}, attempt
        main, champion = self.seats[MAIN], self.roster(self.tally.champion)
        metrics: dict[str, Any] = {"iteration": iteration, "attempt": attempt}
        first = main.buffer.total
        played = self._play(main, self._orders(iteration, champion), metrics)
        metrics["curriculum"] = self._look_at_new_examples(iteration, first)
        self.resigning.after(played)
        self.league.after(played.against)
        self._learn(main, iteration, played, metrics)
        exploited = {name: self._exploiter(self.seats[name], iteration, champion) for name in self.league.exploiters}
        promoted = self._gate(iteration, main.learner.weights(f"{MAIN}@{iteration}"), metrics)
        joined = self._join(iteration, exploited, metrics)
        examined = self._exam(iteration, metrics)
        self.tally.iteration = iteration
        metrics |= {"champion": self.tally.champion, "total_games": self.tally.games}
        metrics |= {"total_positions": self.tally.positions, "total_simulations": self.tally.simulations}
        newest = self.config.gate.kind == "always" and self.config.gate.every == 1
        return metrics, joined or examined or (promoted and not newest)

    def needed(self) -> set[str]:
        """Names of weights that a later iteration may ask for."""
        return {self.tally.champion, self.tally.examined, *self.gate.accepted, *self.league.pool}

    # --- play ---------------------------------------------------------------------------------------------------------

    def _orders(self, iteration: int, player: Weights) -> Orders:
        play = self.config.selfplay
        rivals = tuple(Rival(self.roster(name), share) for name, share in self.league.shares().items())
        return Orders(
            iteration=iteration,
            seed=self._seed("play", iteration, MAIN),
            attempt=self.attempt,
            positions=play.positions,
            games=play.games_each,
            resign=self.resigning.value,
            weights=player,
            rivals=rivals,
            stop=self.stop,
            **self.curriculum.orders(iteration),
        )

    def _play(self, seat: Seat, orders: Orders, metrics: dict[str, Any]) -> Played:
        self.tell(events.Stage(orders.iteration, "play", seat.name))
        first = seat.buffer.total

        def progress(positions: int, games: int) -> None:
            self.tell(events.going(orders, positions, games, seat.name))

        with self._timed("play_s"):
            played = seat.selfplay.play(replace(orders, progress=progress), seat.buffer)
        if not seat.buffer.finite(first):
            raise NotFinite(f"a target that self-play of {seat.name} put into the buffer is not finite.")
        self.tally.games += played.games
        self.tally.positions += played.positions
        self.tally.simulations += played.simulations
        if seat.name == MAIN:
            self.tell(events.GamesPlayed(orders.iteration, "self", tuple(played.sample[: self.config.saving.games])))
        self._count("simulations", played.simulations)
        self._count("games", played.games)
        metrics |= {
            "games": played.games,
            "positions": played.positions,
            "distinct_games": played.distinct,
            "first_wins": played.wins[0],
            "second_wins": played.wins[1],
            "draws": played.draws,
            "mean_plies": round(played.plies / played.games, 4) if played.games else 0.0,
            "simulations": played.simulations,
            "evaluations": played.evaluations,
            "resigned": played.resigned,
            "resigns_checked": played.checked,
            "false_resigns": played.false_resigns,
            "resign_value": orders.resign,
            "buffer": len(seat.buffer),
            "rivals": {name: list(counts) for name, counts in sorted(played.against.items())},
        }
        return played

    def _look_at_new_examples(self, iteration: int, first: int) -> dict[str, Any]:
        told = {name: value for name, value in self.curriculum.orders(iteration).items() if value}
        if "rollback" not in self.curriculum.kinds:
            return told
        buffer = self.seats[MAIN].buffer
        new = buffer.rows(max(first, buffer.total - len(buffer)), buffer.total)
        return told | self.curriculum.after(iteration, new)

    # --- learn --------------------------------------------------------------------------------------------------------

    def _learn(self, seat: Seat, iteration: int, played: Played, metrics: dict[str, Any]) -> None:
        learner, held = self.config.learner, len(seat.buffer)
        steps = steps_for(learner, played.positions, held) if held >= max(1, self.config.buffer.warmup) else 0
        iterations, multiplier = self.config.run.iterations, self.tally.lr_multiplier
        lr, lr_end = (rate_at(learner, done, iterations, multiplier) for done in (iteration - 1, iteration))
        metrics |= {"steps": steps, "lr": lr}
        if steps == 0:
            return
        self.tell(events.Stage(iteration, "learn", seat.name))
        seed = self._seed("learn", iteration, seat.name)
        work = Work(iteration, seed, steps, learner.batch, lr, lr_end, self.tally.steps)
        with self._timed("learn_s"):
            losses = seat.learner.learn(seat.buffer, work)
        for name, value in losses.items():
            if not math.isfinite(value):
                raise NotFinite(f"the {name} of {seat.name} is {value} in iteration {iteration}.")
        metrics |= losses
        if seat.name == MAIN:
            self.tally.steps += steps
            self.tally.lr_multiplier = after_kl(learner, multiplier, losses.get("kl", learner.kl_target))

    # --- gate ---------------------------------------------------------------------------------------------------------

    def _gate(self, iteration: int, candidate: Weights, metrics: dict[str, Any]) -> bool:
        if iteration % self.config.gate.every:
            return False
        self.tell(events.Stage(iteration, "gate"))
        self.roster.hold(candidate)
        gate, seed = self.config.gate, self._seed("gate", iteration)
        simulations = gate.simulations or self.config.search.simulations

        def play(other: Contender, pairs: int, first: int) -> list[GameRecord]:
            match = Match(candidate, other, pairs, first, gate.openings, simulations, gate.temperature, seed)
            return self.engine.match(match)

        with self._timed("gate_s"):
            decision = self.gate.decide([self.roster(name) for name in self.gate.accepted], play)
        self.tell(events.GamesPlayed(iteration, "gate", tuple(decision.games)))
        metrics["gate"] = decision.as_dict()
        self._settle(iteration, candidate, decision)
        return decision.promoted

    def _settle(self, iteration: int, candidate: Weights, decision: Decision) -> None:
        if not decision.promoted:
            self.tally.rejected += 1
            return
        self.tally.rejected = 0
        self.tally.champion = candidate.name
        self.gate.accept(candidate.name)
        self.tell(events.Promoted(iteration, candidate.name, decision.as_dict()))

    # --- league and exam ----------------------------------------------------------------------------------------------

    def _exploiter(self, seat: Seat, iteration: int, champion: Weights) -> Counts:
        """An exploiter plays against the champion only, and learns: its wins, draws and losses."""
        if seat.name in self.league.anew:
            self.league.anew.remove(seat.name)
            seat.learner.adopt(champion)
            seat.buffer.restore(seat.buffer.total, [])
        own = seat.learner.weights(f"{seat.name}@{iteration - 1}")
        orders = self._orders(iteration, own)
        seed = self._seed("play", iteration, seat.name)
        told: dict[str, Any] = {}
        played = self._play(seat, replace(orders, seed=seed, rivals=(Rival(champion, 1.0),), resign=0.0), told)
        self._learn(seat, iteration, played, told)
        return played.against.get(champion.name, (0, 0, 0))

    def _join(self, iteration: int, exploited: dict[str, Counts], metrics: dict[str, Any]) -> bool:
        section, joined = self.config.league, []
        for name, result in exploited.items():
            if self.league.exploiter_joins(name, iteration, result):
                joined.append(f"{name}@{iteration}")
                self.roster.hold(self.seats[name].learner.weights(joined[-1]))
        if section.past and iteration % section.every == 0 and self.tally.champion not in self.league.pool:
            joined.append(self.tally.champion)
        for name in joined:
            self.league.join(name)
        if section.past:
            told = {name: list(counts) for name, counts in exploited.items()}
            metrics["league"] = {"joined": joined, "pool": list(self.league.pool), "exploiters": told}
        return bool(joined)

    def _exam(self, iteration: int, metrics: dict[str, Any]) -> bool:
        every = self.config.exam.every
        if not every or not (iteration % every == 0 or iteration == self.config.run.iterations):
            return False
        self.tell(events.Stage(iteration, "exam"))
        with self._timed("exam_s"):
            metrics["exam"], games = self.examiner.hold(self.tally.champion, self.tally.examined)
        self.tally.examined = self.tally.champion
        self.tell(events.GamesPlayed(iteration, "exam", tuple(games)))
        return True

    # --- small things -------------------------------------------------------------------------------------------------

    def _seed(self, *purpose: str | int) -> int:
        return seed_of(self.config.run.seed, *purpose, self.attempt)

    def _count(self, name: str, number: int) -> None:
        self.timings[name] = self.timings.get(name, 0) + number

    @contextlib.contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.timings[name] = self.timings.get(name, 0.0) + time.monotonic() - began
