"""The arena's commands: what they answer, that they go on where they stopped, and how they refuse."""

import json
from pathlib import Path

import pytest

from cli.conftest import Zerogrid

GAME = "gomoku:5x5x4"
QUICK = ("naive", "random", GAME, "--games", "12", "--threads", "1")


def test_a_match_says_who_is_stronger_and_with_what_certainty(zerogrid: Zerogrid) -> None:
    (found,) = zerogrid("match", *QUICK, "--json").records
    assert found["players"] == ["naive", "random"]
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] == 12
    low, high = found["interval"]
    assert low < found["score"] <= high
    assert found["distinct"] == 12
    assert (found["openings"], found["seed"], found["game"]) == ("random:4", 0, GAME)
    assert found["command"]
    assert "version" in found
    words = zerogrid("match", *QUICK).out
    assert f"{found['wins']} won" in words
    assert "95% interval" in words


def test_a_match_goes_on_in_its_folder_and_can_be_made_longer(zerogrid: Zerogrid) -> None:
    whole = zerogrid("match", *QUICK, "--json").records[0]
    short = [*QUICK[:4], "6", *QUICK[5:]]
    assert zerogrid("match", *short, "--out", "kept", "--json").records[0]["games"] == 6
    again = zerogrid("match", *QUICK, "--out", "kept", "--json").records[0]
    assert {**again, "command": ""} == {**whole, "command": ""}
    assert len(Path("kept/games.jsonl").read_text().splitlines()) == 12
    assert 'with seed "0", not "5"' in zerogrid("match", *QUICK, "--out", "kept", "--seed", "5").refused()
    assert zerogrid("replay", "kept/games.jsonl").out.count("\n") == 12


def test_a_match_draws_its_final_boards(zerogrid: Zerogrid) -> None:
    assert "drawn into boards.svg" in zerogrid("match", *QUICK, "--boards", "boards.svg").out
    assert Path("boards.svg").read_text().count("<svg") == 13
    assert "drawn into boards.png" in zerogrid("match", *QUICK, "--boards", "boards.png").out
    assert Path("boards.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_another_kind_is_refused_before_the_games(zerogrid: Zerogrid) -> None:
    cup = ("tournament", GAME, "random", "naive")
    for words in (("match", *QUICK, "--boards", "x.pdf"), (*cup, "--ratings", "x.pdf")):
        assert ".png or .svg" in zerogrid(*words, "--out", "kept").refused()
    assert "no folder" in zerogrid("exam", "random", "tictactoe", "--plot", "nowhere/x.png").refused()
    assert not Path("kept").exists()


def test_an_sprt_accepts_the_stronger_and_keeps_the_reason(zerogrid: Zerogrid) -> None:
    words = ("sprt", "naive", "random", GAME, "--elo1", "100", "--threads", "1")
    (found,) = zerogrid(*words, "--json").records
    assert found["verdict"] == "accept"
    assert found["llr"] >= found["bounds"][1]
    assert found["pairs"] >= 16
    assert "naive is stronger than random" in zerogrid(*words).out
    (back,) = zerogrid("sprt", "random", "naive", GAME, "--elo1", "100", "--json").records
    assert back["verdict"] == "reject"


def test_a_tournament_and_its_games_rated_again_agree(zerogrid: Zerogrid) -> None:
    words = ("tournament", GAME, "random", "naive", "beginner", "--games", "6", "--out", "cup", "--threads", "1")
    (cup,) = zerogrid(*words, "--crosstable", "cross.svg", "--ratings", "ratings.png", "--json").records
    assert cup["games"] == 18
    assert sorted(cup["players"]) == ["beginner", "naive", "random"]
    assert Path("cross.svg").is_file()
    assert Path("ratings.png").is_file()
    (rated,) = zerogrid("rate", "cup", "--json").records
    for name in ("players", "bradley_terry", "elo_k32", "scores"):
        assert rated[name] == cup[name]
    (anchored,) = zerogrid("rate", "cup/games.jsonl", "--anchor", "random=0", "--json").records
    (random,) = (r for r in anchored["bradley_terry"]["ratings"] if r["player"] == "random")
    assert random["estimate"] == pytest.approx(0)
    assert "there is no player" in zerogrid("rate", "cup", "--anchor", "nobody=0").refused()


def test_a_table_tells_what_the_first_move_is_worth_and_who_beat_whom(zerogrid: Zerogrid) -> None:
    said = zerogrid("tournament", GAME, "random", "naive", "beginner", "--games", "6", "--threads", "1").out
    assert "moving first is worth" in said
    (top,) = (line for line in said.splitlines() if line.split()[:2] == ["1", "-"])
    assert len(top.split()) == 4


def test_a_sequential_test_is_gone_on_with_by_its_own_bounds_alone(zerogrid: Zerogrid) -> None:
    words = ("sprt", "random", "naive", "tictactoe", "--out", "kept")
    assert "gomoku only" in zerogrid(*words).refused()
    words = ("sprt", "random", "random", "tictactoe", "--most", "20", "--out", "kept")
    assert zerogrid(*words, "--elo1", "20", "--json").records[0]["verdict"] == "undecided"
    assert 'with elo1 "20.0", not "200.0"' in zerogrid(*words, "--elo1", "200").refused()


def test_a_sequential_test_says_when_its_openings_are_too_few(zerogrid: Zerogrid) -> None:
    said = zerogrid("sprt", "uct:20", "random", "tictactoe", "--openings", "none", "--most", "20").out
    assert "fewer than 16 openings" in said


def test_games_of_a_sequential_test_are_no_rating(zerogrid: Zerogrid) -> None:
    zerogrid("sprt", "naive", "random", GAME, "--elo1", "100", "--out", "test")
    assert "sequential test" in zerogrid("rate", "test").refused()


def test_agents_are_listed_for_a_game(zerogrid: Zerogrid) -> None:
    everyone = {record["agent"] for record in zerogrid("agents", "--json").records}
    boxes = {record["agent"] for record in zerogrid("agents", "dots_and_boxes", "--json").records}
    assert everyone - boxes == {"naive", "beginner", "rush", "gomocup"}
    assert "uct:SIMULATIONS" in zerogrid("agents", "tictactoe").out


def test_a_book_is_made_and_used(zerogrid: Zerogrid) -> None:
    (made,) = zerogrid(
        "book", "tictactoe", "--plies", "1,2", "--count", "5", "--sims", "50", "--out", "book.jsonl", "--json"
    ).records
    assert made["openings"] == 5
    (found,) = zerogrid(
        "match", "random", "random", "tictactoe", "--games", "10", "--openings", "book:book.jsonl", "--json"
    ).records
    assert found["book_sha256"] == made["sha256"]
    assert found["players"] == ["random", "random (2)"]


def test_an_exam_is_made_and_sat(zerogrid: Zerogrid) -> None:
    words = ("exam-set", "tictactoe", "--count", "20", "--plies", "2-6", "--out", "exam.jsonl")
    (made,) = zerogrid(*words, "--json").records
    assert made["positions"] == 20
    sat = ("exam", "random", "tictactoe", "--positions", "exam.jsonl", "--plot", "plot.png")
    (found,) = zerogrid(*sat, "--json").records
    assert found["positions"] == 20
    assert found["error_rate"] == found["errors"] / 20
    assert found["interval"][0] <= found["error_rate"] <= found["interval"][1]
    assert Path("plot.png").is_file()
    (perfect,) = zerogrid("exam", "solver", "tictactoe", "--positions", "exam.jsonl", "--json").records
    assert perfect["errors"] == 0
    (own,) = zerogrid("exam", "solver", "tictactoe", "--positions", "own:2", "--json").records
    assert own["errors"] == 0
    assert own["set"]["way"] == "own games"
    assert "errors in 10 positions" in zerogrid("exam", "random", "tictactoe", "--positions", "uniform:10").out


def test_an_exam_takes_a_file_of_positions(zerogrid: Zerogrid) -> None:
    moves = (["a1"], ["a1", "b2"], ["a1", "b1", "a2"])
    Path("p.jsonl").write_text("".join(json.dumps({"game": "tictactoe", "moves": one}) + "\n" for one in moves))
    (found,) = zerogrid("exam", "alphabeta:9@potential=none", "tictactoe", "--positions", "p.jsonl", "--json").records
    assert (found["positions"], found["errors"], found["error_rate"]) == (3, 0, 0)


@pytest.mark.parametrize("words, sentence", [
    (("match", "nobody", "random", GAME), "there is no agent"),
    (("match", "random", "random", "no_game"), "there is no game"),
    (("match", "random", "random", GAME, "--games", "0"), "--games is a number from 1 up"),
    (("match", "random", "random", GAME, "--openings", "sometimes"), "there are no openings"),
    (("match", "random", "random", GAME, "--openings", "book"), "no opening book of gomoku:5x5x4 comes with"),
    (("match", "random", "random", GAME, "--openings", "book:none.jsonl"), "cannot be read"),
    (("match", "random", "random", GAME, "--seed", "-1"), "a seed is a whole number"),
    (("match", "random", "random", GAME, "--simultaneous", "-1"), "games at once"),
    (("match", "random", "random", GAME, "--threads", "-1"), "--threads is a number"),
    (("match", "engine:/no/such", "random", GAME), "cannot be started"),
    (("tournament", GAME, "random"), "needs two agents"),
    (("tournament", GAME, "random", "naive", "--games", "3"), "an even number"),
    (("sprt", "random", "naive", GAME, "--elo0", "10", "--elo1", "5"), "must be numbers that rise"),
    (("rate", "nothing"), "cannot be read"),
    (("book", GAME, "--out", "b", "--plies", "x"), "--plies is a number of moves"),
    (("exam", "random", GAME, "--positions", "none"), "there is no file"),
    (("exam", "random", "othello"), "no exam in othello:8x8 comes with"),
    (("exam-set", GAME, "--out", "e", "--plies", "9"), "from how many moves to how many"),
    (("engine", "--agent", "random", "--json"), "leave out --json"),
    (("engine", "othello", "--agent", "random", "--protocol", "gomocup"), "is for gomoku"),
])
def test_what_cannot_be_is_refused_in_a_sentence(words: tuple[str, ...], sentence: str, zerogrid: Zerogrid) -> None:
    assert sentence in zerogrid(*words).refused()
