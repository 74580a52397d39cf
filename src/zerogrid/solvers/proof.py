"""Proof-number search: is the value to come for player 0 at least a threshold?

Depth-first (Nagai's df-pn) on an explicit stack, so that it can stop anywhere and go on later. Two questions are
answered from one table: "does player 0 win?" (value >= 1) and "does player 0 not lose?" (value >= 0).

Every position carries two numbers for each question, seen from its mover

    ease    how many positions must still be shown at least, for the mover to get what he wants; 0 once he does
    worry   the same for his opponent; 0 once the mover cannot get it

A position is as easy as its easiest move. Its worry is the greatest worry of its moves, plus one for every further
open move (the "weak" proof number of Ueda et al. 2008: sums would count positions that are reached in many ways again
and again). The search goes to the easiest move until it is no longer the easiest, and remembers what it learnt.
"""

from typing import Any, NamedTuple

import numpy as np

from zerogrid.solvers import compact
from zerogrid.solvers.engine import CompactGame, Engine, Ints
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.memory import EFFORT, effort_of, find, room

NUMBER_BITS = 28
INFINITE = (1 << NUMBER_BITS) - 1

DEPTH, BUDGET, NODES, QUESTION, FILLED, FOR_YES, FOR_NO, MOVE = 0, 1, 2, 3, 4, 5, 6, 7
COUNTERS = 8
FRESH = -2  # the depth of a search that has not begun
RECALL = -3  # instead of a search: a move of the root that is known to be good
DONE = -1


class Stack(NamedTuple):
    """What the search works on; one row for each ply from the root."""

    table: Any  # int64[entries, KEY_WORDS + 2]
    buckets: int
    states: Any  # int64[MAX_DEPTH + 2, STATE_WORDS]
    keys: Any  # int64[MAX_DEPTH + 2, KEY_WORDS]
    moves: Any  # int64[MAX_DEPTH + 2, MAX_MOVES]
    count: Any  # int64[MAX_DEPTH + 2]: moves at this position; -1 before they are made
    ease: Any  # int64[MAX_DEPTH + 2, MAX_MOVES], from the viewpoint of this position's mover
    worry: Any  # the same
    chosen: Any  # int64[MAX_DEPTH + 2]: the move the search has gone to
    ease_limit: Any  # int64[MAX_DEPTH + 2]: search here while below
    worry_limit: Any  # the same
    since: Any  # int64[MAX_DEPTH + 2]: the node counter when the search came here
    counters: Any  # int64[COUNTERS]


def prove(b: int, lane: int, s: Stack) -> None:
    """Kernel: search until the root is decided or the budget of nodes is spent."""
    c = s.counters
    if c[DEPTH] == RECALL:
        c[MOVE] = remembered_move(s)
        c[DEPTH] = DONE
    if c[DEPTH] == FRESH:
        c[FOR_YES], c[FOR_NO] = recall(s, 0, 0)
        c[DEPTH] = DONE if c[FOR_YES] == 0 or c[FOR_NO] == 0 else 0
    while c[BUDGET] > 0 and c[DEPTH] >= 0:
        d = c[DEPTH]
        if s.count[d] < 0:
            open_position(s, d)
            c[BUDGET] -= 1
            c[NODES] += 1
        ease, worry, open_moves, best, second = weigh(s, d)
        if ease == 0 or worry == 0 or ease >= s.ease_limit[d] or worry >= s.worry_limit[d]:
            close_position(s, d, ease, worry)
        else:
            descend(s, d, open_moves, best, second)


def open_position(s: Stack, d: int) -> None:
    """Make the moves of the position on row d and recall what is known about where they lead."""
    mover = compact.turn(s.states[d])
    n = compact.moves(s.states[d], s.moves[d])
    s.since[d] = s.counters[NODES]
    for i in range(n):
        step(s, d, i)
        ease, worry = recall(s, d + 1, mover)
        s.ease[d, i] = ease
        s.worry[d, i] = worry
        if ease == 0:
            n = i + 1
            break
    s.count[d] = n


def step(s: Stack, d: int, i: int) -> None:
    """Write the position after move i of row d into row d + 1."""
    for j in range(compact.STATE_WORDS):
        s.states[d + 1, j] = s.states[d, j]
    compact.play(s.states[d + 1], s.moves[d, i])
    s.count[d + 1] = -1


def recall(s: Stack, d: int, viewer: int) -> tuple[int, int]:
    """Ease and worry of the position on row d for a player, from its rules and from the table."""
    question = s.counters[QUESTION]
    lower, upper = compact.known(s.states[d])
    yes = lower >= question
    no = upper < question
    for_yes = 1
    for_no = 1
    if not yes and not no:
        if compact.turn(s.states[d]) == 0:
            for_no = compact.choices(s.states[d])
        else:
            for_yes = compact.choices(s.states[d])
        exchanged = compact.identify(s.states[d], s.keys[d])
        entry = find(s.table, s.buckets, s.keys[d])
        if entry >= 0:
            known_yes, known_no = numbers(s, entry, question, exchanged)
            if known_yes | known_no != 0:
                for_yes = known_yes
                for_no = known_no
            other_yes, other_no = numbers(s, entry, 1 - question, exchanged)
            if other_yes | other_no != 0:
                # A win answers "does not lose", and a loss answers "wins".
                yes = question == 0 and other_yes == 0
                no = question == 1 and other_no == 0
    if yes:
        for_yes = 0
        for_no = INFINITE
    elif no:
        for_yes = INFINITE
        for_no = 0
    if viewer == 0:
        return for_yes, for_no
    return for_no, for_yes


def numbers(s: Stack, entry: int, question: int, exchanged: int) -> tuple[int, int]:
    """What an entry has for a question, for yes and for no; both 0 if nothing.

    With the sides exchanged "player 0 wins" is "player 0 loses": the other question, and its yes is a no.
    """
    word = s.table[entry, compact.KEY_WORDS + (question ^ exchanged)]
    for_yes = (word >> (NUMBER_BITS + 7)) & INFINITE
    for_no = (word >> 7) & INFINITE
    if exchanged != 0:
        return for_no, for_yes
    return for_yes, for_no


def weigh(s: Stack, d: int) -> tuple[int, int, int, int, int]:
    """Ease and worry of row d from its moves; how many are open, the easiest, and the ease of the second easiest."""
    ease = INFINITE
    second = INFINITE
    greatest = 0
    best = -1
    open_moves = 0
    for i in range(s.count[d]):
        if s.worry[d, i] != 0:
            open_moves += 1
            greatest = max(greatest, s.worry[d, i])
            if s.ease[d, i] < ease:
                second = ease
                ease = s.ease[d, i]
                best = i
            elif s.ease[d, i] < second:
                second = s.ease[d, i]
    if open_moves == 0:
        return INFINITE, 0, 0, -1, INFINITE
    if ease == 0:
        return 0, INFINITE, open_moves, best, second
    return ease, min(greatest + open_moves - 1, INFINITE - 1), open_moves, best, second


def descend(s: Stack, d: int, open_moves: int, best: int, second: int) -> None:
    """Go to the easiest move, with limits that bring the search back once another one looks easier."""
    step(s, d, best)
    s.chosen[d] = best
    ease_limit = min(s.ease_limit[d], second + second // 4 + 1)
    worry_limit = s.worry_limit[d] - (open_moves - 1)
    if compact.turn(s.states[d + 1]) == compact.turn(s.states[d]):
        s.ease_limit[d + 1] = ease_limit
        s.worry_limit[d + 1] = worry_limit
    else:
        s.ease_limit[d + 1] = worry_limit
        s.worry_limit[d + 1] = ease_limit
    s.counters[DEPTH] = d + 1


def close_position(s: Stack, d: int, ease: int, worry: int) -> None:
    """Remember what was learnt about row d and go back to the position it was reached from."""
    c = s.counters
    mover = compact.turn(s.states[d])
    for_yes = ease if mover == 0 else worry
    for_no = worry if mover == 0 else ease
    exchanged = compact.identify(s.states[d], s.keys[d])
    entry = room(s.table, s.buckets, s.keys[d])
    c[FILLED] += s.table[entry, compact.KEY_WORDS] | s.table[entry, compact.KEY_WORDS + 1] == 0
    effort = effort_of(c[NODES] - s.since[d])
    word = (for_yes << (NUMBER_BITS + 7)) | (for_no << 7)
    if exchanged != 0:
        word = (for_no << (NUMBER_BITS + 7)) | (for_yes << 7)
    s.table[entry, compact.KEY_WORDS + (c[QUESTION] ^ exchanged)] = word | min(effort, EFFORT)
    c[DEPTH] = d - 1
    if d == 0:
        c[FOR_YES] = for_yes
        c[FOR_NO] = for_no
        return
    same = compact.turn(s.states[d - 1]) == mover
    s.ease[d - 1, s.chosen[d - 1]] = ease if same else worry
    s.worry[d - 1, s.chosen[d - 1]] = worry if same else ease


def remembered_move(s: Stack) -> int:
    """A move of the root that is known, without search, to give its mover what he wants; else -1."""
    open_position(s, 0)
    _, _, _, best, _ = weigh(s, 0)
    if best < 0 or s.ease[0, best] != 0:
        return -1
    move: int = s.moves[0, best]
    return move


# --- asking ---------------------------------------------------------------------------------------------------------


class ProofSearch(Engine):
    """Questions to the search above."""

    kernel = staticmethod(prove)

    def __init__(self, game: CompactGame, memory: int, target: str = "cpu") -> None:
        super().__init__(game, memory, target)
        rows = game.MAX_DEPTH + 2
        by_row, by_move = (rows,), (rows, game.MAX_MOVES)
        self._stack = Stack(
            table=self.table,
            buckets=self.buckets,
            states=np.zeros((rows, game.STATE_WORDS), np.int64),
            keys=np.zeros((rows, game.KEY_WORDS), np.int64),
            moves=np.zeros(by_move, np.int64),
            count=np.zeros(by_row, np.int64),
            ease=np.zeros(by_move, np.int64),
            worry=np.zeros(by_move, np.int64),
            chosen=np.zeros(by_row, np.int64),
            ease_limit=np.zeros(by_row, np.int64),
            worry_limit=np.zeros(by_row, np.int64),
            since=np.zeros(by_row, np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )

    def at_least(self, words: Ints, threshold: int, limit: Limit) -> bool | None:
        if threshold not in (0, 1):
            return threshold < 0
        self._begin(words, threshold)
        if not self._run(limit):
            return None
        return bool(self._stack.counters[FOR_YES] == 0)

    def value(self, words: Ints, lower: int, upper: int, limit: Limit) -> int | None:
        for threshold in (1, 0):
            if lower < threshold <= upper:
                answer = self.at_least(words, threshold, limit)
                if answer is None:
                    return None
                lower, upper = (threshold, upper) if answer else (lower, threshold - 1)
        return lower

    def hint(self, words: Ints, player: int, value: int) -> int | None:
        question = value + player
        if question not in (0, 1):
            return None
        self._begin(words, question)
        self._stack.counters[DEPTH] = RECALL
        self._search(1, self._stack)
        move = int(self._stack.counters[MOVE])
        return move if move >= 0 else None

    def _rest(self) -> None:
        self._stack.counters[DEPTH] = DONE
        self._search(1, self._stack)

    def _begin(self, words: Ints, question: int) -> None:
        self._refresh()
        s = self._stack
        s.states[0] = words
        s.count[0] = -1
        s.ease_limit[0] = s.worry_limit[0] = INFINITE
        s.counters[[DEPTH, QUESTION, NODES]] = FRESH, question, 0

    def _piece(self, nodes: int) -> tuple[int, bool]:
        self._refresh()
        s = self._stack
        before = int(s.counters[NODES])
        s.counters[BUDGET], s.counters[FILLED] = nodes, self.filled
        self._search(1, s)
        self.filled = int(s.counters[FILLED])
        return int(s.counters[NODES]) - before, bool(s.counters[DEPTH] < 0)

    def _refresh(self) -> None:
        if self._stack.table is not self.table:
            self._stack = self._stack._replace(table=self.table, buckets=self.buckets)
