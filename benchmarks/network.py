"""All networks on one GPU, several ways of computing each, in one go and under eight minutes.

    python benchmarks/network.py --device cuda --json networks.jsonl [NAME ...]

Each way runs in a process of its own. Many compile side by side; whoever is ready is timed alone, while all others are
stopped. A way that fails leaves its error and the rest goes on. Before a way is timed, its answers on 256 random
positions are compared with those of the plain layers in float32 and float64.

The file holds one JSON object a line: the machine, then every way as soon as it is measured, then the best of each
network, which the last lines on the terminal show as a table beside what is asked for.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from one_at_a_time import Child, report, run

COMPILED = {"own_attention": False, "own_rows": False, "one_kernel_convs": False}
PLAIN_WAY = {**COMPILED, "compiled": False}
CONV_WAYS = {
    "compiled": COMPILED,
    "compiled, cudnn sums": {**COMPILED, "one_kernel_convs": True},
    "cudnn sums": {**COMPILED, "one_kernel_convs": True, "compiled": False},
}
OWN = {"own attention and rows": {"one_kernel_convs": False}}
ATTENTION_WAYS = {**OWN, "own attention": {"own_rows": False, "one_kernel_convs": False}, "compiled sdpa": COMPILED}
OTHER_WAYS = {"plain": PLAIN_WAY, "compiled flex": {**COMPILED, "flex": True}}
MIXED_WAYS = {**ATTENTION_WAYS, "own, cudnn sums": {"one_kernel_convs": True}}
SMALL = {"own attention": {"own_rows": False, "one_kernel_convs": False}, "compiled sdpa": COMPILED}
ERRORS = {"policy_error": 0.02, "value_error": 0.02}  # more than that and the fast path is not the same network


@dataclass
class Job:
    """One network computed in one way."""

    network: str
    board: str
    way: str
    options: dict[str, bool]
    batch: int
    tokens: int = 0
    target: float = 0.0  # evaluations a second asked for, in millions
    device: str = "cuda"

    @property
    def title(self) -> str:
        tokens = f" {self.tokens} tokens" if self.tokens else ""
        return f"{self.network} {self.board}{tokens} x{self.batch} [{self.way}]"


def jobs() -> list[Job]:
    """Everything there is to measure: what is asked for first, the slowest to compile first among that."""
    made = []

    def add(network, board, ways, batches, target=0.0, tokens=0):  # type: ignore[no-untyped-def]
        for place, (way, options) in enumerate(ways.items()):
            for batch in batches if place == 0 else batches[:1]:  # only the way thought best at every batch
                made.append(Job(network, board, way, options, batch, tokens, target))

    add("sigmago/resnet", "gomoku 6x6", CONV_WAYS, [4096, 16384], 0.29)
    add("dotsformer/tr", "dots 5x5", MIXED_WAYS, [4096, 2048, 8192], 0.60)
    add("battlefield/transformer-actions", "battlefield 7x7", ATTENTION_WAYS, [8192, 4096, 16384], 0.60, 81)
    add("battlefield/transformer", "battlefield 7x7", ATTENTION_WAYS, [16384, 8192, 32768], 1.65)
    add("sigmago/hybrid", "gomoku 6x6", SMALL, [16384, 32768], 5.0)
    add("pawn_dama/cnn", "pawn dama 5x5", CONV_WAYS, [16384, 32768], 3.4)
    add("battlefield/cnn", "battlefield 7x7", CONV_WAYS, [32768, 8192], 8.0)
    add("sigmago/vanilla", "gomoku 6x6", CONV_WAYS, [65536, 16384], 25.0)
    add("dotsformer/multiscale2-topo", "dots 5x5 chainloop6", MIXED_WAYS, [4096])
    add("dotsformer/multiscale4-topo", "dots 5x5 chainloop6", OWN, [4096])
    add("dotsformer/linear-notopo", "dots 5x5 chainloop6", OWN, [4096])
    add("dotsformer/rt", "dots 5x5", OWN, [4096])
    add("dotsformer/tt", "dots 5x5", OWN, [4096])
    add("dotsformer/baseline", "dots 5x5", CONV_WAYS, [4096])
    add("battlefield/transformer-actions", "battlefield 7x7", OWN, [8192], tokens=48)
    add("battlefield/transformer-cross", "battlefield 7x7", OWN, [8192], tokens=81)
    add("zerogrid/transformer", "gomoku 6x6", ATTENTION_WAYS, [8192])
    add("zerogrid/transformer", "gomoku 15x15", OWN, [1024])
    add("zerogrid/residual", "gomoku 6x6", CONV_WAYS, [8192])
    add("zerogrid/residual", "dots 5x5", CONV_WAYS, [4096])
    add("zerogrid/residual", "pawn dama 5x5", {"compiled": COMPILED}, [8192])
    add("pawn_dama/residual-compact", "pawn dama 5x5 compact", {"compiled": COMPILED}, [8192])
    add("sigmago/temporal", "gomoku 6x6 history", SMALL, [8192])
    add("sigmago/dual", "gomoku 6x6 history", SMALL, [8192])
    add("dotsformer/tr", "dots 5x5", OTHER_WAYS, [4096], 0.60)
    add("battlefield/transformer-actions", "battlefield 7x7", OTHER_WAYS, [8192], 0.60, 81)
    add("battlefield/transformer", "battlefield 7x7", OTHER_WAYS, [16384], 1.65)
    add("sigmago/vanilla", "gomoku 6x6", {"plain": PLAIN_WAY}, [65536], 25.0)
    for network, board, ways, target, tokens in (  # latency of one position, compiled
        ("sigmago/vanilla", "gomoku 6x6", {"compiled": COMPILED}, 25.0, 0),
        ("sigmago/hybrid", "gomoku 6x6", SMALL, 5.0, 0),
        ("pawn_dama/cnn", "pawn dama 5x5", {"compiled": COMPILED}, 3.4, 0),
        ("battlefield/cnn", "battlefield 7x7", {"compiled": COMPILED}, 8.0, 0),
        ("battlefield/transformer", "battlefield 7x7", OWN, 1.65, 0),
        ("battlefield/transformer-actions", "battlefield 7x7", OWN, 0.60, 81),
        ("dotsformer/tr", "dots 5x5", OWN, 0.60, 0),
        ("sigmago/resnet", "gomoku 6x6", {"compiled": COMPILED}, 0.29, 0),
    ):
        add(network, board, ways, [1], target, tokens)
    return made


def shape_of(board: str):  # type: ignore[no-untyped-def]
    from zerogrid.networks import boards

    return {
        "gomoku 6x6": lambda: boards.gomoku(6, 6),
        "gomoku 15x15": lambda: boards.gomoku(15, 15),
        "gomoku 6x6 history": lambda: boards.gomoku(6, 6, 4, 5),
        "dots 5x5": lambda: boards.dots_and_boxes(5, 5),
        "dots 5x5 chainloop6": lambda: boards.dots_and_boxes(5, 5, "chainloop6"),
        "battlefield 7x7": boards.battlefield,
        "pawn dama 5x5": lambda: boards.pawn_dama(5, 5),
        "pawn dama 5x5 compact": lambda: boards.pawn_dama(5, 5, compact=True),
    }[board]()


def flex(qkv, heads, bias, keep, keys):  # type: ignore[no-untyped-def]
    """FlexAttention in the place of `Attend`, to compare."""
    from torch.nn.attention.flex_attention import flex_attention

    from zerogrid.networks.attend import HIDDEN, join_heads, split_heads

    q, k, v = split_heads(qkv, heads)
    k, v = k[:, :, :keys], v[:, :, :keys]

    def change(score, board, head, query, key):  # type: ignore[no-untyped-def]
        if bias is not None:
            score = score + bias[head, query, key]
        if keep is not None:
            import torch

            score = torch.where(keep[board, key], score, HIDDEN)
        return score

    return join_heads(flex_attention(q, k, v, score_mod=change if bias is not None or keep is not None else None))


def child(job: Job) -> None:
    """Build and compile, say so, wait for the word, time, report."""
    from zerogrid.networks.attend import Attend
    from zerogrid.networks.blocks import parameters
    from zerogrid.networks.counting import multiply_adds
    from zerogrid.networks.fast import Way
    from zerogrid.networks.measure import Measured

    options = dict(job.options)
    use_flex = options.pop("flex", False)
    measured = Measured(job.network, shape_of(job.board), job.batch, job.device, Way(**options), job.tokens)
    layers, attention = multiply_adds(measured.network, job.tokens)
    if use_flex:
        for part in measured.fast._net.modules():
            if isinstance(part, Attend):
                part.compute = flex
    measured.warm_up()

    def work() -> Iterator[dict[str, Any]]:
        speed = measured.time(0.6)
        yield {
            **asdict(job),
            "parameters": parameters(measured.network),
            "gmacs": round(layers / 1e9, 6),
            "attention_gmacs": round(attention / 1e9, 6),
            **asdict(speed),
            "evaluations_per_second": round(speed.evaluations_per_second),
            "agrees": all(getattr(speed, name) < most for name, most in ERRORS.items()),
        }

    report(work)


def latency_child(device: str, seconds: float) -> None:
    """Latency of one position for each network, in a CUDA graph, its layers as they are and with our own kernels."""
    from zerogrid.networks.fast import PLAIN, best_way
    from zerogrid.networks.measure import Measured
    from zerogrid.networks.registry import make

    end = time.monotonic() + seconds
    wanted = {(job.network, job.board): job.tokens for job in jobs()}
    ready = []
    for (network, board), tokens in wanted.items():
        ways = {PLAIN, replace(best_way(make(network, shape_of(board)), device), compiled=False)}
        for way in ways:
            if time.monotonic() > end:
                break
            try:
                measured = Measured(network, shape_of(board), 1, device, way, tokens)
                measured.warm_up()
                ready.append((network, board, measured))
            except Exception as error:  # one network less; the others are still worth knowing
                print(f"{network} {board}: {type(error).__name__}: {error}", file=sys.stderr)

    def work() -> Iterator[dict[str, Any]]:
        for network, board, measured in ready:
            try:
                yield {"network": network, "board": board, "latency": measured.time(0.05).seconds}
            except Exception as error:
                print(f"{network} {board}: {type(error).__name__}: {error}", file=sys.stderr)

    report(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="networks; all when none is named")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--json", default="networks.jsonl", help="the file to write, one JSON object a line")
    parser.add_argument("--minutes", type=float, default=6.5, help="no way is begun or waited for after that")
    parser.add_argument("--limit", type=float, default=180, help="seconds a way may take to compile")
    parser.add_argument("--workers", type=int, default=max(1, min(14, (os.cpu_count() or 2) - 2)))
    parser.add_argument("--only", metavar="WORD", default="", help="only ways with this word in their title")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child and given.child.startswith("latency "):
        latency_child(given.child.split()[1], given.limit)
        return
    if given.child:
        child(Job(**json.loads(given.child)))
        return
    chosen = [job for job in jobs() if not given.names or job.network in given.names]
    if given.device == "cpu":
        first = {(job.network, job.board, job.tokens): job for job in reversed(chosen)}.values()
        chosen = [replace(job, device="cpu", way="plain", options=PLAIN_WAY, batch=64, target=0.0) for job in first]
    chosen = [job for job in chosen if given.only in job.title]
    if not chosen:
        parser.error(f"none of {', '.join([*given.names, given.only])} is measured here")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    measure(chosen, Path(given.json), given)


def machine(device: str) -> dict[str, object]:
    """What was measured on."""
    import platform

    import torch

    name = torch.cuda.get_device_name() if device == "cuda" else platform.processor() or platform.machine()
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    return {"machine": name, "torch": torch.__version__, "python": platform.python_version(), "when": when}


def measure(chosen: list[Job], out: Path, given: argparse.Namespace) -> None:
    """All of them; every result is written down and shown at once."""
    out.parent.mkdir(exist_ok=True, parents=True)
    out.write_text("")
    write(out, machine(given.device))
    command = [sys.executable, str(Path(__file__).resolve()), "--limit", str(given.limit), "--child"]
    children = [Child(job.title, [*command, json.dumps(asdict(job))], given.limit) for job in chosen]
    if not given.names and not given.only:
        # second in line, so that it is ready in time and yet does not hold up the slowest to compile
        children.insert(1, Child("latency", [*command, f"latency {given.device}"], given.limit + 60))
    # Every child compiles on one core. They share what Triton has compiled, which locks nothing.
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1", "OMP_NUM_THREADS": "1"}
    results: list[dict[str, Any]] = []
    began = time.monotonic()
    for result in run(children, given.workers, given.minutes, environment):
        if not result:
            continue
        write(out, result)
        seconds = f"{time.monotonic() - began:4.0f} s"
        if "failed" in result:
            tail = "".join(f"\n    {text[:300]}" for text in result["log"].strip().splitlines()[-5:])
            print(f"{seconds}  {result['failed']}: FAILED, {result['why']}{tail}", flush=True)
            continue
        results.append(result)
        if "evaluations_per_second" in result:
            wrong = "" if result["agrees"] else f" WRONG by {result['policy_error']:.4f}, {result['value_error']:.4f}"
            title = Job(**{name: result[name] for name in Job.__dataclass_fields__}).title
            print(f"{seconds}  {title}: {result['evaluations_per_second'] / 1e6:.3f} M/s{wrong}", flush=True)
    for row in best(results):
        write(out, row)
    table(best(results))


def write(out: Path, row: dict[str, Any]) -> None:
    """One more line."""
    with out.open("a") as file:
        file.write(json.dumps(row) + "\n")


def best(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fastest way of each network that answers right, with its latency for one position."""
    latency: dict[tuple[str, str], float] = {}
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for result in results:
        where = (result["network"], result["board"])
        if "latency" in result or result["batch"] == 1:
            seconds = result.get("latency", result.get("seconds"))
            latency[where] = min(seconds, latency.get(where, seconds))
            continue
        if not result["agrees"]:
            continue
        key = (result["network"], result["board"], result["tokens"])
        if key not in found or result["evaluations_per_second"] > found[key]["evaluations_per_second"]:
            found[key] = result
    return [
        {"best": True, **result, "latency": latency.get((network, board))}
        for (network, board, _), result in found.items()
    ]


def table(rows: list[dict[str, Any]]) -> None:
    """The best of each network, beside what is asked for."""
    heads = f"{'parameters':>10} {'GMACs':>7} {'M evals/s':>9} {'asked':>6} {'batch 1':>9}"
    print(f"\n{'network':34} {'board':22} tokens {heads}  way")
    for row in rows:
        one = f"{row['latency'] * 1e6:6.0f} us" if row["latency"] else ""
        asked = f"{row['target']:6.2f}" if row["target"] else ""
        rate, size = row["evaluations_per_second"] / 1e6, row["gmacs"] + row["attention_gmacs"]
        numbers = f"{row['parameters']:10,} {size:7.4f} {rate:9.3f} {asked:>6} {one:>9}"
        print(f"{row['network']:34} {row['board']:22} {row['tokens']:6} {numbers}  {row['way']}, batch {row['batch']}")


if __name__ == "__main__":
    main()
