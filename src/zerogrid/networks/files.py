"""Model files: one safetensors file that holds the weights and says what they are.

    save_model("mine.safetensors", network, game="gomoku:6x6x4", encoding="standard")
    model = load_model("mine.safetensors")

The file names the network, its settings, the shape, the game and the encoding as plain text, so it can be loaded,
drawn and played alone; it can never run code. A file someone sent is read without trust: see model_header.py, and
nothing is allocated before the sizes agree with the network that the file names.
"""

import contextlib
import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from zerogrid.core.errors import BadModelFile, BadNetwork, quote
from zerogrid.networks.model_header import KINDS, LARGEST_FILE, LARGEST_HEADER, Entry, header_length, parse_header
from zerogrid.networks.registry import NETWORKS, make
from zerogrid.networks.settings import Network
from zerogrid.networks.shapes import Shape

VERSION = 1
NAME = re.compile(r"[a-z][a-z0-9_]*(:[A-Za-z0-9_.-]+)?(,[a-z_]+=[A-Za-z0-9_.-]+)*")
BASE = re.compile("[:,]")  # what ends the name of the game itself
TYPES = {"F32": torch.float32, "I64": torch.int64}
PIECE = 1 << 20


@dataclass
class Model:
    """A network, and what it was made for."""

    network: Network
    shape: Shape
    game: str
    encoding: str
    provenance: dict[str, Any] = field(default_factory=dict)


def save_model(
    path: str | Path, network: Network, game: str, encoding: str, provenance: dict[str, Any] | None = None
) -> None:
    """Write a model file; it appears complete or not at all."""
    _write_whole(Path(path), _parts(network, game, encoding, provenance))


def model_bytes(network: Network, game: str, encoding: str, provenance: dict[str, Any] | None = None) -> bytes:
    """A model file as it would be written."""
    return b"".join(_parts(network, game, encoding, provenance))


def _parts(network: Network, game: str, encoding: str, provenance: dict[str, Any] | None) -> list[bytes]:
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in sorted(network.state_dict().items())}
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not all(bool(part.isfinite().all()) for part in _pieces(tensor)):
            raise BadModelFile(f"the weights {quote(name)} are not finite, and such a model is not saved.")
    kinds = {name: "F32" if tensor.is_floating_point() else "I64" for name, tensor in tensors.items()}
    raw = [tensor.to(TYPES[kinds[name]]).reshape(-1).numpy().tobytes() for name, tensor in tensors.items()]
    about = {
        "version": VERSION,
        "network": network.name,
        "settings": network.settings.to_json(),
        "shape": network.shape.to_json(),
        "game": game,
        "encoding": encoding,
        "provenance": provenance or {},
        "sha256": hashlib.sha256(b"".join(raw)).hexdigest(),
    }
    for what, name in (("game", game), ("encoding", encoding)):
        if len(name) > 200 or not NAME.fullmatch(name):
            raise BadModelFile(f"a model cannot be saved for the {what} {quote(name)}; that is not a name.")
    if BASE.split(game)[0] != network.shape.game:
        raise BadModelFile(f"a network for {quote(network.shape.game)} cannot be saved as one for {quote(game)}.")
    header: dict[str, Any] = {"__metadata__": {"zerogrid": json.dumps(about, allow_nan=False)}}
    end = 0
    for (name, tensor), numbers in zip(tensors.items(), raw, strict=True):
        start, end = end, end + len(numbers)
        header[name] = {"dtype": kinds[name], "shape": list(tensor.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > LARGEST_HEADER:
        raise BadModelFile(f"the description of this model has {len(text)} bytes; {LARGEST_HEADER} is the most.")
    return [len(text).to_bytes(8, "little"), text, *raw]


def load_model(path: str | Path, device: str = "cpu") -> Model:
    """Read a model file; anything wrong with it is a BadModelFile."""
    where = quote(Path(path).name)
    with _opened(path, where) as (handle, size):
        length = header_length(_read(handle, 8), size, where)
        about, entries = parse_header(_read(handle, length), size - 8 - length, where)
        network = _empty_network(about, where)
        _compare(network, entries, where)
        weights, digest = _read_weights(handle, entries, where)
    if digest != about["sha256"]:
        raise BadModelFile(f"{where} is damaged: its weights are not those that were saved.")
    network.load_state_dict(weights, assign=True)
    for parameter in network.parameters():
        parameter.requires_grad_(True)
    made = network.to(device).eval()
    return Model(made, made.shape, about["game"], about["encoding"], about["provenance"])


def _empty_network(about: dict[str, Any], where: str) -> Network:
    """The network that the file names, its weights without memory."""
    wanted = {"version", "network", "settings", "shape", "game", "encoding", "provenance", "sha256"}
    if set(about) != wanted:
        raise BadModelFile(f"{where} does not describe its model as it should: it needs {', '.join(sorted(wanted))}.")
    if about["version"] != VERSION or type(about["version"]) is not int:
        raise BadModelFile(f"{where} is of version {quote(about['version'])}; this ZeroGrid reads version {VERSION}.")
    for what in ("game", "encoding"):
        name = about[what]
        if not isinstance(name, str) or len(name) > 200 or not NAME.fullmatch(name):
            raise BadModelFile(f"{where} names a {what} that is none: {quote(name)}.")
    if not isinstance(about["provenance"], dict) or not isinstance(about["settings"], dict):
        raise BadModelFile(f"{where} does not describe its model as it should: settings and provenance are objects.")
    name = about["network"]
    if not isinstance(name, str) or name not in NETWORKS:
        raise BadModelFile(f"{where} holds a network that does not exist: {quote(name)}.")
    try:
        shape = Shape.from_json(about["shape"])
        if BASE.split(about["game"])[0] != shape.game:
            raise BadModelFile(f"{where} is for {quote(about['game'])} and its shape for {quote(shape.game)}.")
        with torch.device("meta"):
            return make(name, shape, **about["settings"])
    except BadNetwork as error:
        raise BadModelFile(f"{where} cannot be loaded: {error}") from error
    except TypeError as error:  # a settings name that is no word at all
        raise BadModelFile(f"{where} names a setting that does not exist.") from error


def _compare(network: Network, entries: list[Entry], where: str) -> None:
    """Names, shapes and kinds must be those of the network, before any memory is taken."""
    expected = network.state_dict()
    given = {entry.name: entry for entry in entries}
    for name in expected:
        if name not in given:
            raise BadModelFile(f"{where} lacks the weights {quote(name)} of {network.name}.")
    for name, entry in given.items():
        if name not in expected:
            raise BadModelFile(f"{where} holds weights {quote(name)} that {network.name} does not have.")
        shape = tuple(expected[name].shape)
        if entry.shape != shape or TYPES[entry.kind] != expected[name].dtype:
            raise BadModelFile(
                f"{where} does not fit: {quote(name)} is {entry.kind} {list(entry.shape)} there and should be "
                f"{list(shape)}."
            )


def _read_weights(handle: int, entries: list[Entry], where: str) -> tuple[dict[str, Tensor], str]:
    """The numbers, read straight into their tensors, and their digest."""
    digest = hashlib.sha256()
    weights = {}
    for entry in entries:
        tensor = torch.empty(entry.shape, dtype=TYPES[entry.kind])
        flat: Any = tensor.reshape(-1).numpy()
        room = memoryview(flat.view(np.uint8)) if flat.size else memoryview(b"")
        filled = 0
        while filled < len(room):
            got = os.readv(handle, [room[filled : filled + PIECE]])
            if got == 0:
                raise BadModelFile(f"{where} became shorter while it was read.")
            filled += got
        digest.update(room)
        if tensor.is_floating_point() and not all(bool(part.isfinite().all()) for part in _pieces(tensor)):
            raise BadModelFile(f"{where} holds weights that are not finite numbers, in {quote(entry.name)}.")
        if entry.name.endswith("running_var") and bool((tensor < 0).any()):
            raise BadModelFile(f"{where} holds variances below zero, in {quote(entry.name)}.")
        weights[entry.name] = tensor
    return weights, digest.hexdigest()


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    return iter(torch.split(tensor.reshape(-1), PIECE))


@contextlib.contextmanager
def _opened(path: str | Path, where: str) -> Iterator[tuple[int, int]]:
    """(an open file, its size); only a plain file, and no link: the name someone sent must not lead elsewhere."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        reason = "it is a link" if os.path.islink(path) else getattr(error, "strerror", None) or "bad name"
        raise BadModelFile(f"the model file {where} cannot be opened: {reason}.") from error
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise BadModelFile(f"{where} is not a model file: it is not a plain file.")
        if info.st_size > LARGEST_FILE:
            raise BadModelFile(f"{where} is too large for a model file: {info.st_size} bytes.")
        yield handle, info.st_size
    except OSError as error:
        raise BadModelFile(f"the model file {where} cannot be read: {error.strerror}.") from error
    finally:
        os.close(handle)


def _read(handle: int, length: int) -> bytes:
    parts = []
    while length > 0:
        part = os.read(handle, length)
        if not part:
            break
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _write_whole(path: Path, parts: list[bytes]) -> None:
    """Write beside, flush to the disk, rename, flush the folder."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as out:
            for part in parts:
                out.write(part)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


assert set(KINDS) == set(TYPES)
