"""zerogrid bench search: how much of its network's speed a search keeps."""

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from zerogrid.cli.inputs import Plugins, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote

CASES = (
    ("gomoku:6x6x4", "sigmago/vanilla"),
    ("gomoku:15x15x5", "zerogrid/residual"),
    ("dots_and_boxes:5x5", "dotsformer/baseline"),
    ("pawn_dama:8x8", "pawn_dama/cnn"),
    ("battlefield:7x7", "battlefield/cnn"),
    ("connect_four", "zerogrid/residual"),
)
GAMES = {"cpu": "1,64,256", "cuda": "1024,4096,16384"}
ONE_GAME_LEAVES = 8
AGAIN = 2.0  # seconds between two attempts to stop a row that takes too long
COLUMNS = (
    f"{'game':20} {'network':20} {'games':>6} {'leaves':>6} {'sims':>6} {'bare evals/s':>13} {'search sims/s':>13} "
    f"{'ratio':>6} {'trees alone':>12} {'kB/game':>9}"
)


def bench_search(
    out: Output,
    specs: Annotated[tuple[str, ...], "games; left out, the six that the targets are set for"] = (),
    *,
    device: Annotated[Literal["cpu", "cuda"], "where networks and trees are"] = "cpu",
    network: Annotated[str, "a network for all games; left out, each game's own"] = "",
    games: Annotated[str, "how many games side by side, several with commas (cpu 1,64,256; cuda 1024,4096,16384)"] = "",
    sims: Annotated[str, "simulations a move, several with commas"] = "200,800",
    leaves: Annotated[int, "leaves of one tree at a time; one game alone is measured with 1 and with 8"] = 1,
    threads: Annotated[int, "on the CPU: how many cores"] = 2,
    groups: Annotated[int, "on a card: groups of games, each on a stream of its own"] = 2,
    unroll: Annotated[int, "on a card: simulations in one recorded graph"] = 1,
    repeats: Annotated[int, "the best of so many counts"] = 3,
    clock: Annotated[Literal["wall", "processor"], "processor: count only our own time, on a busy machine"] = "wall",
    limit: Annotated[float, "seconds that a row may take, compiling included"] = 300.0,
    plot: Annotated[Path | None, "draw the figures into this .png or .svg file"] = None,
    plugin: Plugins = (),
) -> int:
    """Measure whole searches beside their bare networks, in one process and by turns: simulations and evaluations a
    second, their ratio, what the trees cost alone, and the memory of one game.

    Networks have random weights: speed does not depend on them. On the CPU it is the fastest runtime that is
    installed. A row that fails or takes too long says so, and the others go on; the exit code is then 1.

    Examples:
      zerogrid bench search gomoku:6x6x4 --games 64 --sims 200
      zerogrid bench search --plot search.png
      zerogrid bench search dots_and_boxes:5x5 --device cuda --games 1024,4096 --json
    """
    from zerogrid.core.progress import Progress
    from zerogrid.encodings import encoding
    from zerogrid.networks.registry import default_for, kind_of
    from zerogrid.search.settings import MOST_SIMULATIONS

    counts = _numbers("--games", games or GAMES[device], 1_000_000)
    budgets = _numbers("--sims", sims, MOST_SIMULATIONS)
    for name, value, most in (
        ("--leaves", leaves, 1024), ("--threads", threads, 1024), ("--groups", groups, 64), ("--unroll", unroll, 64),
        ("--repeats", repeats, 1000),
    ):  # fmt: skip
        if not 1 <= value <= most:
            raise ZeroGridError(f"{name} is a whole number from 1 to {most:,}, not {value}.")
    if not 0 < limit <= 86_400:
        raise ZeroGridError(f"--limit is a number of seconds above 0 and up to 86,400, not {quote(limit)}.")
    if plot is not None and plot.suffix not in (".png", ".svg"):
        raise ZeroGridError(f"a picture is a .png or .svg file, not {quote(plot.name)}.")
    if network:
        kind_of(network)
    own = dict(CASES)
    cases = []
    for spec in specs or own:
        game = named_game(spec, plugin)
        shown = encoding(game)
        cases.append((shown, network or own.get(spec) or default_for(_shape(shown))[0]))
    _check_device(device)
    plan = []
    for shown, name in cases:
        for count in counts:
            for several in sorted({leaves, ONE_GAME_LEAVES} if count == 1 else {leaves}):
                plan += [(shown, name, count, several, budget) for budget in budgets]
    out.text(COLUMNS)
    rows: list[dict[str, Any]] = []
    ways = {"device": device, "threads": threads, "groups": groups, "unroll": unroll, "repeats": repeats}
    made = Made(device)
    with Progress("measuring", len(plan), "rows") as progress:
        for shown, name, count, several, budget in plan:
            row = _row(made, shown, name, count, several, budget, {**ways, "clock": clock}, limit)
            rows.append(row)
            out.record(row)
            out.text(_line(row))
            progress.advance(note=shown.game.spec)
    if plot is not None:
        from zerogrid.cli.bench_plot import draw

        draw([row for row in rows if "error" not in row], plot)
        out.text(f"Drawn into {plot}.")
    return int(any("error" in row for row in rows))


class Made:
    """The network and evaluator at work: rows of the same game share them, others make room for them."""

    def __init__(self, device: str) -> None:
        import torch  # noqa: F401 - all that is imported is imported before anything may be interrupted

        import zerogrid.evaluators.openvino_cpu
        import zerogrid.evaluators.torch_cpu
        import zerogrid.networks.registry
        import zerogrid.search.forest
        import zerogrid.search.measure  # noqa: F401

        self.device = device
        self.key: tuple[str, str, int] | None = None
        self.network: Any = None
        self.evaluator: Any = None

    def get(self, shown: Any, name: str, streams: int) -> tuple[Any, Any]:
        """A network with random weights, and the fastest evaluator of it, for so many evaluations at a time."""
        key = (shown.game.spec, name, streams)
        if key != self.key:
            self.drop()
            from zerogrid.networks.registry import make

            self.network = make(name, _shape(shown)).eval()
            self.evaluator = self._evaluator(shown, name, streams)
            self.key = key
        return self.network, self.evaluator

    def _evaluator(self, shown: Any, name: str, streams: int) -> Any:
        if self.device == "cuda":
            from zerogrid.evaluators.card import CardEvaluator

            return CardEvaluator(self.network, shown, name)
        from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator, openvino_missing
        from zerogrid.evaluators.torch_cpu import TorchEvaluator

        if not openvino_missing():
            return OpenVinoEvaluator(self.network, shown, streams=streams)
        import torch

        torch.set_num_threads(1)
        return TorchEvaluator(self.network, shown)

    def drop(self) -> None:
        """Forget all, memory of a card included."""
        if self.evaluator is not None:
            self.evaluator.close()
        self.key = self.network = self.evaluator = None
        self.clean()

    def clean(self) -> None:
        """Give memory that nobody holds back to the card."""
        gc.collect()
        if self.device == "cuda":
            import torch

            torch.cuda.empty_cache()


def _row(
    made: Made, shown: Any, name: str, games: int, leaves: int, sims: int, ways: dict[str, Any], limit: float
) -> dict[str, Any]:
    """One row measured, or what went wrong with it."""
    from zerogrid.search.measure import measure_card, measure_cpu
    from zerogrid.search.settings import SearchSettings

    asked = {
        "game": shown.game.spec, "encoding": shown.spec, "network": name, "device": ways["device"], "games": games,
        "simulations": sims, "leaves": leaves, "clock": ways["clock"],
    }  # fmt: skip
    try:
        with at_most(limit):
            settings = SearchSettings(simulations=sims, leaves=leaves)
            if ways["device"] == "cuda":
                network, evaluator = made.get(shown, name, 1)
                speed = measure_card(
                    shown, network, name, games, settings, ways["groups"], ways["repeats"], ways["unroll"], evaluator
                )
                runtime = "compiled"
            else:
                threads = min(ways["threads"], games)
                evaluator = made.get(shown, name, threads)[1]
                speed = measure_cpu(
                    shown, evaluator, name, games, settings, threads, ways["repeats"], ways["clock"]
                )  # fmt: skip
                runtime = type(evaluator).__name__.removesuffix("Evaluator")
        return {**asked, **speed.record(), "runtime": runtime, "unroll": ways["unroll"]}
    except Exception as error:  # the other rows are still wanted
        made.drop()
        return {**asked, "error": f"{type(error).__name__}: {str(error).strip().splitlines()[0][:300] or 'no words'}"}
    finally:
        made.clean()


class TooLong(ZeroGridError):
    """A row took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What is inside ends with an error after so long, where the system can interrupt it.

    An error may be lost where it comes up, in a callback of the interpreter's for one; so it comes again.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooLong(f"not done after {seconds:g} s.")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # nothing more may come while this is put back
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _line(row: dict[str, Any]) -> str:
    head = f"{row['game']:20} {row['network']:20} {row['games']:6,} {row['leaves']:6} {row['simulations']:6,}"
    if "error" in row:
        return f"{head} {row['error']}"
    alone = "" if row["tree_sims_per_s"] is None else f"{row['tree_sims_per_s']:,.0f}"
    return (
        f"{head} {row['bare_evals_per_s']:13,.0f} {row['sims_per_s']:13,.0f} {row['ratio']:6.2f} {alone:>12} "
        f"{row['bytes_per_game'] / 1e3:9,.0f}"
    )


def _numbers(option: str, text: str, most: int) -> list[int]:
    found = []
    for word in text.split(","):
        if not (word.strip().isascii() and word.strip().isdigit() and 1 <= int(word) <= most):
            raise ZeroGridError(f"{option} are whole numbers from 1 to {most:,} with commas, not {quote(text)}.")
        found.append(int(word))
    return found


def _shape(shown: Any) -> Any:
    from zerogrid.evaluators.network import shape_of

    return shape_of(shown)


def _check_device(device: str) -> None:
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ZeroGridError("there is no GPU here that PyTorch can use; leave out --device cuda.")
