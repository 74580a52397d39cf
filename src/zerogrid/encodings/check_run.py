"""What check_encoding looks at: positions with their pasts, and one kernel that shows and describes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerogrid.core import draws, encoding
from zerogrid.core.check.report import Where
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.encodings.running import encode_args, linked

Past = npt.NDArray[np.int16]  # [positions, STATE_SIZE], the newest last
FEW_ACTIONS = 24  # described on the slow targets


@dataclass(frozen=True)
class Seen:
    """A position with its past, its legal actions, and the way there."""

    past: Past
    legal: tuple[int, ...]
    where: Where


def random_positions(game: Game, count: int, seed: int = 0) -> list[Seen]:
    """Positions from the starts of random games to their last moves, a few from each game."""
    seen: list[Seen] = []
    number = 0
    while len(seen) < count and number < 2 * count:  # there are games that end before they begin
        one = _random_game(game, seed + number)
        each = min(len(one), max(count // 6, 3), count - len(seen))
        seen += [one[round(i * (len(one) - 1) / max(each - 1, 1))] for i in range(each)]
        number += 1
    return seen


def _random_game(game: Game, seed: int) -> list[Seen]:
    rules = game.module
    state, buffer = [0] * game.STATE_SIZE, [0] * game.MAX_LEGAL
    rules.start(state, seed)
    past, moves, seen = [list(state)], list[int](), list[Seen]()
    while not rules.ended(state):
        legal = tuple(buffer[: rules.legal(state, buffer)])
        seen.append(Seen(np.array(past, np.int16), legal, Where(seed, tuple(moves))))
        moves.append(legal[draws.below(len(legal), seed, draws.TEST, len(moves), 0)])
        rules.play(state, moves[-1])
        past.append(list(state))
    return seen


class ShownArgs(NamedTuple):
    """As EncodeArgs in running.py; and actions of the newest positions, -1 where there is none."""

    states: Any  # int16 [N, STATE_SIZE]
    rows: Any  # int32 [B, HISTORY], -1 beyond what is known
    known: Any  # int32 [B]
    scratch: Any  # int16 [B, SCRATCH]
    out: Any  # float32 [B, cells, PLANES]
    actions: Any  # int32 [B, T]
    slots: Any  # int32 [B, T]
    tokens: Any  # float32 [B, T, FEATURES]


def shown_kernel(b: int, lane: int, args: ShownArgs) -> None:
    """Show input b, and describe its actions."""
    encoding.encode(args.states, args.rows[b], args.known[b], lane, args.scratch[b], args.out[b])
    if lane == 0:
        state = args.states[args.rows[b, 0]]
        for t in range(len(args.actions[b])):
            action = args.actions[b, t]
            if action >= 0:
                args.slots[b, t] = encoding.slot(state, action)
                if encoding.FEATURES > 0:
                    encoding.describe(state, action, args.tokens[b, t])


def shown_args(
    made: Encoding, pasts: Sequence[Past], legals: Sequence[Sequence[int]], fill: float, few: bool = False
) -> ShownArgs:
    """Arrays for the kernel, filled with what must not be left there; `few`: only some of the actions."""
    args = encode_args(made, [list(past) for past in pasts], fill)
    beyond = np.arange(made.history) >= args.known[:, None]
    args.rows[beyond] = -1
    args.scratch[:] = int(np.nan_to_num(fill))
    width = max(map(len, legals), default=1)
    actions = np.full((len(pasts), width), -1, np.int32)
    for b, legal in enumerate(legals):
        kept: Sequence[int] = range(len(legal))
        if few and len(legal) > FEW_ACTIONS:
            kept = sorted({round(i * (len(legal) - 1) / (FEW_ACTIONS - 1)) for i in range(FEW_ACTIONS)})
        for t in kept:
            actions[b, t] = legal[t]
    tokens = np.full((*actions.shape, max(made.features, 1)), fill, np.float32)
    return ShownArgs(*args, actions, np.full(actions.shape, -1, np.int32), tokens)


def run_shown(made: Encoding, args: ShownArgs, target: str) -> ShownArgs:
    """Run the kernel on a target; the arrays as it left them."""
    count = len(args.known)
    if target == "cuda":
        from zerogrid.core.cuda import to_device, to_host

        on_card = to_device(args)
        linked(shown_kernel, made, target)(count, on_card)
        return ShownArgs(*map(np.asarray, to_host(on_card)))
    linked(shown_kernel, made, target)(count, args)
    return args
