"""play: scripted games, heard as events."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zerogrid as zg
from cli.conftest import Answer, Zerogrid
from zerogrid.core.positions import read_positions

Played = Callable[..., Answer]


@pytest.fixture
def play(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> Played:
    """play("b2\\nquit", "tictactoe", "--against", "random") types the first argument."""

    def call(typed: str, *words: str) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return zerogrid("play", *words)

    return call


def events(said: Answer, kind: str = "") -> list[dict[str, Any]]:
    """The events of one kind, or all."""
    assert said.code == 0, said.err
    return [record for record in said.records if not kind or record["event"] == kind]


RANDOM = ("tictactoe", "--against", "random", "--seed", "1", "--json")


def test_a_game_is_played_to_its_end_by_moves_and_the_result_told_once(play: Played) -> None:
    every = "\n".join(f"{c}{r}" for r in "123" for c in "abc")
    said = events(play(every, *RANDOM))
    moves = [event for event in said if event["event"] == "move"]
    position = zg.game("tictactoe").start()
    for ply, move in enumerate(moves, start=1):
        assert (move["ply"], move["player"]) == (ply, position.to_move)
        assert move["by"] == ("you" if position.to_move == 0 else "agent")
        position.play(move["move"])
    assert position.outcome is not None
    (end,) = (event for event in said if event["event"] == "end")
    assert (tuple(end["scores"]), end["reason"]) == (position.outcome.scores, position.outcome.reason)


def test_what_cannot_be_played_is_said_and_the_game_goes_on(play: Played) -> None:
    said = events(play("z9\nb2\nb2\nundoo\nsave\nwhy not\nhint please\n\n", *RANDOM))
    errors = [event["message"] for event in said if event["event"] == "error"]
    assert len(errors) == 6
    assert "z9" in errors[0]
    assert "may not be played here" in errors[1]
    assert 'Did you mean "undo"?' in errors[2]
    assert "save needs the name of a file" in errors[3]
    assert len([event for event in said if event["event"] == "move"]) == 2
    assert said[-1]["event"] == "quit"


@pytest.mark.parametrize(("side", "me"), [("first", 0), ("second", 1)])
def test_undo_comes_back_to_my_last_turn(side: str, me: int, play: Played) -> None:
    said = events(play("undo\nb2\nundo\na1\nmoves\n", *RANDOM, "--side", side)) if me == 0 else events(
        play("undo\nc3\nundo\nmoves\n", *RANDOM, "--side", side)
    )
    assert "no move of yours" in said[1 if me == 0 else 2]["message"]
    (undo,) = (event for event in said if event["event"] == "undo")
    assert undo["plies"] == 2
    (legal,) = (event["legal"] for event in said if event["event"] == "moves")
    assert len(legal) == (7 if me == 0 else 8)


def test_undo_with_extra_turns_takes_back_one_play_of_mine_at_a_time(play: Played) -> None:
    """Dots-and-Boxes: with three edges of a box drawn, the fourth takes it, and its player moves again."""
    Path("three.jsonl").write_text('{"game": "dots_and_boxes:1x2", "moves": ["h0.0", "h1.0", "v0.0"]}\n')
    game = ("dots_and_boxes:1x2", "--against", "random", "--side", "second", "--load", "three.jsonl", "--json")
    said = events(play("v0.1\nundo\nmoves\nv0.1\nh0.1\nundo\nundo\nmoves\nundo\n", *game, "--seed", "1"))
    mine = [event["ply"] for event in said if event["event"] == "move" and event["by"] == "you"]
    undone = [event["plies"] for event in said if event["event"] == "undo"]
    assert mine[:3] == [4, 4, 5]
    assert undone[0] == 1
    assert undone[1] >= 2  # the opponent answered h0.1
    assert undone[2:] == [1, 2]  # v0.1, then h1.0 which was mine before the game was kept
    assert [event["legal"] for event in said if event["event"] == "moves"] == [["h0.1", "h1.1", "v0.1", "v0.2"]] * 2


def test_undo_after_the_end_and_after_resigning(play: Played) -> None:
    said = events(play("b2\nresign\nb1\nundo\nresign\nresign\n", *RANDOM))
    kinds = [event["event"] for event in said]
    assert kinds == ["start", "move", "move", "end", "error", "undo", "end", "error"]
    assert said[3]["scores"] == [-1.0, 1.0]
    assert said[3]["reason"] == "resigned"


def test_a_saved_game_is_replayed_and_gone_on_with(play: Played, zerogrid: Zerogrid) -> None:
    said = events(play("b2\nsave one.jsonl\nsave one.jsonl\n", *RANDOM))
    assert [event["event"] for event in said[-3:]] == ["saved", "saved", "quit"]
    (record,) = zerogrid("replay", "one.jsonl", "--json").records
    assert len(record["legal"]) == 7
    (placed,) = read_positions("one.jsonl")
    said = events(play("moves\nundo\nmoves\n", *RANDOM, "--load", "one.jsonl"))
    assert said[0]["moves"] == [placed.position.game.action_name(move) for move in placed.position.moves]
    assert [len(event["legal"]) for event in said if event["event"] == "moves"] == [7, 9]


def test_a_file_of_someone_else_is_never_written_over(play: Played) -> None:
    Path("dear.txt").write_text("dear diary")
    (error,) = events(play("b2\nsave dear.txt\n", *RANDOM), "error")
    assert "already" in error["message"]
    assert "already" in play("", *RANDOM, "--save", "dear.txt").refused()
    assert Path("dear.txt").read_text() == "dear diary"


def test_the_file_of_save_holds_the_game_after_every_move(play: Played, zerogrid: Zerogrid) -> None:
    assert play("b2\n", *RANDOM, "--save", "kept.jsonl").code == 0
    (line,) = map(json.loads, Path("kept.jsonl").read_text().splitlines())
    assert (line["game"], line["seed"], line["players"], len(line["moves"])) == ("tictactoe", 1, ["you", "random"], 2)
    assert play("undo\n", *RANDOM, "--load", "kept.jsonl", "--save", "kept.jsonl").code == 0
    assert json.loads(Path("kept.jsonl").read_text())["moves"] == []


def test_a_pass_without_a_choice_is_played_for_me(play: Played) -> None:
    """Othello: whoever has nothing to turn over passes; found by playing on against a random opponent."""
    game = zg.game("othello:4x4")
    for seed in range(20):
        said = play("\n".join(f"{c}{r}" for _ in range(8) for r in "1234" for c in "abcd"), "othello:4x4",
                    "--against", "random", "--seed", str(seed), "--json")  # fmt: skip
        moves = events(said, "move")
        position = game.start()
        for move in moves:
            position.play(move["move"])
        if any(move["by"] == "you" and move["move"] == "pass" for move in moves):
            return
    pytest.fail("in twenty games nobody had to pass")


def test_why_shows_what_the_search_saw_when_it_chose(play: Played) -> None:
    said = events(play("why\na1\nwhy\n", "tictactoe", "--against", "uct:400", "--seed", "1", "--json"))
    assert "has not moved yet" in said[1]["message"]
    (why,) = (event for event in said if event["event"] == "why")
    agent = [event for event in said if event["event"] == "move"][-1]
    assert why["move"] == agent["move"] == why["best_name"]
    assert (why["to_move"], why["simulations"], why["played"]) == (1, 400, ["a1"])
    assert sum(move["visits"] for move in why["moves"]) == 399


def test_why_of_the_solver_and_of_an_agent_without_reasons(play: Played) -> None:
    said = play("a1\nwhy\n", "tictactoe", "--against", "solver", "--seed", "1")
    assert "exact value +0 for it; best moves: b2" in said.out
    assert "random gives no reasons for" in play("a1\nwhy\n", *RANDOM[:-1]).out


def test_a_hint_finds_the_winning_move(play: Played) -> None:
    Path("won.jsonl").write_text('{"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2"]}\n')
    (hint,) = events(play("hint\n", *RANDOM, "--load", "won.jsonl"), "hint")
    assert (hint["best_name"], hint["solved"], hint["value_to_move"]) == ("a3", True, 1.0)


def test_people_see_the_board_after_every_move(play: Played) -> None:
    said = play("b2\nmoves\nhelp\nboard\n", *RANDOM[:-1])
    assert said.code == 0
    assert said.out.count("crosses to move") == 3
    assert "crosses> b2" in said.out
    assert "noughts plays" in said.out
    assert "undo        back to your last turn" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tictactoe", "--against", "nobody"), 'no agent "nobody"'),
        (("tictactoe",), "--against"),
        (("tictactoe", "--against", "random", "--sims", "5"), "takes no number of simulations"),
        (("tictactoe", "--against", "random", "--seconds", "5"), "takes no time"),
        (("tictactoe", "--against", "uct", "--sims", "0"), "simulations are a whole number from 1"),
        (("tictactoe", "--against", "uct", "--seconds", "0"), "seconds are a number above 0"),
        (("tictactoe", "--against", "random", "--side", "third"), "--side is first, second or random"),
        (("tictactoe", "--against", "random", "--load", "none.jsonl"), "cannot be read"),
        (("tictactoe", "--against", "random", "--load", "two.jsonl"), "holds 2 games"),
        (("connect_four", "--against", "random", "--load", "one.jsonl"), "holds a game of tictactoe"),
        (("tictactoe", "--against", "random", "--seed", "-1"), "--seed is a whole number"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[str, ...], sentence: str, play: Played) -> None:
    line = '{"game": "tictactoe", "moves": []}\n'
    Path("one.jsonl").write_text(line)
    Path("two.jsonl").write_text(line * 2)
    assert sentence in play("b2\n", *words).refused()
