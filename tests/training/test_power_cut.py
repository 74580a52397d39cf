"""A power cut loses what was not flushed: some of it, all of it, or half of a write. What was saved is still there.

The operations of a run are followed, and what a disk would surely hold is kept apart from what it might: a file's
content after its flush, a name after its folder's flush. From what may be left at an instant, states of the disk are
drawn at random; the run must go on from each of them and come out the same.
"""

import random
import shutil
from pathlib import Path

import pytest

from training.fake import tiny, train
from zerogrid.training import disk
from zerogrid.training.torture import outcome_of

Files = dict[str, bytes]


class Follower:
    """What is on the disk for certain, and what is under way, as operations are announced before they are done."""

    def __init__(self, place: Path, cut_at: int) -> None:
        self.place, self.cut_at, self.count = place, cut_at, 0
        self.certain: Files = {}  # names and contents that survive
        self.flushed: Files = {}  # contents that were flushed, by name, the name itself perhaps not
        self.cut: tuple[Files, Files, Files] | None = None
        self.last = ("", "")

    def __call__(self, operation: str, path: str) -> None:
        self._settle(*self.last)
        if self.count == self.cut_at:
            now = {str(file): file.read_bytes() for file in self.place.rglob("*") if file.is_file()}
            self.cut = dict(self.certain), dict(self.flushed), now
        self.count += 1
        self.last = (operation, path)

    def _settle(self, operation: str, path: str) -> None:
        """The effect of an operation that is over by now."""
        file = Path(path)
        if operation == "flush" and file.is_file():
            self.flushed[path] = file.read_bytes()
            if path in self.certain:
                self.certain[path] = self.flushed[path]
        elif operation == "rename":
            moved = self.flushed.pop(path + disk.TEMPORARY, None)
            if moved is not None:
                self.flushed[path] = moved
        elif operation == "flush" and file.is_dir():
            for name in [one for one in self.certain if Path(one).parent == file]:
                if not Path(name).exists():
                    del self.certain[name]
            for name, content in self.flushed.items():
                if Path(name).parent == file and Path(name).exists():
                    self.certain[name] = content


def left_over(cut: tuple[Files, Files, Files], rng: random.Random) -> Files:
    """A state of the disk that may be found after the cut."""
    certain, flushed, now = cut
    found: Files = {}
    for name in {*certain, *now}:
        old, new = certain.get(name), now.get(name)
        choices = []
        if old is not None:
            choices.append(old)
        if new is not None and new != old:
            whole = flushed.get(name) == new
            # Not flushed: as it is, cut short, or zeros, as after a crash of a file system that orders nothing.
            short = new[: rng.randrange(len(new) + 1)]
            choices += [new] if whole else [new, short, bytes(len(new))]
            if old is None:
                choices.append(None)  # type: ignore[arg-type]
            elif len(new) > len(old) and new.startswith(old) and not whole:
                choices += [new[: rng.randrange(len(old), len(new) + 1)]] * 2
                choices = [one for one in choices if one is not None and one.startswith(old)]  # a log only grows
        if new is None:
            choices.append(None)  # type: ignore[arg-type]
        kept = rng.choice(choices)
        if kept is not None:
            found[name] = kept
    return found


def test_the_follower_knows_what_is_certain(tmp_path: Path) -> None:
    follower = Follower(tmp_path, 10**9)
    disk.operation = follower
    disk.write_file(tmp_path / "a", b"first")
    disk.write_file(tmp_path / "b", b"second", flush=False)
    disk.operation("look", "")
    assert follower.certain == {str(tmp_path / "a"): b"first"}
    assert follower.flushed[str(tmp_path / "b")] == b"second"
    disk.flush_folder(tmp_path)
    disk.operation("look", "")
    assert set(follower.certain) == {str(tmp_path / "a"), str(tmp_path / "b")}


@pytest.mark.parametrize("seed", range(3))
def test_after_a_power_cut_a_run_comes_out_the_same(tmp_path: Path, seed: int) -> None:
    config = tiny(**{"run.iterations": 4})
    follower = Follower(tmp_path / "whole" / "run", 10**9)
    disk.operation = follower
    train(tmp_path / "whole" / "run", config)
    disk.operation = disk.nothing
    expected, operations = outcome_of(tmp_path / "whole" / "run"), follower.count
    rng = random.Random(seed)
    for trial in range(12):
        place = tmp_path / f"cut{trial}" / "run"
        follower = Follower(place, rng.randrange(10, operations))
        disk.operation = follower
        train(place, config)
        disk.operation = disk.nothing
        assert follower.cut is not None
        left = left_over(follower.cut, rng)
        shutil.rmtree(place)
        for name, content in left.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        train(place, config)
        assert outcome_of(place) == expected, (seed, trial)
