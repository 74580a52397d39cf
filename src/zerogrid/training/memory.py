"""Memory: how much a run needs and where that is, and what to do when it was not enough.

    needs = needs_of(config, game, encoding, network)       before a run: buffer, trees, games, learning
    refuse_too_large(config, needs)                          a sentence where this machine cannot have it
    with lack_of_memory_named(config, "in iteration 3"):     during one: whoever runs out says what to lower
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerogrid.core.errors import TargetMissing, ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.training.config import Config
from zerogrid.training.parts import example_fields

OPTIMISER = 5  # numbers kept beside each weight: its gradient, two of Adam, an average, a frozen copy
LIBRARIES_SAY = ("out of memory", "out_of_memory", "can't allocate memory", "not enough memory")


class OutOfMemory(ZeroGridError):
    """The memory of the card or of the machine was not enough; what was saved before is intact."""

    exit_code = 1


class TooLarge(ZeroGridError):
    """A run needs more memory than there is, as is known before it begins."""


@dataclass(frozen=True)
class Needs:
    """Bytes that a run needs where it plays and learns."""

    buffer: int  # remembered examples
    trees: int  # of all games at their largest
    games: int  # under way, and examples on their way into the buffer
    learning: int  # weights and what belongs to them, and one batch on its way through the network

    @property
    def total(self) -> int:
        """All together."""
        return self.buffer + self.trees + self.games + self.learning

    def as_dict(self) -> dict[str, int]:
        """For JSON."""
        return {**vars(self), "total": self.total}


# --- before ---------------------------------------------------------------------------------------------------------


def needs_of(config: Config, game: Game, encoding: Encoding, network: Any) -> Needs:
    """As far as it can be known; what a network's runtime needs for itself is not."""
    from zerogrid.kernels import tree
    from zerogrid.kernels.mill_arrays import mill_arrays
    from zerogrid.search.forest import capacity_for, sizes_for
    from zerogrid.selfplay.room import mill_sizes
    from zerogrid.training.playing import play_settings

    play, settings = config.selfplay, play_settings(config)
    seats = 1 + config.league.exploiters
    row = bytes_of(example_fields(encoding.history, game.STATE_SIZE, game.MAX_LEGAL))
    capacity = capacity_for(game, settings.search, play.games, settings.keep_tree)
    one_tree = tree.bytes_per_game(capacity, sizes_for(game, encoding, network.needs_tokens))
    examples = max(play.positions, play.games_each * int(game.MAX_PLIES))
    sizes = mill_sizes(encoding, settings, play.games, examples, max(play.positions, play.games_each))
    weights = sum(part.numel() for part in network.parameters())
    number = 4 if config.run.device == "cpu" else 2
    batch = config.learner.batch * kept_of_one(network, int(game.MAX_LEGAL)) * number
    return Needs(
        buffer=seats * config.buffer.capacity * row,
        trees=seats * play.games * one_tree,
        games=seats * bytes_of({name: (kind, shape) for name, (shape, kind) in mill_arrays(sizes).items()}),
        learning=seats * (1 + OPTIMISER) * 4 * weights + batch,
    )


def bytes_of(columns: dict[str, tuple[Any, tuple[int, ...]]]) -> int:
    """What arrays of these types and shapes take."""
    return sum(np.dtype(kind).itemsize * int(np.prod(shape, dtype=object)) for kind, shape in columns.values())


def kept_of_one(network: Any, tokens: int) -> int:
    """How many numbers one position leaves in a network on its way, for the way back."""
    from zerogrid.networks.counting import example

    counted = 0

    def layer(part: Any, inputs: Any, output: Any) -> None:
        nonlocal counted
        counted += output.numel() if hasattr(output, "numel") else 0

    hooks = [part.register_forward_hook(layer) for part in network.modules() if not any(part.children())]
    try:
        network.eval()(*example(network.shape, 1, tokens if network.needs_tokens else 0, network.needs_tokens))
    finally:
        for hook in hooks:
            hook.remove()
    return counted


def there_is(device: str) -> int | None:
    """Bytes of memory that a run can have on a device; None where that cannot be known."""
    if device == "cuda":
        import torch

        return int(torch.cuda.mem_get_info()[0]) if torch.cuda.is_available() else None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def refuse_missing_card(config: Config) -> None:
    """Refuse to train on a card where there is none."""
    if config.run.device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise TargetMissing("run.device cuda needs a CUDA card, and PyTorch finds none here; use --device cpu.")


def refuse_too_large(config: Config, needs: Needs) -> None:
    """Refuse a run that cannot fit. On the CPU trees take memory only as they grow, and are not counted."""
    there = there_is(config.run.device)
    on_card = config.run.device == "cuda"
    needed = needs.total if on_card else needs.total - needs.trees
    if there is None or needed <= there:
        return
    parts = {name: count for name, count in vars(needs).items() if on_card or name != "trees"}
    largest = max(parts, key=lambda name: parts[name])
    lower = {
        "buffer": f"buffer.capacity (now {config.buffer.capacity:,})",
        "trees": f"selfplay.games (now {config.selfplay.games:,}) or search.simulations",
        "games": f"selfplay.games (now {config.selfplay.games:,}) or selfplay.positions",
        "learning": f"learner.batch (now {config.learner.batch:,})",
    }
    where = "the card has" if on_card else "this machine has"
    raise TooLarge(
        f"this run needs {size(needed)} of memory and {where} {size(there)}; most of it is for {NAMES[largest]}: "
        f"lower {lower[largest]}."
    )


NAMES = {"buffer": "the buffer", "trees": "search trees", "games": "games under way", "learning": "learning"}


def size(count: float) -> str:
    """Bytes as people say them."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"
        count /= 1000
    raise AssertionError


# --- during ---------------------------------------------------------------------------------------------------------


def ran_out(error: BaseException) -> bool:
    """Whether this is memory that was not enough: Python's, NumPy's, PyTorch's on either device, the driver's."""
    if isinstance(error, ZeroGridError):
        return False
    named = any(kind.__name__ in ("MemoryError", "OutOfMemoryError") for kind in type(error).__mro__)
    return named or any(words in str(error).lower() for words in LIBRARIES_SAY)


@contextlib.contextmanager
def lack_of_memory_named(config: Config, where: str, good: str = "nothing was begun") -> Iterator[None]:
    """Turn a lack of memory into a sentence that says what to lower; `good` is what can still be relied on."""
    try:
        yield
    except Exception as error:
        if not ran_out(error):
            raise
        whose = "the card" if config.run.device == "cuda" else "this machine"
        first = str(error).strip().partition("\n")[0].partition(". ")[0][:160] or type(error).__name__
        raise OutOfMemory(
            f"the memory of {whose} was not enough {where} ({first}); {good}: the same command goes on with a smaller "
            f"--set selfplay.games= (now {config.selfplay.games:,}), --set learner.batch= (now "
            f"{config.learner.batch:,}) or --set buffer.capacity= (now {config.buffer.capacity:,})."
        ) from error
