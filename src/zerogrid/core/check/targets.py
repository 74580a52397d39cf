"""The same games on every target, move for move; and thousands more in compiled code, looking for what is rare.

Around every state and every buffer lie words that nobody may touch:

    work[b]     | GUARD words |  the state  | GUARD words |
    buffer[b]   | GUARD words | MAX_LEGAL   | GUARD words |
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import draws, rules
from zerogrid.core.check.guarded import GuardedRules
from zerogrid.core.check.keys import check_collisions
from zerogrid.core.check.plays import Sample, random_game
from zerogrid.core.check.report import Report, Where
from zerogrid.core.errors import CannotLink, TargetMissing
from zerogrid.core.game import Game
from zerogrid.core.link import link

GUARD = 64
STATE_CANARY, ACTION_CANARY = 0x5A5A, 0x5A5A5A5A
SURVEY_GAMES, SURVEY_SECONDS = 4096, 0.7
RECORDED_NUMBERS = 4_000_000  # entries of states kept to look for collisions of keys


class Replay(NamedTuple):
    """Games to replay, and room for what the rules say at each ply; game b has rows first[b] .. first[b]+plies[b]."""

    work: Any  # int16[games, GUARD + STATE_SIZE + GUARD]
    buffer: Any  # int32[games, GUARD + MAX_LEGAL + GUARD]
    seeds: Any  # int64[games]
    first: Any  # int32[games]
    plies: Any  # int32[games]
    moves: Any  # int32[rows]: what is played from a row
    states: Any  # int16[rows, STATE_SIZE]
    legal: Any  # int32[rows, MAX_LEGAL], -1 behind the last
    count: Any  # int32[rows]
    mover: Any  # int32[rows]
    ended: Any  # int32[rows]
    key: Any  # int64[rows]
    scores: Any  # float64[rows, 2], zeros while the game goes on


def replay(b: int, lane: int, r: Replay) -> None:
    """Play game b again, and write down everything."""
    if lane != 0:
        return
    state = r.work[b, GUARD : GUARD + rules.STATE_SIZE]
    actions = r.buffer[b, GUARD : GUARD + rules.MAX_LEGAL]
    rules.start(state, r.seeds[b])
    for ply in range(r.plies[b] + 1):
        row = r.first[b] + ply
        for i in range(rules.STATE_SIZE):
            r.states[row, i] = state[i]
        count = rules.legal(state, actions)
        r.count[row] = count
        for i in range(rules.MAX_LEGAL):
            r.legal[row, i] = actions[i] if i < count else -1
        r.mover[row] = rules.to_move(state)
        r.ended[row] = rules.ended(state)
        r.key[row] = rules.key(state)
        if rules.ended(state) != 0:
            r.scores[row, 0] = rules.score(state, 0)
            r.scores[row, 1] = rules.score(state, 1)
        if ply < r.plies[b]:
            rules.play(state, r.moves[row])


class Survey(NamedTuple):
    """Random games, of which only what is wrong is kept, and the positions of the first ones."""

    work: Any
    buffer: Any
    seeds: Any  # int64[games]
    wrong: Any  # int32[games]: the number of plies after which something was wrong, plus one; 0 for nothing
    plies: Any  # int32[games]
    states: Any  # int16[recorded games, plies, STATE_SIZE]
    keys: Any  # int64[recorded games, plies]


def survey(b: int, lane: int, s: Survey) -> None:
    """Play one random game and see that the contracts hold at every ply."""
    if lane != 0:
        return
    state = s.work[b, GUARD : GUARD + rules.STATE_SIZE]
    actions = s.buffer[b, GUARD : GUARD + rules.MAX_LEGAL]
    rules.start(state, s.seeds[b])
    for ply in range(rules.MAX_PLIES + 1):
        before = draws.hash_range(state, 0, rules.STATE_SIZE)
        count = rules.legal(state, actions)
        ended = rules.ended(state)
        mover = rules.to_move(state)
        key = rules.key(state)
        right = 0 <= count <= rules.MAX_LEGAL and (ended == 0) == (count > 0) and 0 <= mover <= 1 and ended >= 0
        if right:
            for i in range(count):
                if not 0 <= actions[i] < rules.ACTIONS or (i > 0 and actions[i] <= actions[i - 1]):
                    right = False
        if ended != 0:
            one = rules.score(state, 0)
            right = right and -1.0 <= one <= 1.0 and one + rules.score(state, 1) == 0.0
        elif ply == rules.MAX_PLIES:
            right = False
        if not right or before != draws.hash_range(state, 0, rules.STATE_SIZE):
            s.wrong[b] = ply + 1
            return
        if b < s.states.shape[0] and ply < s.states.shape[1]:
            for i in range(rules.STATE_SIZE):
                s.states[b, ply, i] = state[i]
            s.keys[b, ply] = key
        if ended != 0:
            s.plies[b] = ply
            return
        rules.play(state, actions[draws.below(count, s.seeds[b], draws.TEST, ply, 0)])


def _work(game: Game, games: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    work = np.full((games, GUARD + game.STATE_SIZE + GUARD), STATE_CANARY, np.int16)
    work[:, GUARD : GUARD + game.STATE_SIZE] = 0
    return work, np.full((games, GUARD + game.MAX_LEGAL + GUARD), ACTION_CANARY, np.int32)


def _touched(game: Game, work: Any, buffer: Any) -> str:
    """What was written outside, in words, or nothing."""
    for array, size, canary, name in (
        (work, game.STATE_SIZE, STATE_CANARY, "the state"),
        (buffer, game.MAX_LEGAL, ACTION_CANARY, "the buffer for actions"),
    ):
        outside = np.concatenate([array[:, :GUARD], array[:, GUARD + size :]], axis=1)
        if (outside != canary).any():
            place = int(np.argwhere(outside != canary)[0][1])
            return f"index {place - GUARD if place < GUARD else place - GUARD + size} of {name}"
    return ""


# --- move for move --------------------------------------------------------------------------------------------------


def compare_target(game: Game, target: str, sampled: Sequence[Sequence[Sample]], report: Report) -> None:
    """Replay games on a target and compare everything with what plain Python said."""
    made = _replay_of(game, sampled)
    try:
        kernel = link(replay, target, {rules: game.module})
        if target == "cuda":
            from zerogrid.core import cuda

            on_card = cuda.to_device(made)
            kernel(len(sampled), on_card)
            made = cuda.to_host(on_card)
        else:
            kernel(len(sampled), made)
    except TargetMissing as error:
        report.skipped.append(str(error))
        return
    except CannotLink as error:
        report.add("cannot_compile", str(error))
        return
    report.targets.append(target)
    touched = _touched(game, made.work, made.buffer)
    if touched:
        report.add("out_of_bounds", f"on target {target} the rules wrote to {touched}; test indices before using them.")
    for first, samples in zip(made.first, sampled, strict=True):
        for ply, sample in enumerate(samples):
            difference = _difference(made, int(first) + ply, sample)
            if difference:
                words = f"python and {target} disagree: {difference}"
                mend = "avoid numbers beyond 64 bits, floats that are rounded, and functions that differ by target"
                report.add(f"differs_on_{target}", f"{words}; {mend}.", sample.where)
                break


def _replay_of(game: Game, sampled: Sequence[Sequence[Sample]]) -> Replay:
    work, buffer = _work(game, len(sampled))
    lengths = [len(samples) for samples in sampled]
    rows = sum(lengths)
    moves = np.zeros(rows, np.int32)
    row = 0
    for samples in sampled:
        played = samples[-1].where.moves
        moves[row : row + len(played)] = played
        row += len(samples)
    return Replay(
        work=work,
        buffer=buffer,
        seeds=np.array([samples[0].where.seed for samples in sampled], np.int64),
        first=np.array([sum(lengths[:b]) for b in range(len(lengths))], np.int32),
        plies=np.array([length - 1 for length in lengths], np.int32),
        moves=moves,
        states=np.zeros((rows, game.STATE_SIZE), np.int16),
        legal=np.zeros((rows, game.MAX_LEGAL), np.int32),
        count=np.zeros(rows, np.int32),
        mover=np.zeros(rows, np.int32),
        ended=np.zeros(rows, np.int32),
        key=np.zeros(rows, np.int64),
        scores=np.zeros((rows, 2), np.float64),
    )


def _difference(made: Replay, row: int, sample: Sample) -> str:
    states = np.flatnonzero(made.states[row] != sample.state)
    if len(states):
        entry = int(states[0])
        return f"entry {entry} of the state is {sample.state[entry]} and {made.states[row, entry]}"
    legal = tuple(int(action) for action in made.legal[row] if action >= 0)
    facts = (
        ("legal actions", sample.legal, legal),
        ("to_move", sample.mover, int(made.mover[row])),
        ("ended", sample.ended, int(made.ended[row])),
        ("key", sample.key, int(made.key[row])),
        ("scores", sample.scores, tuple(float(score) for score in made.scores[row])),
    )
    for name, plain, compiled in facts:
        if plain != compiled:
            return f"{name} {plain} and {compiled}"[:300]
    return ""


# --- many games -----------------------------------------------------------------------------------------------------


def survey_games(game: Game, plain: GuardedRules, report: Report, progress: Callable[[int, int], None]) -> None:
    """Thousands of random games in compiled code; what is wrong there is looked at again in plain Python."""
    kernel = link(survey, "cpu", {rules: game.module})
    plies = min(game.MAX_PLIES + 1, 512)
    began, done, size = time.monotonic(), 0, 64
    while done < SURVEY_GAMES and (done == 0 or time.monotonic() - began < SURVEY_SECONDS):
        recorded = min(size, max(1, RECORDED_NUMBERS // (plies * game.STATE_SIZE))) if done == 0 else 0
        work, buffer = _work(game, size)
        some = Survey(
            work=work,
            buffer=buffer,
            seeds=np.arange(1000 + done, 1000 + done + size, dtype=np.int64),
            wrong=np.zeros(size, np.int32),
            plies=np.zeros(size, np.int32),
            states=np.zeros((recorded, plies, game.STATE_SIZE), np.int16),
            keys=np.zeros((recorded, plies), np.int64),
        )
        kernel(size, some)
        began = began if done else time.monotonic()  # compiling does not count
        done += size
        report.games += size
        report.positions += int(some.plies.sum()) + size
        share = max(done / SURVEY_GAMES, (time.monotonic() - began) / SURVEY_SECONDS)
        progress(min(100, int(100 * share)), 100)
        touched = _touched(game, work, buffer)
        if touched:
            report.add("out_of_bounds", f"on target cpu the rules wrote to {touched}; test indices before using them.")
            return
        bad = np.flatnonzero(some.wrong)
        if len(bad):
            _look_again(plain, int(some.seeds[bad[0]]), int(some.wrong[bad[0]]) - 1, report)
            return
        if recorded:
            _collisions(plain, some, report)
        size = 256


def _look_again(plain: GuardedRules, seed: int, plies: int, report: Report) -> None:
    before = len(report.findings)
    random_game(plain, seed, report)
    if len(report.findings) == before:
        words = f"in compiled code the game with seed {seed} breaks a contract after {plies} plays, in plain Python not"
        report.add("differs_on_cpu", f"{words}; look for numbers beyond 64 bits, and for floats.", Where(seed))


def _collisions(plain: GuardedRules, some: Survey, report: Report) -> None:
    games, plies = some.keys.shape
    known = np.arange(plies)[None, :] <= np.minimum(some.plies[:games], plies - 1)[:, None]
    check_collisions(plain, some.states[known], some.keys[known], report)
