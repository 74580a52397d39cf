"""Random games, looked at from all sides at every ply: masks, purity, the turn, the end, the scores, the limits."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zerogrid.core import draws
from zerogrid.core.check.guarded import GuardedRules, State, Trouble
from zerogrid.core.check.report import Report, Where
from zerogrid.core.game import Game


@dataclass(frozen=True)
class Sample:
    """A position met on the way, and what the rules say about it."""

    where: Where
    state: State
    legal: tuple[int, ...]
    ended: int
    mover: int
    key: int
    scores: tuple[float, float]


def random_game(rules: GuardedRules, seed: int, report: Report) -> list[Sample]:
    """Play one game with random moves from a seed; every position on the way, as far as it went."""
    game = rules.game
    samples: list[Sample] = []
    met: dict[bytes, int] = {}
    where = Where(seed)
    try:
        state = rules.start(seed)
        _same_start(rules, seed, state)
        while True:
            sample = look_at(rules, state, where)
            samples.append(sample)
            future = state[: game.layout.key_size].tobytes()
            if future in met:
                raise Trouble("repeats", _repeated(met[future], where))
            met[future] = len(where.moves)
            if sample.ended:
                break
            if len(where.moves) >= game.MAX_PLIES:
                most = game.MAX_PLIES
                mend = "end every game, by counting plies in the state if need be, or raise MAX_PLIES"
                raise Trouble("max_plies", f"the game goes on after MAX_PLIES = {most} plays; {mend}.")
            pick = sample.legal[draws.below(len(sample.legal), seed, draws.TEST, len(where.moves), 0)]
            state = _play(rules, state, pick)
            where = where.then(pick)
    except Trouble as trouble:
        report.add(trouble.name, trouble.sentence, where)
    report.games += 1
    report.positions += len(samples)
    return samples


def look_at(rules: GuardedRules, state: State, where: Where) -> Sample:
    """Ask everything about one position, and see that the answers fit together and asking changed nothing."""
    legal = _pure(rules.game, "legal", state, rules.legal)
    ended = _pure(rules.game, "ended", state, rules.ended)
    mover = _pure(rules.game, "to_move", state, rules.to_move)
    key = _pure(rules.game, "key", state, rules.key)
    _mask(rules, state, legal, ended)
    scores = (0.0, 0.0)
    if ended:
        first = _pure(rules.game, "score", state, lambda s: rules.score(s, 0))
        second = _pure(rules.game, "score", state, lambda s: rules.score(s, 1))
        if first + second != 0:
            mend = "what one player wins the other loses; a draw is 0 for both"
            raise Trouble("zero_sum", f"the scores are {first:g} for player 0 and {second:g} for player 1; {mend}.")
        scores = first, second
    return Sample(where, state.copy(), tuple(legal), ended, mover, key, scores)


def _mask(rules: GuardedRules, state: State, legal: list[int], ended: int) -> None:
    game = rules.game
    for before, after in pairwise(legal):
        if after <= before:
            mend = "write the actions in increasing order, each once"
            raise Trouble("legal_order", f"legal writes action {after} behind action {before}; {mend}.")
    if legal and (legal[0] < 0 or legal[-1] >= game.ACTIONS):
        wrong = legal[0] if legal[0] < 0 else legal[-1]
        right = f"actions are numbers from 0 to ACTIONS - 1 = {game.ACTIONS - 1}"
        raise Trouble("action_range", f"legal offers action {wrong}; {right}.")
    if ended and legal:
        words = f"ended returns {ended}, but legal offers {len(legal)} actions"
        raise Trouble("legal_after_end", f"{words}; when the game is over legal must return 0.")
    if not ended and not legal:
        mend = "offer an action that passes, or let ended say that the game is over"
        raise Trouble("no_legal", f"no action is legal, but ended returns 0; {mend}.")
    if rules.legal(state, filler=0) != legal:
        mend = "it reads the buffer before writing there, or uses something that changes by itself"
        raise Trouble("legal_unsure", f"legal gives other answers when asked again; {mend}.")


def _pure(game: Game, name: str, state: State, ask: Callable[[State], Any]) -> Any:
    before = state.copy()
    answer = ask(state)
    changed = np.flatnonzero(state != before)
    if len(changed):
        where = game.layout.where(int(changed[0]))
        words = f"{name} changes the state ({where} from {before[changed[0]]} to {state[changed[0]]})"
        raise Trouble("impure", f"{words}; only play may, so put the entry back or work on numbers of your own.")
    return answer


def _play(rules: GuardedRules, state: State, action: int) -> State:
    """The position after an action, played twice to see that it is the same, and once as people's API does it."""
    after, again = state.copy(), state.copy()
    rules.play(after, action)
    rules.play(again, action)
    if not np.array_equal(after, again):
        entry = rules.game.layout.where(int(np.flatnonzero(after != again)[0]))
        mend = "what follows from an action may depend on the state only"
        raise Trouble("play_unsure", f"play leads to another position when done again ({entry} differs); {mend}.")
    _like_people(rules, state, action, after)
    return after


def _like_people(rules: GuardedRules, state: State, action: int, after: State) -> None:
    """Position runs the file as it is, where numbers read from NumPy arrays have 8 or 16 bits."""
    people = array("h", state.tolist())
    try:
        with np.errstate(all="raise"):
            rules.game.module.play(people, action)
    except FloatingPointError as error:
        words = f"play meets a number too large for its type{rules._place(error)}: {error}"
        mend = "turn what you read from arrays of the file into a number with int()"
        raise Trouble("plain_differs", f"{words}; {mend}.") from error
    except Exception as error:
        words = f"play fails as plain Python{rules._place(error)}: {type(error).__name__}: {error}"
        raise Trouble("crash", f"{words}; it must run on an array of Python's own too.") from error
    differing = np.flatnonzero(np.array(people, np.int16) != after)
    if len(differing):
        entry = rules.game.layout.where(int(differing[0]))
        mend = "turn what you read from arrays of the file into a number with int()"
        raise Trouble("plain_differs", f"play run as plain Python leads to another {entry}; {mend}.")


def _same_start(rules: GuardedRules, seed: int, state: State) -> None:
    again = rules.start(seed)
    if not np.array_equal(state, again):
        entry = rules.game.layout.where(int(np.flatnonzero(state != again)[0]))
        mend = "draw every chance with zerogrid.core.draws from the seed, and keep nothing outside the state"
        raise Trouble("start_unsure", f"start makes two positions from one seed ({entry} differs); {mend}.")


def _repeated(before: int, where: Where) -> str:
    plies = len(where.moves) - before
    back = f"the last {plies} plays led back to the position before them"
    words = back if plies > 1 else "the last play changed nothing"
    return f"{words}, so the game need never end; count plies in the state, forbid it, or make it count for the future."
