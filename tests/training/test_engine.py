"""The real engine behind the loop: every stage, going on bit for bit, and numbers that are none."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from training.fake import train
from zerogrid.core import catalogue
from zerogrid.evaluators.evaluator import Batch
from zerogrid.evaluators.openvino_cpu import OpenVinoEvaluator
from zerogrid.evaluators.torch_cpu import TorchEvaluator
from zerogrid.papers.presets import preset
from zerogrid.selfplay import meter
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config, to_toml
from zerogrid.training.config_checks import resolved
from zerogrid.training.diagnosis import diagnose
from zerogrid.training.engine import NetworkEngine, make
from zerogrid.training.engine_evaluators import Evaluators
from zerogrid.training.journal import read_lines
from zerogrid.training.loop import TrainingFailed
from zerogrid.training.parts import Match, NotFinite, Orders, Rival, Work
from zerogrid.training.presets import smoke
from zerogrid.training.torture import outcome_of

SMALL = {
    "network.name": "sigmago/vanilla",
    "run.threads": 1,
    "run.iterations": 3,
    "learner.schedule": "constant",
    "exam.every": 0,
    "gate.kind": "always",
    "saving.tensorboard": False,
}


def small(**changes: Any) -> Config:
    """A dummy run of tic-tac-toe on one thread; changes are options, with __ for the dot."""
    asked = {**SMALL, **{name.replace("__", "."): value for name, value in changes.items()}}
    return resolved(smoke(preset("quick").config("tictactoe")).but(asked))


@pytest.fixture(scope="module", autouse=True)
def _converted_once() -> Iterator[None]:
    """All engines here share what OpenVINO made of their networks."""
    usual, moulds = Evaluators.__init__, {}

    def begin(self: Evaluators, *given: Any) -> None:
        usual(self, *given)
        self._moulds = moulds

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Evaluators, "__init__", begin)
        patch.setattr(Evaluators, "close", lambda self: None)
        yield


@pytest.fixture(autouse=True)
def _every_word_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """These games are too short for a word now and then."""
    monkeypatch.setattr(meter, "EVERY", 0.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without interruption."""
    place = tmp_path_factory.mktemp("whole") / "run"
    train(place, small(), make(small()))
    return place


def test_a_run_logs_what_it_did_and_its_games_can_be_played_again(whole: Path) -> None:
    last = read_lines(whole / "metrics.jsonl")[-1]
    assert last["positions"] >= 48
    assert last["distinct_games"] <= last["games"]
    assert last["first_wins"] + last["second_wins"] + last["draws"] == last["games"]
    assert {"loss", "policy_loss", "value_loss", "policy_entropy", "value_spread", "kl", "gradient"} <= set(last)
    game = catalogue.game("tictactoe")
    kept = read_lines(whole / "games" / "self-000001.jsonl")
    assert kept
    for told in kept:
        position = game.start(told["seed"])
        for move in told["moves"]:
            position.play(move)
        assert position.outcome is not None
        assert list(position.outcome.scores) == told["scores"]


def test_a_run_that_was_stopped_goes_on_bit_for_bit(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "run"
    for iterations in (1, 3):
        config = small(run__iterations=iterations)
        train(place, config, make(config))
    assert outcome_of(place) == outcome_of(whole)


def test_a_run_that_was_killed_goes_on_bit_for_bit(whole: Path, tmp_path: Path) -> None:
    """SIGKILL to a process of its own, in the middle of the second iteration or the third."""
    file = tmp_path / "small.toml"
    file.write_text(to_toml(small()), encoding="utf-8")
    place = tmp_path / "run"
    command = [sys.executable, "-m", "zerogrid", "train", "--config", str(file), "--run", str(place)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        until = time.monotonic() + 120
        while not (place / "checkpoints" / "000001" / "manifest.json").exists() and time.monotonic() < until:
            assert child.poll() is None
            time.sleep(0.002)
        os.kill(child.pid, signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    assert len(read_lines(place / "metrics.jsonl")) < 3
    train(place, small(), make(small()))
    assert outcome_of(place) == outcome_of(whole)


# --- numbers that are none ------------------------------------------------------------------------------------------


def test_a_network_that_answers_nonsense_never_becomes_champion(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, config = tmp_path / "run", small()
    usual, calls = OpenVinoEvaluator.evaluate, 0

    def broken(self: OpenVinoEvaluator, batch: Batch) -> None:
        nonlocal calls
        usual(self, batch)
        calls += 1
        if calls == 40:
            batch.values[0] = np.nan

    monkeypatch.setattr(OpenVinoEvaluator, "evaluate", broken)
    train(place, config, make(config))
    lines = read_lines(place / "metrics.jsonl")
    assert [line["iteration"] for line in lines] == [1, 2, 3]
    assert sum(line["attempt"] for line in lines) == 1  # one iteration was done again

    monkeypatch.setattr(OpenVinoEvaluator, "evaluate", lambda self, batch: batch.logits.fill(np.nan))
    with pytest.raises(TrainingFailed, match="the answers of main@0"):
        train(tmp_path / "other", config, make(config))
    assert not (tmp_path / "other" / "metrics.jsonl").exists() or not read_lines(tmp_path / "other" / "metrics.jsonl")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("all games alike", {"curriculum.kind": "none", "selfplay.noise": 0.0, "selfplay.temperature": "0:0"}),
        ("value head constant", {"learner.lr": 9.0, "learner.clip": 0.0, "learner.samples": 8.0}),
    ],
)
def test_a_run_that_cannot_learn_says_why(tmp_path: Path, name: str, changes: dict[str, Any]) -> None:
    config = small(run__iterations=5, **changes)
    train(tmp_path / "run", config, make(config))
    assert name in [finding.name for finding in diagnose(read_lines(tmp_path / "run" / "metrics.jsonl"))]


def test_nonsense_reaches_neither_the_buffer_nor_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make(small())
    seat = engine.seat("main")
    mine = seat.learner.weights("main@0")
    monkeypatch.setattr(OpenVinoEvaluator, "evaluate", lambda self, batch: batch.values.fill(np.inf))
    with pytest.raises(NotFinite, match="main@0"):
        seat.selfplay.play(Orders(1, 5, positions=20, simulations=4, weights=mine), seat.buffer)
    assert seat.buffer.total == 0
    with pytest.raises(NotFinite, match="main@0"):
        engine.match(Match(mine, "random", pairs=1, simulations=4, openings="random:1"))


# --- what the loop asks for -----------------------------------------------------------------------------------------


def test_an_archive_rivals_and_openings_are_played_as_ordered() -> None:
    engine = make(small(selfplay__games=6))
    seat, other = engine.seat("main"), engine.seat("exploiter-1")
    mine, theirs = seat.learner.weights("main@0"), other.learner.weights("exploiter-1@0")
    assert not torch.equal(*(one.inside.state_dict()["trunk.0.weight"] for one in (mine, theirs)))
    orders = Orders(1, 5, positions=40, simulations=4, weights=mine)
    played = seat.selfplay.play(orders, seat.buffer)
    assert len(seat.buffer) == played.positions >= 40
    assert played.against == {}
    half = Orders(2, 6, positions=40, simulations=4, weights=mine, rivals=(Rival(theirs, 0.5),))
    met = seat.selfplay.play(half, seat.buffer)
    assert set(met.against) == {"exploiter-1@0"}
    assert 0 < sum(met.against["exploiter-1@0"]) < met.games
    assert {name for game in met.sample for name in game.players} == {"self", "exploiter-1@0"}
    against = Orders(2, 6, positions=20, simulations=4, weights=theirs, rivals=(Rival(mine, 1.0),))
    only = other.selfplay.play(against, other.buffer)
    assert sum(only.against["main@0"]) == only.games
    late = seat.selfplay.play(Orders(3, 7, positions=40, simulations=4, weights=mine, archive=1.0), seat.buffer)
    columns = seat.buffer.rows(seat.buffer.total - late.positions, seat.buffer.total)
    assert set(columns["iteration"]) == {3}
    assert isinstance(seat.buffer, RingBuffer)


def test_another_attempt_plays_other_games_and_all_attempts_say_how_far_they_are() -> None:
    seen, told = [], list[tuple[int, int]]()
    for attempt in (0, 0, 1, 2):
        seat = make(small()).seat("main")
        orders = Orders(1, 5, attempt, positions=40, simulations=4, weights=seat.learner.weights("main@0"))
        played = seat.selfplay.play(replace(orders, progress=lambda *far: told.append(far)), seat.buffer)
        seen.append([game.moves for game in played.sample])
    assert seen[0] == seen[1]
    assert seen[0] != seen[2] != seen[3] != seen[0]
    assert told


@pytest.mark.parametrize("leaves", [1, 2])
def test_networks_with_action_tokens_play_and_learn(leaves: int) -> None:
    """A network is told at every evaluation which tokens are actions: what it plays is then what PyTorch would play."""
    changes = {"network.name": "battlefield/transformer-actions", "network.settings.layers": 1}
    changes |= {"run.threads": 1, "selfplay.games": 3, "search.leaves": leaves, "learner.precision": "float32"}
    config = resolved(smoke(preset("quick").config("tictactoe")).but(changes))
    columns = []
    for runtime in ("openvino", "torch"):
        engine = make(config)
        assert isinstance(engine, NetworkEngine)
        seat = engine.seat("main")
        weights = seat.learner.weights("main@0")
        if runtime == "torch":
            plain = TorchEvaluator(weights.inside, engine.encoding)
            engine.evaluators.for_match = lambda weights, plain=plain: plain  # type: ignore[method-assign,misc]
        seat.selfplay.play(Orders(1, 5, positions=6, simulations=8, weights=weights), seat.buffer)
        columns.append(seat.buffer.rows(0, seat.buffer.total))
        told = seat.learner.learn(seat.buffer, Work(1, 3, 2, 8, 0.001, 0.001, 0))
        assert np.isfinite(list(told.values())).all()
    np.testing.assert_array_equal(columns[0]["state"], columns[1]["state"])
    np.testing.assert_allclose(columns[0]["policy"], columns[1]["policy"], atol=1e-3)
    np.testing.assert_allclose(columns[0]["q"], columns[1]["q"], atol=1e-3)


def test_matches_do_not_depend_on_what_else_is_played() -> None:
    engine = make(small())
    seat = engine.seat("main")
    before = seat.learner.weights("main@0")
    seat.selfplay.play(Orders(1, 5, positions=60, simulations=8, weights=before), seat.buffer)
    seat.learner.learn(seat.buffer, Work(1, 3, 10, 16, 0.01, 0.01, 0))
    match = Match(seat.learner.weights("main@1"), before, pairs=6, simulations=8, openings="random:2", seed=4)
    games = engine.match(match)
    assert len(games) == 12
    assert games == engine.match(match)
    loaded = engine.weights(seat.learner.model({"iteration": 1}), "main@1")
    fresh = make(small())
    assert fresh.match(Match(loaded, before, pairs=3, first=3, simulations=8, openings="random:2", seed=4)) == games[6:]


def test_exams_are_taken_with_search_and_without() -> None:
    engine = make(small())
    weights = engine.seat("main").learner.weights("main@0")
    found = engine.exam(weights, 30, 50, 1)
    assert found is not None
    assert found["positions"] == 30
    assert found["error_rate"] == found["errors"] / 30
    assert found["raw_errors"] != found["errors"]
    better = engine.exam(weights, 30, 400, 1)
    assert better is not None
    assert better["errors"] < min(found["errors"], found["raw_errors"])
    assert better["raw_errors"] == found["raw_errors"]
    size = engine.size()
    assert size["parameters"] == sum(part.numel() for part in weights.inside.parameters())
    assert size["model_bytes"] > 4 * size["parameters"]


def test_evaluators_of_weights_long_gone_are_closed() -> None:
    engine = make(small())
    assert isinstance(engine, NetworkEngine)
    seat, evaluators = engine.seat("main"), engine.evaluators
    first = seat.learner.weights("main@0")
    held = evaluators.for_match(first)
    assert evaluators.for_match(first) is held
    for number in range(1, evaluators.most):
        evaluators.for_match(seat.learner.weights(f"main@{number}"))
    assert evaluators.for_match(first) is held  # used last, so it stays
    for number in range(evaluators.most):
        evaluators.for_match(seat.learner.weights(f"main@{number}"))
    assert evaluators.for_match(first) is not held
    assert len(evaluators._kept) == evaluators.most
