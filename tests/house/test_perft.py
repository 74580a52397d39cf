"""Every game, on every target, counts what independent programs counted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import zerogrid
from house.truth import TRUTH, counted_and_known
from zerogrid.core.errors import ZeroGridError
from zerogrid.kernels.perft import perft


@pytest.mark.parametrize("spec", TRUTH)
def test_compiled_rules_count_what_is_known(spec: str) -> None:
    counted, known = counted_and_known(spec, "cpu", most_leaves=1_500_000)
    assert counted == known


@pytest.mark.parametrize("spec", TRUTH)
def test_plain_rules_count_what_is_known(spec: str) -> None:
    counted, known = counted_and_known(spec, "python", most_leaves=1_500)
    assert counted == known


def test_tic_tac_toe_is_counted_to_its_end() -> None:
    counts = perft(zerogrid.game("tictactoe"), 9)
    assert list(counts.leaves) == TRUTH["gomoku:3x3x3"]["leaves"]
    assert list(counts.finished) == TRUTH["gomoku:3x3x3"]["finished"]


def test_no_sequence_is_longer_than_the_longest_game() -> None:
    counts = perft(zerogrid.game("dots_and_boxes:1x1"), 6)
    assert counts.leaves == (4, 12, 24, 24, 0, 0)
    assert counts.finished == (0, 0, 0, 24, 0, 0)


def test_no_plies_at_all_are_refused() -> None:
    with pytest.raises(ZeroGridError, match="from 1 on"):
        perft(zerogrid.game("tictactoe"), 0)


def test_the_seed_decides_the_start_that_is_counted() -> None:
    game = zerogrid.game("battlefield:5x5")
    counts = {perft(game, 2, seed=seed).leaves for seed in range(8)}
    assert len(counts) > 1
    assert perft(game, 2, "python", seed=3) == perft(game, 2, "cpu", seed=3)


COUNT_EACH = """
import sys, zerogrid
from zerogrid.kernels.perft import perft
for spec in sys.argv[1:]:
    print(perft(zerogrid.game(spec), 3).leaves[-1])
"""


def test_games_compiled_by_different_processes_do_not_mix(tmp_path: Path) -> None:
    """Machine code from the disk cache is linked by name; names shared by two games once swapped their rules."""

    def count(*specs: str) -> list[int]:
        command = [sys.executable, "-c", COUNT_EACH, *specs]
        environment = os.environ | {"ZEROGRID_CACHE": str(tmp_path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return [int(line) for line in done.stdout.split()]

    apart = count("gomoku:3x3x3") + count("gomoku:9x9x5")
    together = count("gomoku:3x3x3", "gomoku:9x9x5")
    assert together == apart == [9 * 8 * 7, 81 * 80 * 79]
