"""What the card of an exported model says of its strength."""

from pathlib import Path

import torch

import zerogrid
from zerogrid.encodings import encoding
from zerogrid.evaluators.network import shape_of
from zerogrid.networks.files import save_model
from zerogrid.networks.registry import make
from zerogrid.training.export import examined


def test_a_model_that_learned_nothing_gives_much_away_and_less_with_search(tmp_path: Path) -> None:
    game = zerogrid.game("tictactoe")
    torch.manual_seed(1)
    save_model(tmp_path / "model.safetensors", make("sigmago/vanilla", shape_of(encoding(game))), game.spec, "stones")
    searched, raw = examined(tmp_path / "model.safetensors", game.spec)
    assert searched.startswith("- With 100 simulations")
    assert raw.startswith("- Without search")
    errors = [int(line.split(" gives value away in ")[1].split()[0]) for line in (searched, raw)]
    assert 0 < errors[0] < 100 < errors[1] < 700
    assert "of 1,000 positions" in raw
    assert "95% interval" in raw
