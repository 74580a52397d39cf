"""All networks on one GPU, several ways of computing each, in one go and under five minutes.

    python benchmarks/network.py --out network.json [NAME ...]

Each way runs in a process of its own. Many compile side by side; whoever is ready is timed alone, while all others are
stopped. A way that fails prints its error and the rest goes on. The last lines are a table: evaluations a second,
beside what is asked for.
"""

import argparse
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

COMPILED = {"own_attention": False, "own_rows": False}
CONV_WAYS = {
    "compiled": COMPILED,
    "compiled, cudnn sums": {**COMPILED, "one_kernel_convs": True},
    "cudnn sums": {**COMPILED, "one_kernel_convs": True, "compiled": False},
}
ATTENTION_WAYS = {
    "plain": {**COMPILED, "compiled": False},
    "compiled sdpa": COMPILED,
    "compiled flex": {**COMPILED, "flex": True},
    "own attention": {"own_rows": False},
    "own attention, tuned": {"own_rows": False, "tuned": True},
    "own attention and rows": {},
}
MIXED_WAYS = {**ATTENTION_WAYS, "own, cudnn sums": {"one_kernel_convs": True}}
MIXED_WAYS.pop("own attention, tuned")
SMALL = {"plain": ATTENTION_WAYS["plain"], "compiled sdpa": COMPILED, "own attention": {"own_rows": False}}


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
        return f"{self.network} {self.board} x{self.batch} [{self.way}]"


def jobs() -> list[Job]:
    """Everything there is to measure, the slowest to compile first."""
    made = []

    def add(network, board, ways, batches, target, tokens=0):  # type: ignore[no-untyped-def]
        for way, options in ways.items():
            for batch in batches if way in ("compiled", "own attention and rows", "own attention") else batches[:1]:
                made.append(Job(network, board, way, options, batch, tokens, target))

    add("sigmago/resnet", "gomoku 6x6", CONV_WAYS, [4096], 0.29)
    add("dotsformer/tr", "dots 5x5", MIXED_WAYS, [2048, 8192], 0.60)
    add("dotsformer/multiscale2-topo", "dots 5x5 chainloop6", MIXED_WAYS, [4096], 0.0)
    add("dotsformer/multiscale4-topo", "dots 5x5 chainloop6", {"own attention and rows": {}}, [4096], 0.0)
    add("dotsformer/tt", "dots 5x5", {"own attention and rows": {}}, [4096], 0.0)
    add("dotsformer/baseline", "dots 5x5", CONV_WAYS, [4096], 0.0)
    add("battlefield/transformer-actions", "battlefield 7x7", ATTENTION_WAYS, [4096, 16384], 0.60, 81)
    add("battlefield/transformer-actions", "battlefield 7x7", {"own attention and rows": {}}, [8192], 0.0, 48)
    add("battlefield/transformer-cross", "battlefield 7x7", {"own attention and rows": {}}, [8192], 0.0, 81)
    add("battlefield/transformer", "battlefield 7x7", ATTENTION_WAYS, [4096, 16384], 1.65)
    add("zerogrid/transformer", "gomoku 15x15", {"own attention and rows": {}}, [1024], 0.0)
    add("zerogrid/transformer", "gomoku 6x6", {"compiled sdpa": COMPILED, "own attention and rows": {}}, [8192], 0.0)
    add("sigmago/hybrid", "gomoku 6x6", SMALL, [8192, 32768], 5.0)
    add("sigmago/temporal", "gomoku 6x6 history", SMALL, [8192], 0.0)
    add("sigmago/dual", "gomoku 6x6 history", SMALL, [8192], 0.0)
    add("zerogrid/residual", "gomoku 6x6", CONV_WAYS, [8192], 0.0)
    add("zerogrid/residual", "dots 5x5", CONV_WAYS, [4096], 0.0)
    add("pawn_dama/cnn", "pawn dama 5x5", CONV_WAYS, [8192, 32768], 3.4)
    add("battlefield/cnn", "battlefield 7x7", CONV_WAYS, [8192, 32768], 8.0)
    add("sigmago/vanilla", "gomoku 6x6", CONV_WAYS, [8192, 65536], 25.0)
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
    from zerogrid.networks.fast import Way
    from zerogrid.networks.measure import Measured

    options = dict(job.options)
    use_flex = options.pop("flex", False)
    measured = Measured(job.network, shape_of(job.board), job.batch, job.device, Way(**options), job.tokens)
    if use_flex:
        for part in measured.fast._net.modules():
            if isinstance(part, Attend):
                part.compute = flex
    measured.warm_up()
    print("READY", flush=True)
    sys.stdin.readline()
    speed = measured.time(0.6)
    print("RESULT " + json.dumps({**asdict(speed), "rate": speed.evaluations_per_second}), flush=True)


def latency_child(device: str) -> None:
    """Latency of one position, each network as it is laid out without compiling, in a CUDA graph."""
    from zerogrid.networks.fast import PLAIN
    from zerogrid.networks.measure import Measured

    wanted = {(job.network, job.board): job.tokens for job in jobs()}
    ready = []
    for (network, board), tokens in wanted.items():
        with contextlib.suppress(Exception):
            measured = Measured(network, shape_of(board), 1, device, PLAIN, tokens)
            measured.warm_up()
            ready.append((network, board, measured))
    print("READY", flush=True)
    sys.stdin.readline()
    found = {f"{network} {board}": measured.time(0.05).seconds for network, board, measured in ready}
    print("RESULT " + json.dumps({"latency": found}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="networks; all when none is named")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--out", default="network.json")
    parser.add_argument("--minutes", type=float, default=4.7)
    parser.add_argument("--workers", type=int, default=max(1, min(14, (os.cpu_count() or 2) - 2)))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child and given.child.startswith("latency "):
        latency_child(given.child.split()[1])
    elif given.child:
        child(Job(**json.loads(given.child)))
    else:
        chosen = [job for job in jobs() if not given.names or job.network in given.names]
        if given.device == "cpu":
            plain = {**COMPILED, "compiled": False}
            first = {(job.network, job.board, job.tokens): job for job in chosen}.values()
            chosen = [replace(job, device="cpu", way="plain", options=plain, batch=64, target=0.0) for job in first]
        run_all(chosen, Path(given.out), given.minutes, given.workers)


def run_all(chosen: list[Job], out: Path, minutes: float, workers: int) -> None:
    deadline = time.monotonic() + 60 * minutes
    waiting: list[Job | None] = [*chosen[:1], None, *chosen[1:]]
    running: dict[int, tuple[Job | None, subprocess.Popen[str], Path]] = {}
    results: list[dict[str, object]] = []
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1", "OMP_NUM_THREADS": "1"}
    logs = Path(tempfile.mkdtemp(prefix="network-logs-"))
    out.parent.mkdir(exist_ok=True, parents=True)
    number = 0
    while (waiting or running) and time.monotonic() < deadline:
        while waiting and len(running) < workers:
            job = waiting.pop(0)
            number += 1
            log = logs / f"{number}.txt"
            argument = f"latency {chosen[0].device}" if job is None else json.dumps(asdict(job))
            process = subprocess.Popen(
                [sys.executable, __file__, "--child", argument], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=log.open("w"), text=True, bufsize=1, env=environment,
            )  # fmt: skip
            running[process.stdout.fileno()] = (job, process, log)  # type: ignore[union-attr]
        for handle in select.select(list(running), [], [], 1.0)[0]:
            job, process, log = running.pop(handle)
            line = process.stdout.readline()  # type: ignore[union-attr]
            title = "latency" if job is None else job.title
            if line.startswith("READY"):
                result = timed_alone(process, [other for _, other, _ in running.values()])
                if result is not None:
                    results.append({"job": None if job is None else asdict(job), **result})
                    out.write_text(json.dumps(results, indent=1))
                    rate = result.get("rate")
                    shown = f"{rate / 1e6:.3f} M/s" if isinstance(rate, float) else "done"
                    wrong = f"error {result['policy_error']:.4f}" if "policy_error" in result else ""
                    print(f"{title}: {shown} {wrong}", flush=True)
                    continue
            elif line:  # some library's chatter
                running[handle] = (job, process, log)
                continue
            process.kill()
            process.wait()
            tail = [text[:300] for text in log.read_text().strip().splitlines()[-5:]]
            results.append({"failed": title, "log": log.read_text()[-6000:]})
            out.write_text(json.dumps(results, indent=1))
            print(f"{title}: FAILED\n    " + "\n    ".join(tail), flush=True)
    for job, process, _ in running.values():
        process.kill()
        print(f"out of time: {'latency' if job is None else job.title}")
    for job in waiting:
        print(f"out of time: {'latency' if job is None else job.title}")
    table(results)


def timed_alone(process: "subprocess.Popen[str]", others: "list[subprocess.Popen[str]]") -> dict[str, object] | None:
    """Stop everyone else, let this one measure, let the others go on."""
    for other in others:
        other.send_signal(signal.SIGSTOP)
    try:
        time.sleep(0.05)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write("go\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
        end = time.monotonic() + 30
        while time.monotonic() < end and select.select([process.stdout], [], [], end - time.monotonic())[0]:
            line = process.stdout.readline()  # type: ignore[union-attr]
            if line.startswith("RESULT "):
                found: dict[str, object] = json.loads(line[7:])
                process.wait(timeout=20)
                return found
            if not line:
                return None
        return None
    finally:
        for other in others:
            other.send_signal(signal.SIGCONT)


def table(results: list[dict[str, object]]) -> None:
    """The best of each network, beside what is asked for."""
    best: dict[tuple[str, str, int], tuple[float, str, int, float]] = {}
    latency: dict[str, float] = {}
    for result in results:
        if "failed" in result:
            continue
        job = result["job"]
        if not isinstance(job, dict):
            latency = result["latency"]  # type: ignore[assignment]
            continue
        key = (job["network"], job["board"], job["tokens"])
        rate = float(result["rate"])  # type: ignore[arg-type]
        if key not in best or rate > best[key][0]:
            best[key] = (rate, job["way"], job["batch"], job["target"])
    print(f"\n{'network':34} {'board':20} tokens {'M evals/s':>9} {'asked':>6} {'batch 1':>8}  way")
    for (network, board, tokens), (rate, way, batch, target) in best.items():
        single = latency.get(f"{network} {board}")
        one = f"{single * 1e6:5.0f} us" if single else ""
        asked = f"{target:6.2f}" if target else ""
        print(f"{network:34} {board:20} {tokens:6} {rate / 1e6:9.3f} {asked:>6} {one:>8}  {way}, batch {batch}")


if __name__ == "__main__":
    main()
