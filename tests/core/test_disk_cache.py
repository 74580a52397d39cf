"""Compiled code on disk: found again, never stale, never trusted when others could have written it."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zerogrid.core import disk_cache
from zerogrid.core.disk_cache import cache_folder
from zerogrid.core.link import Linked, link


class Out(NamedTuple):
    """Where the kernel writes."""

    out: Any


def double(b: int, lane: int, t: Out) -> None:
    """A kernel that compiles quickly."""
    t.out[b] = 2 * b


def run_double() -> Linked:
    """Link anew, as another process would, and run."""
    made, out = link(double, "cpu", {}), np.zeros(5, np.int64)
    made(5, Out(out))
    assert out.tolist() == [0, 2, 4, 6, 8]
    return made


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of one's own."""
    monkeypatch.setenv("ZEROGRID_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(cache: Path) -> list[Path]:
    """The files of compiled code."""
    return sorted((cache / "compiled").glob("*.code"))


def test_what_was_compiled_is_found_again(cache: Path) -> None:
    assert (run_double().cache.hits, len(entries(cache))) == (0, 1)
    again = run_double()
    assert (again.cache.hits, again.cache.misses) == (1, 0)
    assert len(entries(cache)) == 1


def test_the_folder_is_the_users_own(cache: Path) -> None:
    os.umask(os.umask(0))
    run_double()
    for folder in (cache, cache / "compiled"):
        assert folder.stat().st_mode & 0o777 == 0o700


DAMAGES = {
    "empty": lambda content: b"",
    "cut in the head": lambda content: content[:10],
    "cut in the checksum": lambda content: content[:40],
    "cut at the end": lambda content: content[:-1],
    "one bit flipped": lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
    "longer than it was": lambda content: content + b"\0",
    "from another version": lambda content: content.replace(b"code 3", b"code 2"),
    "something else": lambda content: os.urandom(500),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_made_again(damage: str, cache: Path) -> None:
    run_double()
    (file,) = entries(cache)
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert (run_double().cache.hits, run_double().cache.hits) == (0, 1)
    assert entries(cache) == [file]
    assert len(file.read_bytes()) > 1000


class Trap:
    """What an attacker would put into a pickle."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("trapped",)


def test_a_pickle_without_our_checksum_is_never_opened(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_double()
    monkeypatch.chdir(cache)
    (file,) = entries(cache)
    file.write_bytes(pickle.dumps(Trap()))
    run_double()
    assert not (cache / "trapped").exists()


def test_a_folder_that_others_may_write_to_is_not_used(cache: Path) -> None:
    run_double()
    for shared in (cache, cache / "compiled"):
        shared.chmod(0o777)
        before = [file.stat().st_mtime_ns for file in entries(cache)]
        assert cache_folder() is None
        assert run_double().cache.hits == 0
        assert [file.stat().st_mtime_ns for file in entries(cache)] == before
        shared.chmod(0o700)
    assert run_double().cache.hits == 1


def test_a_folder_that_is_a_link_is_not_used(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    cache.symlink_to(tmp_path / "theirs")
    assert cache_folder() is None
    run_double()
    assert list((tmp_path / "theirs").glob("**/*.code")) == []


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "No space left on device")])
def test_where_nothing_can_be_written_work_goes_on(
    error: OSError, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **more: Any) -> Any:
        raise error

    monkeypatch.setattr(disk_cache.tempfile, "mkstemp", refuse)
    run_double()
    assert entries(cache) == []


def test_a_disk_that_fills_up_leaves_nothing_half_written(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_cache.os, "replace", full)
    run_double()
    assert list((cache / "compiled").iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_read_and_left_alone(cache: Path) -> None:
    run_double()
    (file,) = entries(cache)
    (cache / "compiled").chmod(0o500)
    try:
        assert run_double().cache.hits == 1
        file.write_bytes(b"damaged")
        run_double()
        assert file.read_bytes() == b"damaged"
    finally:
        (cache / "compiled").chmod(0o700)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No cache is chosen; temporary files go to a folder of the test's."""
    for name in ("ZEROGRID_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(disk_cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    return tmp_path / "temporary"


@pytest.mark.parametrize("home", [os.devnull, "/proc/no-such-home"])
def test_a_home_that_is_missing_is_replaced_by_the_temporary_folder(
    home: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    folder = cache_folder()
    assert folder is not None
    assert folder.parent.parent == nowhere
    assert run_double().cache.hits == 0
    assert run_double().cache.hits == 1


def test_a_user_without_any_home_is_no_trouble(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(disk_cache.Path, "home", homeless)
    folder = cache_folder()
    assert folder is not None
    assert folder.parent.parent == nowhere


def test_a_name_taken_by_somebody_else_in_the_temporary_folder_is_not_used(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", os.devnull)
    folder = cache_folder()
    assert folder is not None
    folder.parent.chmod(0o777)  # as if a stranger had made it for all
    assert cache_folder() is None
    run_double()


def test_the_usual_places_come_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZEROGRID_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "zerogrid" / "compiled"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / "home" / ".cache" / "zerogrid" / "compiled"


def test_what_dead_processes_left_behind_is_swept_away(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache_folder()
    assert folder is not None
    long_ago = time.time() - 2 * disk_cache.ABANDONED
    for name in (".new-old", ".new-fresh", *(f"{i}.code" for i in range(8))):
        (folder / name).write_bytes(b"x")
    os.utime(folder / ".new-old", (long_ago, long_ago))
    for i in range(8):
        os.utime(folder / f"{i}.code", (long_ago + i, long_ago + i))
    monkeypatch.setattr(disk_cache, "MOST_FILES", 8)
    run_double()
    left = {file.name for file in folder.iterdir()}
    assert ".new-old" not in left
    assert ".new-fresh" in left
    assert "0.code" not in left  # of those unused for longest there were too many
    assert "7.code" in left
    assert run_double().cache.hits == 1


# --- in processes of their own --------------------------------------------------------------------------------------

PROCESS = """
import os, sys
import zerogrid
from core.kernels import list_legal, no_actions
from zerogrid.core import rules
from zerogrid.core.link import link

zerogrid.use_file(sys.argv[1])
module = zerogrid.game("mine").module
children = int(sys.argv[2])
made = link(list_legal, "cpu", {rules: module})  # brings the compiler, which begins at the first call
for _ in range(children):
    if os.fork() == 0:
        break
else:
    while children:
        children -= os.wait()[1] == 0
found = no_actions(module)
made(1, found)
line = " ".join(map(str, [*found.actions[0, : found.count[0]], "hits", made.cache.hits]))
os.write(1, f"{line}{chr(10)}".encode())  # in one piece: eight processes share the pipe
"""

GAME = """
from zerogrid.core.layout import Layout, number
from zerogrid.core.rules import setting
SIZE = 3
STEP = setting("step", 2)
LAYOUT = Layout(turn=number())
ENDINGS = ("over",)
ACTIONS, MAX_LEGAL, MAX_PLIES = 99, 9, 1
def start(state, seed): state[0] = 0
def to_move(state): return 0
def legal(state, actions):
    for i in range(SIZE):
        actions[i] = place(i)
    return SIZE
def place(i): return i * STEP
def play(state, action): state[0] = 1
def ended(state): return state[0]
def score(state, player): return 0.0
"""


def listed(file: Path, children: int = 0) -> list[str]:
    """What a fresh process says that lists the game's legal actions in compiled code, after children that do too."""
    tests = str(Path(__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", PROCESS, str(file), str(children)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_an_edited_game_is_never_answered_from_old_code(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(GAME)
    assert listed(file) == ["0 2 4 hits 0"]
    assert listed(file) == ["0 2 4 hits 1"]
    for old, new, expected in (
        ("i * STEP", "i * STEP + 1", "1 3 5"),  # in a helper that the kernel never names
        ("SIZE = 3", "SIZE = 4", "1 3 5 7"),
        ('"step", 2', '"step", 5', "1 6 11 16"),
    ):
        made = file.stat()
        file.write_text(file.read_text().replace(old, new))
        os.utime(file, ns=(made.st_atime_ns, made.st_mtime_ns))  # a clock that stands still fools nobody
        assert listed(file) == [f"{expected} hits 0"]
    assert len(entries(cache)) == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_eight_processes_may_start_cold_at_once(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(GAME)
    *children, parent = listed(file, children=8)
    assert len(children) == 8
    assert set(children) <= {"0 2 4 hits 0", "0 2 4 hits 1"}
    assert parent == "0 2 4 hits 1"
    assert len(list((cache / "compiled").iterdir())) == 1
