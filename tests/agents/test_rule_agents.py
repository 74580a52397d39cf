"""Rule-based players do what their descriptions say, in positions set up for each rule."""

import pytest

import zerogrid
from zerogrid.agents.agent import UnknownAgent
from zerogrid.agents.naming import agent_for
from zerogrid.core.position import Position


def answer(spec: str, agent: str, position: Position, seed: int = 0) -> str:
    """The move of an agent, by name."""
    game = zerogrid.game(spec)
    return game.action_name(agent_for(agent, game).choose([position], [seed])[0])


def after(spec: str, moves: str) -> Position:
    position = zerogrid.game(spec).start()
    for move in moves.split():
        position.play(move)
    return position


def board(spec: str, *rows: str) -> Position:
    """A Gomoku position from its rows, black to move; x is black's, o is white's. It need not come out of a game."""
    game = zerogrid.game(spec)
    state = game.start().state
    state[: game.CELLS] = [".xo".index(sign) for row in rows for sign in row]
    return Position.of_state(game, state)


# --- naive ----------------------------------------------------------------------------------------------------------


def test_naive_begins_in_the_centre_and_answers_beside_it() -> None:
    assert answer("gomoku:9x9x5", "naive", after("gomoku:9x9x5", "")) == "e5"
    assert answer("gomoku:9x9x5", "naive", after("gomoku:9x9x5", "b2")) == "c3"  # more room below and to the right
    assert answer("gomoku:9x9x5", "naive", after("gomoku:9x9x5", "h2")) == "g3"
    assert answer("gomoku:9x9x5", "naive", after("gomoku:9x9x5", "i9")) == "h8"


@pytest.mark.parametrize("rows, wanted", [
    (["xx.xx....", "oooo.....", *["........."] * 7], "c1"),  # wins rather than blocks
    (["xx.......", "oooo.....", *["........."] * 7], "e2"),  # blocks
    (["oo.......", ".........", "..xxx....", "..oo.....", *["........."] * 5], "b3"),  # its own open three
    (["xx.......", ".........", "..ooo....", "..xx.....", *["........."] * 5], "b3"),  # else the other's
    (["o........", ".........", "....x....", ".....x...", "o.o......", *["........."] * 4], "d2"),  # longest run
    (["oxx......", ".........", *["........."] * 7], "d1"),  # behind it where the square before is taken
])
def test_naive_applies_the_first_rule_that_fits(rows: list[str], wanted: str) -> None:
    assert answer("gomoku:9x9x5", "naive", board("gomoku:9x9x5", *rows)) == wanted


def test_naive_looks_at_rows_then_columns_then_both_diagonals() -> None:
    across = ["xxxx.....", "x........", "x........", "x........", *["........."] * 5]
    assert answer("gomoku:9x9x5", "naive", board("gomoku:9x9x5", *across)) == "e1"
    upright = ["x...x....", "x..x.....", "x.x......", "xx.......", *["........."] * 5]
    assert answer("gomoku:9x9x5", "naive", board("gomoku:9x9x5", *upright)) == "a5"
    # two holes that win, one on a diagonal that falls to the right, one on one that falls to the left, further down
    both = ["x........", ".x.......", "..x......", "...x.....", "........o"]
    both += [".......x.", "......x..", ".....x...", "....x...."]
    assert answer("gomoku:9x9x5", "naive", board("gomoku:9x9x5", *both)) == "e5"
    both[4] = "........."
    assert answer("gomoku:9x9x5", "naive", board("gomoku:9x9x5", *both)) == "i5"


def test_levels_of_naive_are_the_lengths_it_tries() -> None:
    position = board("gomoku:9x9x5", "x........", ".........", "....x....", *["........."] * 6)
    # single stones are runs of one: level 3 tries three, two and one; level 1 only three, and then it is chance
    assert answer("gomoku:9x9x5", "naive:3", position) == "b1"
    moves = {answer("gomoku:9x9x5", "naive:1", position, seed) for seed in range(20)}
    assert len(moves) > 5


# --- beginner -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows, wanted", [
    (["xxxx.....", "oooo.....", *["........."] * 7], "e2"),  # blocks a four before it wins
    (["xxxx.....", ".........", "..ooo....", *["........."] * 6], "b3"),  # an open three as well
    (["xxxx.....", ".........", "..oo.o...", *["........."] * 6], "e3"),  # and a broken one
    (["xxxx.....", *["........."] * 8], "e1"),  # then its own four
    (["x........", ".........", "...xxx...", *["........."] * 6], "c3"),  # three
    (["x........", ".........", "....xx...", *["........."] * 6], "d3"),  # pair
])
def test_beginner_defends_and_then_completes(rows: list[str], wanted: str) -> None:
    assert answer("gomoku:9x9x5", "beginner", board("gomoku:9x9x5", *rows)) == wanted


def test_beginner_else_plays_next_to_its_last_stone() -> None:
    position = after("gomoku:9x9x5", "e5 a1")
    around = {answer("gomoku:9x9x5", "beginner", position, seed) for seed in range(60)}
    assert around == {"d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"}


# --- greedy ---------------------------------------------------------------------------------------------------------


def test_greedy_completes_a_box() -> None:
    position = after("dots_and_boxes:2x2", "h0.0 h1.0 v0.0")
    assert all(answer("dots_and_boxes:2x2", "greedy", position, seed) == "v0.1" for seed in range(10))


def test_greedy_gives_no_box_its_third_side_while_it_can_help_it() -> None:
    position = after("dots_and_boxes:2x2", "h0.0 h1.0")
    answers = {answer("dots_and_boxes:2x2", "greedy", position, seed) for seed in range(60)}
    # h2.0 would leave box (1, 0) with h1.0 and itself: two sides, safe; the sides of box (0, 0) are not
    assert answers.isdisjoint({"v0.0", "v0.1"})
    assert len(answers) > 3


def test_greedy_opens_the_shortest_chain() -> None:
    """Five boxes in a row: two that hang together, one alone between walls, two that hang together."""
    game = "dots_and_boxes:1x5"
    position = after(game, "h0.0 h1.0 h0.1 v0.2 v0.3 h0.3 h0.4 h1.4")
    answers = {answer(game, "greedy", position, seed) for seed in range(40)}
    assert answers == {"h0.2", "h1.2"}


def pawns(*rows: str) -> Position:
    """Pawn Dama on 6x6, white to move; the last row is white's home row."""
    lines = [f"{6 - place} {' '.join(row)}" for place, row in enumerate(rows)]
    return zerogrid.game("pawn_dama:6x6").parse("\n".join(["pawn_dama:6x6", *lines, "   a b c d e f", "turn white"]))


@pytest.mark.parametrize("rows, wanted", [
    (["......", "w.....", ".b...b", "..w...", "......", "......"], "a5-a6"),  # wins
    (["......", ".b....", "w.....", "...b..", "..w...", "......"], "c2xd3"),  # captures the one nearer to home
    (["......", "....b.", "....b.", "w.....", "....w.", "......"], "a3-a4"),  # advances where nobody stands ahead
])
def test_greedy_pawns_win_then_capture_near_home_then_run(rows: list[str], wanted: str) -> None:
    assert answer("pawn_dama:6x6", "greedy", pawns(*rows)) == wanted


# --- rush -----------------------------------------------------------------------------------------------------------


def field(*rows: str, ammo: str = "6 6 6 6", health: str = "1 1 1 1", turn: str = "north") -> Position:
    lines = ["battlefield:7x7,obstacles=0", *(" ".join(row) for row in rows)]
    numbers = [f"health {health}", f"ammo {ammo}", "streaks 0 0", "steps 0", "calm 0", f"turn {turn}"]
    return zerogrid.game("battlefield:7x7,obstacles=0").parse("\n".join([*lines, *numbers]))


def test_rush_walks_to_the_centre_shoots_what_it_sees_and_stays() -> None:
    spec = "battlefield:7x7,obstacles=0"
    walking = field("A......", ".......", ".......", "...+...", "......B", ".......", "a.....b")
    first = answer(spec, "rush", walking).split("+")
    assert first[0] in ("right", "down")
    shooting = field(".......", ".......", "A.a....", "...+...", ".......", "B......", "......b")
    assert answer(spec, "rush", shooting).split("+")[0] == "shoot-right"
    empty = field(".......", ".......", "A.a....", "...+...", ".......", "B......", "......b", ammo="0 6 6 6")
    assert answer(spec, "rush", empty).split("+")[0] in ("down", "right")
    alone = {"ammo": "6 6 0 6", "health": "1 1 0 1"}
    holding = field(".......", ".......", ".......", "...A...", ".......", "B......", "......b", **alone)
    assert answer(spec, "rush", holding).split("+")[0] == "wait"


@pytest.mark.parametrize("spec, agent", [
    ("gomoku:7x7x5", "naive"), ("gomoku:6x6x4", "beginner"), ("dots_and_boxes:3x3", "greedy"),
    ("pawn_dama:6x6", "greedy"), ("battlefield:7x7", "rush"), ("othello:6x6", "random"),
])
def test_they_only_play_what_is_legal_and_the_same_again(spec: str, agent: str) -> None:
    game = zerogrid.game(spec)
    played = []
    for seed in (1, 2, 1):
        players, position = agent_for(agent, game), game.start(seed)
        while not position.over:
            position.play(players.choose([position], [seed])[0])
        played.append(position.moves)
    assert played[0] == played[2]


def test_agents_of_another_game_are_refused() -> None:
    with pytest.raises(UnknownAgent, match="gomoku only"):
        agent_for("naive", zerogrid.game("othello"))
    with pytest.raises(UnknownAgent, match="there are random"):
        agent_for("greedyy", zerogrid.game("pawn_dama:5x5"))
