"""Positions for people: play by name, take back, compare, write and read."""

import copy
from array import array
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerogrid
from core.everygame import GAMES, positions
from zerogrid.core import catalogue
from zerogrid.core.errors import BadAction, BadPosition, GameOver, IllegalMove, ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Outcome, Position

WON = ["a1", "b1", "a2", "b2", "a3"]
DRAWN = ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"]


def after(spec: str, moves: list[str]) -> Position:
    """The position after some moves."""
    position = zerogrid.game(spec).start()
    for move in moves:
        position.play(move)
    return position


# --- playing --------------------------------------------------------------------------------------------------------


def test_a_game_is_played_by_name_or_number_and_has_an_end_with_a_reason() -> None:
    p = zerogrid.game("gomoku:6x6x4").start()
    assert p.play("c4") is p
    assert (p.to_move, p.last, p.moves) == (1, 20, [20])
    p.play(0).play(np.int64(21)).play(" A2 ").play("E4").play("a3")
    assert p.outcome is None
    assert not p.over
    p.play("f4")
    assert p.outcome == Outcome("a row of stones", (1.0, -1.0))
    assert p.outcome.winner == 0
    assert (p.over, p.legal, p.actions) == (True, [], [])


def test_outcomes_of_tic_tac_toe() -> None:
    won, drawn = after("tictactoe", WON).outcome, after("tictactoe", DRAWN).outcome
    assert (won, drawn) == (
        Outcome("three in a row", (1.0, -1.0)),
        Outcome("the board is full", (0.0, 0.0)),
    )
    assert won is not None
    assert drawn is not None
    assert (won.winner, drawn.winner) == (0, None)
    assert Outcome("x", (-1.0, 1.0)).winner == 1


@pytest.mark.parametrize(
    ("moves", "move", "error", "said"),
    [
        ([], "d4", BadAction, '"d4" is not a move of tictactoe; moves look like a1 or b2.'),
        ([], "", BadAction, '"" is not a move of tictactoe'),
        ([], "9" * 100_000, BadAction, "is not a move of tictactoe"),
        ([], "١", BadAction, '"١" is not a move of tictactoe'),
        ([], 9, BadAction, 'there is no action "9"; tictactoe has actions 0 to 8.'),
        ([], -1, BadAction, 'there is no action "-1"'),
        ([], 10**400, BadAction, "there is no action"),
        ([], True, BadAction, '"True" is not a move; give its name, such as a1 or b2, or its number.'),
        ([], 1.0, BadAction, '"1.0" is not a move'),
        ([], None, BadAction, '"None" is not a move'),
        (["b2"], "b2", IllegalMove, '"b2" may not be played here; legal are a1, b1, c1, a2, c2, a3 and 2 more.'),
        (WON, "c3", GameOver, '"c3" cannot be played: the game has ended (three in a row, crosses won).'),
        (DRAWN, "c3", GameOver, "the game has ended (the board is full, a draw)."),
    ],
)
def test_what_cannot_be_played_is_refused_and_changes_nothing(
    moves: list[str], move: object, error: type[ZeroGridError], said: str
) -> None:
    p = after("tictactoe", moves)
    before = str(p), list(p.moves)
    with pytest.raises(error) as caught:
        p.play(move)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300
    assert (str(p), p.moves) == before


@settings(max_examples=80, deadline=None)
@given(positions())
def test_undo_takes_everything_back(p: Position) -> None:
    texts = [str(Position.of_state(p.game, state)) for state in p.history]
    assert len(texts) == len(p.moves) + 1
    for text in reversed(texts[:-1]):
        p.undo()
        assert str(p) == text
    assert p.moves == []
    with pytest.raises(IllegalMove, match=r"1 plays cannot be taken back; 0 have been made"):
        p.undo()


def test_several_plays_are_taken_back_at_once_or_none() -> None:
    p = after("tictactoe", WON)
    for plays in (6, -1):
        with pytest.raises(IllegalMove):
            p.undo(plays)
    assert len(p.moves) == 5
    assert p.undo(3) == after("tictactoe", WON[:2])
    assert p.undo(0) == after("tictactoe", WON[:2])


def test_copies_go_their_own_ways() -> None:
    p = after("tictactoe", ["b2"])
    for q in (p.copy(), copy.copy(p), copy.deepcopy(p)):
        before = p.copy()
        assert q == p
        q.play("a1").undo(2)
        assert p == before
        assert p.moves == [4]


# --- comparing ------------------------------------------------------------------------------------------------------


def test_the_way_there_does_not_count() -> None:
    one, other = after("tictactoe", ["a1", "b1", "c1"]), after("tictactoe", ["c1", "b1", "a1"])
    assert one == other
    assert hash(one) == hash(other)
    assert one.key == other.key
    assert one.last != other.last
    assert one != after("tictactoe", ["a1", "c1", "b1"])
    assert one != after("gomoku:3x3x3", ["a1", "b1", "c1"])
    assert one != "tictactoe"
    assert len({one, other, one.copy(), after("tictactoe", ["a1"])}) == 2


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_equal_positions_have_equal_keys_and_hashes(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES))
    some = [data.draw(positions([game])) for _ in range(4)]
    for one in some:
        for other in some:
            assert (one == other) == (one.key == other.key)
            assert one != other or hash(one) == hash(other)


def test_games_are_equal_when_their_specs_are() -> None:
    game = zerogrid.game("gomoku:6x6x4")
    assert game == zerogrid.game(" GOMOKU:6x6x4,exact=false")
    assert game != zerogrid.game("gomoku:6x6x4,exact=true")
    assert (repr(game), len({game, zerogrid.game("gomoku:6x6x4")})) == ("zerogrid.game('gomoku:6x6x4')", 1)
    assert repr(game.start().play("c4")) == "<gomoku:6x6x4, 1 plays: c4>"


# --- text -----------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(positions())
def test_text_is_read_back_as_the_same_position(p: Position) -> None:
    for again in (Position.parse(str(p)), p.game.parse(str(p)), p.game.parse("\n".join(str(p).splitlines()[1:]))):
        assert again == p
        assert str(again) == str(p)
        assert (again.to_move, again.actions, again.outcome, again.key) == (p.to_move, p.actions, p.outcome, p.key)


@settings(max_examples=100, deadline=None)
@given(positions())
def test_every_legal_action_is_played_by_its_name(p: Position) -> None:
    for action, name in zip(p.actions, p.legal, strict=True):
        assert p.game.action(name) == p.game.action(name.upper()) == p.game.action(str(action)) == action
        assert p.copy().play(name) == p.copy().play(action)


@settings(max_examples=150, deadline=None)
@given(positions(), st.integers(0, 10**6), st.sampled_from(["", " ", "x", "-1", "99999", "9" * 50, "\n", "é", "."]))
def test_a_misprint_is_another_position_or_refused(p: Position, where: int, typed: str) -> None:
    text = str(p)
    cut = where % (len(text) + 1)
    said = ""
    try:
        assert len(p.game.parse(text[:cut] + typed + text[cut + 1 :]).state) == p.game.STATE_SIZE
    except ZeroGridError as error:
        said = str(error)
    assert not said or 10 < len(said) < 400
    assert "\n" not in said


def wrong(line: int, text: str) -> str:
    """The text of the empty board of tic-tac-toe with another line."""
    lines = str(zerogrid.game("tictactoe").start()).splitlines()
    lines[line] = text
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a position was empty; its first line names the game"),
        (" \n ", "a position was empty"),
        ("tictacto\n. . .", 'there is no game "tictacto"'),
        (wrong(1, ". . z"), 'line 2: "z" is not a symbol of board, which has 2 of its 9; there are . x o .'),
        (wrong(1, ". ."), 'line 5: "turn" is not a symbol of board, which has 8 of its 9'),
        ("tictactoe\n. . .", "board of tictactoe has 3 of its 9 symbols"),
        (wrong(1, ". . . ."), "board of tictactoe has 10 symbols; it needs 9"),
        (wrong(4, "turn"), "line 5: turn has 0 numbers; it needs 1"),
        (wrong(4, "turn 1 2"), "line 5: turn has 2 numbers"),
        (wrong(4, "tern 0"), "the line 'turn ...' is missing (found \"tern 0\")"),
        (wrong(4, "turn 99999"), '"99999" is not a whole number from -32768 to 32767'),
        (wrong(4, "turn x"), '"x" is not a whole number'),
        (wrong(4, "turn 1"), "turn is 1, but with 0 crosses and 0 noughts it is 0"),
        (wrong(7, "last -1\nmore 1"), 'line 9 of a position of tictactoe is one too many: "more 1"'),
        ("tictactoe\n" + ". " * 60_000, "is too long; 100000 are allowed"),
    ],
)
def test_texts_that_are_no_positions_are_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(ZeroGridError) as caught:
        Position.parse(text)
    assert said in str(caught.value)


def test_a_text_is_not_taken_for_another_games() -> None:
    with pytest.raises(BadPosition):
        zerogrid.game("gomoku:6x6x4").parse(str(zerogrid.game("gomoku:6x6x5").start()))


# --- looking --------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(positions())
def test_looking_changes_nothing(p: Position) -> None:
    before = p._state[:]
    seen = (p.to_move, p.actions, p.outcome, p.key, str(p), repr(p), hash(p), p.svg(), p.terminal(), p._repr_svg_())
    p.state[:] = 7  # a copy
    p.history[0][:] = 7
    assert p._state == before
    assert seen[:4] == (p.to_move, p.actions, p.outcome, p.key)
    assert seen[-1].startswith("<svg")


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_same_seed_is_the_same_start(game: Game) -> None:
    assert str(game.start(5)) == str(game.start(5))
    if len({str(game.start(seed)) for seed in range(6)}) > 1:
        assert game.start(2**63 - 1).legal


def test_positions_come_from_bare_states() -> None:
    p = after("tictactoe", WON)
    for state in (p.state, p.state.tolist(), array("h", p.state.tolist())):
        assert Position.of_state(p.game, state) == p
    assert Position.of_state(p.game, p.state).moves == []


CROOKED = """
from zerogrid.core.layout import Layout, number, per_cell
LAYOUT = Layout(board=per_cell(3, ".xo"), turn=number(), at=number(), end=number())
ENDINGS = ("full",)
ACTIONS, MAX_LEGAL, MAX_PLIES = 3, 3, 3
def start(state, seed): state[4] = 0
def to_move(state): return state[3]
def legal(state, actions):
    count = 0
    for cell in range(3):
        if state[cell] == 0 and state[5] == 0:
            actions[count] = cell
            count += 1
    return count
def play(state, action):
    state[state[4]] = 1 + state[3]
    state[4] += 1
    state[3] = 1 - state[3]
    state[5] = state[4] // 3
def ended(state): return state[5]
def score(state, player): return 0.0
"""


@pytest.mark.parametrize(
    ("turn", "at", "end", "said"),
    [
        (7, 0, 0, "player 7 would be to move; there are 0 and 1"),
        (0, 9, 0, "the rules cannot go on from it (IndexError: index 9 outside an array of 6)"),
        (0, -9, 0, "the rules cannot go on from it (IndexError: index -9"),
        (0, 0, 9, "it would have ended in way 9; there are 1"),
    ],
)
def test_a_typed_position_that_rules_would_run_wild_on_is_refused(
    turn: int, at: int, end: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_from_files", {})
    (tmp_path / "crooked.py").write_text(CROOKED)
    zerogrid.use_file(tmp_path / "crooked.py")
    game = zerogrid.game("crooked")
    assert game.parse(str(game.start().play(0))).actions == [1, 2]
    with pytest.raises(BadPosition) as caught:
        game.parse(f"crooked\n. . .\nturn {turn}\nat {at}\nend {end}")
    assert said in str(caught.value)
