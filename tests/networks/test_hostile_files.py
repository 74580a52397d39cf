"""Files that someone sent: whatever is in them, one named error, and nothing runs, hangs, or takes memory."""

import contextlib
import os
import random
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zerogrid
from networks.hostile import CHANGES, FILES, Parts, good_file, whole
from zerogrid.core.errors import BadModelFile, UnknownGame
from zerogrid.networks.files import load_model

resource = pytest.importorskip("resource", reason="memory is bounded by the system's own limits")
ALLOWED = 64 << 20
FORBIDDEN = (
    "exec", "compile", "import", "pickle.find_class", "marshal.loads", "os.system", "os.exec", "os.posix_spawn",
    "os.fork", "subprocess.Popen", "socket.connect", "socket.bind", "ctypes.dlopen", "shutil.rmtree", "os.remove",
    "os.rename", "urllib.Request",
)  # fmt: skip

_watched: list[tuple[str, str]] | None = None
_may_open = ""


def _hook(event: str, arguments: Any) -> None:
    if _watched is None:
        return
    if event in FORBIDDEN or (event == "open" and os.fspath(arguments[0]) != _may_open):
        _watched.append((event, str(arguments)[:200]))


sys.addaudithook(_hook)


def _too_long(*_: object) -> None:
    raise TimeoutError("reading takes too long")


@contextlib.contextmanager
def guarded(path: Path, seconds: int = 10) -> Iterator[None]:
    """Some seconds, the file's size and 64 MiB of address space more than now, and an eye on what is done."""
    global _watched, _may_open
    size = path.stat().st_size if path.is_file() else 0
    before = resource.getrlimit(resource.RLIMIT_AS)
    status = Path("/proc/self/statm")
    pages = int(status.read_text().split()[0]) if status.exists() else 0
    alarm = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(seconds)
    if pages:
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + size + ALLOWED, before[1]))
    _watched, _may_open = [], str(path)
    try:
        yield
        seen = _watched
    finally:
        _watched = None
        resource.setrlimit(resource.RLIMIT_AS, before)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, alarm)
    assert not seen, seen


def refused(path: Path) -> str:
    """The one error with which a file is refused."""
    with guarded(path):
        try:
            load_model(str(path))
        except BadModelFile as error:
            sentence = str(error)
        else:
            raise AssertionError("it was loaded")
    assert 10 < len(sentence) < 1000
    assert sentence.endswith(".")
    assert sentence.isprintable()
    return sentence


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    path = good_file(tmp_path_factory.mktemp("models"))
    load_model(path)  # what is imported or compiled at the first use is not the attacks' doing
    with pytest.raises(BadModelFile):
        load_model(path.parent / "none")
    with guarded(path):
        load_model(str(path))
    return Parts(path.read_bytes())


def test_the_good_file_put_together_again_is_good(good: Parts, tmp_path: Path) -> None:
    path = tmp_path / "again.safetensors"
    path.write_bytes(good.copy().file())
    with guarded(path):
        assert load_model(str(path)).game == "tictactoe"


@pytest.mark.parametrize("attack", CHANGES)
def test_a_changed_file_is_refused(attack: str, good: Parts, tmp_path: Path) -> None:
    parts = good.copy()
    CHANGES[attack](parts)
    path = tmp_path / "model.safetensors"
    path.write_bytes(parts.file())
    refused(path)


@pytest.mark.parametrize("attack", FILES)
def test_a_file_of_something_else_is_refused(attack: str, good: Parts, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(FILES[attack](good))
    refused(path)


def test_a_file_cut_anywhere_is_refused(good: Parts, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    header = len(good.raw) - len(good.data)
    path.write_bytes(good.raw)
    for length in [len(good.raw) - 1, *range(len(good.raw) - 2, header, -97), *range(header, -1, -1)]:
        os.truncate(path, length)
        with pytest.raises(BadModelFile):
            load_model(path)


def test_a_hundred_megabytes_of_header_are_not_read(good: Parts, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.write((100_000_000).to_bytes(8, "little") + b"{")
        file.truncate(100_000_008)
    assert "100000000 bytes" in refused(path)


def test_a_file_of_many_gigabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.truncate(1 << 33)
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert "too large" in refused(path)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_only_plain_files_are_opened(good: Parts, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_bytes(good.raw)
    link, dangling, folder, pipe = (tmp_path / name for name in ("link", "dangling", "folder", "pipe"))
    link.symlink_to(real)
    dangling.symlink_to(tmp_path / "nowhere")
    folder.mkdir()
    os.mkfifo(pipe)
    plug = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(tmp_path)  # the names of sockets are short
        try:
            listener.bind("s")
        finally:
            os.chdir(here)
        for path in (link, dangling, folder, pipe, plug, Path("/dev/zero"), Path("/dev/null"), tmp_path / "none"):
            refused(path)
    assert "link" in refused(link)


@pytest.mark.parametrize("name", ["", "\0", "a\0b", "x" * 5000, "/proc/self/mem/x"])
def test_names_that_are_no_files_are_refused(name: str) -> None:
    with pytest.raises(BadModelFile):
        load_model(name)


def test_a_second_name_for_a_plain_file_is_a_plain_file(good: Parts, tmp_path: Path) -> None:
    real, other = tmp_path / "real", tmp_path / "other"
    real.write_bytes(good.raw)
    os.link(real, other)
    assert load_model(other).encoding == "stones"


def test_a_game_in_a_file_is_only_a_word(good: Parts, tmp_path: Path) -> None:
    """Where the file's own parts agree, it loads, and whoever asks for the game is told that there is none."""
    parts = good.copy()
    parts.about["game"] = "os:system"
    parts.about["shape"]["game"] = "os"
    path = tmp_path / "model.safetensors"
    path.write_bytes(parts.file())
    with guarded(path):
        model = load_model(str(path))
    with pytest.raises(UnknownGame):
        zerogrid.game(model.game)


def test_bytes_changed_at_random_never_do_more_than_refuse(good: Parts, tmp_path: Path) -> None:
    """Fifteen hundred files, most of them changed in the header, some cut or grown as well."""
    draw = random.Random(7)
    header = len(good.raw) - len(good.data)
    path = tmp_path / "model.safetensors"
    refusals = 0
    with guarded(path, seconds=120):
        for _ in range(1500):
            raw = bytearray(good.raw)
            for _ in range(draw.choice((1, 1, 2, 8))):
                where = draw.randrange(header if draw.random() < 0.8 else len(raw))
                raw[where] = draw.choice((draw.randrange(256), ord('"'), ord("}"), ord("9"), ord("-"), 0))
            if draw.random() < 0.1:
                raw = raw[: draw.randrange(len(raw))]
            with open(path, "wb") as file:
                file.write(raw)
            try:
                load_model(str(path))
            except BadModelFile:
                refusals += 1
    # What passes has a change that means nothing: a provenance in other words, a blank for a blank.
    assert refusals > 1350





def test_the_attacks_are_many() -> None:
    assert len(CHANGES) + len(FILES) >= 100
    assert whole({}) == b"\x02" + bytes(7) + b"{}"
