"""Events for TensorBoard, written by ourselves: records of a length, its checksum, an event, its checksum.

    zerogrid train ... && tensorboard --logdir runs

The file is made from metrics.jsonl when a run begins or goes on, and grows by the scalars of an iteration each time; so
it is never ahead of the run. An event is a protocol buffer with a time (field 1), a step (2) and a summary (5), whose
values (1) have a tag (1) and a number (2). See tensorflow/core/util/event.proto and lib/io/record_writer.
"""

import struct
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from zerogrid.training import disk
from zerogrid.training.events import Began, Event, IterationDone
from zerogrid.training.journal import TIMINGS, read_lines

NAME = "events.out.tfevents.0000000000.zerogrid"
GROUPS = {
    "loss": ("loss", "policy_loss", "value_loss", "initiative_loss", "classes_loss", "reg_loss"),
    "learner": ("lr", "gradient", "kl", "policy_entropy", "target_entropy", "value_spread", "steps"),
    "selfplay": ("games", "positions", "distinct_games", "mean_plies", "simulations", "buffer", "resign_value"),
}


class TensorBoard:
    """A listener that writes events."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self.path = run / NAME

    def __call__(self, event: Event) -> None:
        if isinstance(event, Began):
            times = {told.get("iteration"): seconds_of(told) for told in read_lines(self.run / TIMINGS)}
            records = [record(b"\x1a\x0dbrain.Event:2" + double(1, 0.0))]
            for metrics in read_lines(self.run / "metrics.jsonl"):
                iteration = metrics["iteration"]
                records.append(record(event_of(iteration, times.get(iteration, 0.0), scalars(metrics))))
            disk.write_file(self.path, b"".join(records))
        elif isinstance(event, IterationDone):
            told = scalars(event.metrics) | {f"time/{name}": value for name, value in rates(event.timings).items()}
            disk.append_to(self.path, record(event_of(event.iteration, seconds_of(event.timings), told)))


def scalars(metrics: dict[str, Any]) -> dict[str, float]:
    """The numbers of an iteration by their tags."""
    found = {f"{group}/{name}": metrics[name] for group, names in GROUPS.items() for name in names if name in metrics}
    gate, exam = metrics.get("gate"), metrics.get("exam")
    if gate and gate["kind"] != "always":
        played = max(1, gate["wins"] + gate["draws"] + gate["losses"])
        found["gate/score"] = (gate["wins"] + gate["draws"] / 2) / played
        found["gate/promoted"] = float(gate["promoted"])
    if exam:
        found |= {f"exam/{name}": exam[name] for name in ("error_rate", "raw_error_rate") if exam.get(name) is not None}
        for name, (wins, draws, losses) in exam["scores"].items():
            if "@" not in name:
                found[f"exam/{name}"] = (wins + draws / 2) / max(1, wins + draws + losses)
    if "search_from" in metrics.get("curriculum", {}):
        found["curriculum/search_from"] = metrics["curriculum"]["search_from"]
    return {tag: float(value) for tag, value in found.items() if isinstance(value, int | float)}


def rates(timings: dict[str, Any]) -> dict[str, float]:
    """How fast it went."""
    play = timings.get("play_s", 0.0)
    names = ("seconds", "play_s", "learn_s", "gate_s")
    found: dict[str, float] = {name: float(timings[name]) for name in names if name in timings}
    if play > 0:
        found["games_per_s"] = timings.get("games", 0) / play
        found["simulations_per_s"] = timings.get("simulations", 0) / play
    return found


def seconds_of(timings: dict[str, Any]) -> float:
    """When an iteration was done, in seconds since 1970."""
    try:
        return datetime.fromisoformat(str(timings.get("at"))).timestamp()
    except ValueError:
        return 0.0


# --- the format -----------------------------------------------------------------------------------------------------


def event_of(step: int, at: float, values: dict[str, float]) -> bytes:
    """An event with scalars."""
    summary = b"".join(
        part(1, part(1, tag.encode()) + b"\x15" + struct.pack("<f", value)) for tag, value in values.items()
    )
    return double(1, at) + b"\x10" + varint(step) + part(5, summary)


def double(field: int, value: float) -> bytes:
    """A field with a 64-bit number."""
    return varint(field << 3 | 1) + struct.pack("<d", value)


def part(field: int, content: bytes) -> bytes:
    """A field with bytes."""
    return varint(field << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """A whole number from 0, seven bits a byte."""
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def record(content: bytes) -> bytes:
    """Length, checksum, content, checksum."""
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", masked(length)) + content + struct.pack("<I", masked(content))


def masked(content: bytes) -> int:
    """CRC-32C, turned and shifted as the format wants it."""
    table, crc = _table(), 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    made = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ 0x82F63B78 if value & 1 else value >> 1
        made.append(value)
    return tuple(made)
