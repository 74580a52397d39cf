"""Progress is silent for short work, and says a line now and then where no terminal shows a bar."""

import pytest

from zerogrid.core import progress
from zerogrid.core.progress import Progress, duration, track


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """What time.monotonic answers."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that progress reads."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_short_work_is_silent(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in track(range(100), "working"):
        clock.now += 0.019
    assert capsys.readouterr() == ("", "")


def test_long_work_says_a_line_ever_more_rarely(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in track(range(1000), "working", unit="games"):
        clock.now += 1
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert lines[0] == "working: 2 of 1,000 games, 2 s, about 16 min 38 s left"
    assert 15 < len(lines) < 25
    assert len({line.split()[1] for line in lines}) == len(lines)


def test_a_terminal_gets_a_bar_that_goes_away(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress("working", total=10, unit="games") as bar:
        clock.now += 3
        bar.advance(5, note="so far so good")
        assert bar._bar is not None
        assert bar._bar.tasks[0].completed == 5
        assert bar._bar.tasks[0].elapsed >= 3
    assert "working" in capsys.readouterr().err


def test_a_note_and_an_unknown_total(clock: Clock) -> None:
    bar = Progress("searching", unit="nodes")
    bar.advance(12_345, note="depth 7")
    assert bar.line(61.0) == "searching: 12,345 nodes, 1 min 1 s, depth 7"


def test_a_stage_is_estimated_by_its_own_pace(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    bar = Progress("checking mine")
    bar.stage("compiling", 0, 1)
    clock.now += 100
    bar.stage("many games", 0, 100)
    clock.now += 10
    bar.stage("many games", 50, 100)
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "checking mine: 50 of 100, 1 min 50 s, about 10 s left, many games"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_durations_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said
