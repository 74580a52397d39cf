"""The arrays of self-play: games under way in their slots, what each will teach, and what finished games have left.

    slot b     tree b and the game that is played on it; when the game ends, the next one begins in the same slot
    pending    examples of the game under way; what they are worth is known when it ends
    out        examples of finished games, side by side, and a line for each of those games

Game number n of slot b, of G slots, has the number b + G * n: numbers, and the seeds made from them, depend on nothing
else, so games come out the same however slots are shared out among threads.
"""

from typing import Any, NamedTuple

import numpy as np

# a slot: games begun in it, plays so far, how many of them were the opening (-1: it began within an earlier game),
# examples pending, whether this move is searched in full, whether nobody may resign (to see what would have come of
# it), who would have resigned (-1: nobody), how the game stands (GOING, ENDED, RESIGNED_0, RESIGNED_1), simulations and
# evaluations since the start of the game, the player whose moves are learned from (-1: both)
BEGUN, PLAYS, OPENED, PENDING, FULL, CHECKED, WOULD, STANDS, SPENT, LOOKED, OWN = range(11)
SLOT_SIZE = 11
GOING, ENDED, RESIGNED_0, RESIGNED_1 = range(4)

# instead of a number of examples to copy: nothing to do, and a new search of the same position
REST, AFRESH = -1, -2

# an example in whole numbers, and in fractions
PLY, PLAYER, INITIATIVE, KNOWN = range(4)
Q, WEIGHT, Z, SHAPED = range(4)

# a finished game: its number, twice its hash, plays, opening, twice the score of player 0 and 1 in thousandths, ending,
# whether it was played on to check resigning, who would have resigned, simulations and evaluations spent on it, whose
# moves are learned from, how it stood
NUMBER, HASH_LOW, HASH_HIGH, LENGTH, OPENING, SCORE_0, SCORE_1, ENDING = range(8)
PLAYED_ON, RESIGNER, SIMULATIONS, ASKED_FOR, LEARNER, STOOD = range(8, 14)
LINE_SIZE = 14

Array = Any


class Numbers(NamedTuple):
    """What holds for all slots during one call of play."""

    seed: int  # of the run
    slots: int  # in all, of which this forest has those from `first_slot` on
    first_slot: int
    simulations: int  # for one move
    cap_simulations: int  # for a cheap one
    cap_share: float  # share of moves searched in full
    random_moves: int  # games start after 0 to so many
    search_from: int  # or after so many guided ones
    archive_share: float  # or, so many of them, from a position of an earlier game
    resign: float
    resign_check: float
    draw_value: float
    target_temperature: float
    gamma: float
    keep: bool
    rival: bool  # games against somebody else: one player's moves are learned from, in turn


class Mill(NamedTuple):
    """G slots, P plays, H positions of history, L legal actions, N examples and M games that fit into `out`."""

    numbers: Numbers
    slot: Array  # [G, SLOT_SIZE] int32
    number: Array  # [G] int64: of the game under way
    moves: Array  # [G, P] int32
    pending_state: Array  # [G, P, H, STATE_SIZE] int16
    pending_policy: Array  # [G, P, L] float32
    pending_whole: Array  # [G, P, 4] int32
    pending_real: Array  # [G, P, 4] float32
    gain: Array  # [G, P] float32: by how much a play raised its mover's potential; empty without shaping
    mover: Array  # [G, P] int8
    first_state: Array  # [G, STATE_SIZE] int16: where the game began, for those that begin in an archive
    temperature: Array  # [P + 1] float64, by ply
    archive: Array  # [A, STATE_SIZE] int16
    to_copy: Array  # [G] int32: examples of a game that has just ended; REST, AFRESH
    place: Array  # [G] int64: where in `out` they go
    line_place: Array  # [G] int64
    out_state: Array  # [N, H, STATE_SIZE] int16
    out_policy: Array  # [N, L] float32
    out_whole: Array  # [N, 5] int64: the four whole numbers, then the game's number
    out_real: Array  # [N, 4] float32
    out_line: Array  # [M, LINE_SIZE] int64
    out_moves: Array  # [M, P] int32


class MillSizes(NamedTuple):
    """How large these arrays are."""

    games: int
    plays: int
    history: int
    state: int
    legal: int
    examples: int
    lines: int
    shaping: bool
    archive: int = 1


def mill_arrays(sizes: MillSizes) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and type of each array."""
    games, plays, history, state, legal, examples, lines, shaping, archive = sizes
    shaped = plays if shaping else 1
    return {
        "slot": ((games, SLOT_SIZE), np.int32),
        "number": ((games,), np.int64),
        "moves": ((games, plays), np.int32),
        "pending_state": ((games, plays, history, state), np.int16),
        "pending_policy": ((games, plays, legal), np.float32),
        "pending_whole": ((games, plays, 4), np.int32),
        "pending_real": ((games, plays, 4), np.float32),
        "gain": ((games, shaped), np.float32),
        "mover": ((games, shaped), np.int8),
        "first_state": ((games, state), np.int16),
        "temperature": ((plays + 1,), np.float64),
        "archive": ((archive, state), np.int16),
        "to_copy": ((games,), np.int32),
        "place": ((games,), np.int64),
        "line_place": ((games,), np.int64),
        "out_state": ((examples, history, state), np.int16),
        "out_policy": ((examples, legal), np.float32),
        "out_whole": ((examples, 5), np.int64),
        "out_real": ((examples, 4), np.float32),
        "out_line": ((lines, LINE_SIZE), np.int64),
        "out_moves": ((lines, plays), np.int32),
    }
