"""Self-play, slot by slot: a move when its search is done, an example of it, and the next game when one has ended.

    advance   a tree that is ready: resign, or note the example, choose a move by temperature, play it
    release   a game that has ended: its examples, now with their worth, go out; the next game begins

Between the two, whoever launches them gives each finished game its place in `out` (a running sum of `to_copy`). A slot
in which no game was begun yet is released like one whose game ended without examples and has no place for its line.
Everything a game does follows from the run's seed and the game's number.
"""

from typing import Any

from zerogrid.core import labels, potential, rules, spmd
from zerogrid.core.draws import CAP, OPENING, mix, uniform, word
from zerogrid.kernels import manner
from zerogrid.kernels.mill_arrays import (
    AFRESH,
    ASKED_FOR,
    BEGUN,
    CHECKED,
    ENDED,
    ENDING,
    FULL,
    GOING,
    HASH_HIGH,
    HASH_LOW,
    INITIATIVE,
    KNOWN,
    LEARNER,
    LENGTH,
    LINE_SIZE,
    LOOKED,
    NUMBER,
    OPENED,
    OWN,
    PENDING,
    PLAYED_ON,
    PLAYER,
    PLAYS,
    RESIGNED_0,
    RESIGNER,
    REST,
    SCORE_0,
    SCORE_1,
    SHAPED,
    SIMULATIONS,
    SPENT,
    STANDS,
    STOOD,
    WEIGHT,
    WOULD,
    Q,
    Z,
)
from zerogrid.kernels.mill_arrays import OPENING as OPENING_PLAYS
from zerogrid.kernels.mill_arrays import PLY as EXAMPLE_PLY
from zerogrid.kernels.reroot import plant, play_on
from zerogrid.kernels.root import choose, recommend, sharper
from zerogrid.kernels.select import solved
from zerogrid.kernels.tree import (
    ASKED,
    CHOICE,
    COUNT,
    DONE,
    FINE,
    HIGH,
    LEAF,
    LIMIT,
    LOW,
    MOVER,
    ONE,
    PAST,
    PLY,
    POLICY,
    QUIET,
    VISITS,
)

OPENING_TRIES = 16  # random openings that end the game are drawn again so often


# --- kernels --------------------------------------------------------------------------------------------------------


def advance(b: int, lane: int, a: Any) -> None:
    """Make the move of a tree that is ready."""
    t, m = a
    if m.slot[b, STANDS] != GOING or not is_ready(b, t):
        return
    recommend(b, lane, t)
    value = root_value(b, t)
    player = t.node[b, 0, MOVER]
    if lane == 0:
        m.slot[b, SPENT] += t.game[b, DONE]
        m.slot[b, LOOKED] += t.game[b, ASKED]
    spmd.sync()
    if m.numbers.resign > 0.0 and m.slot[b, FULL] == 1 and value < -m.numbers.resign:
        if m.slot[b, CHECKED] == 0:
            if lane == 0:
                m.slot[b, STANDS] = RESIGNED_0 + player
                m.to_copy[b] = m.slot[b, PENDING]
            spmd.sync()
            return
        if lane == 0 and m.slot[b, WOULD] < 0:
            m.slot[b, WOULD] = player
    ply = m.slot[b, PLAYS]
    choose(b, lane, m.temperature[min(ply, m.temperature.shape[0] - 1)], t)
    spmd.sync()
    edge = t.game[b, CHOICE]
    action = t.action[b, edge]
    if m.slot[b, FULL] == 1 and m.slot[b, OWN] != 1 - player:
        note(b, lane, value, player, action, t, m)
    spmd.sync()
    if lane == 0:
        allow(b, t.game[b, PLY] + 1, t, m)  # before the tree is moved, for noise depends on it
    before = 0.0
    if manner.SHAPING and lane == 0:
        before = potential.potential(t.states[b, 0], player)
    play_on(b, lane, edge, m.numbers.keep, t)
    spmd.sync()
    if lane == 0:
        if manner.SHAPING:
            after = potential.potential(t.states[b, 0], player)
            m.gain[b, ply] = m.numbers.gamma * after - before
            m.mover[b, ply] = player
        m.moves[b, ply] = action
        m.slot[b, PLAYS] = ply + 1
        if t.node[b, 0, MOVER] < 0:
            m.slot[b, STANDS] = ENDED
            m.to_copy[b] = m.slot[b, PENDING]
    spmd.sync()


def release(b: int, lane: int, a: Any) -> None:
    """Let a finished game's examples out and begin the next game; or think afresh about one that goes on."""
    t, m = a
    count = m.to_copy[b]
    if count == REST:
        return
    spmd.sync()
    if count == AFRESH:
        if lane == 0:
            m.to_copy[b] = REST
            plant(b, t)
            allow(b, t.game[b, PLY], t, m)
        spmd.sync()
        return
    settle_worth(b, lane, count, t, m)
    spmd.sync()
    first = m.place[b]
    if first + count <= m.out_state.shape[0]:
        for i in range(lane, count, spmd.LANES):
            let_out(b, i, first + i, m)
    line = m.line_place[b]
    if line < m.out_line.shape[0]:
        if lane == 0:
            write_line(b, line, t, m)
        for j in range(lane, m.out_moves.shape[1], spmd.LANES):
            m.out_moves[line, j] = m.moves[b, j] if j < m.slot[b, PLAYS] else -1
    spmd.sync()
    if lane == 0:
        m.to_copy[b] = REST
        next_game(b, t, m)
    spmd.sync()


def let_out(b: int, i: int, row: int, m: Any) -> None:
    """Copy one pending example to its row. Each lane copies others: they wait for far memory, all at the same time."""
    for back in range(m.pending_state.shape[2]):
        for j in range(m.pending_state.shape[3]):
            m.out_state[row, back, j] = m.pending_state[b, i, back, j]
    for j in range(m.pending_policy.shape[2]):
        m.out_policy[row, j] = m.pending_policy[b, i, j]
    for j in range(4):
        m.out_whole[row, j] = m.pending_whole[b, i, j]
        m.out_real[row, j] = m.pending_real[b, i, j]
    m.out_whole[row, 4] = m.number[b]


# --- a move ---------------------------------------------------------------------------------------------------------


def is_ready(b: int, t: Any) -> bool:
    """Whether the tree has searched enough and waits for no answer."""
    if t.node[b, 0, COUNT] == 0 or (t.game[b, DONE] < t.game[b, LIMIT] and not solved(b, 0, t)):
        return False
    for place in range(t.leaf.shape[1]):
        if t.leaf[b, place, LEAF] >= 0:
            return False
    return True


def root_value(b: int, t: Any) -> float:
    """The root's value for the player to move: proven, or the mean of all that came through it."""
    value = t.total[b, 0] / (float(max(t.node[b, 0, VISITS], 1)) * FINE)
    if manner.PROOFS and t.node[b, 0, LOW] == t.node[b, 0, HIGH]:
        value = t.node[b, 0, LOW] / float(ONE)
    value = min(max(value, -1.0), 1.0)
    return value if t.node[b, 0, MOVER] == 0 else -value


def note(b: int, lane: int, value: float, player: int, action: int, t: Any, m: Any) -> None:
    """Keep what this search teaches until the game's result is known."""
    i = m.slot[b, PENDING]
    history = m.pending_state.shape[2]
    nodes = t.node.shape[1]
    known = min(history, 1 + t.game[b, PAST])
    for j in range(lane, m.pending_state.shape[3], spmd.LANES):
        m.pending_state[b, i, 0, j] = t.states[b, 0, j]
        for back in range(1, history):
            m.pending_state[b, i, back, j] = t.states[b, nodes + back - 1, j] if back < known else 0
    sharpened = m.numbers.target_temperature != 1.0
    top = 0.0
    total = 0.0
    if sharpened:
        for j in range(t.node[b, 0, COUNT]):  # every lane does the same, in the same order
            top = max(top, float(t.root[b, j, POLICY]))
        for j in range(t.node[b, 0, COUNT]):
            total += sharper(float(t.root[b, j, POLICY]), top, m.numbers.target_temperature)
    for j in range(lane, m.pending_policy.shape[2], spmd.LANES):
        share = float(t.root[b, j, POLICY])
        if sharpened:
            share = sharper(share, top, m.numbers.target_temperature) / total
        m.pending_policy[b, i, j] = share
    spmd.sync()
    if lane == 0:
        m.pending_whole[b, i, EXAMPLE_PLY] = m.slot[b, PLAYS]
        m.pending_whole[b, i, PLAYER] = player
        m.pending_whole[b, i, INITIATIVE] = labels.initiative(t.states[b, 0], action)
        m.pending_whole[b, i, KNOWN] = known
        m.pending_real[b, i, Q] = value
        m.pending_real[b, i, WEIGHT] = 1.0
        m.slot[b, PENDING] = i + 1


def allow(b: int, ply: int, t: Any, m: Any) -> None:
    """Decide how long a move is thought about: in full, or cheaply and not to be learned from. Lane 0 only."""
    full = 1
    if m.numbers.cap_share < 1.0 and uniform(t.seed[b], CAP, ply, 0) >= m.numbers.cap_share:
        full = 0
    m.slot[b, FULL] = full
    t.game[b, QUIET] = 1 - full
    t.game[b, LIMIT] = m.numbers.simulations if full == 1 else m.numbers.cap_simulations


# --- the end of a game ----------------------------------------------------------------------------------------------


def result_for(b: int, player: int, t: Any, m: Any) -> float:
    """What the finished game is worth to a player."""
    stands = m.slot[b, STANDS]
    if stands >= RESIGNED_0:
        return -1.0 if stands == RESIGNED_0 + player else 1.0
    return float(rules.score(t.states[b, 0], player))


def settle_worth(b: int, lane: int, count: int, t: Any, m: Any) -> None:
    """Write what each example came to: the result, and what shaping adds, the mover's own later gains discounted."""
    for i in range(lane, count, spmd.LANES):
        player = m.pending_whole[b, i, PLAYER]
        result = result_for(b, player, t, m)
        m.pending_real[b, i, Z] = m.numbers.draw_value if result == 0.0 else result
        shaped = 0.0
        if manner.SHAPING:
            discount = 1.0
            for ply in range(m.pending_whole[b, i, EXAMPLE_PLY], m.slot[b, PLAYS]):
                if m.mover[b, ply] == player:
                    shaped += discount * m.gain[b, ply]
                discount *= m.numbers.gamma
        m.pending_real[b, i, SHAPED] = shaped


def write_line(b: int, line: int, t: Any, m: Any) -> None:
    """What is told of a finished game. Lane 0 only."""
    low = 0x243F6A88
    high = 0x13198A2E
    for j in range(m.slot[b, PLAYS]):
        low = mix(low, m.moves[b, j])
        high = mix(high ^ 0x5BD1E995, m.moves[b, j] + 7)
    for j in range(m.first_state.shape[1]):
        low = mix(low, m.first_state[b, j])
        high = mix(high, m.first_state[b, j] + 3)
    for j in range(LINE_SIZE):
        m.out_line[line, j] = 0
    m.out_line[line, NUMBER] = m.number[b]
    m.out_line[line, HASH_LOW] = low
    m.out_line[line, HASH_HIGH] = high
    m.out_line[line, LENGTH] = m.slot[b, PLAYS]
    m.out_line[line, OPENING_PLAYS] = m.slot[b, OPENED]
    m.out_line[line, SCORE_0] = int(result_for(b, 0, t, m) * 1000.0)
    m.out_line[line, SCORE_1] = int(result_for(b, 1, t, m) * 1000.0)
    m.out_line[line, ENDING] = rules.ended(t.states[b, 0])
    m.out_line[line, PLAYED_ON] = m.slot[b, CHECKED]
    m.out_line[line, RESIGNER] = m.slot[b, WOULD]
    m.out_line[line, SIMULATIONS] = m.slot[b, SPENT]
    m.out_line[line, ASKED_FOR] = m.slot[b, LOOKED]
    m.out_line[line, LEARNER] = m.slot[b, OWN]
    m.out_line[line, STOOD] = m.slot[b, STANDS]


# --- the start of a game --------------------------------------------------------------------------------------------


def next_game(b: int, t: Any, m: Any) -> None:
    """Begin a slot's next game. Lane 0 only."""
    number = m.numbers.first_slot + b + m.numbers.slots * m.slot[b, BEGUN]
    m.number[b] = number
    m.slot[b, BEGUN] += 1
    m.slot[b, PENDING] = 0
    m.slot[b, WOULD] = -1
    m.slot[b, OWN] = m.slot[b, BEGUN] & 1 if m.numbers.rival else -1
    m.slot[b, STANDS] = GOING
    m.slot[b, SPENT] = 0
    m.slot[b, LOOKED] = 0
    seed = seed_of_game(m.numbers.seed, number)
    t.seed[b] = seed
    m.slot[b, CHECKED] = 1 if uniform(seed, CAP, 0, 1) < m.numbers.resign_check else 0
    attempt = 0
    while attempt < OPENING_TRIES and not open_game(b, seed, attempt, t, m):
        attempt += 1
    if attempt == OPENING_TRIES:
        fresh(b, seed, t, m)
    t.game[b, PAST] = 0
    t.game[b, PLY] = m.slot[b, PLAYS]
    if m.slot[b, OPENED] >= 0:
        m.slot[b, OPENED] = m.slot[b, PLAYS]
    for j in range(m.first_state.shape[1]):
        m.first_state[b, j] = t.states[b, 0, j]
    plant(b, t)
    allow(b, t.game[b, PLY], t, m)


def seed_of_game(seed: int, number: int) -> int:
    """63 bits for all the chance in one game."""
    return (word(seed, OPENING, number, 1) << 31) ^ (word(seed, OPENING, number, 2) >> 1)


def fresh(b: int, seed: int, t: Any, m: Any) -> None:
    """The game's start position."""
    state = t.states[b, 0]
    for j in range(t.states.shape[2]):
        state[j] = 0
    rules.start(state, seed)
    m.slot[b, PLAYS] = 0
    m.slot[b, OPENED] = 0


def open_game(b: int, seed: int, attempt: int, t: Any, m: Any) -> bool:
    """The position a game begins at: an earlier game's, or some random moves from the start; False if it is over."""
    state = t.states[b, 0]
    base = attempt * 4096
    if m.numbers.archive_share > 0.0 and uniform(seed, OPENING, attempt, 3) < m.numbers.archive_share:
        row = (word(seed, OPENING, attempt, 4) * m.archive.shape[0]) >> 32
        for j in range(t.states.shape[2]):
            state[j] = m.archive[row, j]
        m.slot[b, PLAYS] = 0
        m.slot[b, OPENED] = -1
        return rules.ended(state) == 0
    fresh(b, seed, t, m)
    plays = m.numbers.search_from
    guided = True
    if plays == 0 and m.numbers.random_moves > 0:
        plays = (word(seed, OPENING, attempt, 5) * (m.numbers.random_moves + 1)) >> 32
        guided = False
    actions = t.action[b]
    for k in range(plays):
        count = rules.legal(state, actions)
        if count == 0:
            return False
        draw = word(seed, OPENING, base + k, 6)
        action = guided_move(state, actions, count, draw) if guided else actions[(draw * count) >> 32]
        rules.play(state, action)
        m.moves[b, k] = action
        m.slot[b, PLAYS] = k + 1
    return rules.ended(state) == 0


def guided_move(state: Any, actions: Any, count: int, draw: int) -> int:
    """A random one of the legal actions that a careful beginner ranks highest."""
    best = -1
    among = 0
    for i in range(count):
        rank = labels.rank(state, actions[i])
        if rank > best:
            best = rank
            among = 0
        if rank == best:
            among += 1
    pick = (draw * among) >> 32
    found = actions[0]
    for i in range(count):
        if labels.rank(state, actions[i]) == best:
            if pick == 0:
                found = actions[i]
            pick -= 1
    return found
