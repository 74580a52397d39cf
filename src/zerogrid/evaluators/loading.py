"""From a model file, or a network, to the fastest evaluator there is for a device.

    evaluator = evaluator_for("mine.safetensors", game)

On the CPU that is OpenVINO where it is installed, else PyTorch; on a card the compiled network of card.py.
"""

from pathlib import Path
from typing import Any

from zerogrid.core.errors import ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.encodings import encoding as encoding_of
from zerogrid.evaluators.evaluator import Evaluator

RUNTIMES = ("auto", "openvino", "torch")


def evaluator_for(
    model: Any,
    game: Game,
    device: str = "cpu",
    threads: int = 1,
    runtime: str = "auto",
    exact: bool = False,
    moulds: Any = None,
) -> Evaluator:
    """An evaluator of a model file's path, or of a Model; `threads` may evaluate at the same time.

    Evaluators of the same network with other weights, on the CPU, are made sooner when they share `moulds`, a dict.
    """
    from zerogrid.networks.files import Model, load_model

    if runtime not in RUNTIMES:
        there_are = ", ".join(RUNTIMES)
        raise ZeroGridError(f"there is no runtime {quote(runtime)}; there are {there_are}.{nearest(runtime, RUNTIMES)}")
    name = Path(model).stem if isinstance(model, str | Path) else "network"
    if not isinstance(model, Model):
        model = load_model(model)
    if not fits(model.game, game):
        raise ZeroGridError(f"the model {quote(name)} was made for {model.game}, not for {game.spec}.")
    shown = encoding_of(game, model.encoding)
    if device == "cuda":
        from zerogrid.evaluators.card import CardEvaluator

        return CardEvaluator(model.network, shown, name)
    if device != "cpu":
        raise ZeroGridError(f"there is no device {quote(device)}; there are cpu and cuda.")
    from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator, openvino_missing
    from zerogrid.evaluators.torch_cpu import TorchEvaluator

    missing = openvino_missing()
    if runtime == "openvino" and missing:
        raise ZeroGridError(missing + ", or use runtime torch.")
    if runtime == "torch" or missing:
        return TorchEvaluator(model.network, shown, name)
    return OpenVinoEvaluator(model.network, shown, name, streams=threads, exact=exact, moulds=moulds)


def fits(made_for: str, game: Game) -> bool:
    """Whether a model made for this spec plays this game: the spec may name its settings in another order."""
    from zerogrid.core.catalogue import game as game_of

    return made_for == game.spec or game_of(made_for) == game
