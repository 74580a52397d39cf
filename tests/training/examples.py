"""Examples for learning, from games played by chance: kept as self-play would keep them."""

from __future__ import annotations

from typing import Any

import numpy as np

import zerogrid
from zerogrid.encodings import encoding, label_many
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config
from zerogrid.training.learner import NetworkLearner
from zerogrid.training.parts import Work, example_fields


def games_of_chance(spec: str, games: int, history: int, seed: int = 1) -> tuple[dict[str, Any], list[Any]]:
    """(columns of examples, the positions they were made of). The policy is drawn by chance, z is the game's result."""
    game, rng = zerogrid.game(spec), np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    positions = []
    for number in range(games):
        position, first = game.start(number), len(rows)
        while not position.over:
            legal = position.actions
            past = position.history[::-1][:history]
            state = np.zeros((history, game.STATE_SIZE), np.int16)
            state[: len(past)] = past
            policy = np.zeros(game.MAX_LEGAL, np.float32)
            policy[: len(legal)] = rng.dirichlet(np.ones(len(legal)))
            move = int(rng.choice(legal))
            row = {"state": state, "known": len(past), "policy": policy, "q": rng.uniform(-1, 1), "shaped": 0.25}
            row |= {"weight": 1.0, "game_id": number, "iteration": 1, "ply": len(position.moves)}
            rows.append(row | {"player": position.to_move, "initiative": -1, "move": move})
            positions.append(position.copy())
            position.play(move)
        outcome = position.outcome
        assert outcome is not None
        for row in rows[first:]:
            row["z"] = outcome.scores[row["player"]]
    fields = example_fields(history, game.STATE_SIZE, game.MAX_LEGAL)
    newest = np.array([row["state"][0] for row in rows], np.int16)
    marks, _ = label_many(game, newest, np.array([row["move"] for row in rows], np.int32))
    for row, mark in zip(rows, marks, strict=True):
        row["initiative"] = mark
    return {name: np.array([row[name] for row in rows], kind) for name, (kind, _) in fields.items()}, positions


def learner_for(config: Config, seed: int = 3, threads: int = 1) -> NetworkLearner:
    """A learner as the engine would make it."""
    game = zerogrid.game(config.game.spec)
    return NetworkLearner(config, game, encoding(game, config.game.encoding), seed, threads)


def filled(learner: NetworkLearner, games: int = 20, seed: int = 1) -> RingBuffer:
    """A buffer with games of chance."""
    game, history = learner.game, learner.encoding.history
    columns, _ = games_of_chance(game.spec, games, history, seed)
    buffer = RingBuffer(example_fields(history, game.STATE_SIZE, game.MAX_LEGAL), 10_000)
    buffer.append(columns)
    return buffer


def work(**changes: Any) -> Work:
    """Some steps of learning."""
    usual = {"iteration": 1, "seed": 5, "steps": 8, "batch": 32, "lr": 0.01, "lr_end": 0.01, "step": 0}
    return Work(**{**usual, **changes})
