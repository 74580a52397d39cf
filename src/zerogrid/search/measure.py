"""How much of its network's speed a search keeps: simulations a second over evaluations a second, from one process.

    bare      the network alone, on batches of as many positions as games, again and again
    search    the same games searched to the end of their simulations, trees included
    tree      the same search with a network that takes no time: what the trees alone cost (on the CPU)

Games begin with a few random moves, so that trees differ. Each figure is the best of some repeats, bare and search by
turns: a machine shared with others is at times slower, never faster. On a machine that others keep busy, the processor
clock counts only the time that was ours.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import Evaluator, empty_batch
from zerogrid.kernels import tree
from zerogrid.search.settings import SearchSettings

LEAST_SECONDS = 0.5  # that bare evaluations are timed for
MEMORY_SHARE = 0.85  # of a card's free memory that trees may take

Clock = Literal["wall", "processor"]


@dataclass(frozen=True)
class SearchSpeed:
    """One row of the benchmark."""

    game: str
    network: str
    device: str
    games: int
    simulations: int
    leaves: int  # of one tree at a time
    groups: int  # games in step with one another: threads on the CPU, streams on a card
    bare_evals_per_s: float
    sims_per_s: float
    ratio: float
    evals_per_s: float  # evaluations that the search asked for: finished games need none
    bytes_per_game: int
    tree_sims_per_s: float | None = None

    def record(self) -> dict[str, Any]:
        """Plain numbers."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(self).items()}


def openings(game: Game, count: int, plies: int = 6, seed: int = 1) -> npt.NDArray[np.int16]:
    """States after a few random moves, none finished."""
    rng = np.random.default_rng(seed)
    found: list[npt.NDArray[np.int16]] = []
    while len(found) < count:
        position = game.start(seed=len(found))
        for _ in range(int(rng.integers(0, plies + 1))):
            position.play(int(rng.choice(position.actions)))
            if position.over:
                break
        if not position.over:
            found.append(position.state)
        if len(found) >= 512:  # enough variety; the rest are repeats with other seeds
            found += [found[i % 512] for i in range(count - 512)]
    return np.array(found[:count], np.int16)


class Silent(Evaluator):
    """Answers at once with what it said before: the time of a search with it is that of the trees."""

    name = "silent"

    def __init__(self, encoding: Encoding, tokens: bool) -> None:
        self.encoding, self.tokens = encoding, tokens

    def evaluate(self, batch: Any) -> None:
        if "said" not in batch.kept:
            rng = np.random.default_rng(1)
            batch.logits[:] = rng.normal(size=batch.logits.shape)
            batch.values[:] = rng.normal(size=batch.values.shape) * 0.1
            batch.kept["said"] = True


def measure_cpu(
    encoding: Encoding,
    evaluator: Evaluator,
    name: str,
    games: int,
    settings: SearchSettings,
    threads: int,
    repeats: int = 3,
    clock: Clock = "wall",
) -> SearchSpeed:
    """One row on the CPU: games shared out among the threads, each with evaluations of its own."""
    from concurrent.futures import ThreadPoolExecutor

    from zerogrid.search.forest import Forest

    threads = min(threads, games)
    each = games // threads
    forests = [Forest(encoding.game, settings, each, encoding, tokens=evaluator.tokens) for _ in range(threads)]
    states = openings(encoding.game, each)

    def grow(forest: Forest, judge: Evaluator) -> tuple[int, int]:
        forest.plant(states, range(each))
        while forest.step():
            judge.evaluate(forest.batch)
        forest.settle()
        return int(forest.trees.game[:, tree.DONE].sum()), int(forest.trees.game[:, tree.ASKED].sum())

    def bare(batch: Any) -> int:
        count, until = 0, time.perf_counter() + LEAST_SECONDS
        while time.perf_counter() < until:
            evaluator.evaluate(batch)
            count += batch.rows
        return count

    batches = [empty_batch(encoding, each * settings.leaves, evaluator.tokens) for _ in range(threads)]
    for batch in batches:
        batch.planes[:] = np.random.default_rng(0).random(batch.planes.shape) < 0.3
        batch.offered[:] = max(1, batch.tokens.shape[1] // 2)
    silent = Silent(encoding, evaluator.tokens)
    best_bare = best_sims = best_evals = best_tree = 0.0
    with ThreadPoolExecutor(threads) as pool:

        def timed(work: Callable[..., Any], *given: Sequence[Any]) -> tuple[list[Any], float]:
            began, used = time.perf_counter(), time.process_time()
            done = list(pool.map(work, *given))
            wall, used = time.perf_counter() - began, (time.process_time() - used) / threads
            return done, wall if clock == "wall" else used

        for forest in forests:
            grow(forest, evaluator)
        for _ in range(repeats):
            counts, spent = timed(bare, batches)
            best_bare = max(best_bare, sum(counts) / spent)
            done, spent = timed(grow, forests, [evaluator] * threads)
            if sum(one[0] for one in done) / spent > best_sims:
                best_sims = sum(one[0] for one in done) / spent
                best_evals = sum(one[1] for one in done) / spent
        for _ in range(repeats):
            for forest in forests:
                forest.batch.kept.pop("said", None)
            done, spent = timed(grow, forests, [silent] * threads)
            best_tree = max(best_tree, sum(one[0] for one in done) / spent)
    return SearchSpeed(
        encoding.game.spec, name, "cpu", each * threads, settings.simulations, settings.leaves, threads, best_bare,
        best_sims, best_sims / best_bare, best_evals, forests[0].bytes_per_game, best_tree,
    )  # fmt: skip


def measure_card(
    encoding: Encoding,
    network: Any,
    name: str,
    games: int,
    settings: SearchSettings,
    groups: int = 2,
    repeats: int = 3,
    unroll: int = 1,
    evaluator: Any = None,
) -> SearchSpeed:
    """One row on a CUDA card. Rows that share an evaluator compile the network once for each batch size."""
    import torch

    from zerogrid.evaluators.card import CardEvaluator
    from zerogrid.search.card import CardForest, Group, grow_together

    evaluator = evaluator or CardEvaluator(network, encoding, name)
    groups = min(groups, games)
    each = games // groups
    check_room(encoding, settings, each * groups, evaluator.tokens)
    made = [
        Group(CardForest(encoding.game, settings, each, encoding, tokens=evaluator.tokens), evaluator, unroll)
        for _ in range(groups)
    ]
    states = openings(encoding.game, each)

    def search() -> None:
        for group in made:
            group.forest.begin(states, np.arange(each))
        grow_together(made, settings.simulations)

    bare = bare_on_card(evaluator, games * settings.leaves)
    search()
    best_bare = best_sims = best_evals = 0.0
    for _ in range(repeats):
        best_bare = max(best_bare, bare())
        for group in made:
            group.forest.begin(states, np.arange(each))
        torch.cuda.synchronize()
        began = time.perf_counter()
        grow_together(made, settings.simulations)
        torch.cuda.synchronize()
        spent = time.perf_counter() - began
        done = sum(int(group.forest.tensors["game"][:, tree.DONE].sum()) for group in made)
        if done / spent > best_sims:
            best_sims = done / spent
            best_evals = sum(int(group.forest.tensors["game"][:, tree.ASKED].sum()) for group in made) / spent
    return SearchSpeed(
        encoding.game.spec, name, "cuda", each * groups, settings.simulations, settings.leaves, groups, best_bare,
        best_sims, best_sims / best_bare, best_evals, made[0].forest.bytes_per_game,
    )  # fmt: skip


def check_room(encoding: Encoding, settings: SearchSettings, games: int, tokens: bool) -> None:
    """Refuse trees that a card has no memory for."""
    import torch

    from zerogrid.search.forest import capacity_for, sizes_for

    each = tree.bytes_per_game(capacity_for(encoding.game, settings, 1), sizes_for(encoding.game, encoding, tokens))
    free = MEMORY_SHARE * torch.cuda.mem_get_info()[0]
    if each * games > free:
        spec, room = encoding.game.spec, f"{free / 1e9:.1f} GB are free"
        raise ZeroGridError(f"{games:,} trees of {spec} take {each * games / 1e9:.1f} GB, and {room}.")


def bare_on_card(evaluator: Any, rows: int) -> Callable[[], float]:
    """A function that times the network alone, as a replayed graph."""
    import torch

    encoding = evaluator.encoding
    most = encoding.game.MAX_LEGAL if evaluator.tokens else 0
    planes = (torch.rand(rows, encoding.height * encoding.width, encoding.planes, device="cuda") < 0.3).half()
    tokens = torch.rand(rows, most, encoding.features, device="cuda").half()
    offered = torch.full((rows,), max(1, most // 2), dtype=torch.int32, device="cuda")
    stream: Any = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        for _ in range(3):
            evaluator.answers(planes, tokens, offered)
        stream.synchronize()
        with torch.cuda.graph(graph, stream=stream):
            kept = (*evaluator.answers(planes, tokens, offered), planes, tokens, offered)

    def timed() -> float:
        assert kept is not None  # the graph reads and writes there
        count = 10
        while True:
            with torch.cuda.stream(stream):
                stream.synchronize()
                began = time.perf_counter()
                for _ in range(count):
                    graph.replay()
                stream.synchronize()
                spent = time.perf_counter() - began
            if spent >= LEAST_SECONDS:
                return count * rows / spent
            count = int(count * max(2.0, 1.1 * LEAST_SECONDS / max(spent, 1e-6)))

    return timed
