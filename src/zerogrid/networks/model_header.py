"""The header of a model file, read without trust: every size is bounded before anything is made from it.

A model file is one safetensors file: eight bytes with the length of the header, the header in JSON, the numbers. What
safetensors leaves open is closed here: the header has 1 MB and 10,000 tensors at most, only two kinds of number, no
holes, no overlaps, no name twice, and the numbers end where the file ends.
"""

import json
from dataclasses import dataclass
from typing import Any

from zerogrid.core.errors import BadModelFile, quote

LARGEST_HEADER = 1_000_000
MOST_TENSORS = 10_000
LARGEST_FILE = 1 << 32
DEEPEST = 16
KINDS = {"F32": 4, "I64": 8}


@dataclass(frozen=True)
class Entry:
    """Where the numbers of one tensor lie."""

    name: str
    kind: str
    shape: tuple[int, ...]
    start: int
    end: int


def header_length(first: bytes, file_size: int, where: str) -> int:
    """The length of the header, from the first eight bytes."""
    if len(first) < 8:
        raise BadModelFile(f"{where} is not a model file: it has {len(first)} bytes.")
    length = int.from_bytes(first, "little")
    if not 2 <= length <= min(LARGEST_HEADER, file_size - 8):
        raise BadModelFile(f"{where} is not a model file: its header cannot have {length} bytes.")
    return length


def parse_header(raw: bytes, data_size: int, where: str) -> tuple[dict[str, Any], list[Entry]]:
    """(what ZeroGrid wrote about the model, the tensors in the order of the file)."""
    header = parse_object(raw, where)
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or set(metadata) != {"zerogrid"} or not isinstance(metadata["zerogrid"], str):
        raise BadModelFile(f"{where} does not say which network it holds; models are written by save_model.")
    about = parse_object(metadata["zerogrid"].encode("utf-8", "surrogatepass"), where)
    if len(header) > MOST_TENSORS:
        raise BadModelFile(f"{where} lists {len(header)} tensors; {MOST_TENSORS} is the most a model may have.")
    entries = sorted((_entry(name, found, where) for name, found in header.items()), key=lambda entry: entry.start)
    end = 0
    for entry in entries:
        if entry.start != end:
            name = quote(entry.name)
            raise BadModelFile(f"{where} is damaged: the numbers of {name} do not begin where they should.")
        end = entry.end
    if end != data_size:
        raise BadModelFile(f"{where} is damaged: it should hold {end} bytes of numbers and holds {data_size}.")
    return about, entries


def parse_object(raw: bytes, where: str) -> dict[str, Any]:
    """A JSON object with nothing in it that JSON does not have, no name twice, and no deep nesting."""
    depth = deepest = 0
    for byte in raw:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    if deepest > DEEPEST:
        raise BadModelFile(f"{where} is not a model file: its header is nested too deeply.")
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise BadModelFile(f"{where} is not a model file: its header is not sound JSON.") from error
    if not isinstance(found, dict):
        raise BadModelFile(f"{where} is not a model file: its header is not a JSON object.")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands there twice")
    return made


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _entry(name: str, found: Any, where: str) -> Entry:
    bad = BadModelFile(f"{where} is damaged: its tensor {quote(name)} is not described as it should be.")
    if not isinstance(found, dict) or set(found) != {"dtype", "shape", "data_offsets"}:
        raise bad
    kind, shape, offsets = found["dtype"], found["shape"], found["data_offsets"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadModelFile(f"{where} holds numbers of kind {quote(kind)} in {quote(name)}; models hold F32 and I64.")
    if not isinstance(shape, list) or len(shape) > 8 or not all(_whole(side) for side in shape):
        raise bad
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(_whole(offset) for offset in offsets):
        raise bad
    size = KINDS[kind]
    for side in shape:
        size *= side
        if size > LARGEST_FILE:
            raise bad
    if offsets[1] - offsets[0] != size:
        raise bad
    return Entry(name, kind, tuple(shape), offsets[0], offsets[1])


def _whole(number: Any) -> bool:
    return type(number) is int and 0 <= number <= LARGEST_FILE
