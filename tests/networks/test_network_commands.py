"""zerogrid networks and zerogrid bench network."""

import json

import pytest

from zerogrid.cli.frame import run
from zerogrid.networks import NETWORKS, default_for
from zerogrid.networks.published import CASES


def told(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict]:  # type: ignore[type-arg]
    assert run([*words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_networks_lists_all_with_their_games(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["network"]: row for row in told(capsys, "networks")}
    assert set(rows) == set(NETWORKS)
    assert rows["sigmago/vanilla"]["parameters"] == 104_267
    assert "tictactoe" not in rows["pawn_dama/cnn"]["games"]
    assert {"tictactoe", "battlefield", "othello"} <= set(rows["zerogrid/residual"]["games"])
    assert rows["sigmago/dual"]["games"] == []


def test_networks_of_a_game_say_which_work_and_which_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "networks", "gomoku:8x8x5", "--encoding", "stones,history=5")
    assert len(rows) == len(NETWORKS)
    assert sum(row.get("default", False) for row in rows) == 1
    assert next(row for row in rows if row["network"] == "sigmago/temporal")["works"]
    refused = {row["network"]: row["why"] for row in rows if not row["works"]}
    assert set(refused) == {"dotsformer/multiscale2-topo", "dotsformer/multiscale4-topo", "pawn_dama/residual-compact"}
    assert run(["networks", "gomoku"]) == 0
    text = capsys.readouterr().out
    assert "<- the default" in text


def test_bench_network_measures_and_sets_the_printed_figures_beside(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = told(capsys, "bench", "network", "sigmago/vanilla", "--seconds", "0.01")
    assert (row["parameters"], row["published_parameters"], row["asked_on_h200"]) == (104_267, 104_267, 25e6)
    assert row["evaluations_per_second"] >= 1 / row["latency"] * 0.999
    assert row["gmacs"] == pytest.approx(0.003397, rel=1e-3)


@pytest.mark.parametrize("words, why", [
    (("sigmago/vanila",), "Did you mean"), (("--device", "tpu"), "cpu or cuda"), (("--seconds", "0"), "above 0"),
    (("--threads", "0"), "1 to 256"),
])  # fmt: skip
def test_bench_network_refuses(words: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "network", *words]) == 2
    assert why in capsys.readouterr().err


def test_every_network_has_a_case_and_every_case_can_be_made() -> None:
    from zerogrid.networks import refusal

    assert {case.network for case in CASES} == set(NETWORKS)
    for case in CASES:
        assert not refusal(case.network, case.shape, **dict(case.settings)), case


def test_there_is_a_default_for_every_game() -> None:
    from networks.cases import SHAPES
    from zerogrid.networks import refusal

    for board, shape in SHAPES.items():
        name, settings = default_for(shape)
        assert not refusal(name, shape, **settings), board
