"""zerogrid solve, as people and programs use it."""

import json
from pathlib import Path

import pytest

from cli.conftest import Zerogrid
from zerogrid.cli import solve as command
from zerogrid.core.game import Game
from zerogrid.solvers import Solver, solver_for


@pytest.fixture(autouse=True)
def not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain functions are quick enough for these boards."""
    import zerogrid.solvers as solvers

    def plain(game: Game, memory: str | int = "1M", target: str = "python") -> Solver:
        return solver_for(game, memory, "python")

    monkeypatch.setattr(solvers, "solver_for", plain)


def test_value_moves_and_best_line_of_a_position(zerogrid: Zerogrid) -> None:
    answer = zerogrid("solve", "tictactoe", "--moves", "b2,a1,c1", "--json")
    (record,) = answer.records
    assert answer.code == 0
    assert (record["solved"], record["value"], record["to_move"]) == (True, 0, 1)
    assert record["action_values"] == {"1": -1, "3": -1, "5": -1, "6": 0, "7": -1, "8": -1}
    assert record["best_line"][0] == 6
    assert record["nodes"] > 0
    assert record["seconds"] >= 0


def test_words_for_people(zerogrid: Zerogrid) -> None:
    lines = zerogrid("solve", "tictactoe", "--moves", "b2,a1,c1").out.splitlines()
    assert lines[0] == "tictactoe after 3 plies, noughts to move"
    assert lines[1].split() == ["value", "0:", "a", "draw"]
    assert lines[2].split() == ["0", "a3"]
    assert lines[3].split() == ["-1", "b1", "a2", "c2", "b3", "c3"]
    assert "nodes" in lines[-1]


def test_the_margin_still_to_come_in_boxes(zerogrid: Zerogrid) -> None:
    (record,) = zerogrid("solve", "dots_and_boxes:1x2", "--moves", "h0.0 v0.0 h1.0 v0.1", "--json").records
    assert (record["to_move"], record["value"]) == (1, 1)  # one box is the second player's already, one is left


def test_a_game_that_is_over(zerogrid: Zerogrid) -> None:
    moves = "a1,b1,a2,b2,a3"
    (record,) = zerogrid("solve", "tictactoe", "--moves", moves, "--json").records
    assert (record["solved"], record["value"], record["action_values"], record["best_line"]) == (True, -1, {}, [])
    assert "over: three in a row" in zerogrid("solve", "tictactoe", "--moves", moves).out


def test_not_solved_is_an_answer(zerogrid: Zerogrid) -> None:
    answer = zerogrid("solve", "othello:6x6", "--seconds", "0.05", "--json")
    (record,) = answer.records
    assert (answer.code, record["solved"], record["value"], record["action_values"]) == (0, False, None, {})
    assert "not solved within" in zerogrid("solve", "othello:6x6", "--seconds", "0.05").out


def test_many_positions_from_a_file(zerogrid: Zerogrid, tmp_path: Path) -> None:
    lines = [{"game": "tictactoe", "moves": moves} for moves in (["b2", "a1"], [4, 1], ["a1", "b1", "a2", "b2"])]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    records = zerogrid("solve", "tictactoe", "--positions", "p.jsonl", "--json").records
    assert [(record["line"], record["value"]) for record in records] == [(1, 0), (2, 1), (3, 1)]
    assert records[2]["action_values"]["6"] == 1


def test_a_table_is_made_once_and_mended_on_request(zerogrid: Zerogrid, tmp_path: Path) -> None:
    words = ("solve", "dots_and_boxes:1x2", "--table", "t", "--json")
    first = zerogrid(*words)
    assert (first.records[0]["value"], first.records[0]["nodes"]) == (0, 0)
    assert list(first.records[0]["action_values"].values()) == [-2, -2, -2, -2, -2, 0, -2]
    table = tmp_path / "t"
    sound = table.read_bytes()
    table.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    assert "damaged" in zerogrid(*words).refused()
    assert zerogrid(*words, "--rebuild").code == 0
    assert table.read_bytes() == sound


def test_what_cannot_be_done_is_refused_in_a_sentence(zerogrid: Zerogrid, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"game": "othello:4x4", "moves": []}')
    assert "--moves and --positions" in zerogrid("solve", "tictactoe", "--moves", "a1", "--positions", "x").refused()
    assert "othello:4x4" in zerogrid("solve", "tictactoe", "--positions", "p.jsonl").refused()
    assert "--seconds" in zerogrid("solve", "tictactoe", "--seconds", "0").refused()
    assert "memory" in zerogrid("solve", "tictactoe", "--memory", "lots").refused()
    assert "--table" in zerogrid("solve", "tictactoe", "--rebuild").refused()
    assert "none.jsonl" in zerogrid("solve", "tictactoe", "--positions", "none.jsonl").refused()


def test_ctrl_c_ends_with_its_own_code(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "explained", interrupted)
    answer = zerogrid("solve", "tictactoe", "--moves", "b2,a1,c1,a3,a2,c2")
    assert (answer.code, answer.err.strip()) == (130, "Stopped.")
