"""Every file operation may fail, once or for ever: what was saved before is intact, and the message says what to do."""

import errno
import os
from pathlib import Path

import pytest

from training.fake import tiny, train
from zerogrid.training import disk
from zerogrid.training.torture import outcome_of

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)


def count_operations(place: Path, iterations: int) -> list[str]:
    """The operations of a run, in their order."""
    seen: list[str] = []
    disk.operation = lambda name, path: seen.append(f"{name} {path}")
    train(place, tiny(**{"run.iterations": iterations}))
    disk.operation = disk.nothing
    return seen


def fail_at(number: int, error: int, for_ever: bool) -> None:
    """The operation of that number fails, and with `for_ever` all after it."""
    count = -1

    def fail(name: str, path: str) -> None:
        nonlocal count
        count += 1
        if count == number or (for_ever and count > number):
            raise OSError(error, os.strerror(error), path)

    disk.operation = fail


def failure_of(place: Path) -> disk.DiskFailed | None:
    """How a run of two iterations fails."""
    try:
        train(place, tiny(**{"run.iterations": 2}))
    except disk.DiskFailed as error:
        return error
    return None


def test_each_operation_of_an_iteration_may_fail(tmp_path: Path) -> None:
    begun = len(count_operations(tmp_path / "one" / "run", 1))
    whole = count_operations(tmp_path / "two" / "run", 2)
    expected = outcome_of(tmp_path / "two" / "run")
    second = range(begun - 10, len(whole))  # the second iteration, and the end of the first
    assert len(second) > 30
    for number in second:
        place = tmp_path / f"at{number}" / "run"
        fail_at(number, ERRORS[number % 3], for_ever=number % 2 == 0)
        error = failure_of(place)
        if error is None:
            assert whole[number].startswith("read"), f"{whole[number]} failed and nobody noticed"
        else:
            assert str(place.parent) in str(error.filename)
            assert "could not" in str(error)
            assert any(cure in str(error) for cure in ("make room", "the right", "copy the run"))
        disk.operation = disk.nothing
        train(place, tiny(**{"run.iterations": 2}))
        assert outcome_of(place) == expected, whole[number]


def test_each_operation_of_going_on_may_fail(tmp_path: Path) -> None:
    """The same while a run is being restored."""
    place = tmp_path / "run"
    train(place, tiny(**{"run.iterations": 2}))
    seen: list[str] = []
    disk.operation = lambda name, path: seen.append(name)
    train(place, tiny(**{"run.iterations": 2}))
    before = outcome_of(place)
    for number in range(len(seen)):
        fail_at(number, errno.EIO, for_ever=False)
        failure_of(place)
        disk.operation = disk.nothing
        train(place, tiny(**{"run.iterations": 2}))
        assert outcome_of(place) == before, seen[number]


def test_what_is_written_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    disk.write_file(tmp_path / "a", b"content")
    assert len(flushed) == 2, "the file and its folder"
    disk.append_to(tmp_path / "a", b"more")
    assert len(flushed) == 3
    disk.append_to(tmp_path / "b", b"new")
    assert len(flushed) == 5


def test_a_full_disk_is_said_at_once_and_not_hours_later(tmp_path: Path) -> None:
    def full(name: str, path: str) -> None:
        if name == "write" and "model" in path:
            raise OSError(errno.ENOSPC, "full", path)

    disk.operation = full
    with pytest.raises(disk.DiskFailed, match="disk is full; make room and give the same command again"):
        train(tmp_path / "run", tiny())
    assert not (tmp_path / "run" / "metrics.jsonl").exists()


def test_a_file_is_whole_or_absent(tmp_path: Path) -> None:
    disk.write_file(tmp_path / "a", b"old")

    def torn(name: str, path: str) -> None:
        if name == "flush" and path.endswith(disk.TEMPORARY):
            raise OSError(errno.EIO, "broken", path)

    disk.operation = torn
    with pytest.raises(disk.DiskFailed):
        disk.write_file(tmp_path / "a", b"new and longer")
    disk.operation = disk.nothing
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_files_are_flushed_before_they_are_renamed_and_the_manifest_comes_last(tmp_path: Path) -> None:
    whole = [entry.split(" ", 1) for entry in count_operations(tmp_path / "run", 1)]
    folder = str(tmp_path / "run" / "checkpoints" / "000001")
    inside = [(name, Path(path).name) for name, path in whole if path.startswith(folder)]
    renames = [path for name, path in inside if name == "rename"]
    assert renames[-1] == "manifest.json"
    for file in renames:
        flushed = inside.index(("flush", file + disk.TEMPORARY))
        assert inside.index(("write", file + disk.TEMPORARY)) < flushed < inside.index(("rename", file))
    others = [k for k, (name, path) in enumerate(inside) if name == "rename" and path != "manifest.json"]
    folders = [k for k, (name, path) in enumerate(inside) if (name, path) == ("flush", "000001")]
    manifest = inside.index(("open", "manifest.json" + disk.TEMPORARY))
    assert any(max(others) < k < manifest for k in folders)
    assert folders[-1] > inside.index(("rename", "manifest.json"))
