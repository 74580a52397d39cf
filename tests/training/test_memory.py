"""Memory: what a run needs is known before it, and a lack of it ends in a sentence, with the run as it was."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from training.fake import FakeEngine, tiny, train
from training.test_engine import small
from zerogrid.cli.frame import run as run_words
from zerogrid.core import catalogue
from zerogrid.encodings import encoding
from zerogrid.papers.presets import all_presets
from zerogrid.training import assemble, memory
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config_checks import check_parts, resolved
from zerogrid.training.engine import make
from zerogrid.training.journal import read_lines
from zerogrid.training.learner import new_network
from zerogrid.training.memory import OutOfMemory, TooLarge, needs_of, ran_out, refuse_too_large
from zerogrid.training.playing import MillPlay
from zerogrid.training.store import Store
from zerogrid.training.torture import outcome_of

ON_A_CARD = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total of 139 GiB.")
LACKS = [
    ON_A_CARD,
    torch.cuda.OutOfMemoryError("CUDA out of memory."),
    RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported"),
    RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 40000000000 bytes."),
    MemoryError(),
]


def failing(config: Any, stage: str, error: BaseException) -> FakeEngine:
    """An engine that runs out of memory in a stage of iteration 4."""
    engine, done = FakeEngine(config), 0
    seat = engine.seat("main")
    owner: Any = {"play": seat.selfplay, "learn": seat.learner, "state": seat.selfplay}.get(stage, engine)
    usual = getattr(owner, stage)

    def fail(*given: Any) -> Any:
        nonlocal done
        done += 1
        if done == (2 if stage == "exam" else 4):
            raise error
        return usual(*given)

    setattr(owner, stage, fail)
    return engine


@pytest.mark.parametrize("stage", ["play", "learn", "match", "exam", "state"])
def test_a_lack_of_memory_anywhere_leaves_the_run_as_it_was(tmp_path: Path, stage: str) -> None:
    config = tiny()
    with pytest.raises(OutOfMemory) as raised:
        train(tmp_path / "a" / "run", config, failing(config, stage, ON_A_CARD))
    done = Store(tmp_path / "a" / "run").iterations()[-1]
    said = str(raised.value)
    assert f"in iteration {done + 1} of run (CUDA out of memory)" in said
    assert f"checkpoint {done} is good" in said
    assert "--set selfplay.games= (now 256), --set learner.batch= (now 16) or --set buffer.capacity= (now 150)" in said
    train(tmp_path / "a" / "run", config)
    train(tmp_path / "b" / "run", config)
    assert outcome_of(tmp_path / "a" / "run") == outcome_of(tmp_path / "b" / "run")


@pytest.mark.parametrize("error", LACKS)
def test_every_library_is_understood(tmp_path: Path, error: BaseException) -> None:
    assert ran_out(error)
    config = tiny()
    with pytest.raises(OutOfMemory, match="was not enough in iteration 4"):
        train(tmp_path / "run", config, failing(config, "learn", error))


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    config, other = tiny(), RuntimeError("mat1 and mat2 shapes cannot be multiplied")
    with pytest.raises(RuntimeError) as raised:
        train(tmp_path / "run", config, failing(config, "learn", other))
    assert raised.value is other


def test_a_lack_of_memory_before_the_first_iteration_is_named_too(tmp_path: Path) -> None:
    engine = FakeEngine(tiny())
    engine.seat = failing_seat  # type: ignore[method-assign]
    with pytest.raises(OutOfMemory, match=r"for what run holds .* nothing was begun"):
        train(tmp_path / "run", tiny(), engine)


def failing_seat(name: str) -> Any:
    """No room for a buffer."""
    raise ON_A_CARD


def test_the_command_ends_with_1_and_goes_on_with_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["train", "tictactoe", "--smoke", "--iterations", "4", "--run", "mine", "--set", "saving.tensorboard=false"]
    monkeypatch.setattr(assemble, "engine", lambda config: failing(config, "learn", ON_A_CARD))
    assert run_words(words) == 1
    assert "the memory of this machine was not enough in iteration" in capsys.readouterr().err.splitlines()[-1]
    monkeypatch.setattr(assemble, "engine", FakeEngine)
    assert run_words(["train", "--run", "mine", "--set", "learner.batch=8", "--set", "selfplay.games=2"]) == 0
    assert run_words(["train", "--run", "mine", "--set", "selfplay.games_each=3"]) == 2
    assert "was begun with selfplay.games_each = 0" in capsys.readouterr().err


def test_a_run_goes_on_with_less_of_everything(tmp_path: Path) -> None:
    place, whole = tmp_path / "run", small(run__iterations=2)
    train(place, whole, make(whole))
    less = small(run__iterations=4, selfplay__games=2, learner__batch=16, buffer__capacity=60)
    engine = make(less)
    train(place, less, engine)
    metrics = read_lines(place / "metrics.jsonl")
    assert [told["iteration"] for told in metrics] == [1, 2, 3, 4]
    assert metrics[-1]["buffer"] == 60
    seeds = [
        json.loads(line)["seed"]
        for path in sorted((place / "games").glob("self-*"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(seeds) == len(set(seeds)), "no game is played twice"


# --- before ---------------------------------------------------------------------------------------------------------


def test_what_is_needed_is_what_will_be_allocated() -> None:
    config = resolved(all_presets()["quick"].config("tictactoe").but({"selfplay.games": 32, "selfplay.positions": 500}))
    game, shown, _ = check_parts(config)
    engine = make(config)
    seat = engine.seat("main")
    assert isinstance(seat.selfplay, MillPlay)
    assert isinstance(seat.buffer, RingBuffer)
    needs = needs_of(config, game, shown, seat.learner.network)  # type: ignore[attr-defined]
    assert needs.buffer == sum(column.nbytes for column in seat.buffer.columns.values())
    mill = seat.selfplay.mill
    room = mill._make(32)
    arrays = [array for name, array in room.forest.trees._asdict().items() if name != "options"]
    trees = sum(array.nbytes for array in arrays if array.base is None)  # the others lie within these
    assert needs.trees == pytest.approx(trees, rel=0.01)
    parameters = sum(part.numel() for part in seat.learner.network.parameters())  # type: ignore[attr-defined]
    assert needs.learning > 4 * 4 * parameters


def test_what_cannot_fit_is_refused_with_what_to_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalogue.game("gomoku:6x6x4")
    strong = resolved(all_presets()["strong"].config("gomoku:6x6x4"))
    network = new_network(strong, encoding(game), seed=0)

    def refused(available: int, **changes: Any) -> str:
        config = strong.but({name.replace("__", "."): value for name, value in changes.items()})
        monkeypatch.setattr(memory, "there_is", lambda device: available)
        with pytest.raises(TooLarge) as raised:
            refuse_too_large(config, needs_of(config, game, encoding(game), network))
        return str(raised.value)

    said = refused(10**9)
    assert "the card has 1.0 GB; most of it is for search trees: lower selfplay.games (now 4,096)" in said
    assert "lower buffer.capacity (now 500,000,000)" in refused(10**10, buffer__capacity=500_000_000)
    assert "lower learner.batch (now 500,000)" in refused(10**10, learner__batch=500_000)
    on_cpu = refused(10**8, run__device="cpu")
    assert "this machine has 100.0 MB; most of it is for" in on_cpu
    assert "trees" not in on_cpu, "there they take memory only as they grow"
    monkeypatch.setattr(memory, "there_is", lambda device: None)
    refuse_too_large(strong, needs_of(strong, game, encoding(game), network))
    monkeypatch.setattr(memory, "there_is", lambda device: 10**12)
    refuse_too_large(strong, needs_of(strong, game, encoding(game), network))


@pytest.mark.parametrize("words", [("--dry-run",), ()])
def test_a_run_without_memory_for_it_is_refused_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memory, "there_is", lambda device: 10**6)
    assert run_words(["train", "tictactoe", "--run", "mine", *words]) == 2
    assert "this machine has 1.0 MB; most of it is for" in capsys.readouterr().err
    assert not Path("runs").exists()
