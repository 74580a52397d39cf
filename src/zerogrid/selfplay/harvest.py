"""A harvest: what all rooms brought in during one call of play, their examples as columns and their games counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zerogrid.core.game import Game
from zerogrid.kernels import mill_arrays as names
from zerogrid.selfplay.room import Yield

SELF = "self"  # plays against itself; everybody else is a rival
SAMPLE = 64  # games told move by move


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
        if name != SELF:
            own = int(lines[i, names.LEARNER])
            mine, theirs = (first[i], second[i]) if own == 0 else (second[i], first[i])
            won, drawn, lost = harvest.against.get(name, (0, 0, 0))
            harvest.against[name] = (won + int(mine > theirs), drawn + int(mine == theirs), lost + int(mine < theirs))
    from_start = np.flatnonzero(lines[:, names.OPENING] >= 0)  # games told by their moves alone
    for i in from_start[:SAMPLE]:
        own, name = int(lines[i, names.LEARNER]), players[i]
        sides = (SELF, SELF) if own < 0 else ((SELF, name) if own == 0 else (name, SELF))
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
