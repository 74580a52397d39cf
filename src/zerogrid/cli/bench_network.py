"""zerogrid bench network: how fast networks are here, beside what their papers print."""

from collections.abc import Callable
from typing import Annotated, Any

from zerogrid.cli.output import Output
from zerogrid.core.errors import BadNetwork, ZeroGridError, nearest, quote

BATCHES = {"cpu": (1, 16, 64, 256), "cuda": (1, 4096, 16384)}
Timed = Callable[[float], float]  # seconds to measure for -> seconds a batch


def bench_network(
    out: Output,
    names: Annotated[tuple[str, ...], "networks, such as sigmago/vanilla; left out, all"] = (),
    *,
    device: Annotated[str, "cpu or cuda"] = "cpu",
    seconds: Annotated[float, "how long each figure is measured"] = 0.3,
    threads: Annotated[int, "on the CPU: how many cores to use"] = 1,
) -> None:
    """Measure networks: parameters, multiply-adds, latency of one position, evaluations a second at the best batch.

    On the CPU each is computed by PyTorch and by OpenVINO, and the better one counts. On a GPU it is the fast path
    (half precision, compiled, in a CUDA graph), which takes about a minute a network to compile.

    Examples:
      zerogrid bench network sigmago/vanilla battlefield/cnn
      zerogrid bench network --device cuda
      zerogrid bench network dotsformer/baseline --json
    """
    import torch

    from zerogrid.core.progress import Progress
    from zerogrid.networks.published import CASES

    known = list(dict.fromkeys(case.network for case in CASES))
    for name in names:
        if name not in known:
            raise BadNetwork(f"there is no network {quote(name)}; there are {', '.join(known)}.{nearest(name, known)}")
    if device not in BATCHES:
        raise ZeroGridError(f"the device is cpu or cuda, not {quote(device)}.")
    if not 0 < seconds <= 60:
        raise ZeroGridError(f"--seconds is a number above 0 and up to 60, not {quote(seconds)}.")
    if device == "cuda" and not torch.cuda.is_available():
        raise ZeroGridError("there is no GPU here that PyTorch can use; leave out --device cuda.")
    if not 1 <= threads <= 256:
        raise ZeroGridError(f"--threads is a whole number from 1 to 256, not {threads}.")
    torch.set_num_threads(threads)
    chosen = [case for case in CASES if not names or case.network in names]
    out.text(HEAD)
    with Progress("measuring", total=len(chosen), unit="networks") as progress:
        for case in chosen:
            row = measured(case, device, seconds, threads)
            out.record(row)
            out.text(line(row))
            progress.advance(note=case.network)
    out.text(FOOT)


def measured(case: Any, device: str, seconds: float, threads: int) -> dict[str, Any]:
    """One network's figures."""
    from zerogrid.networks.blocks import parameters
    from zerogrid.networks.counting import multiply_adds
    from zerogrid.networks.registry import make

    network = make(case.network, case.shape, **dict(case.settings)).eval()
    layers, attention = multiply_adds(network, case.tokens)
    latency: tuple[float, str] | None = None
    best: tuple[float, int, str] | None = None
    for batch in BATCHES[device]:
        for way, taken in ways(network, case, device, batch, threads, seconds).items():
            if batch == 1:
                latency = min(latency or (taken, way), (taken, way))
            best = max(best or (0.0, 0, ""), (batch / taken, batch, way))
    assert latency is not None
    assert best is not None
    return {
        "network": case.network, "board": case.board, "settings": dict(case.settings), "device": device,
        "parameters": parameters(network), "gmacs": layers / 1e9, "attention_gmacs": attention / 1e9,
        "latency": latency[0], "latency_by": latency[1], "evaluations_per_second": best[0], "batch": best[1],
        "by": best[2], "source": case.source, "published_parameters": case.parameters or None,
        "published_gmacs": case.gmacs or None, "published_latency": case.milliseconds / 1000 or None,
        "asked_on_h200": case.asked or None,
    }  # fmt: skip


def ways(network: Any, case: Any, device: str, batch: int, threads: int, seconds: float) -> dict[str, float]:
    """Seconds for a batch by each way of computing it."""
    from zerogrid.networks.measure import Measured

    name, settings = case.network, dict(case.settings)
    plain = Measured(name, case.shape, batch, device, tokens=case.tokens, settings=settings)
    plain.warm_up()
    found = {"PyTorch" if device == "cpu" else "fast path": plain.time(seconds).seconds}
    if device == "cpu":
        taken = _by_openvino(network, case, batch, threads, seconds)
        if taken is not None:
            found["OpenVINO"] = taken
    return found


def _by_openvino(network: Any, case: Any, batch: int, threads: int, seconds: float) -> float | None:
    """OpenVINO as it computes by default here: in bfloat16 where the processor has it."""
    try:
        import openvino
    except ImportError:
        return None
    from zerogrid.networks.counting import example
    from zerogrid.networks.measure import clock
    from zerogrid.networks.openvino_export import openvino_model

    model = openvino_model(network, batch, case.tokens or None)
    compiled = openvino.Core().compile_model(
        model, "CPU", {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    )
    given = [part.contiguous().numpy() for part in example(case.shape, batch, case.tokens, network.needs_tokens)]
    request = compiled.create_infer_request()
    request.infer(given)
    return clock(lambda: request.infer(given, share_inputs=True), seconds)


HEAD = (
    f"{'network':30} {'board':22} {'parameters':>11} {'GMACs':>7} {'batch 1':>9} {'evals/s':>11} {'batch':>6} {'by':10}"
    f" {'printed:':>10} {'GFLOPs':>7} {'latency':>8} {'asked, H200':>12}"
)
FOOT = (
    "\nGMACs are those of convolutions and linear layers, as paper 2 counts its FLOPs. Printed figures are from the\n"
    "papers' own hardware; what is asked on an H200 is met or not in docs/networks/speed.md."
)


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    extra = "".join(f" {'+' if value else '-'}{key}" for key, value in row["settings"].items())
    printed = row["published_parameters"]
    shown = "" if not printed else f"{printed:,.0f}" if printed != round(printed, -4) else f"{printed / 1e6:.2f} M"
    flops = f"{row['published_gmacs']:.3f}" if row["published_gmacs"] else ""
    slow = f"{1000 * row['published_latency']:.2f} ms" if row["published_latency"] else ""
    asked = f"{row['asked_on_h200']:,.0f}" if row["asked_on_h200"] else ""
    return (
        f"{row['network']:30} {row['board'] + extra:22} {row['parameters']:>11,} {row['gmacs']:7.4f}"
        f" {1000 * row['latency']:6.2f} ms {row['evaluations_per_second']:11,.0f} {row['batch']:6} {row['by']:10}"
        f" {shown:>10} {flops:>7} {slow:>8} {asked:>12}"
    )
