"""Growing trees for tests: the same position searched by a forest of any target, and by a naive twin."""

import random
from typing import Any

import numpy as np

import zerogrid
from search.judges import Hashing, opinion
from search.twins import TWINS, Twin
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.encodings import encoding
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Evaluator
from zerogrid.kernels import step as kernels
from zerogrid.kernels import tree
from zerogrid.search.forest import Forest
from zerogrid.search.settings import SearchSettings

SEED = 11


def a_position(spec: str, plies: int, seed: int = 0) -> Position:
    """A position after so many random moves (fewer where the game would end)."""
    chance, position = random.Random(f"{spec} {seed}"), zerogrid.game(spec).start(seed)
    for _ in range(plies):
        trial = position.copy().play(chance.choice(position.actions))
        if trial.over:
            break
        position = trial
    return position


def plain_encoding(game: Game) -> Encoding:
    return encoding(game)


def plant(forest: Forest, positions: list[Position], seed: int = SEED, **more: Any) -> None:
    forest.plant(
        np.array([position.state for position in positions]),
        [seed + i for i in range(len(positions))],
        plies=[len(position.moves) for position in positions],
        **more,
    )


def grow(
    positions: list[Position],
    settings: SearchSettings,
    target: str = "python",
    evaluator: Evaluator | None = None,
    **more: Any,
) -> Forest:
    """A forest that has searched these positions."""
    game = positions[0].game
    if settings.kind == "uct":
        forest = Forest(game, settings, len(positions), target=target, **more)
        plant(forest, positions)
        forest.playouts()
        forest.run(kernels.conclude)
        return forest
    evaluator = evaluator or Hashing(plain_encoding(game))
    forest = Forest(
        game, settings, len(positions), evaluator.encoding, target, tokens=evaluator.tokens, **more
    )
    plant(forest, positions)
    search(forest, evaluator)
    return forest


def search(forest: Forest, evaluator: Evaluator) -> None:
    while forest.step():
        evaluator.evaluate(forest.batch)
    forest.settle()


def twin_of(position: Position, settings: SearchSettings, seed: int = SEED, phi: Any = None) -> Twin:
    """The same search by the naive twin."""
    shown = plain_encoding(position.game)
    known: dict[bytes, Any] = {}

    def judge(state: Any) -> Any:
        if state.tobytes() not in known:
            known[state.tobytes()] = opinion(state, shown.slots)
        return known[state.tobytes()]

    return TWINS[settings.kind](
        position.game,
        settings,
        position.state,
        None if settings.kind == "uct" else judge,
        seed,
        len(position.moves),
        phi,
        slot=lambda state, action: int(shown.module.slot([int(n) for n in state], action)),
    ).run()


def whole_tree(forest: Forest, b: int = 0) -> list[Any]:
    """Every node and edge, in a form that does not depend on where they lie in memory."""
    t = forest.trees

    def told(node: int) -> list[Any]:
        first, count = int(t.node[b, node, tree.FIRST]), int(t.node[b, node, tree.COUNT])
        edges = []
        for e in range(first, first + count):
            numbers = [int(t.edge[b, e, i]) for i in (tree.PRIOR, tree.TRIED, tree.LEAST, tree.MOST)]
            row = [int(t.action[b, e]), *numbers]
            child = int(t.edge[b, e, tree.CHILD])
            edges.append([*row, int(t.worth[b, e]), told(child) if child else None])
        mine = [int(t.node[b, node, i]) for i in (tree.MOVER, tree.VISITS, tree.OWN, tree.SEEN, tree.LOW, tree.HIGH)]
        return [*mine, int(t.total[b, node]), t.states[b, node].tolist(), edges]

    return told(0)


def twin_tree(twin: Twin) -> list[Any]:
    """The same of a twin."""

    def told(node: Any) -> list[Any]:
        edges = [
            [e.action, e.prior, e.visits, e.low // 2**16, e.high // 2**16, e.worth, told(e.child) if e.child else None]
            for e in node.edges.values()
        ]
        seen = sum(edge.prior for edge in node.edges.values() if edge.visits)
        own = node.low if node.mover < 0 else node.own
        bounds = [node.low // 2**16, node.high // 2**16]
        return [node.mover, node.visits, own, seen, *bounds, node.total, node.state.tolist(), edges]

    return told(twin.root)


def root_visits(forest: Forest, b: int = 0) -> list[int]:
    first, count = forest.trees.node[b, 0, tree.FIRST], forest.trees.node[b, 0, tree.COUNT]
    return [int(n) for n in forest.trees.edge[b, first : first + count, tree.TRIED]]


def chosen(forest: Forest, b: int = 0) -> int:
    return int(forest.trees.action[b, forest.trees.game[b, tree.CHOICE]])


def policy(forest: Forest, b: int = 0) -> list[float]:
    return [float(p) for p in forest.trees.root[b, : forest.trees.node[b, 0, tree.COUNT], tree.POLICY]]


def same_trees(one: Forest, other: Forest) -> None:
    """All arrays that tell of trees are equal, bit for bit, wherever something has been written."""
    for b in range(one.planted):
        np.testing.assert_array_equal(one.trees.game[b], other.trees.game[b])
        nodes, edges = (int(one.trees.game[b, i]) for i in (tree.NODES, tree.EDGES))
        for name in ("node", "states", "edge", "action"):
            count = nodes if name in ("node", "states") else edges
            mine, theirs = getattr(one.trees, name)[b, :count], getattr(other.trees, name)[b, :count]
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
        np.testing.assert_array_equal(one.trees.root[b], other.trees.root[b])
