"""A run that does not learn says why: each sign is provoked, and a healthy run has none."""

from pathlib import Path
from typing import Any

import pytest

from training.fake import FakeEngine, tiny, train
from zerogrid.training.diagnosis import diagnose
from zerogrid.training.report.findings import findings_of


def healthy(iteration: int) -> dict[str, Any]:
    """What an iteration that goes well logs."""
    return {
        "iteration": iteration,
        "games": 100,
        "distinct_games": 99,
        "first_wins": 60,
        "second_wins": 30,
        "draws": 10,
        "loss": 3.0 / iteration,
        "policy_entropy": 2.0 - 0.02 * iteration,
        "target_entropy": 1.5,
        "value_spread": 0.4,
        "gate": {"kind": "threshold", "promoted": iteration % 3 == 0, "wins": 20, "draws": 0, "losses": 20},
        "attempt": 0,
    }


def run_with(iterations: int = 20, **changes: Any) -> list[dict[str, Any]]:
    """A run that goes wrong in its second half."""
    made = [healthy(k) for k in range(1, iterations + 1)]
    for told in made[iterations // 2 :]:
        told.update(changes)
    return made


REJECTED = {"kind": "threshold", "promoted": False, "wins": 10, "draws": 0, "losses": 30}


def test_a_healthy_run_has_nothing_wrong() -> None:
    assert diagnose(run_with()) == []


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"policy_entropy": 0.05}, "policy entropy collapsed", "0.050 nats"),
        ({"distinct_games": 7}, "all games alike", "only 35 were distinct"),
        ({"gate": REJECTED}, "every candidate rejected", "the last 11 candidates were rejected"),
        ({"value_spread": 0.001}, "value head constant", "vary by 0.0010 only"),
        ({"draws": 100, "first_wins": 0, "second_wins": 0}, "draws only", "500 of the last 500 games were drawn"),
        ({"first_wins": 100, "second_wins": 0, "draws": 0}, "one side always wins", "the first player won 500"),
        ({"second_wins": 100, "first_wins": 0, "draws": 0}, "one side always wins", "the second player won 500"),
        ({"loss": 9.0}, "losses do not fall", "is 9.000 in the last"),
        ({"attempt": 1}, "numbers that are not finite", "10 iterations had to be tried again"),
    ],
)
def test_each_sign_is_seen_and_something_is_advised(changes: dict[str, Any], name: str, words: str) -> None:
    (finding,) = diagnose(run_with(**changes))
    assert finding.name == name
    assert words in finding.seen
    assert len(finding.advice) > 20


def test_a_gate_that_nobody_passes_is_seen_in_a_real_run(tmp_path: Path) -> None:
    config = tiny(exam__every=0)
    train(tmp_path / "run", config, FakeEngine(config, always=0.0))
    assert "every candidate rejected" in [finding.name for finding in findings_of(tmp_path / "run").diagnosis]
    train(tmp_path / "other", config, FakeEngine(config, always=1.0))
    assert "every candidate rejected" not in [finding.name for finding in findings_of(tmp_path / "other").diagnosis]


def test_a_young_run_cannot_be_judged() -> None:
    assert diagnose(run_with(4, draws=100)) == []


def test_an_agent_that_hardly_errs_is_well_however_it_looks() -> None:
    sick = run_with(policy_entropy=0.05, draws=100, first_wins=0, second_wins=0)
    assert diagnose(sick)
    sick[-1]["exam"] = {"who": "main@20", "error_rate": 0.01, "scores": {}}
    assert diagnose(sick) == []


def test_the_advice_names_options_that_exist() -> None:
    import re

    from zerogrid.training.config import all_names

    known = {name.partition(".")[0] for name in all_names()}
    sick = run_with(policy_entropy=0.05, distinct_games=7, gate=REJECTED, value_spread=0.0, loss=9.0, attempt=1)
    for finding in [*diagnose(sick), *diagnose(run_with(draws=100)), *diagnose(run_with(first_wins=100, draws=0))]:
        for option in re.findall(r"\b([a-z]+\.[a-z_]+)\b", finding.advice):
            assert option.partition(".")[0] not in known or option in all_names(), option
