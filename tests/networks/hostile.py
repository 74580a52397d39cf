"""Model files made by hand to break the reader: each is a change to a good file."""

import copy
import gzip
import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zerogrid.networks import boards, make
from zerogrid.networks.files import save_model


class Parts:
    """A model file taken apart, so that it can be put together wrongly."""

    def __init__(self, raw: bytes) -> None:
        length = int.from_bytes(raw[:8], "little")
        self.raw = raw
        self.header: dict[str, Any] = json.loads(raw[8 : 8 + length])
        self.about: dict[str, Any] = json.loads(self.header.pop("__metadata__")["zerogrid"])
        self.data = bytearray(raw[8 + length :])

    def copy(self) -> "Parts":
        return copy.deepcopy(self)

    def sign(self) -> None:
        """Write down the digest of the numbers as they are now: an attacker can do that too."""
        import hashlib

        self.about["sha256"] = hashlib.sha256(bytes(self.data)).hexdigest()

    def file(self) -> bytes:
        return whole({"__metadata__": {"zerogrid": json.dumps(self.about)}, **self.header}, bytes(self.data))

    def numbers(self, name: str) -> Any:
        """The numbers of a tensor, to be changed in place."""
        start, end = self.header[name]["data_offsets"]
        return np.frombuffer(memoryview(self.data)[start:end], np.float32)


def whole(header: Any, data: bytes = b"") -> bytes:
    """Length, header, numbers."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def good_file(folder: Path) -> Path:
    """A small model with every kind of entry: weights, norms and their counters."""
    path = folder / "good.safetensors"
    network = make("battlefield/cnn", boards.gomoku(3, 3, game="tictactoe"), blocks=1, channels=4)
    save_model(path, network, "tictactoe", "stones", {"by": "a test"})
    return path


class Runs:
    """What would run if anything unpickled it."""

    def __reduce__(self) -> Any:
        return (exec, ("raise SystemExit('a model file ran code')",))


def _zipped(text: bytes, times: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", text * times)
    return made.getvalue()


Change = Callable[[Parts], None]
LARGE = 10**9


def of_about(**changes: Any) -> Change:
    return lambda parts: parts.about.update(changes)


def of_settings(**changes: Any) -> Change:
    return lambda parts: parts.about["settings"].update(changes)


def of_shape(**changes: Any) -> Change:
    return lambda parts: parts.about["shape"].update(changes)


def of_tensor(name: str = "stem.conv.weight", **changes: Any) -> Change:
    return lambda parts: parts.header[name].update(changes)


def without(name: str) -> Change:
    return lambda parts: parts.about.pop(name)


def number(value: float, name: str = "stem.conv.weight") -> Change:
    def change(parts: Parts) -> None:
        parts.numbers(name)[-1] = value
        parts.sign()

    return change


def _extra(parts: Parts) -> None:
    end = len(parts.data)
    parts.header["more"] = {"dtype": "F32", "shape": [1], "data_offsets": [end, end + 4]}
    parts.data += bytes(4)
    parts.sign()


def _overlap(parts: Parts) -> None:
    first = parts.header["stem.norm.bias"]["data_offsets"]
    parts.header["stem.norm.weight"]["data_offsets"] = list(first)


def _hole(parts: Parts) -> None:
    last = max(parts.header.values(), key=lambda entry: entry["data_offsets"][1])
    last["data_offsets"] = [offset + 8 for offset in last["data_offsets"]]
    parts.data += bytes(8)
    parts.sign()


def _unaligned(parts: Parts) -> None:
    for entry in parts.header.values():
        entry["data_offsets"] = [offset + 1 for offset in entry["data_offsets"]]
    parts.data[:0] = b"\0"
    parts.sign()


def _swap_kind(parts: Parts) -> None:
    entry = next(e for e in parts.header.values() if e["shape"] and e["shape"][0] % 2 == 0)
    entry.update(dtype="I64", shape=[entry["shape"][0] // 2, *entry["shape"][1:]])


def _transpose(parts: Parts) -> None:
    entry = parts.header["policy.linear.weight"]
    entry["shape"] = entry["shape"][::-1]


def _rename(parts: Parts) -> None:
    parts.header["../../etc/passwd"] = parts.header.pop("stem.conv.weight")


def _lost(parts: Parts) -> None:
    name = max(parts.header, key=lambda name: parts.header[name]["data_offsets"][1])
    start, _ = parts.header.pop(name)["data_offsets"]
    del parts.data[start:]
    parts.sign()


def _many(parts: Parts) -> None:
    parts.header |= {f"t{i}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for i in range(10_001)}


def _giant(parts: Parts) -> None:
    """As large a network as settings and shapes allow, on the largest grid of boxes, with no weights behind it."""
    shape = boards.dots_and_boxes(2, 2, "edgequad4").to_json()
    places = [[0]] * 2112
    shape |= {"height": 32, "width": 32, "boxes": [32, 32], "actions": 2112, "places": places}
    shape["game"] = parts.about["game"]
    settings = {"trunk": "T" * 64, "width": 1024, "hidden": 4096, "between": 1024, "heads": 64}
    parts.about |= {"network": "dotsformer/multiscale2-topo", "settings": settings, "shape": shape}


CHANGES: dict[str, Change] = {
    # what the file says it is
    "unknown network": of_about(network="sigmago/vanila"),
    "a path for a network": of_about(network="../../zerogrid/residual"),
    "a list for a network": of_about(network=["sigmago/vanilla"]),
    "an object for a network": of_about(network={"__reduce__": "os.system"}),
    "another network's name": of_about(network="sigmago/vanilla", settings={}),
    "version of the future": of_about(version=2),
    "version that is true": of_about(version=True),
    "version in words": of_about(version="1"),
    "a module for a game": of_about(game="os:system"),
    "a path for a game": of_about(game="../../../etc/passwd"),
    "a call for a game": of_about(game="tictactoe;__import__('os')"),
    "a line break in the game": of_about(game="tictactoe\nos"),
    "a number for a game": of_about(game=7),
    "a very long game": of_about(game="tictactoe:" + "9" * 100_000),
    "a path for an encoding": of_about(encoding="/etc/passwd"),
    "a module for an encoding": of_about(encoding="zerogrid.cli.frame"),
    "nothing for an encoding": of_about(encoding=None),
    "a list for the settings": of_about(settings=["blocks", 1]),
    "a list for the provenance": of_about(provenance=[]),
    "one thing too many": of_about(extra="rm -rf"),
    **{f"without its {name}": without(name) for name in ("network", "settings", "shape", "game", "sha256", "version")},
    "a digest of other numbers": of_about(sha256="0" * 64),
    "a number for a digest": of_about(sha256=0),
    # settings
    "a thousand million channels": of_settings(channels=LARGE),
    "channels beyond 64 bits": of_settings(channels=10**30),
    "no channels": of_settings(channels=0),
    "fewer than no blocks": of_settings(blocks=-1),
    "half a block": of_settings(blocks=1.5),
    "true for blocks": of_settings(blocks=True),
    "a word for blocks": of_settings(blocks="80"),
    "a list for blocks": of_settings(blocks=[1]),
    "a setting that does not exist": of_settings(device="cuda:0"),
    "settings of another network": of_settings(heads=4),
    "a setting that is a method": of_settings(__class__="os"),
    "more channels than its weights": of_settings(channels=8),
    # shape
    "a thousand million planes": of_shape(planes=LARGE),
    "a board of millions": of_shape(height=10**6, width=10**6),
    "a board of nothing": of_shape(height=0),
    "a board below nothing": of_shape(width=-3),
    "more actions than memory": of_shape(actions=2**62, places=[], policy_planes=0),
    "a table of a million places": of_shape(places=[[0]] * 100_000),
    "a place outside": of_shape(places=[[9]] * 9),
    "a place in words": of_shape(places=[["0"]] * 9),
    "a place in a place": of_shape(places=[[[0]]] * 9),
    "places that are none": of_shape(places={"0": 0}),
    "boxes that do not fit": of_shape(boxes=[7, 7]),
    "a hundred agents": of_shape(agents=100),
    "a shape with more in it": of_shape(rules="import os"),
    "a list for a shape": of_about(shape=[3, 3]),
    "no word of the board": of_about(shape={}),
    "another board": of_shape(height=4, width=4),
    "a number for the shape's game": of_shape(game=1),
    # tensors
    "half precision": of_tensor(dtype="F16"),
    "a kind that does not exist": of_tensor(dtype="PICKLE"),
    "a list for a kind": of_tensor(dtype=["F32"]),
    "fewer than nothing": of_tensor(shape=[-4, -4, 3, 3]),
    "true for a side": of_tensor(shape=[True]),
    "sides in words": of_tensor(shape=["4"]),
    "a tensor larger than any file": of_tensor(shape=[2**31, 2**31]),
    "sides beyond 64 bits": of_tensor(shape=[2**70]),
    "a hundred dimensions": of_tensor(shape=[1] * 100),
    "offsets the wrong way": of_tensor("stem.norm.bias", data_offsets=[16, 0]),
    "offsets below zero": of_tensor("stem.norm.bias", data_offsets=[-16, 0]),
    "offsets beyond the end": of_tensor("stem.norm.bias", data_offsets=[2**32 - 16, 2**32]),
    "offsets in words": of_tensor("stem.norm.bias", data_offsets=["0", "16"]),
    "three offsets": of_tensor("stem.norm.bias", data_offsets=[0, 8, 16]),
    "one thing more about a tensor": of_tensor(loader="os.system"),
    "a list for a tensor": lambda parts: parts.header.update({"stem.conv.weight": [1]}),
    "tensors that overlap": _overlap,
    "a hole between tensors": _hole,
    "numbers off their place by one": _unaligned,
    "one tensor too many": _extra,
    "one tensor too few": _lost,
    "a tensor called otherwise": _rename,
    "a tensor turned on its side": _transpose,
    "whole numbers for weights": _swap_kind,
    "ten thousand tensors": _many,
    "the largest network there can be": _giant,
    # numbers
    "not a number": number(float("nan")),
    "infinity": number(float("inf")),
    "a variance below zero": number(-1.0, "stem.norm.running_var"),
    "a number changed": lambda parts: parts.data.__setitem__(0, parts.data[0] ^ 1),
    "a byte lost": lambda parts: parts.data.pop(),
    "a byte won": lambda parts: parts.data.append(0),
    "no numbers": lambda parts: parts.data.clear(),
}


def _about_twice(parts: Parts) -> bytes:
    about = json.dumps(parts.about)
    inside = json.dumps('{"game":"tictactoe",' + about[1:]).encode()
    tensors = json.dumps(parts.header).encode()
    return whole(b'{"__metadata__":{"zerogrid":' + inside + b"}," + tensors[1:], bytes(parts.data))


def _twice(parts: Parts) -> bytes:
    entry = json.dumps({"stem.conv.weight": parts.header["stem.conv.weight"]}).encode()
    raw = parts.file()
    length = int.from_bytes(raw[:8], "little")
    return whole(entry[:-1] + b"," + raw[9 : 8 + length], bytes(parts.data))


def _metadata(value: Any) -> Callable[[Parts], bytes]:
    return lambda parts: whole({"__metadata__": value, **parts.header}, bytes(parts.data))


def _text_of_about(text: str) -> Callable[[Parts], bytes]:
    return _metadata({"zerogrid": text})


FILES: dict[str, Callable[[Parts], bytes]] = {
    "nothing": lambda parts: b"",
    "seven bytes": lambda parts: parts.raw[:7],
    "a header of no bytes": lambda parts: bytes(8) + parts.raw[8:],
    "a header of one byte": lambda parts: (1).to_bytes(8, "little") + parts.raw[8:],
    "a header longer than the file": lambda parts: (len(parts.raw)).to_bytes(8, "little") + parts.raw[8:],
    "a header of 2^63": lambda parts: (2**63).to_bytes(8, "little") + parts.raw[8:],
    "a header of 2^64 - 1": lambda parts: b"\xff" * 8 + parts.raw[8:],
    "pickle under another name": lambda parts: pickle.dumps(Runs()),
    "pickle of protocol 0": lambda parts: b"cposix\nsystem\n(S'false'\ntR.",
    "pickle behind a length": lambda parts: whole(pickle.dumps(Runs())),
    "pickle inside the numbers": lambda parts: parts.raw[: -len(parts.data)] + pickle.dumps(Runs()),
    "a torch archive": lambda parts: _zipped(pickle.dumps(Runs()), 1),
    "a zip bomb": lambda parts: _zipped(bytes(1 << 20), 64),
    "a gzip bomb": lambda parts: gzip.compress(bytes(1 << 26)),
    "a model with an archive behind it": lambda parts: parts.raw + _zipped(pickle.dumps(Runs()), 1),
    "a model inside an archive": lambda parts: _zipped(b"x", 1) + parts.raw,
    "a program": lambda parts: b"\x7fELF\x02\x01\x01" + bytes(200),
    "a script": lambda parts: b"#!/usr/bin/env python3\nraise SystemExit('a model file ran code')\n",
    "no JSON": lambda parts: whole(b"{'a': 1}", bytes(parts.data)),
    "JSON cut short": lambda parts: whole(b'{"a": {"b": 1}', bytes(parts.data)),
    "a list": lambda parts: whole([1, 2, 3], bytes(parts.data)),
    "null": lambda parts: whole(b"null", bytes(parts.data)),
    "lists in lists": lambda parts: whole(b"[" * 400_000 + b"]" * 400_000),
    "objects in objects": lambda parts: whole(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "depth inside the description": _text_of_about("[" * 100_000 + "]" * 100_000),
    "many small lists": lambda parts: whole(b'{"a":[' + b"[]," * 330_000 + b"[]]}"),
    "many names": lambda parts: whole(b"{" + b",".join(b'"%d":0' % i for i in range(90_000)) + b"}"),
    "bytes that are no text": lambda parts: whole(b'{"\xff\xfe": 1}', bytes(parts.data)),
    "text of two bytes a letter": lambda parts: whole('{"a": 1}'.encode("utf-16"), bytes(parts.data)),
    "half a letter": lambda parts: whole(rb'{"__metadata__": {"zerogrid": "\ud800"}}'),
    "a mark in front": lambda parts: whole(b"\xef\xbb\xbf{}", bytes(parts.data)),
    "a number of 100,000 digits": lambda parts: whole(b'{"a": ' + b"9" * 100_000 + b"}"),
    "not a number in the header": lambda parts: whole(b'{"a": NaN}'),
    "infinity in the description": lambda parts: _text_of_about(json.dumps({**parts.about, "version": float("inf")}))(
        parts
    ),
    "a tensor twice": _twice,
    "a description that says it twice": _about_twice,
    "no description": lambda parts: whole(parts.header, bytes(parts.data)),
    "a description in a list": _metadata([]),
    "a description that is no text": _metadata({"zerogrid": {"version": 1}}),
    "two descriptions": _metadata({"zerogrid": "{}", "format": "pt"}),
    "an empty description": _text_of_about(""),
    "another program's file": _metadata({"format": "pt"}),
    "a header of a megabyte": lambda parts: whole(parts.file()[8 : -len(parts.data)] + b" " * 1_000_000),
}
