"""Checkpoints on disk: what exists, writing one, reading the newest good one, and letting go of old ones.

    checkpoints/000012/
        model.safetensors       the network of the main seat, a model file that can be played; exploiters beside it
        state.safetensors       arrays: weights that are learned, optimiser, games under way, random counters
        examples-main.safetensors   what came into the buffer since the checkpoint before
        state.json              counters, curriculum, gate, league, lengths of the logs; which examples and models of
                                earlier checkpoints this one needs
        manifest.json           sizes and SHA-256 of all of these, written last: with it the checkpoint exists

The buffer of a checkpoint lies in several: each holds only the new examples, and state.json lists those that together
fill the buffer, with their hashes. Old checkpoints are stripped down to what newer ones need.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from zerogrid.core.errors import quote
from zerogrid.training import disk
from zerogrid.training.forms import (
    WRONG,
    BadCheckpoint,
    as_json,
    as_tensors,
    damage_ignored,
    json_bytes,
    read_checked,
    tensor_bytes,
)
from zerogrid.training.parts import Arrays, NotFinite

VERSION = 1
MANIFEST = "manifest.json"
STATE, ARRAYS = "state.json", "state.safetensors"
FOLDER = re.compile(r"\d{6,9}")
FILE = re.compile(r"[a-z0-9][a-z0-9.-]{0,60}")
LARGEST_JSON = 64 << 20
LARGEST_FILE = 64 << 30


@dataclass
class Checkpoint:
    """Everything a run needs to go on exactly from the end of an iteration."""

    iteration: int
    models: dict[str, bytes] = field(default_factory=dict)  # by seat
    arrays: Arrays = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    examples: dict[str, Arrays] = field(default_factory=dict)  # by seat: new since the checkpoint before


@dataclass(frozen=True)
class Shard:
    """Examples number first to last - 1 of a seat, and in which checkpoint they lie."""

    iteration: int
    first: int
    last: int
    sha256: str

    def as_list(self) -> list[Any]:
        """For JSON."""
        return [self.iteration, self.first, self.last, self.sha256]


class Store:
    """The checkpoints of one run."""

    def __init__(self, run: Path) -> None:
        self.folder = run / "checkpoints"

    def place(self, iteration: int) -> Path:
        """The folder of a checkpoint."""
        return self.folder / f"{iteration:06d}"

    # --- what there is ------------------------------------------------------------------------------------------------

    def iterations(self, resumable: bool = False) -> list[int]:
        """The checkpoints that exist, oldest first; only those a run can go on from, if asked."""
        if not self.folder.is_dir():
            return []
        found = sorted(int(p.name) for p in self.folder.iterdir() if FOLDER.fullmatch(p.name) and _there(p))
        return [n for n in found if self._is_whole(n)] if resumable else found

    def _is_whole(self, iteration: int) -> bool:
        try:
            return bool(self.manifest(iteration)["resumable"])
        except BadCheckpoint:
            return True  # it says itself what is wrong with it when it is read

    def manifest(self, iteration: int) -> dict[str, Any]:
        """The manifest of a checkpoint, checked."""
        path = self.place(iteration) / MANIFEST
        made = as_json(path, read_checked(path, LARGEST_JSON))
        try:
            if made["version"] != VERSION:
                raise BadCheckpoint(
                    f"checkpoint {iteration} is of version {quote(made['version'])}, and this ZeroGrid reads {VERSION}."
                )
            good = made["iteration"] == iteration and isinstance(made["resumable"], bool)
            for name, entry in made["files"].items():
                good &= FILE.fullmatch(name) is not None and type(entry["bytes"]) is int
                good &= isinstance(entry["sha256"], str)
        except WRONG:
            good = False
        if not good:
            raise BadCheckpoint(f"checkpoint {iteration} has a manifest that makes no sense: {path}.")
        return made

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, iteration: int) -> Checkpoint:
        """A checkpoint without its examples; anything wrong with it is a BadCheckpoint."""
        manifest = self.manifest(iteration)
        if not manifest["resumable"]:
            raise BadCheckpoint(f"checkpoint {iteration} holds a model only; a run cannot go on from it.")
        files = {name: self.file(iteration, name, manifest) for name in manifest["files"] if "examples" not in name}
        for name in (STATE, ARRAYS):
            if name not in files:
                raise BadCheckpoint(f"checkpoint {iteration} lacks {name}.")
        place = self.place(iteration)
        models = {name.split(".")[0]: content for name, content in files.items() if name not in (STATE, ARRAYS)}
        models["main"] = models.pop("model", b"")
        data = as_json(place / STATE, files[STATE])
        return Checkpoint(iteration, models, as_tensors(place / ARRAYS, files[ARRAYS]), data)

    def file(self, iteration: int, name: str, manifest: dict[str, Any] | None = None) -> bytes:
        """One file of a checkpoint, compared with its hash."""
        entry = (manifest or self.manifest(iteration))["files"].get(name)
        path = self.place(iteration) / name
        if entry is None:
            raise BadCheckpoint(f"checkpoint {iteration} has no {name}: it was let go of to save room.")
        content = read_checked(path, LARGEST_FILE)
        if len(content) != entry["bytes"] or disk.digest_of(content) != entry["sha256"]:
            raise BadCheckpoint(f"checkpoint {iteration} is damaged: {path} is not what was saved.")
        return content

    def model(self, iteration: int, seat: str = "main") -> bytes:
        """The model file in a checkpoint."""
        return self.file(iteration, _model_name(seat))

    def examples(self, seat: str, shards: Iterable[Shard]) -> Iterator[Arrays]:
        """The examples in these checkpoints, one part after the other."""
        for shard in shards:
            name = _examples_name(seat)
            content = self.file(shard.iteration, name)
            path = self.place(shard.iteration) / name
            if disk.digest_of(content) != shard.sha256:
                raise BadCheckpoint(f"{path} does not belong to the checkpoints after it.")
            part = as_tensors(path, content)
            if any(len(column) != shard.last - shard.first for column in part.values()):
                raise BadCheckpoint(f"{path} does not hold as many examples as it should.")
            yield part

    # --- writing ------------------------------------------------------------------------------------------------------

    def save(self, checkpoint: Checkpoint, shards: dict[str, list[Shard]]) -> None:
        """Write a checkpoint. `shards` are those of earlier checkpoints that are needed too; ours are added to them."""
        place = self.place(checkpoint.iteration)
        for name, array in checkpoint.arrays.items():
            if array.dtype.kind == "f" and not bool(np.isfinite(array).all()):
                raise NotFinite(f"{quote(name)} holds numbers that are not finite, and is not saved.")
        files = {_model_name(seat): content for seat, content in checkpoint.models.items()}
        files[ARRAYS] = tensor_bytes(checkpoint.arrays)
        for seat, columns in checkpoint.examples.items():
            content = tensor_bytes(columns)
            files[_examples_name(seat)] = content
            last = int(checkpoint.data["seats"][seat]["total"])
            count = len(next(iter(columns.values()), ()))
            shards[seat].append(Shard(checkpoint.iteration, last - count, last, disk.digest_of(content)))
        data = {**checkpoint.data, "examples": {seat: [s.as_list() for s in shards[seat]] for seat in sorted(shards)}}
        files[STATE] = json_bytes(data)
        disk.make_folder(place)
        if (place / MANIFEST).exists():  # of a checkpoint that turned out to be damaged
            disk.remove(place / MANIFEST)
        for name in sorted(files):
            disk.write_file(place / name, files[name], flush=False)
        disk.flush_folder(place)
        entries = {name: {"bytes": len(files[name]), "sha256": disk.digest_of(files[name])} for name in sorted(files)}
        self._write_manifest(checkpoint.iteration, entries, resumable=True)

    def _write_manifest(self, iteration: int, files: dict[str, Any], resumable: bool) -> None:
        manifest = {"version": VERSION, "iteration": iteration, "resumable": resumable, "files": files}
        disk.write_file(self.place(iteration) / MANIFEST, json_bytes(manifest))

    # --- letting go ---------------------------------------------------------------------------------------------------

    def prune(self, keep: int, models: set[int]) -> None:
        """Keep the newest checkpoints whole, of `models` the models, and of the others what the newest need."""
        whole = set(self.iterations(resumable=True)[-keep:])
        needed: set[int] = set()
        for iteration in whole:
            with damage_ignored():
                data = as_json(self.place(iteration) / STATE, self.file(iteration, STATE))
                needed |= {int(shard[0]) for parts in data["examples"].values() for shard in parts}
                models = models | {int(needs) for needs in data["models"]}
        for iteration in self.iterations():
            if iteration not in whole:
                with damage_ignored():
                    self._prune_one(iteration, iteration in needed, iteration in models)

    def _prune_one(self, iteration: int, examples: bool, models: bool) -> None:
        manifest = self.manifest(iteration)
        kept = {
            name: entry
            for name, entry in manifest["files"].items()
            if (examples if name.startswith("examples-") else models and name not in (STATE, ARRAYS))
        }
        self._strip(iteration, manifest["files"], kept)

    def _strip(self, iteration: int, files: dict[str, Any], kept: dict[str, Any]) -> None:
        place = self.place(iteration)
        if not kept:
            disk.remove(place / MANIFEST)  # from here on it does not exist, however much of it is still there
            disk.remove(place)
            return
        if kept.keys() != files.keys():
            self._write_manifest(iteration, kept, resumable=False)
        for path in sorted(place.iterdir()):
            if path.name not in kept and path.name != MANIFEST:
                disk.remove(path)

    def tidy(self) -> None:
        """Remove what a process left behind that died while writing."""
        if not self.folder.is_dir():
            return
        for path in sorted(self.folder.iterdir()):
            if FOLDER.fullmatch(path.name) and not (path / MANIFEST).exists():
                disk.remove(path)
                continue
            for part in sorted(path.iterdir()) if path.is_dir() else ():
                if part.name.endswith(disk.TEMPORARY):
                    disk.remove(part)

    def set_aside(self, newer_than: int) -> None:
        """Move checkpoints that could not be read out of the way, without throwing them away."""
        for iteration in self.iterations():
            if iteration > newer_than:
                aside = self.folder / f"{iteration:06d}.damaged"
                if aside.exists():
                    disk.remove(aside)
                with disk.step("rename", self.place(iteration)):
                    self.place(iteration).rename(aside)
                disk.flush_folder(self.folder)


def shards_of(data: dict[str, Any], seat: str) -> list[Shard]:
    """The parts of a seat's buffer, as state.json lists them."""
    try:
        found = [Shard(int(i), int(first), int(last), str(sha)) for i, first, last, sha in data["examples"][seat]]
    except WRONG as error:
        raise BadCheckpoint("the list of examples of a checkpoint makes no sense.") from error
    if any(one.last != two.first for one, two in pairwise(found)):
        raise BadCheckpoint("the list of examples of a checkpoint has gaps.")
    return found


def _there(place: Path) -> bool:
    return (place / MANIFEST).is_file()


def _model_name(seat: str) -> str:
    return "model.safetensors" if seat == "main" else f"{seat}.safetensors"


def _examples_name(seat: str) -> str:
    return f"examples-{seat}.safetensors"
