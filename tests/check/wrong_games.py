"""Games that are wrong in one way each: an edit of middle.py, what the check must call it, and words it must say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slip:
    """One thing done wrong; `compiled` where only compiled code shows it, `twin` where only the right game does."""

    edits: tuple[tuple[str, str], ...]
    finding: str
    words: tuple[str, ...]
    compiled: bool = False
    twin: bool = False


def slip(old: str, new: str, finding: str, *words: str, compiled: bool = False, twin: bool = False) -> Slip:
    """A slip made by one edit."""
    return Slip(((old, new),), finding, words, compiled, twin)


FREE_SQUARE = "            if state[BOARD + cell] == EMPTY:"
EXTRA_TURN = "    if action != MIDDLE:\n"
NO_EXAMPLES = "NO_EXAMPLES = ("

SLIPS = {
    # the mask
    "the mask forgets a square": slip(
        "for cell in range(CELLS):\n            if state", "for cell in range(CELLS - 1):\n            if state",
        "no_legal", "no action is legal, but ended returns 0", "offer an action that passes",
    ),
    "the mask offers taken squares": slip(
        FREE_SQUARE, "            if state[BOARD + cell] != BLOCKED:",
        "twin_legal", "is legal here but not in the twin; look at what legal allows", twin=True,
    ),
    "the mask forgets the middle": slip(
        FREE_SQUARE, "            if state[BOARD + cell] == EMPTY and (cell != MIDDLE or state[FREE] > 4):",
        "twin_legal", "b2 is not legal here but in the twin", twin=True,
    ),
    "actions in falling order": slip(
        "for cell in range(CELLS):\n            if state",
        "for cell in range(CELLS - 1, -1, -1):\n            if state",
        "legal_order", "write the actions in increasing order, each once",
    ),
    "an action twice": slip(
        "    return count\n", "    if count > 2:\n        actions[2] = actions[1]\n    return count\n",
        "legal_order", "behind action", "write the actions in increasing order, each once",
    ),
    "an action that does not exist": slip(
        "                actions[count] = cell\n", "                actions[count] = cell + 1\n",
        "action_range", "legal offers action 9; actions are numbers from 0 to ACTIONS - 1 = 8",
    ),
    "moves after the end": slip(
        "    if state[END] == 0:\n", "    if True:\n",
        "legal_after_end", "when the game is over legal must return 0",
    ),
    "the count is forgotten": slip(
        "    return count\n", "    return None\n",
        "legal_count", "legal returned None; return how many actions were written, 0 to 8",
    ),
    "the buffer is read": slip(
        "for cell in range(CELLS):\n            if state",
        "for cell in range(actions[0] == 0, CELLS):\n            if state",
        "legal_unsure", "legal gives other answers when asked again; it reads the buffer before writing there",
    ),
    "more actions than MAX_LEGAL": slip(
        "MAX_LEGAL = CELLS - 1", "MAX_LEGAL = 5",
        "max_legal", "legal writes more than MAX_LEGAL = 5 actions (wrong.py, line 58); raise it to the most",
    ),
    # purity
    "the board is marked while listing": slip(
        "                count += 1\n", "                count += 1\n                state[LAST] = cell\n",
        "impure", "legal changes the state (last from -1 to ", "only play may",
    ),
    "the end is written down by ended": slip(
        "def ended(state: State) -> int:\n",
        "def ended(state: State) -> int:\n    state[FREE] += 0 if state[END] else 1\n",
        "impure", "ended changes the state (free from 8 to 9); only play may",
    ),
    "the score is taken twice": slip(
        "    if state[END] != 1:\n        return 0.0\n",
        "    state[END] = 2\n    if state[END] != 1:\n        return 0.0\n",
        "impure", "score changes the state (end from 1 to 2)",
    ),
    "a table of the file is changed": slip(
        "def play(state: State, action: int) -> None:\n",
        "import numpy as np\n\nSEEN = np.zeros(9, np.int32)\n\n\ndef play(state: State, action: int) -> None:\n"
        "    SEEN[action] += 1\n",
        "changes_file", "play changes an array of the game file", "games played later would see it",
    ),
    "a counter outside the state": slip(
        "def play(state: State, action: int) -> None:\n",
        "PLAYED = 0\n\n\ndef play(state: State, action: int) -> None:\n    global PLAYED\n    PLAYED += 1\n",
        "cannot_link", "changes a global; keep what changes in the state",
    ),
    # turns, ends, scores
    "a forgotten extra turn": slip(
        EXTRA_TURN, "    if True:\n",
        "twin_to_move", "noughts is to move here, the other player in the twin; is an extra turn or a pass forgotten",
        twin=True,
    ),
    "a forgotten extra turn, seen by an example": slip(
        EXTRA_TURN, "    if True:\n",
        "example", 'the example says "crosses to move", but "noughts to move" is what the rules say',
    ),
    "a third player": slip(
        "        state[TURN] = 1 - state[TURN]\n", "        state[TURN] = (state[TURN] + 1) % 3\n",
        "to_move_value", "to_move returned 2; it must be 0 or 1, the player to move",
    ),
    "a draw is a win for whoever began": slip(
        "    if state[END] != 1:\n        return 0.0\n",
        "    if state[END] != 1:\n        return 1.0 if player == 0 else -1.0\n",
        "twin_score", "crosses scores 1 here and 0 in the twin (the board is full); look at what score says",
        twin=True,
    ),
    "a draw is a win for both": slip(
        "    if state[END] != 1:\n        return 0.0\n", "    if state[END] != 1:\n        return 1.0\n",
        "zero_sum", "the scores are 1 for player 0 and 1 for player 1; what one player wins the other loses",
    ),
    "points instead of a score": slip(
        "else -1.0\n", "else -3.0\n",
        "score_range", "returned -3.0; it must be a number from -1 (lost) to 1 (won)",
    ),
    "an end without a reason": slip(
        "        state[END] = 2\n", "        state[END] = 3\n",
        "ended_value", "ended returned 3; it must be 0 while the game goes on, else 1 to 2, a line of ENDINGS",
    ),
    "another reason for the end": slip(
        "        state[END] = 2\n", "        state[END] = 1\n",
        "zero_sum", "the scores are -1 for player 0 and -1 for player 1",
    ),
    "the full board goes on": slip(
        "    elif state[FREE] == 0:\n        state[END] = 2\n", "",
        "no_legal", "no action is legal, but ended returns 0; offer an action that passes, or let ended say",
    ),
    "a move that changes nothing": slip(
        "    mine = CROSS + state[TURN]\n", "    if action == 5:\n        return\n    mine = CROSS + state[TURN]\n",
        "repeats", "the last play changed nothing, so the game need never end; count plies in the state",
    ),
    "longer than MAX_PLIES": slip(
        "MAX_PLIES = CELLS - 1", "MAX_PLIES = 5",
        "max_plies", "the game goes on after MAX_PLIES = 5 plays; end every game, by counting plies in the state",
    ),
    # chance
    "luck of Python's own": slip(
        "    corner = draws.below(4, seed, draws.START, 0, 0)\n",
        "    import random\n\n    corner = random.randrange(4)\n",
        "start_unsure", "start makes two positions from one seed", "draw every chance with zerogrid.core.draws",
    ),
    "luck that cannot be linked": slip(
        "    corner = draws.below(4, seed, draws.START, 0, 0)\n",
        "    corner = np.random.randint(4)\n",
        "cannot_link", "np in start (wrong.py, line 44) draws random numbers; take them from zerogrid.core.draws",
    ),
    "luck beyond 64 bits": slip(
        "draws.below(4, seed, draws.START, 0, 0)", "(((seed + 1) * 0x5851F42D4C957F2D) >> 64) % 4",
        "differs_on_cpu", "python and cpu disagree: entry", "avoid numbers beyond 64 bits", compiled=True,
    ),
    "luck while playing": slip(
        "    state[LAST] = action\n", "    state[LAST] = random.randrange(9)\n",
        "play_unsure", "play leads to another position when done again (last differs)",
    ),
    # bounds
    "a write behind the state": slip(
        "    state[LAST] = action\n", "    state[LAST] = action\n    state[LAST + 1] = 1\n",
        "out_of_bounds", "play uses index 13 of the state, which has indices 0 to 12 (wrong.py, line ",
        "compiled code would read or destroy other memory there; test the index first",
    ),
    "a read before the state": slip(
        "    if has_line(state, mine):\n", "    if has_line(state, mine) or state[action - 6] == 9:\n",
        "out_of_bounds", "play uses index -", "test the index first",
    ),
    "a write behind the buffer": slip(
        "    return count\n", "    actions[20] = 0\n    return count\n",
        "out_of_bounds", "legal uses index 20 of the buffer for actions, which has indices 0 to 7",
    ),
    "a read outside a table": slip(
        "    state[FREE] -= 1\n", "    state[FREE] -= 1 + 0 * TABLE[action // 4]\n",
        "out_of_bounds", "play looks into a table at index 1 outside an array of 1 (wrong.py, line 69); compiled code",
    ),
    "a number that does not fit": slip(
        "    state[FREE] -= 1\n", "    state[FREE] -= 1\n    state[LAST] = 40000 * action\n    state[LAST] = action\n",
        "too_large", "into last, which holds -32768 to 32767", "split it over two entries",
    ),
    "half a square": slip(
        "    state[FREE] -= 1\n", "    state[FREE] = (2 * state[FREE] - 2) / 2\n",
        "not_whole", "play writes 7.0 into free", "use // instead of /",
    ),
    "a division by zero": slip(
        "    state[FREE] -= 1\n", "    state[FREE] -= 1 + 0 // state[TURN]\n",
        "crash", "play divides by zero (wrong.py, line 66); test for it first",
    ),
    "a name without a value": slip(
        "    mine = CROSS + state[TURN]\n", "    if action != 0:\n        mine = CROSS + state[TURN]\n",
        "crash", "play uses a name before it has a value", "give it a value first, on every way there",
    ),
    # what compiled code does otherwise
    "a list in the rules": slip(
        "    count = 0\n    if state[END]", "    free = []\n    count = 0\n    if state[END]",
        "cannot_link", "legal (wrong.py, line 54) makes a list; linked functions have none",
    ),
    "two kinds of value": slip(
        "    return state[END]\n", "    return state[END] if state[END] != 5 else (1, 2)\n",
        "cannot_compile", "cannot be compiled for cpu: ", compiled=True,
    ),
    "a hash beyond 64 bits": slip(
        "    return draws.hash_range(state, 0, LAST)\n",
        "    found = 0\n    for i in range(LAST):\n        found = found * 1000003 + state[i]\n"
        "    return found % 1000000007\n",
        "differs_on_cpu", "python and cpu disagree: key", "avoid numbers beyond 64 bits", compiled=True,
    ),
    "a key beyond 64 bits": slip(
        "    return draws.hash_range(state, 0, LAST)\n", "    return draws.hash_range(state, 0, LAST) * 3\n",
        "key_value", "it must be a whole number of 64 bits with sign; build it with draws.mix, or leave key out",
    ),
    "numbers of 8 bits from a table": slip(
        "    state[FREE] -= 1\n", "    state[FREE] = state[FREE] + TABLE[0] + 100 - 301\n",
        "plain_differs", "play meets a number too large for its type (wrong.py, line ",
        "turn what you read from arrays of the file",
    ),
    # keys
    "a key that ignores whose turn it is": slip(
        "    return draws.hash_range(state, 0, LAST)\n", "    return draws.hash_range(state, 0, CELLS)\n",
        "key_too_coarse", "the key stays the same when only turn changes from", "let key read it too",
    ),
    "a key that collides": slip(
        "    return draws.hash_range(state, 0, LAST)\n",
        "    found = state[TURN]\n    for cell in range(CELLS):\n        found += 4 * state[cell] * (cell + 1)\n"
        "    return found\n",
        "key_collision", "and have different futures share the key", "stirred with draws.mix", compiled=True,
    ),
    "a key that reads the last move": slip(
        "    return draws.hash_range(state, 0, LAST)\n", "    return draws.hash_range(state, 0, LAST + 1)\n",
        "key_too_fine", "the key depends on last, which LAYOUT says is only remembered; leave them out of key",
    ),
    "something remembered that matters": slip(
        "            if state[BOARD + cell] == EMPTY:",
        "            if state[BOARD + cell] == EMPTY and cell != state[LAST] + 1:",
        "remembered_matters", "the future depends on last, which is only remembered; declare it without remembered",
    ),
    # symmetries
    "a line that is forgotten": slip(
        "for line in range(8)", "for line in range(7)",
        "symmetry_play", "and its image", "end is", "play treats parts of the board differently", '(symmetry "',
    ),
    "an ending that knows the corners": slip(
        "    return state[END]\n", "    return 2 if state[END] == 1 and state[BOARD] == CROSS else state[END]\n",
        "symmetry_ended", "look for rows, columns or corners that are treated differently", '(symmetry "',
    ),
    "a mask that knows left from right": slip(
        FREE_SQUARE, "            if state[BOARD + cell] == EMPTY and (cell != 2 or state[FREE] < 5):",
        "symmetry_legal", "either legal treats parts of the board differently, or this is no symmetry",
    ),
    "a symmetry with the wrong actions": slip(
        "    return board_symmetries(ROWS, COLUMNS)\n",
        "    found = board_symmetries(ROWS, COLUMNS)\n    mirror = found[1]\n"
        "    return [*found[:1], type(mirror)(mirror.name, mirror.cells, found[2].actions), *found[2:]]\n",
        "symmetry_legal", '(symmetry "mirror left-right")',
    ),
    "a symmetry that is no permutation": slip(
        "    return board_symmetries(ROWS, COLUMNS)\n",
        "    found = board_symmetries(ROWS, COLUMNS)\n"
        "    return [*found, type(found[0])('all to a1', (0,) * 9, (0,) * 9)]\n",
        "symmetries", 'the actions of symmetry "all to a1" are not a permutation of 0 to 8: every number once',
    ),
    "no identity": slip(
        "    return board_symmetries(ROWS, COLUMNS)\n", "    return board_symmetries(ROWS, COLUMNS)[1:]\n",
        "symmetries", "the first of symmetries() must be the identity",
    ),
    "a last move that is called a number": slip(
        "    last=an_action(remembered=True),", "    last=number(remembered=True),",
        "symmetry_remembered", "declare in LAYOUT what it holds: per_cell, per_action, a_cell, an_action or number",
    ),
    # names, texts, drawings, examples
    "two squares of one name": slip(
        "{action // COLUMNS + 1}", "{action // COLUMNS + 1 if action else 2}",
        "action_names_collide", 'actions 0 and 3 are both called "a2"',
    ),
    "names nobody can type": slip(
        "    return f\"{'abc'", "    return f\"to {'ABC'",
        "action_name", 'action 0 is called "to A1", which nobody can type; use small letters',
    ),
    "a name that is not read back": slip(
        "COLUMNS * (int(text[1]) - 1)", "COLUMNS * (3 - int(text[1]))",
        "parse_action", '"a1" is the name of action 0, but parse_action reads 6; let it return that action, or None',
    ),
    "a reader that stumbles": slip(
        '    if len(text) == 2 and text[0] in "abc" and text[1] in "123":\n', "    if text:\n",
        "parse_action", "fails with ValueError; return None for what it cannot read",
    ),
    "a text that loses whose turn it is": slip(
        '    return f"{signs} {state[TURN]} ', '    return f"{signs} 0 ',
        "text", "written and read again, turn is 0 instead of 1; let text() write it and parse_text() read it",
    ),
    "a text that cannot be read": slip(
        '{state[END]} {state[LAST]}"', '{state[END]}{state[LAST]}"',
        "text", "the text of a position that was played is refused",
    ),
    "positions from play called impossible": slip(
        '        return f"{signs[BLOCKED]} squares are blocked, not one"\n',
        '        return f"{signs[BLOCKED]} squares are blocked, not one"\n    if state[TURN] == 1:\n'
        '        return "no"\n',
        "text", "the text of a position that was played is refused: this cannot be a position of wrong: no",
    ),
    "a drawing that fails": slip(
        "def action_name", "def svg(state: State, look: Any) -> str:\n    return '<svg>&</svg>'\n\n\ndef action_name",
        "drawing_svg", "the svg drawing of a position fails: ParseError",
    ),
    "an example that cannot be played": slip(
        '("b2 a2", "noughts to move")', '("b2 b2", "noughts to move")',
        "example", 'the example "b2 b2" cannot be played: "b2" may not be played here',
    ),
    "an example with a misprint": slip(
        '"noughts to move"', '"nougts to move"',
        "example", 'Did you mean "noughts to move"?',
    ),
    "players of one name": slip(
        '("crosses", "noughts")', '("noughts", "noughts")',
        "players", "name the two sides, such as PLAYERS",
    ),
    "endings that are numbers": slip(
        'ENDINGS = ("three in a row", ', "ENDINGS = (1, ",
        "endings", "ending 1 of ENDINGS is 1; write the reason as a text",
    ),
}  # fmt: skip
