"""Attention maps are the weights that the network itself uses, and land on the right places of the board."""

import json
import re
from pathlib import Path

import pytest
import torch

import zerogrid
from networks.cases import SHAPES, expressible, inputs, small
from zerogrid.cli.frame import run
from zerogrid.core.errors import BadNetwork
from zerogrid.networks import NETWORKS
from zerogrid.networks.attend import Attend
from zerogrid.networks.attention_maps import attention_layers, attention_maps
from zerogrid.networks.files import save_model

ENDINGS = ("/hybrid", "/dual", "/temporal", "/tt", "/tr", "/rt")
WITH = sorted(name for name in NETWORKS if name.endswith(ENDINGS) or "topo" in name or "transformer" in name)


@pytest.mark.parametrize("name", WITH)
def test_every_head_of_every_layer_shares_out_one_whole(name: str) -> None:
    board = next(board for which, board in expressible() if which == name)
    network = small(name, SHAPES[board])
    given = inputs(network, 1)
    before = network(*given)
    maps = attention_maps(network, *given)
    assert [seen.layer for seen in maps] == attention_layers(network)
    for seen in maps:
        assert seen.weights.ndim == 3
        torch.testing.assert_close(seen.weights.sum(-1), torch.ones(seen.weights.shape[:2]))
        cls = name.startswith("battlefield")  # [CLS] stands before the cells
        assert (seen.cells, seen.cls) in ((int(cls), cls), (-1, False))
        if seen.cells >= 0:
            assert seen.weights.shape[2] >= seen.cells + network.shape.cells
    torch.testing.assert_close(network(*given).policy, before.policy)
    assert not any(part.watching or part.seen for part in network.modules() if isinstance(part, Attend))


def test_looking_gives_the_same_answer_as_not_looking() -> None:
    network = small("battlefield/transformer-actions", SHAPES["battlefield:7x7 teams"])
    given = inputs(network, 1)
    with torch.no_grad():
        plain = network(*given)
        for part in network.modules():
            if isinstance(part, Attend):
                part.watching = True
        watched = network(*given)
    torch.testing.assert_close(watched.policy, plain.policy, atol=1e-5, rtol=1e-4)
    keep = given[2][0]
    weights = next(part for part in network.modules() if isinstance(part, Attend)).seen[0]
    assert weights[0, :, :, 50:][:, :, ~keep].max() < 1e-6  # absent actions are not seen


def test_networks_without_attention_say_so() -> None:
    network = small("sigmago/vanilla", SHAPES["tictactoe stones"])
    with pytest.raises(BadNetwork, match=r"no attention.*sigmago/hybrid"):
        attention_maps(network, *inputs(network, 1))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "tr.safetensors"
    network = small("dotsformer/tr", SHAPES["dots_and_boxes:3x3 baseline"])
    save_model(path, network, "dots_and_boxes:3x3", "baseline")
    return path


def look(capsys: pytest.CaptureFixture[str], *words: str) -> dict:  # type: ignore[type-arg]
    assert run(["attention", *words, "--json"]) == 0
    found: dict = json.loads(capsys.readouterr().out)  # type: ignore[type-arg]
    return found


def test_the_command_draws_over_edges_and_boxes(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = tmp_path / "out.svg"
    told = look(capsys, str(model), "dots_and_boxes:3x3", "--moves", "h0.0,v1.1", "--svg", str(svg))
    assert told["grid"] == [7, 7]
    assert sum(told["cells"]) == pytest.approx(1, abs=1e-5)
    assert told["layers"] == ["trunk.0.attend"]
    picture = svg.read_text()
    assert "trunk.0.attend" in picture
    # every edge, drawn or not, and every box has a weight, and each is drawn
    assert len(re.findall(r'class="[^"]*heat|fill="[^"]*heat|heat', picture)) >= 24 + 9


def test_heads_layers_and_queries_differ(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = ("dots_and_boxes:3x3", "--moves", "h0.0")
    every = look(capsys, str(model), *spec)["cells"]
    heads = [look(capsys, str(model), *spec, "--head", str(head))["cells"] for head in range(4)]
    torch.testing.assert_close(torch.tensor(heads).mean(0), torch.tensor(every), atol=1e-5, rtol=1e-4)
    by_number = look(capsys, str(model), *spec, "--query", "1")["cells"]
    by_name = look(capsys, str(model), *spec, "--query", "h0.0")["cells"]  # the edge at row 0, column 1
    assert by_number == by_name != every


@pytest.mark.parametrize("words, why", [
    (("--layer", "7"), "there is no layer 7"), (("--head", "4"), "there is no head 4"),
    (("--query", "49"), "from 0 to 48"), (("--query", "zz"), "from 0 to 48"), (("--moves", "h9.9"), "h9.9"),
])  # fmt: skip
def test_what_does_not_exist_is_refused(
    words: tuple[str, ...], why: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["attention", str(model), "dots_and_boxes:3x3", *words]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_another_game_and_another_file_are_refused(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attention", str(model), "dots_and_boxes:4x4"]) == 2
    assert "was made for" in capsys.readouterr().err
    assert run(["attention", str(model.parent), "dots_and_boxes:3x3"]) == 2
    assert "not a plain file" in capsys.readouterr().err


def test_a_turned_board_is_turned_back(tmp_path: Path) -> None:
    from zerogrid.cli.attention import is_turned, on_board
    from zerogrid.encodings import encoding

    position = zerogrid.game("pawn_dama:5x5").start()
    weights = [float(cell) for cell in range(25)]
    shape = SHAPES["pawn_dama:5x5 oneplane"]
    for player, first in ((0, 0.0), (1, 24.0)):
        assert position.to_move == player
        turned = is_turned(encoding(position.game, "oneplane"), position)
        assert on_board(position, shape, weights, turned)[0][0] == first
        assert not is_turned(encoding(position.game, "generic"), position)
        position.play(position.actions[0])
