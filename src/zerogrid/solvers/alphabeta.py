"""Alpha-beta search for the value to come for player 0, on an explicit stack, with a table of bounds.

Values belong to players: player 0 takes the greatest, player 1 the least, whoever moved before. What a move earns at
once is added on the way back, so that the table knows positions by their future alone.

Order of moves: the table's, then those that most often proved good enough elsewhere, then the game's own. A move whose
result is known at once is tried before all others.
"""

from typing import Any, NamedTuple

import numpy as np

from zerogrid.solvers import compact
from zerogrid.solvers.engine import CompactGame, Engine, Ints
from zerogrid.solvers.limit import Limit
from zerogrid.solvers.memory import EFFORT, effort_of, find, room

VALUE_BITS = 28
OFFSET = 1 << (VALUE_BITS - 1)  # added to a value to make it positive
FIELD = (1 << VALUE_BITS) - 1
TOP = OFFSET - 1  # above every value

DEPTH, BUDGET, NODES, FILLED, RESULT, MOVE = 0, 1, 2, 3, 4, 5
COUNTERS = 6
FRESH = -2  # the depth of a search that has not begun
RECALL = -3  # instead of a search: the move that the table has for the root
DONE = -1
BY_ROW = ("exchanged", "count", "tried", "best", "best_move", "earned", "since")
LIMITS = ("alpha", "beta", "asked_alpha", "asked_beta")


class Stack(NamedTuple):
    """What the search works on; one row for each ply from the root."""

    table: Any  # int64[entries, KEY_WORDS + 2]: lower and upper bound, then the best move
    buckets: int
    states: Any  # int64[MAX_DEPTH + 2, STATE_WORDS]
    keys: Any  # int64[MAX_DEPTH + 2, KEY_WORDS]
    exchanged: Any  # int64[MAX_DEPTH + 2]: 1 where the key names the position with the sides exchanged
    moves: Any  # int64[MAX_DEPTH + 2, MAX_MOVES], in the order to be tried
    count: Any  # int64[MAX_DEPTH + 2]
    tried: Any  # int64[MAX_DEPTH + 2]
    alpha: Any  # int64[MAX_DEPTH + 2]: values up to this one change nothing
    beta: Any  # int64[MAX_DEPTH + 2]: nor do values from this one on
    asked_alpha: Any  # int64[MAX_DEPTH + 2]: alpha and beta as they were when the search came here
    asked_beta: Any
    best: Any  # int64[MAX_DEPTH + 2]: the best value found
    best_move: Any  # int64[MAX_DEPTH + 2]
    earned: Any  # int64[MAX_DEPTH + 2]: by player 0 with the move being tried
    since: Any  # int64[MAX_DEPTH + 2]: the node counter when the search came here
    good: Any  # int64[2, MOVE_RANGE]: how often, and how far from the end, a player's move was good enough
    counters: Any  # int64[COUNTERS]


def search(b: int, lane: int, s: Stack) -> None:
    """Kernel: search until the root's value is found or the budget of nodes is spent."""
    c = s.counters
    if c[DEPTH] == RECALL:
        c[MOVE] = remembered_move(s)
        c[DEPTH] = DONE
    if c[DEPTH] == FRESH:
        c[DEPTH] = 0
        if not open_position(s, 0):
            c[DEPTH] = DONE
    while c[BUDGET] > 0 and c[DEPTH] >= 0:
        d = c[DEPTH]
        if s.tried[d] == s.count[d] or s.alpha[d] >= s.beta[d]:
            close_position(s, d)
            c[DEPTH] = d - 1
            if d > 0:
                take(s, d - 1)
            continue
        for j in range(compact.STATE_WORDS):
            s.states[d + 1, j] = s.states[d, j]
        s.earned[d] = compact.play(s.states[d + 1], s.moves[d, s.tried[d]])
        s.alpha[d + 1] = s.alpha[d] - s.earned[d]
        s.beta[d + 1] = s.beta[d] - s.earned[d]
        if open_position(s, d + 1):
            c[DEPTH] = d + 1
        else:
            take(s, d)


def open_position(s: Stack, d: int) -> bool:
    """Prepare row d for the search between its alpha and beta; if no search is needed, RESULT has the value."""
    c = s.counters
    lower, upper = compact.known(s.states[d])
    best_move = -1
    if lower < upper:
        s.exchanged[d] = compact.identify(s.states[d], s.keys[d])
        entry = find(s.table, s.buckets, s.keys[d])
        if entry >= 0:
            least, most = bounds_of(s, d, entry)
            lower = max(lower, least)
            upper = min(upper, most)
            best_move = (s.table[entry, compact.KEY_WORDS + 1] >> 7) - 1
    if lower >= upper or lower >= s.beta[d] or upper <= s.alpha[d]:
        c[RESULT] = lower if lower >= s.beta[d] else upper
        return False
    c[BUDGET] -= 1
    c[NODES] += 1
    s.since[d] = c[NODES]
    s.asked_alpha[d] = s.alpha[d]
    s.asked_beta[d] = s.beta[d]
    s.best[d] = -TOP if compact.turn(s.states[d]) == 0 else TOP
    s.best_move[d] = -1
    s.tried[d] = 0
    s.count[d] = compact.moves(s.states[d], s.moves[d])
    winning = look_ahead(s, d) if compact.LOOKS_AHEAD else -1
    arrange(s, d, winning if winning >= 0 else best_move)
    return True


def bounds_of(s: Stack, d: int, entry: int) -> tuple[int, int]:
    """The bounds that an entry has for the position on row d."""
    bounds = s.table[entry, compact.KEY_WORDS]
    lower = (bounds >> (VALUE_BITS + 7)) - OFFSET
    upper = ((bounds >> 7) & FIELD) - OFFSET
    if s.exchanged[d] != 0:
        return -upper, -lower
    return lower, upper


def look_ahead(s: Stack, d: int) -> int:
    """A move that is known at once to be good enough, or -1."""
    player = compact.turn(s.states[d])
    for i in range(s.count[d]):
        for j in range(compact.STATE_WORDS):
            s.states[d + 1, j] = s.states[d, j]
        earned = compact.play(s.states[d + 1], s.moves[d, i])
        lower, upper = compact.known(s.states[d + 1])
        if (player == 0 and earned + lower >= s.beta[d]) or (player == 1 and earned + upper <= s.alpha[d]):
            move: int = s.moves[d, i]
            return move
    return -1


def arrange(s: Stack, d: int, first: int) -> None:
    """Sort the moves of row d; the table's move goes first. Equal ones stay in the game's order."""
    good = s.good[compact.turn(s.states[d])]
    for i in range(1, s.count[d]):
        move = s.moves[d, i]
        weight = TOP if move == first else good[move]
        j = i - 1
        while j >= 0 and (s.moves[d, j] != first and good[s.moves[d, j]] < weight):
            s.moves[d, j + 1] = s.moves[d, j]
            j -= 1
        s.moves[d, j + 1] = move


def take(s: Stack, d: int) -> None:
    """Count the RESULT of the move being tried on row d, and go on to the next."""
    value = s.earned[d] + s.counters[RESULT]
    move = s.moves[d, s.tried[d]]
    player = compact.turn(s.states[d])
    if player == 0 and value > s.best[d]:
        s.best[d] = value
        s.best_move[d] = move
        s.alpha[d] = max(s.alpha[d], value)
    elif player == 1 and value < s.best[d]:
        s.best[d] = value
        s.best_move[d] = move
        s.beta[d] = min(s.beta[d], value)
    if s.alpha[d] >= s.beta[d]:
        weight = min(effort_of(s.counters[NODES] - s.since[d] + 1), 40)
        s.good[player, move] += weight * weight
        if s.good[player, move] > 1 << 24:
            for i in range(compact.MOVE_RANGE):
                s.good[player, i] >>= 8
    s.tried[d] += 1


def close_position(s: Stack, d: int) -> None:
    """Remember the bounds that the search of row d has shown; its value goes to RESULT."""
    c = s.counters
    best = s.best[d]
    c[RESULT] = best
    entry = room(s.table, s.buckets, s.keys[d])
    lower = -TOP
    upper = TOP
    move = s.best_move[d]
    if s.table[entry, compact.KEY_WORDS] == 0:
        c[FILLED] += 1
    else:
        lower, upper = bounds_of(s, d, entry)
        # Where nothing was good enough, the best move says little; an older one stays.
        failed = best <= s.asked_alpha[d] if compact.turn(s.states[d]) == 0 else best >= s.asked_beta[d]
        if failed:
            move = (s.table[entry, compact.KEY_WORDS + 1] >> 7) - 1
    if best > s.asked_alpha[d]:
        lower = max(lower, best)
    if best < s.asked_beta[d]:
        upper = min(upper, best)
    effort = min(effort_of(c[NODES] - s.since[d] + 1), EFFORT)
    if s.exchanged[d] != 0:
        opposite = -lower
        lower = -upper
        upper = opposite
    s.table[entry, compact.KEY_WORDS] = ((lower + OFFSET) << (VALUE_BITS + 7)) | ((upper + OFFSET) << 7) | effort
    s.table[entry, compact.KEY_WORDS + 1] = ((move + 1) << 7) | effort


def remembered_move(s: Stack) -> int:
    """The move that the table has for the root, or -1."""
    compact.identify(s.states[0], s.keys[0])
    entry = find(s.table, s.buckets, s.keys[0])
    return (s.table[entry, compact.KEY_WORDS + 1] >> 7) - 1 if entry >= 0 else -1


# --- asking ---------------------------------------------------------------------------------------------------------


class AlphaBeta(Engine):
    """Questions to the search above."""

    kernel = staticmethod(search)

    def __init__(self, game: CompactGame, memory: int, target: str = "cpu") -> None:
        super().__init__(game, memory, target)
        rows = game.MAX_DEPTH + 2
        by_row = {name: np.zeros(rows, np.int64) for name in BY_ROW + LIMITS}
        self._stack = Stack(
            table=self.table,
            buckets=self.buckets,
            states=np.zeros((rows, game.STATE_WORDS), np.int64),
            keys=np.zeros((rows, game.KEY_WORDS), np.int64),
            moves=np.zeros((rows, game.MAX_MOVES), np.int64),
            good=np.zeros((2, game.MOVE_RANGE), np.int64),
            counters=np.zeros(COUNTERS, np.int64),
            **by_row,
        )

    def value(self, words: Ints, lower: int, upper: int, limit: Limit) -> int | None:
        if lower >= upper:
            return lower
        return self._between(words, lower - 1, upper + 1, limit)

    def at_least(self, words: Ints, threshold: int, limit: Limit) -> bool | None:
        found = self._between(words, threshold - 1, threshold, limit)
        return None if found is None else found >= threshold

    def hint(self, words: Ints, player: int, value: int) -> int | None:
        self._refresh()
        self._stack.states[0] = words
        self._stack.counters[DEPTH] = RECALL
        self._search(1, self._stack)
        move = int(self._stack.counters[MOVE])
        return move if move >= 0 else None

    def _rest(self) -> None:
        self._stack.counters[DEPTH] = DONE
        self._search(1, self._stack)

    def _between(self, words: Ints, alpha: int, beta: int, limit: Limit) -> int | None:
        s = self._stack
        s.states[0] = words
        s.alpha[0], s.beta[0] = alpha, beta
        s.counters[[DEPTH, NODES]] = FRESH, 0
        return int(s.counters[RESULT]) if self._run(limit) else None

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
