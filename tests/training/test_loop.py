"""The loop: who plays whom, what is learned, what is kept; and that nothing that is not finite ever is."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.fake import FakeEngine, FakeLearner, FakeSelfPlay, tiny, train
from zerogrid.papers.presets import all_presets
from zerogrid.training import events
from zerogrid.training.journal import read_lines
from zerogrid.training.loop import Loop, TrainingFailed
from zerogrid.training.parts import NotFinite, Weights
from zerogrid.training.presets import smoke
from zerogrid.training.stopping import Stopper
from zerogrid.training.store import Store
from zerogrid.training.torture import outcome_of

ROOT = Path(__file__).resolve().parents[2]


def selfplay_of(engine: FakeEngine, name: str = "main") -> FakeSelfPlay:
    """The fake self-play of a seat."""
    made = engine.seat(name).selfplay
    assert isinstance(made, FakeSelfPlay)
    return made


def learner_of(engine: FakeEngine, name: str = "main") -> FakeLearner:
    """The fake learner of a seat."""
    made = engine.seat(name).learner
    assert isinstance(made, FakeLearner)
    return made


def test_the_champion_plays_until_a_candidate_beats_it(tmp_path: Path) -> None:
    engine = FakeEngine(tiny(), always=0.0)
    loop = train(tmp_path / "run", tiny(), engine)
    assert loop.stages.tally.champion == "main@0"
    assert {orders.weights.name for orders in selfplay_of(engine).asked if orders.weights} == {"main@0"}
    assert loop.stages.tally.rejected == 6
    engine = FakeEngine(tiny(), always=1.0)
    train(tmp_path / "other", tiny(), engine)
    players = [orders.weights.name for orders in selfplay_of(engine).asked if orders.weights]
    assert players == [f"main@{k}" for k in range(6)]
    champions = read_lines(tmp_path / "other" / "champions.jsonl")
    assert [told["champion"] for told in champions] == [f"main@{k}" for k in range(1, 7)]
    assert champions[0]["gate"]["wins"] == 8


def test_candidate_and_champion_meet_from_the_same_openings_on_both_sides(tmp_path: Path) -> None:
    engine = FakeEngine(tiny(), always=1.0)
    train(tmp_path / "run", tiny(), engine)
    gate = engine.matches[0]
    assert isinstance(gate.a, Weights)
    assert isinstance(gate.b, Weights)
    assert (gate.a.name, gate.b.name, gate.pairs, gate.openings) == ("main@1", "main@0", 4, "random:4")
    assert len({match.seed for match in engine.matches if getattr(match.b, "name", "") == "main@0"}) > 1


def test_the_logs_say_what_happened(tmp_path: Path) -> None:
    loop = train(tmp_path / "run", tiny())
    metrics = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [told["iteration"] for told in metrics] == [1, 2, 3, 4, 5, 6]
    last = metrics[-1]
    assert (last["games"], last["positions"], last["total_games"], last["total_positions"]) == (8, 40, 48, 240)
    assert (last["buffer"], last["steps"]) == (150, 5)
    assert last["first_wins"] + last["second_wins"] + last["draws"] == 8
    assert [told["iteration"] for told in metrics if "exam" in told] == [2, 4, 6]
    assert set(metrics[1]["exam"]["scores"]) >= {"random"}
    games = read_lines(tmp_path / "run" / "games" / "gate-000003.jsonl")
    assert len(games) == 8
    assert set(games[0]) == {"game", "moves", "scores", "players", "seed", "opening", "opened", "ending"}
    timings = read_lines(tmp_path / "run" / "timings.jsonl")
    assert [told["iteration"] for told in timings] == [1, 2, 3, 4, 5, 6]
    assert not {"seconds", "play_s", "at"} & set(last), "times are kept apart, for they are never the same twice"
    assert loop.done == 6


def test_the_same_seed_is_the_same_run_and_another_is_not(tmp_path: Path) -> None:
    for place, seed in (("one/run", 7), ("two/run", 7), ("three/run", 8)):
        train(tmp_path / place, tiny(run__seed=seed))
    one, two, three = (outcome_of(tmp_path / place / "run") for place in ("one", "two", "three"))
    assert one == two
    assert one["metrics.jsonl"] != three["metrics.jsonl"]


def test_a_run_that_is_made_longer_goes_on(tmp_path: Path) -> None:
    short = {"learner.schedule": "constant", "exam.every": 0}
    train(tmp_path / "a" / "run", tiny(**{"run.iterations": 3, **short}))
    train(tmp_path / "a" / "run", tiny(**{"run.iterations": 6, **short}))
    train(tmp_path / "b" / "run", tiny(**{"run.iterations": 6, **short}))
    assert outcome_of(tmp_path / "a" / "run") == outcome_of(tmp_path / "b" / "run")


def test_saving_rarely_loses_nothing_but_time(tmp_path: Path) -> None:
    train(tmp_path / "often" / "run", tiny())
    train(tmp_path / "rarely" / "run", tiny(saving__every=4, gate__kind="always"))
    often, rarely = (read_lines(tmp_path / name / "run" / "metrics.jsonl") for name in ("often", "rarely"))
    assert len(often) == len(rarely) == 6
    assert Store(tmp_path / "rarely" / "run").iterations(resumable=True)[-1] == 6


# --- numbers that are none ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["loss", "weights", "raise"])
def test_what_is_not_finite_is_never_saved_and_three_times_stop_the_run(tmp_path: Path, wrong: str) -> None:
    engine = FakeEngine(tiny())
    learner_of(engine).spoil[4] = wrong
    told: list[Any] = []
    with pytest.raises(TrainingFailed) as raised:
        train(tmp_path / "run", tiny(), engine, [told.append])
    assert "iteration 4 of run met numbers that are not finite, 3 times in a row" in str(raised.value)
    assert "checkpoint 3 is good" in str(raised.value)
    assert [event.attempt for event in told if isinstance(event, events.NotFiniteMet)] == [1, 2, 3]
    store = Store(tmp_path / "run")
    assert store.iterations()[-1] == 3
    for array in store.read(3).arrays.values():
        assert array.dtype.kind != "f" or np.isfinite(array).all()
    assert [m["iteration"] for m in read_lines(tmp_path / "run" / "metrics.jsonl")] == [1, 2, 3]
    assert not any("main@4" in c["champion"] for c in read_lines(tmp_path / "run" / "champions.jsonl"))
    train(tmp_path / "run", tiny())  # with an engine that is well again it goes on
    assert store.iterations()[-1] == 6


@pytest.mark.parametrize("column", ["z", "policy", "q"])
def test_targets_that_are_not_finite_never_reach_the_learner(tmp_path: Path, column: str) -> None:
    engine = FakeEngine(tiny())
    selfplay_of(engine).spoil[3] = column
    told: list[Any] = []
    loop = train(tmp_path / "run", tiny(), engine, [told.append])
    (met,) = (event for event in told if isinstance(event, events.NotFiniteMet))
    assert (met.iteration, met.attempt) == (3, 1)
    assert loop.done == 6
    buffer = engine.seat("main").buffer
    assert buffer.finite(0)
    third = read_lines(tmp_path / "run" / "metrics.jsonl")[2]
    assert (third["iteration"], third["attempt"]) == (3, 1)
    seeds = [orders.seed for orders in selfplay_of(engine).asked if orders.iteration == 3]
    assert len(set(seeds)) == 2, "the second attempt has other chance"


def test_an_attempt_that_failed_leaves_no_trace_but_its_number(tmp_path: Path) -> None:
    """After a fault the run is the one in which the second attempt was made at once."""
    engine = FakeEngine(tiny(saving__every=2, gate__kind="always", exam__every=0))
    selfplay_of(engine).spoil[4] = "z"
    train(tmp_path / "run", engine.config, engine)
    totals = [m["total_games"] for m in read_lines(tmp_path / "run" / "metrics.jsonl")]
    assert totals == [8, 16, 24, 32, 40, 48]


def test_a_death_in_another_attempt_changes_nothing(tmp_path: Path) -> None:
    """The number of an attempt is not kept: the attempts are made again, and fail again, or do not."""

    class Killed(Exception):
        """The process is gone."""

    config = tiny(saving__every=3, gate__kind="always", exam__every=0)

    def fragile(dies: bool) -> FakeEngine:
        engine = FakeEngine(config)
        usual = selfplay_of(engine).play

        def play(orders: Any, buffer: Any) -> Any:
            if dies and orders.attempt == 1:
                raise Killed
            if orders.iteration == 5 and orders.attempt == 0:
                raise NotFinite("the answers of main@4 are no numbers.")
            return usual(orders, buffer)

        selfplay_of(engine).play = play  # type: ignore[method-assign]
        return engine

    train(tmp_path / "a" / "run", config, fragile(dies=False))
    with pytest.raises(Killed):
        train(tmp_path / "b" / "run", config, fragile(dies=True))
    train(tmp_path / "b" / "run", config, fragile(dies=False))
    assert outcome_of(tmp_path / "a" / "run") == outcome_of(tmp_path / "b" / "run")
    attempts = [m["attempt"] for m in read_lines(tmp_path / "b" / "run" / "metrics.jsonl")]
    assert attempts == [0, 0, 0, 0, 1, 0]


# --- stopping -------------------------------------------------------------------------------------------------------


def test_a_run_that_is_asked_to_stop_saves_and_goes_on_later(tmp_path: Path) -> None:
    config = tiny()
    stopper = Stopper()

    def ask(event: events.Event) -> None:
        if isinstance(event, events.Stage) and (event.iteration, event.name) == (3, "learn"):
            stopper.asked = True

    (tmp_path / "a" / "run").mkdir(parents=True)
    (tmp_path / "a" / "run" / "config.toml").touch()
    loop = Loop(config, FakeEngine(config), tmp_path / "a" / "run", [ask], stopper)
    assert loop.run() == "asked"
    assert loop.done == 3
    again = Loop(config, FakeEngine(config), tmp_path / "a" / "run")
    assert again.run() == "done"
    train(tmp_path / "b" / "run", config)
    assert outcome_of(tmp_path / "a" / "run") == outcome_of(tmp_path / "b" / "run")


def test_the_time_that_was_given_ends_a_run(tmp_path: Path) -> None:
    config = tiny(run__minutes=1e-9)
    loop = train(tmp_path / "run", config)
    assert loop.done == 1
    assert train(tmp_path / "run", config).done == 1, "time is counted over all sessions"


def test_the_first_ctrl_c_finishes_the_iteration_and_the_second_gives_it_up(tmp_path: Path) -> None:
    code = (
        "import sys, os, signal\nfrom pathlib import Path\n"
        f"sys.path[:0] = [{str(ROOT / 'src')!r}, {str(ROOT / 'tests')!r}]\n"
        "from training.fake import FakeEngine, tiny\nfrom zerogrid.training import events\n"
        "from zerogrid.training.loop import Loop\nfrom zerogrid.training.stopping import Stopper\n"
        "times = int(sys.argv[2])\n"
        "def press(event):\n"
        "    if isinstance(event, events.Stage) and (event.iteration, event.name) == (2, 'learn'):\n"
        "        for _ in range(times):\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "place = Path(sys.argv[1]); place.mkdir()\n"
        "with Stopper() as stopper:\n"
        "    loop = Loop(tiny(), FakeEngine(tiny()), place, [press], stopper)\n"
        "    print(loop.run(), loop.done)\n"
    )
    once = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a"), "1"], capture_output=True, text=True)
    assert once.stdout.split() == ["asked", "2"]
    twice = subprocess.run([sys.executable, "-c", code, str(tmp_path / "b"), "2"], capture_output=True, text=True)
    assert twice.returncode in (-signal.SIGINT, 130, 1)
    assert "KeyboardInterrupt" in twice.stderr
    assert Store(tmp_path / "b").iterations()[-1] == 1


# --- curriculum and league in the loop ------------------------------------------------------------------------------


def test_rollback_is_ordered_from_self_play(tmp_path: Path) -> None:
    config = tiny(curriculum__kind="rollback", curriculum__rollback_start=9, curriculum__rollback_every=2)
    engine = FakeEngine(config)
    train(tmp_path / "run", config, engine)
    asked = [orders.search_from for orders in selfplay_of(engine).asked]
    assert asked[0] == 9
    assert asked == sorted(asked, reverse=True)
    logged = [m["curriculum"]["search_from"] for m in read_lines(tmp_path / "run" / "metrics.jsonl")]
    assert logged == asked


def test_exploiters_learn_against_the_champion_and_join_the_past(tmp_path: Path) -> None:
    config = tiny(league__past=0.4, league__every=2, league__exploiters=1, league__exploiter_patience=3)
    engine = FakeEngine(config)
    loop = train(tmp_path / "run", config, engine)
    exploiter = selfplay_of(engine, "exploiter-1").asked
    assert all(len(orders.rivals) == 1 and orders.rivals[0].share == 1.0 for orders in exploiter)
    assert exploiter[0].rivals[0].weights.name == "main@0"
    assert exploiter[0].weights is not None
    assert exploiter[0].weights.name == "exploiter-1@0"
    joined = [name for m in read_lines(tmp_path / "run" / "metrics.jsonl") for name in m["league"]["joined"]]
    assert any(name.startswith("exploiter-1@") for name in joined)
    assert any(name.startswith("main@") for name in joined)
    for name in loop.stages.league.pool:  # all of them can be had again from disk
        seat, _, iteration = name.partition("@")
        assert Store(tmp_path / "run").model(int(iteration), seat)
    rivals = selfplay_of(engine).asked[-1].rivals
    assert sum(rival.share for rival in rivals) == pytest.approx(0.4)


def test_an_exploiter_begins_anew_from_the_champion(tmp_path: Path) -> None:
    config = tiny(league__past=0.4, league__exploiters=1, league__exploiter_patience=1, run__iterations=3)
    engine = FakeEngine(config)
    adopted: list[str] = []
    learner = learner_of(engine, "exploiter-1")
    learner.adopt = lambda weights: adopted.append(weights.name)  # type: ignore[method-assign]
    train(tmp_path / "run", config, engine)
    assert len(adopted) == 2
    assert all(name.startswith("main@") for name in adopted)


@pytest.mark.parametrize("name", [name for name in all_presets() if not name.endswith("-modern")])
def test_a_dummy_run_of_every_preset_passes_through_its_stages(tmp_path: Path, name: str) -> None:
    config = smoke(all_presets()[name].config())
    told: list[Any] = []
    loop = train(tmp_path / "run", config, listeners=[told.append])
    assert loop.done == config.run.iterations == 2
    stages = {event.name for event in told if isinstance(event, events.Stage)}
    assert stages == {"play", "learn", "gate", "exam", "save"}
    last = read_lines(tmp_path / "run" / "metrics.jsonl")[-1]
    assert last["gate"]["kind"] == config.gate.kind
    assert last["exam"]["scores"]


def test_what_a_checkpoint_says_can_be_read_by_people(tmp_path: Path) -> None:
    train(tmp_path / "run", tiny())
    state = json.loads((tmp_path / "run" / "checkpoints" / "000006" / "state.json").read_text())
    assert state["tally"]["iteration"] == 6
    assert set(state["pieces"]) == {"curriculum", "gate", "league", "resigning"}
