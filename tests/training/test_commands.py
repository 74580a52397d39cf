"""zerogrid train, runs, report and export, as a person types them; the engine is the trivial one."""

import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from training.fake import FakeEngine
from zerogrid.cli.frame import run as run_words
from zerogrid.papers.presets import all_presets
from zerogrid.training import assemble, plan
from zerogrid.training.config import all_names
from zerogrid.training.lock import Lock


@dataclass
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON lines on standard output."""
        return [json.loads(line) for line in self.out.splitlines()]


Zerogrid = Callable[..., Answer]
SMALL = ("--set", "exam.every=1", "--set", "network.settings.size=nano")


@pytest.fixture
def zerogrid(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zerogrid:
    """zerogrid("train", "tictactoe") in an empty folder, with the trivial engine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(assemble, "engine", FakeEngine)

    def call(*words: str) -> Answer:
        capsys.readouterr()
        code = run_words(words)
        return Answer(code, *capsys.readouterr())

    return call


def test_one_command_trains_and_the_same_command_goes_on(zerogrid: Zerogrid) -> None:
    words = ("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    done = zerogrid(*words)
    assert done.code == 0, done.err
    assert "runs/mine: done" in done.out
    assert "iteration 2: done" in done.err
    assert "goes on after iteration 2" in zerogrid(*words).err
    longer = zerogrid("train", "--run", "mine", "--iterations", "3")
    assert longer.code == 0
    assert "iteration 3, games" in longer.err
    assert Path("runs/mine/events.out.tfevents.0000000000.zerogrid").exists()


def test_a_run_that_does_not_learn_ends_with_what_is_wrong(
    zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assemble, "engine", lambda config: FakeEngine(config, always=0.0))
    gate = ("--set", "gate.kind=threshold", "--set", "exam.positions=0", "--iterations", "5")
    said = zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL, *gate).out
    assert "every candidate rejected: the last 5 candidates were rejected" in said
    assert "lower gate.share" in said


def test_a_dummy_run_is_as_long_as_is_asked(zerogrid: Zerogrid) -> None:
    words = ("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    assert "iteration 3: done" in zerogrid(*words, "--iterations", "3").err
    assert "iteration 4: done" in zerogrid(*words, "--set", "run.iterations=4").err


def test_programs_get_a_line_an_iteration(zerogrid: Zerogrid) -> None:
    records = zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL, "--json").records
    assert [one.get("iteration") for one in records] == [1, 2, 2]
    assert records[0]["timings"]["seconds"] >= 0
    assert records[-1] == {"run": "runs/mine", "ended": "done", "iteration": 2}


def test_a_run_afterwards(zerogrid: Zerogrid) -> None:
    assert "no runs" in zerogrid("runs").out
    zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    assert "mine" in zerogrid("runs").out
    (told,) = zerogrid("runs", "--json").records
    assert (told["name"], told["iteration"], told["game"]) == ("mine", 2, "tictactoe")
    assert zerogrid("report", "mine").out.strip() == "runs/mine/report.html"
    assert "<!doctype html>" in Path("runs/mine/report.html").read_text()
    assert zerogrid("report", "mine", "--out", "charts.png").code == 0
    assert Path("charts.png").read_bytes().startswith(b"\x89PNG")
    (told,) = zerogrid("report", "mine", "--json").records
    assert told["run"] == "mine"
    assert zerogrid("export", "mine", "--out", "model").code == 0
    assert {path.name for path in Path("model").iterdir()} == {"model.safetensors", "README.md", "config.toml"}
    again = zerogrid("train", "--config", "model/config.toml", "--run", "again")
    assert again.code == 0
    one, two = (Path(f"runs/{name}/metrics.jsonl").read_bytes() for name in ("mine", "again"))
    assert one == two, "the card's command makes it again"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("train",), "name a game"),
        (("train", "tictacto"), 'Did you mean "tictactoe"'),
        (("train", "tictactoe", "--preset", "quik"), 'Did you mean "quick"'),
        (("train", "tictactoe", "--preset", "papers/sigmago/hybrid"), "is for gomoku"),
        (("train", "tictactoe", "--set", "learner.lrr=1"), 'Did you mean "learner.lr"'),
        (("train", "tictactoe", "--set", "learner.lr"), "write it like"),
        (("train", "tictactoe", "--device", "gpu"), "is one of cpu, cuda"),
        (("train", "tictactoe", "--iterations", "0"), "whole number from 1"),
        (("train", "tictactoe", "--config", "nowhere.toml"), "cannot be read"),
        (("train", "tictactoe", "--config", "a.toml", "--preset", "quick"), "not both"),
        (("train", "--run", "nowhere"), "name a game"),
        (("report", "nowhere"), 'there is no run "nowhere"'),
        (("export", "nowhere", "--out", "x"), 'there is no run "nowhere"'),
    ],
)
def test_bad_input_gets_a_sentence(zerogrid: Zerogrid, words: tuple[str, ...], said: str) -> None:
    answer = zerogrid(*words)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert answer.out == ""


def test_another_configuration_for_the_same_run_is_refused(zerogrid: Zerogrid) -> None:
    words = ("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    zerogrid(*words)
    answer = zerogrid(*words, "--set", "learner.lr=0.5")
    assert answer.code == 2
    assert 'the run "mine" was begun with learner.lr = 0.003, and 0.5 is asked for now' in answer.err


def test_a_report_goes_into_a_file_that_can_be(zerogrid: Zerogrid) -> None:
    zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    assert "an .html or a .png file" in zerogrid("report", "mine", "--out", "report.pdf").err
    assert "no folder" in zerogrid("report", "mine", "--out", "nowhere/report.html").err


def test_a_run_in_use_is_left_alone(zerogrid: Zerogrid) -> None:
    zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    with Lock(Path("runs/mine")):
        answer = zerogrid("train", "--run", "mine", "--iterations", "9")
        assert f"in use by process {os.getpid()}" in zerogrid("runs").out
    assert answer.code == 2
    assert f'the run "mine" is in use by process {os.getpid()}' in answer.err


def test_a_disk_without_room_is_refused_before_it_begins(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerogrid.training.disk.free_bytes", lambda path: 1000)
    answer = zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    assert answer.code == 2
    assert "1.0 kB are free; make room" in answer.err
    assert not Path("runs/mine").exists()


def test_a_card_that_is_not_there_is_refused_before_it_begins(
    zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    answer = zerogrid("train", "tictactoe", "--device", "cuda", "--run", "mine")
    assert answer.code == 2
    assert answer.err == "run.device cuda needs a CUDA card, and PyTorch finds none here; use --device cpu.\n"
    assert not Path("runs").exists()


def test_numbers_that_are_not_finite_end_with_a_report_and_1(
    zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sick(config: Any) -> FakeEngine:
        engine = FakeEngine(config)
        engine.seat("main").learner.spoil[2] = "loss"  # type: ignore[attr-defined]
        return engine

    monkeypatch.setattr(assemble, "engine", sick)
    answer = zerogrid("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    assert answer.code == 1
    assert "3 times in a row" in answer.err
    assert "checkpoint 1 is good" in answer.err


def test_ctrl_c_ends_with_130_and_a_saved_run(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pressed(FakeEngine):
        def match(self, match: Any) -> Any:
            if not self.matches:
                heard: Any = signal.getsignal(signal.SIGINT)  # a real one could come too late and stop the tests
                heard(signal.SIGINT, None)
            return super().match(match)

    monkeypatch.setattr(assemble, "engine", Pressed)
    words = ("train", "tictactoe", "--smoke", "--run", "mine", *SMALL)
    answer = zerogrid(*words, "--set", "exam.opponents=random")
    assert answer.code == 130
    assert "Stopping when this iteration is saved" in answer.err
    assert Path("runs/mine/checkpoints/000001/manifest.json").exists()


def test_every_option_is_listed(zerogrid: Zerogrid) -> None:
    records = zerogrid("train", "--options", "--json").records
    assert [one["option"] for one in records] == all_names()
    assert all(one["about"] for one in records)
    lr = next(one for one in records if one["option"] == "learner.lr")
    assert (lr["default"], "Dotsformer" in lr["papers"]) == (0.002, True)
    assert "learning rate" in zerogrid("train", "--options").out


def test_every_preset_is_listed(zerogrid: Zerogrid) -> None:
    assert [one["preset"] for one in zerogrid("train", "--presets", "--json").records] == list(all_presets())


def test_a_plan_says_how_big_and_how_long(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_evaluations_per_second", lambda *_: 10_000.0)
    (told,) = zerogrid("train", "tictactoe", "--iterations", "40", "--dry-run", "--json").records
    assert told["positions"] == 40 * 4096
    assert told["simulations"] == 40 * 4096 * 64
    assert told["steps"] == 40 * 64
    least = (told["simulations"] + 6 * told["steps"] * 256) / 10_000
    assert least < told["seconds"] < 2 * least
    text = zerogrid("train", "tictactoe", "--dry-run").out
    assert "evaluations/s of the bare network" in text
    assert not Path("runs").exists(), "a plan does nothing"


@pytest.mark.parametrize("name", [name for name in all_presets() if not name.endswith("-modern")])
def test_every_preset_can_be_planned(name: str) -> None:
    made = plan.plan(all_presets()[name].config(), measure=False)
    assert made.parameters > 1000
    assert made.games >= made.iterations
    assert made.simulations > made.positions > 0
    assert made.disk_bytes > made.checkpoint_bytes > 0


def test_a_plan_measures_the_network_it_has() -> None:
    made = plan.plan(all_presets()["quick"].config("tictactoe"))
    assert made.evaluations_per_second is not None
    assert made.seconds is not None
    assert made.mean_plies == pytest.approx(7.5, abs=1.5)  # nine squares, random play


def test_without_a_card_a_plan_for_one_says_so(zerogrid: Zerogrid) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a card")
    said = zerogrid("train", "--preset", "strong", "tictactoe", "--dry-run").out
    assert "cannot be known here: there is no cuda" in said
