"""Weights by their names, seat@iteration: those at hand, else from the checkpoint that has them."""

from zerogrid.training.parts import Engine, Weights
from zerogrid.training.store import Store


class Roster:
    """All weights that may be asked for."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self.engine, self.store = engine, store
        self._known: dict[str, Weights] = {}

    def __call__(self, name: str) -> Weights:
        if name not in self._known:
            seat, _, iteration = name.partition("@")
            self.hold(self.engine.weights(self.store.model(int(iteration), seat), name))
        return self._known[name]

    def hold(self, weights: Weights) -> None:
        """Keep weights at hand."""
        self._known[weights.name] = weights

    def keep_only(self, names: set[str]) -> None:
        """Let go of all others."""
        self._known = {name: weights for name, weights in self._known.items() if name in names}
