"""Networks: from planes to a policy and a value. They know no game; a `Shape` is all they are told."""

from zerogrid.networks.answer import NEVER, Answer
from zerogrid.networks.registry import NETWORKS, default_for, make, names, refusal
from zerogrid.networks.settings import Network, Settings
from zerogrid.networks.shapes import WHOLE_BOARD, Shape

__all__ = [
    "NETWORKS", "NEVER", "WHOLE_BOARD", "Answer", "Network", "Settings", "Shape",
    "default_for", "make", "names", "refusal",
]
