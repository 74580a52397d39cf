"""Checkpoints that are damaged are never loaded: an older one is, and the user is told."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from training.fake import FakeEngine, tiny, train
from zerogrid.core.errors import ZeroGridError
from zerogrid.training import events
from zerogrid.training.directory import BadRun, settle_config
from zerogrid.training.forms import BadCheckpoint, as_tensors, tensor_bytes
from zerogrid.training.lock import Lock, RunInUse, holder_of
from zerogrid.training.store import Store
from zerogrid.training.torture import outcome_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is finished; tests work on copies of it."""
    place = tmp_path_factory.mktemp("finished") / "run"
    train(place, tiny())
    return place


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    import shutil

    return Path(shutil.copytree(finished, tmp_path / "run"))


HARMS = ("cut", "empty", "flipped", "longer", "gone")
FILES = ("state.safetensors", "state.json", "model.safetensors", "examples-main.safetensors", "manifest.json")
# A manifest with more behind it is as little JSON as an empty one.
CASES = [(name, how) for name in FILES for how in HARMS if (name, how) != ("manifest.json", "longer")]


def harms(content: bytes) -> dict[str, bytes]:
    """Ways in which a file comes to harm."""
    middle = len(content) // 2
    flipped = bytearray(content)
    flipped[middle] ^= 4
    return {"cut": content[:middle], "empty": b"", "flipped": bytes(flipped), "longer": content + b"x"}


@pytest.mark.parametrize(("name", "how"), CASES)
def test_a_damaged_checkpoint_is_passed_over_and_the_run_comes_out_the_same(run: Path, name: str, how: str) -> None:
    expected = outcome_of(run)
    file = run / "checkpoints" / "000006" / name
    if how == "gone":
        file.unlink()
    else:
        file.write_bytes(harms(file.read_bytes())[how])
    told: list[Any] = []
    train(run, tiny(), listeners=[told.append])
    (began,) = (event for event in told if isinstance(event, events.Began))
    assert began.iteration == 5
    if (name, how) != ("manifest.json", "gone"):  # without a manifest it never existed
        assert any("6" in note for note in began.notes)
        assert (run / "checkpoints" / "000006.damaged").is_dir()
    assert outcome_of(run) == expected


def test_where_nothing_can_be_read_the_file_is_named(run: Path) -> None:
    for state in run.glob("checkpoints/*/state.json"):
        state.write_bytes(b"{}")
    with pytest.raises(BadRun, match=r"none of its checkpoints can be read.*state\.json is not what was saved"):
        train(run, tiny())


def test_examples_of_another_run_are_not_taken(run: Path, tmp_path: Path) -> None:
    train(tmp_path / "other", tiny(run__seed=8))
    store, other = Store(run), Store(tmp_path / "other")
    needed = store.read(6).data["examples"]["main"]
    iteration = needed[0][0]
    for name in ("examples-main.safetensors", "manifest.json"):
        (store.place(iteration) / name).write_bytes((other.place(iteration) / name).read_bytes())
    with pytest.raises(BadRun, match="does not belong"):
        train(run, tiny())


def test_a_checkpoint_of_a_later_version_says_so(run: Path) -> None:
    manifest = run / "checkpoints" / "000006" / "manifest.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "version": 99}))
    with pytest.raises(BadCheckpoint, match='version "99", and this ZeroGrid reads 1'):
        Store(run).read(6)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bytes_changed_anywhere_never_load_as_something_else(
    finished: Path, tmp_path: Path, data: st.DataObject
) -> None:
    """Whatever is done to the files of a checkpoint, it is one named error, or nothing has changed."""
    store = Store(finished)
    good = store.read(6)
    name = data.draw(st.sampled_from(["state.safetensors", "state.json", "manifest.json", "model.safetensors"]))
    content = bytearray((store.place(6) / name).read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    broken = Store(tmp_path)
    broken.place(6).mkdir(parents=True, exist_ok=True)
    for file in store.place(6).iterdir():
        (broken.place(6) / file.name).write_bytes(bytes(content) if file.name == name else file.read_bytes())
    try:
        read = broken.read(6)
    except BadCheckpoint:
        return
    assert read.data == good.data
    assert {k: v.tobytes() for k, v in read.arrays.items()} == {k: v.tobytes() for k, v in good.arrays.items()}


def test_arrays_come_back_with_their_shape_and_type() -> None:
    arrays = {
        "step": np.array(7.0, np.float32),
        "none": np.zeros((0, 3), np.int64),
        "turned": np.arange(6, dtype=np.int16).reshape(2, 3).T,
        "true": np.array([True, False]),
        "half": np.array([0.5], np.float16),
        "large": np.array([2**63], np.uint64),
    }
    back = as_tensors(Path("x"), tensor_bytes(arrays))
    for name, array in arrays.items():
        assert (back[name].shape, back[name].dtype) == (array.shape, array.dtype), name
        assert np.array_equal(back[name], array)
    assert tensor_bytes(arrays) == tensor_bytes(dict(reversed(arrays.items())))


def test_links_are_not_followed(run: Path, tmp_path: Path) -> None:
    file = run / "checkpoints" / "000006" / "model.safetensors"
    (tmp_path / "secret").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(tmp_path / "secret")
    with pytest.raises(BadCheckpoint):
        Store(run).read(6)


def test_only_what_is_needed_is_kept(run: Path) -> None:
    store = Store(run)
    assert store.iterations(resumable=True) == [5, 6]
    needed = {shard[0] for iteration in (5, 6) for shard in store.read(iteration).data["examples"]["main"]}
    for iteration in store.iterations():
        names = set(store.manifest(iteration)["files"])
        assert {path.name for path in store.place(iteration).iterdir()} == names | {"manifest.json"}
        assert ("examples-main.safetensors" in names) == (iteration in needed or iteration in (5, 6))
    assert "model.safetensors" in store.manifest(4)["files"]  # every fourth is kept for ever


def test_a_saved_buffer_is_the_buffer(run: Path) -> None:
    loop = train(run, tiny())
    again = train(run, tiny(), FakeEngine(tiny()))
    for name in ("z", "policy", "game_id"):
        one, other = (x.stages.seats["main"].buffer.rows(90, 240)[name] for x in (loop, again))
        assert one.tobytes() == other.tobytes()


# --- one process a run ----------------------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom zerogrid.training.lock import Lock\n"
        "with Lock(Path(sys.argv[1])):\n    print('mine', flush=True)\n    time.sleep(60)"
    )
    place = tmp_path / "mine"
    place.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(place)], stdout=subprocess.PIPE, env={"PYTHONPATH": str(ROOT / "src")}
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"mine\n"
        with pytest.raises(RunInUse, match=f'"mine" is in use by process {other.pid} on '), Lock(place):
            pass
        assert f"process {other.pid}" in str(holder_of(place))
        other.kill()
        other.wait()
        with Lock(place):  # a dead process leaves no lock behind
            pass
    assert holder_of(place) is None


def test_of_eight_that_start_together_one_gets_it(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom zerogrid.training.lock import Lock, RunInUse\n"
        "sys.stdin.readline()\n"
        "try:\n    with Lock(Path(sys.argv[1])):\n        print('mine', flush=True); time.sleep(1.5)\n"
        "except RunInUse:\n    print('taken')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, env={"PYTHONPATH": str(ROOT / "src")}, **pipes) for _ in range(8)]
    for one in started:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    said = sorted(one.communicate()[0].strip() for one in started)
    assert said == ["mine"] + ["taken"] * 7


def test_readers_do_not_disturb_who_trains(tmp_path: Path) -> None:
    tmp_path.joinpath("lock").touch()
    assert holder_of(tmp_path) is None
    with Lock(tmp_path):
        assert holder_of(tmp_path) is not None


# --- the configuration of a run -------------------------------------------------------------------------------------


def test_a_run_goes_on_with_what_it_was_begun_with(run: Path) -> None:
    with pytest.raises(ZeroGridError, match=r'"run" was begun with learner\.lr = 0\.002, and 0\.5 is asked'):
        settle_config(run, tiny(learner__lr=0.5))
    longer = tiny(run__iterations=8)
    assert train(run, longer).done == 8
    assert "iterations = 8" in (run / "config.toml").read_text()
