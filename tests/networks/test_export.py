"""ONNX and OpenVINO give the answers of PyTorch, on a hundred positions of real games."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import zerogrid
from networks.cases import SHAPES, expressible, small
from zerogrid.core.errors import BadModelFile
from zerogrid.encodings import encoding
from zerogrid.networks import Network
from zerogrid.networks.files import Model

onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytest.importorskip("openvino")

POSITIONS = 100
ONE_EACH = list({name: (name, board) for name, board in expressible()}.values())


@cache
def positions(board: str) -> dict[str, np.ndarray]:
    """Planes, described actions and which there are, of positions on random ways through the game."""
    game, spec = board.split(" ")
    shown = encoding(game, spec)
    draw = np.random.default_rng(3)
    found = []
    while len(found) < POSITIONS:
        position = zerogrid.game(game).start(len(found))
        while not position.over and len(found) < POSITIONS:
            found.append(position.copy())
            position.play(int(draw.choice(position.actions)))
    planes = np.stack([shown.encode(position) for position in found]).transpose(0, 3, 1, 2)
    tokens = np.zeros((POSITIONS, 81, shown.features), np.float32)
    present = np.zeros((POSITIONS, 81), bool)
    for row, position in enumerate(found):
        for place, action in enumerate(position.actions[:81]):
            tokens[row, place], present[row, place] = shown.describe(position, action), True
    return {"planes": np.ascontiguousarray(planes), "tokens": tokens, "present": present}


def given_and_truth(network: Network, board: str) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    data = positions(board)
    names = ("planes", "tokens", "present") if network.needs_tokens else ("planes",)
    given = {name: data[name] for name in names}
    with torch.no_grad():
        answer = network(*(torch.from_numpy(data[name]) for name in names))
    return given, answer.policy.numpy(), answer.value.numpy()


@pytest.mark.parametrize("name, board", ONE_EACH)
def test_onnx_answers_as_pytorch_does(name: str, board: str, tmp_path: Path) -> None:
    from zerogrid.networks.onnx_export import export_onnx

    network = small(name, SHAPES[board])
    given, policy, value = given_and_truth(network, board)
    export_onnx(network, tmp_path / "made.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["made.onnx"]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(tmp_path / "made.onnx"), options)
    assert {part.name for part in session.get_inputs()} == set(given)
    found = session.run(["policy", "value"], given)
    np.testing.assert_allclose(found[0], policy, atol=2e-4, rtol=1e-3)
    np.testing.assert_allclose(found[1], value, atol=1e-4)
    one = session.run(["policy"], {key: part[:1] for key, part in given.items()})[0]  # the batch is free
    np.testing.assert_allclose(one, policy[:1], atol=2e-4, rtol=1e-3)


def test_onnx_says_what_it_is(tmp_path: Path) -> None:
    from zerogrid.networks.onnx_export import export_onnx

    network = small("sigmago/hybrid", SHAPES["tictactoe stones"])
    export_onnx(Model(network, network.shape, "tictactoe", "stones", {"run": 7}), tmp_path / "made.onnx")
    about = onnxruntime.InferenceSession(str(tmp_path / "made.onnx")).get_modelmeta().custom_metadata_map
    assert (about["zerogrid.game"], about["zerogrid.encoding"]) == ("tictactoe", "stones")
    assert (about["zerogrid.network"], json.loads(about["zerogrid.provenance"])) == ("sigmago/hybrid", {"run": 7})
    with pytest.raises(BadModelFile, match="cannot be written"):
        export_onnx(network, tmp_path / "no such folder" / "made.onnx")


@pytest.mark.parametrize("name, board, batch, channels_last", [
    ("sigmago/vanilla", "gomoku:6x6x4 stones", 100, True), ("zerogrid/residual", "othello:6x6 discs", None, False),
    ("zerogrid/transformer", "tictactoe stones", 100, False),
    ("sigmago/dual", "gomoku:6x6x4 stones,history=5", None, True),
    ("dotsformer/multiscale4-topo", "dots_and_boxes:3x3 edgequad9", 100, False),
    ("battlefield/transformer-actions", "battlefield:7x7 teams", 100, True),
])  # fmt: skip
def test_openvino_answers_as_pytorch_does(name: str, board: str, batch: int | None, channels_last: bool) -> None:
    import openvino

    from zerogrid.networks.openvino_export import openvino_model

    network = small(name, SHAPES[board])
    given, policy, value = given_and_truth(network, board)
    if channels_last:
        given["planes"] = np.ascontiguousarray(given["planes"].transpose(0, 2, 3, 1))
    actions = 81 if network.needs_tokens and batch else None
    model = openvino_model(network, batch, actions, channels_last)
    assert model.is_dynamic() is (batch is None)
    exact: dict[str, Any] = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    compiled = openvino.Core().compile_model(model, "CPU", exact)
    found = compiled(given)
    np.testing.assert_allclose(found["policy"], policy, atol=2e-4, rtol=1e-3)
    np.testing.assert_allclose(found["value"], value, atol=1e-4)
