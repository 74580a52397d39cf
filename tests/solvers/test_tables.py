"""Tables: complete, exact, refused when damaged, and finished by whoever comes after one that was killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path

import numpy as np
import pytest

import zerogrid
from solvers.brute import Brute, random_positions
from solvers.edge_rules import wrong_sets
from zerogrid.core.errors import ZeroGridError
from zerogrid.solvers import solver_with_table
from zerogrid.solvers.enumeration import Enumerated, Enumeration, write_table
from zerogrid.solvers.subsets import Subsets, build_subsets
from zerogrid.solvers.table_file import Array, BadTable, Builder, open_table

TRUTH = json.loads((Path(__file__).parent.parent / "data/truth/values.json").read_text())


# --- endings of Dots-and-Boxes --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three_by_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "3x3"
    game = zerogrid.game("dots_and_boxes:3x3")
    build_subsets(game, game.start().state, path, "4M")
    return path


def test_all_of_3x3_from_a_table(three_by_three: Path) -> None:
    game = zerogrid.game("dots_and_boxes:3x3")
    known = TRUTH["dots_boxes"]["boards"]["3x3"]
    solution = solver_with_table(game.start(), three_by_three).solve(game.start(), line=False)
    assert solution.value == known["margin"]
    assert list(solution.action_values.values()) == known["move_margins"]


def test_moves_left_out_by_the_search_change_no_value(three_by_three: Path) -> None:
    wrong, left_out, looked_at = wrong_sets("dots_and_boxes:3x3", three_by_three, step=29, first=5)
    assert wrong == 0
    assert left_out > 0.9 * looked_at > 100_000


@pytest.mark.parametrize("spec, plies", [("dots_and_boxes:2x3", 6), ("dots_and_boxes:1x4", 3)])
def test_an_ending_in_small_chunks_agrees_with_minimax(spec: str, plies: int, tmp_path: Path) -> None:
    game = zerogrid.game(spec)
    position = random_positions(game, 1, plies, seed=4, most=plies)[0]
    path = tmp_path / "ending"
    build_subsets(game, position.state, path, 1 << 20, "python")
    table, brute, draw = Subsets(game, open_table(path)), Brute(game), random.Random(1)
    for _ in range(20):
        end = position.copy()
        while not end.over:
            state = array("h", end.state.tobytes())
            assert table.value(state) == brute.value(state)
            end.play(draw.choice(end.actions))
    assert table.value(array("h", game.start().state.tobytes())) is None


def test_too_many_edges_are_refused(tmp_path: Path) -> None:
    game = zerogrid.game("dots_and_boxes:5x5")
    with pytest.raises(ZeroGridError, match="60 are left"):
        build_subsets(game, game.start().state, tmp_path / "t", "1G")


# --- enumerations ---------------------------------------------------------------------------------------------------


def enumerated(spec: str, path: Path, target: str = "python") -> Enumerated:
    game = zerogrid.game(spec)
    Enumeration(game, path, "64M", target).build(game.start().state)
    return Enumerated(game, open_table(path))


@pytest.mark.parametrize("board", ["4x1", "4x2", "5x2", "6x1", "8x1"])
def test_pawn_dama_has_as_many_positions_as_are_known(board: str, tmp_path: Path) -> None:
    known = TRUTH["pawn_dama"]["boards"][board]
    game = zerogrid.game(f"pawn_dama:{board}")
    table = enumerated(game.spec, tmp_path / board)
    ends = np.asarray(table._states)[:, game.END]
    counts = [len(table), *((ends == why).sum() for why in (game.REACHED, game.BLOCKED, game.NO_PAWNS))]
    assert counts == [known[name] for name in ("states", "goal_terminal", "blocked", "no_pawns")]
    assert table.value(array("h", game.start().state.tobytes())) == known["value"]
    loses = enumerated(f"{game.spec},stuck=loss", tmp_path / "loss")
    assert loses.value(array("h", game.start().state.tobytes())) == known["value_if_blocked_loses"] * loses.unit


def test_tic_tac_toe_has_5478_positions_and_their_values(tmp_path: Path) -> None:
    table, brute = enumerated("tictactoe", tmp_path / "t"), Brute(zerogrid.game("tictactoe"))
    assert len(table) == 5478
    for position in random_positions(brute.game, 60, 0, seed=3):
        state = array("h", position.state.tobytes())
        assert table.value(state) == brute.value(state) * table.unit


def test_a_compiled_enumeration_is_the_same_file(tmp_path: Path) -> None:
    for target in ("python", "cpu"):
        enumerated("pawn_dama:4x2", tmp_path / target, target)
    assert (tmp_path / "python").read_bytes() == (tmp_path / "cpu").read_bytes()


def test_an_enumeration_goes_on_from_the_layer_it_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tmp_path / "whole"
    enumerated("pawn_dama:5x2", whole)
    kept: list[str] = []
    keep = Enumeration._keep

    def until_killed(self: Enumeration, kind: str, layer: int, rows: np.ndarray) -> None:
        if (kind, layer) == stop:
            raise KeyboardInterrupt
        kept.append(f"{kind}-{layer}")
        keep(self, kind, layer, rows)

    monkeypatch.setattr(Enumeration, "_keep", until_killed)
    for stopping_at in [("states", 6), ("values", 7)]:
        stop = stopping_at
        with pytest.raises(KeyboardInterrupt):
            enumerated("pawn_dama:5x2", tmp_path / "again")
    stop = ("none", 0)
    enumerated("pawn_dama:5x2", tmp_path / "again")
    assert len(kept) == len(set(kept))
    assert whole.read_bytes() == (tmp_path / "again").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "whole"]


def test_an_enumeration_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    game = zerogrid.game("gomoku:3x4x3")
    with pytest.raises(ZeroGridError, match=r"more than .* positions of gomoku:3x4x3 can be reached"):
        Enumeration(game, tmp_path / "t", 1 << 20, "python").build(game.start().state)


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small"
    builder = Builder(path, {"kind": "test"}, {"a": Array("int8", (40,)), "b": Array("int32", (5,))}, 16)
    data = bytes(range(60))
    for first in range(0, 60, 16):
        builder.write(data[first : first + 16])
    builder.finish()
    return path


def test_what_was_written_is_read(small: Path) -> None:
    table = open_table(small)
    assert table.about == {"kind": "test"}
    assert table.arrays["a"].tolist() == list(range(40))
    assert table.arrays["b"].tobytes() == bytes(range(40, 60))
    assert [path.name for path in small.parent.iterdir()] == ["small"]


def test_every_flipped_bit_is_noticed(small: Path) -> None:
    sound, draw = small.read_bytes(), random.Random(2)
    start = len(sound) - 60
    length = int.from_bytes(sound[17:25], "little")
    for place in [*range(57 + length), *range(start, len(sound))]:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << draw.randrange(8)
        small.write_bytes(damaged)
        with pytest.raises(BadTable):
            open_table(small)


@pytest.mark.parametrize("length", [0, 10, 40, 3000, -1])
def test_a_table_cut_short_is_refused(small: Path, length: int) -> None:
    small.write_bytes(small.read_bytes()[:length])
    with pytest.raises(BadTable, match="small"):
        open_table(small)


def test_a_table_of_another_game_is_refused(tmp_path: Path, three_by_three: Path) -> None:
    with pytest.raises(BadTable, match="dots_and_boxes endings"):
        solver_with_table(zerogrid.game("tictactoe").start(), three_by_three)
    with pytest.raises(BadTable, match="not one of endings of dots_and_boxes:2x2"):
        solver_with_table(zerogrid.game("dots_and_boxes:2x2").start(), three_by_three)
    write_table(tmp_path / "t", {"kind": "else"}, {"a": np.zeros(3, np.int8)})
    with pytest.raises(BadTable, match="not one of tictactoe"):
        solver_with_table(zerogrid.game("tictactoe").start(), tmp_path / "t")


def test_chunks_damaged_while_building_are_made_again(tmp_path: Path) -> None:
    def builder() -> Builder:
        return Builder(tmp_path / "t", {}, {"a": Array("int8", (40,))}, 8)

    first = builder()
    for _ in range(4):
        first.write(bytes(8))
    data = tmp_path / "t.building"
    data.write_bytes(data.read_bytes()[: first.start + 20])
    second = builder()
    assert second.done == 2
    second.write(bytes(8))
    journal = tmp_path / "t.building.done"
    journal.write_text(journal.read_text() + '"torn')
    assert builder().done == 3
    assert Builder(tmp_path / "t", {"other": 1}, {"a": Array("int8", (40,))}, 8).done == 0


BUILD = """
import sys, zerogrid
from pathlib import Path
from zerogrid.solvers.subsets import build_subsets
game = zerogrid.game("dots_and_boxes:3x3")
build_subsets(game, game.start().state, Path(sys.argv[1]), "1M")
"""


def test_a_build_killed_at_any_time_is_gone_on_with(tmp_path: Path, three_by_three: Path) -> None:
    path, journal = tmp_path / "3x3", tmp_path / "3x3.building.done"
    child = subprocess.Popen([sys.executable, "-c", BUILD, str(path)], stderr=subprocess.DEVNULL)
    while child.poll() is None and not (journal.exists() and journal.read_text().count("\n") > 5):
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    done = journal.read_text().count("\n") - 1
    assert 5 <= done < 64
    game = zerogrid.game("dots_and_boxes:3x3")
    before = (tmp_path / "3x3.building").stat().st_ino
    build_subsets(game, game.start().state, path, "1M")
    assert path.stat().st_ino == before  # gone on with, not begun again
    assert np.array_equal(open_table(path).arrays["values"], open_table(three_by_three).arrays["values"])
