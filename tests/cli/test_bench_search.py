"""bench search: rows that add up, rows that fail, and what is refused. No figure is judged here."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import zerogrid as zg
from cli.conftest import Zerogrid
from zerogrid.encodings import encoding
from zerogrid.search.measure import Silent, measure_cpu, openings
from zerogrid.search.settings import SearchSettings


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerogrid.search.measure.LEAST_SECONDS", 0.02)
    monkeypatch.setattr("zerogrid.cli.bench_search.AGAIN", 0.2)


SMALL = ("tictactoe", "--network", "sigmago/vanilla", "--repeats", "1", "--threads", "1")


def test_a_row_has_what_it_measured_and_a_picture_is_drawn(zerogrid: Zerogrid) -> None:
    said = zerogrid("bench", "search", *SMALL, "--games", "4", "--sims", "20,40", "--plot", "speed.svg", "--json")
    assert said.code == 0, said.err
    assert [(row["game"], row["games"], row["simulations"]) for row in said.records] == [
        ("tictactoe", 4, 20), ("tictactoe", 4, 40)
    ]  # fmt: skip
    for row in said.records:
        assert row["ratio"] == pytest.approx(row["sims_per_s"] / row["bare_evals_per_s"], abs=1e-3, rel=1e-3)
        assert 0 < row["evals_per_s"] <= row["sims_per_s"]  # finished games need no evaluation
        assert row["tree_sims_per_s"] > 0
        assert row["bytes_per_game"] > 20 * 9
    assert said.records[1]["bytes_per_game"] > said.records[0]["bytes_per_game"]
    assert "<svg" in Path("speed.svg").read_text()


def test_a_row_that_fails_says_so_and_the_others_go_on(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    from zerogrid.search import measure

    real, calls = measure.measure_cpu, []

    def broken(*given: object, **named: object) -> object:
        calls.append(given)
        if len(calls) == 1:
            raise RuntimeError("out of everything\nand a long story")
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(measure, "measure_cpu", broken)
    said = zerogrid("bench", "search", *SMALL, "--games", "2,4", "--sims", "20", "--json")
    assert said.code == 1
    assert said.records[0]["error"] == "RuntimeError: out of everything"
    assert said.records[1]["ratio"] > 0


DEAF = """
from zerogrid.cli import bench_search
from zerogrid.cli.bench_search import TooLong, at_most

bench_search.AGAIN = 0.2

def deaf():
    try:
        while True:
            pass
    except TooLong:  # as a callback of the interpreter's would
        pass
    while True:
        pass

try:
    with at_most(0.05):
        deaf()
except TooLong as error:
    assert "not done after 0.05 s" in str(error)
    print("stopped")
"""


def test_a_row_that_takes_too_long_is_stopped_even_where_the_first_attempt_is_lost() -> None:
    """In a process of its own: an alarm that comes too late must not stop the tests."""
    done = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")


def test_simulations_are_counted_as_many_as_were_asked_for() -> None:
    shown = encoding(zg.game("tictactoe"))
    settings = SearchSettings(simulations=30)
    speed = measure_cpu(shown, Silent(shown, False), "silent", 4, settings, threads=2, repeats=1)
    assert (speed.games, speed.groups, speed.simulations, speed.leaves) == (4, 2, 30, 1)
    assert speed.evals_per_s <= speed.sims_per_s


def test_openings_are_unfinished_and_differ() -> None:
    game = zg.game("tictactoe")
    states = openings(game, 600)
    assert states.shape == (600, game.STATE_SIZE)
    assert not any(game.ended(state) for state in states)
    assert len(np.unique(states, axis=0)) > 50


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nogame",), "no game"),
        (("tictactoe", "--network", "nothing"), 'no network "nothing"'),
        (("tictactoe", "--games", "0"), "--games are whole numbers from 1"),
        (("tictactoe", "--games", "4,x"), "--games are whole numbers from 1"),
        (("tictactoe", "--sims", "0"), "--sims are whole numbers from 1"),
        (("tictactoe", "--threads", "0"), "--threads is a whole number from 1"),
        (("tictactoe", "--limit", "0"), "--limit is a number of seconds above 0"),
        (("tictactoe", "--plot", "x.pdf"), "a picture is a .png or .svg file"),
        (("tictactoe", "--device", "tpu"), "--device is cpu or cuda"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[str, ...], sentence: str, zerogrid: Zerogrid) -> None:
    assert sentence in zerogrid("bench", "search", *words).refused()
