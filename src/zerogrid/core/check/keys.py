"""Keys: the same exactly for positions with the same future.

Pairs of positions come from play (thousands, recorded by compiled games), and are made: a position with one entry
exchanged for another value, unless the file's own `fault` says that there is no such position. Two futures are
compared by asking the rules the same questions along the same random continuations.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from zerogrid.core import draws
from zerogrid.core.check.guarded import GuardedRules, State, Trouble
from zerogrid.core.check.plays import Sample
from zerogrid.core.check.report import Report
from zerogrid.core.game import Game, key_from_layout

LINES, LONGEST_LINE = 6, 80
MOST_PAIRS = 40


def same_future(rules: GuardedRules, one: State, other: State) -> bool:
    """Whether the rules say the same of both, now and along some continuations."""
    for line in range(LINES):
        a, b = one.copy(), other.copy()
        for ply in range(LONGEST_LINE):
            legal, ended = rules.legal(a), rules.ended(a)
            if legal != rules.legal(b) or ended != rules.ended(b) or rules.to_move(a) != rules.to_move(b):
                return False
            if ended:
                if rules.score(a, 0) != rules.score(b, 0):
                    return False
                break
            if not legal:
                break
            action = legal[draws.below(len(legal), line, draws.TEST, ply, 200)]
            rules.play(a, action)
            rules.play(b, action)
    return True


def check_keys(rules: GuardedRules, samples: Sequence[Sample], report: Report) -> None:
    """What the key leaves out, and what it should leave out."""
    game = rules.game
    own = game.module.key.__code__ is not key_from_layout.__code__
    for number, sample in enumerate(samples):
        other = samples[(number * 7 + 1) % len(samples)]
        try:
            _check_remembered(rules, sample, other)
            if own:
                _check_left_out(rules, sample, samples, number)
        except Trouble as trouble:
            report.add(trouble.name, trouble.sentence, sample.where)


def _check_remembered(rules: GuardedRules, sample: Sample, other: Sample) -> None:
    """Entries that are only remembered change neither the key nor the future."""
    game = rules.game
    size = game.layout.key_size
    changed = sample.state.copy()
    changed[size:] = other.state[size:]
    if np.array_equal(changed, sample.state) or _fault(game, changed):
        return
    names = ", ".join(part.name for part in game.layout.fields if part.remembered)
    if rules.key(changed) != sample.key:
        mend = "leave them out of key, or do not declare them as remembered"
        raise Trouble("key_too_fine", f"the key depends on {names}, which LAYOUT says is only remembered; {mend}.")
    try:
        same = same_future(rules, sample.state, changed)
    except Trouble:
        return  # what is remembered did not fit the position at all
    if not same:
        mend = "declare it without remembered=True, before the fields that are"
        raise Trouble("remembered_matters", f"the future depends on {names}, which is only remembered; {mend}.")


def _check_left_out(rules: GuardedRules, sample: Sample, samples: Sequence[Sample], number: int) -> None:
    """A key of the game's own: change one entry at a time, and see whether the key notices what the future does."""
    game = rules.game
    for entry, value in _changes(game, samples, number):
        changed = sample.state.copy()
        if changed[entry] == value:
            continue
        changed[entry] = value
        if _fault(game, changed):
            continue
        try:
            unnoticed = rules.key(changed) == sample.key and not same_future(rules, sample.state, changed)
        except Trouble:
            continue  # no position at all
        if unnoticed:
            where = game.layout.where(entry)
            words = f"the key stays the same when only {where} changes from {sample.state[entry]} to {value}"
            mend = "let key read it too; if it follows from the rest, let fault(state) refuse the changed position"
            raise Trouble("key_too_coarse", f"{words}, but the future does not; {mend}.")


def _changes(game: Game, samples: Sequence[Sample], number: int) -> Iterator[tuple[int, int]]:
    """Entries to change, and values they have elsewhere: all numbers, and some cells each time."""
    states = np.array([sample.state for sample in samples])
    for part in game.layout.fields:
        if part.remembered:
            continue
        entries = list(range(part.offset, part.offset + part.length))
        if part.length > 8:
            entries = entries[number % 5 :: max(1, part.length // 8)]
        for entry in entries:
            seen = states[:, part.offset : part.offset + part.length] if part.symbols else states[:, entry]
            for value in np.unique(seen)[:4]:
                yield entry, int(value)


def _fault(game: Game, state: State) -> bool:
    fault = getattr(game.module, "fault", None)
    try:
        return fault is not None and bool(fault(state))
    except Exception:
        return True  # it was written for states that could be


def check_collisions(
    rules: GuardedRules, states: npt.NDArray[np.int16], keys: npt.NDArray[np.int64], report: Report
) -> None:
    """Many positions from play: those with equal keys have the same future, those with equal futures the same key."""
    size = rules.game.layout.key_size
    futures = np.ascontiguousarray(states[:, :size]).view(np.dtype((np.void, 2 * size))).ravel()
    _, class_of = np.unique(futures, return_inverse=True)
    order = np.lexsort((class_of, keys))
    tried = 0
    for i, j in pairwise(order):
        if keys[i] != keys[j] or class_of[i] == class_of[j] or tried >= MOST_PAIRS:
            continue
        tried += 1
        try:
            same = same_future(rules, states[i], states[j])
        except Trouble as trouble:
            report.add(trouble.name, trouble.sentence)
            return
        if not same:
            where = rules.game.layout.where(int(np.flatnonzero(states[i][:size] != states[j][:size])[0]))
            words = f"two positions that differ in {where} and have different futures share the key {keys[i]}"
            mend = "let key read all that counts, stirred with draws.mix, or leave key out and have it made"
            report.add("key_collision", f"{words}; {mend}.")
            return
    order = np.lexsort((keys, class_of))
    for i, j in pairwise(order):
        if class_of[i] == class_of[j] and keys[i] != keys[j]:
            mend = "key may read only what counts for the future, not what is remembered"
            report.add("key_too_fine", f"two positions that count as the same have different keys; {mend}.")
            return
