"""Watching a run, and what is made of it afterwards: display, TensorBoard, report, export."""

import io
import json
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from training.fake import FakeEngine, tiny, train
from zerogrid.core.errors import ZeroGridError
from zerogrid.training import directory, events
from zerogrid.training.display import COLUMNS, Lines, Live
from zerogrid.training.export import export, provenance_of
from zerogrid.training.journal import read_lines
from zerogrid.training.parts import Orders
from zerogrid.training.report.charts import CHARTS, over_iterations, png_of, svg_of
from zerogrid.training.report.findings import findings_of
from zerogrid.training.report.page import drawing_of, html_of
from zerogrid.training.store import Store
from zerogrid.training.tensorboard import NAME, TensorBoard, masked, record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with everything in it."""
    place = tmp_path_factory.mktemp("watched") / "mine"
    config = tiny(
        run__iterations=9, curriculum__kind="rollback", curriculum__rollback_start=4, curriculum__rollback_every=2
    )
    train(place, config, FakeEngine(config, always=0.7), [TensorBoard(place)])
    return place


# --- display --------------------------------------------------------------------------------------------------------


def test_a_line_for_each_iteration_with_its_numbers(tmp_path: Path) -> None:
    stream = io.StringIO()
    train(tmp_path / "run", tiny(), FakeEngine(tiny(), always=1.0), [Lines(stream)])
    lines = stream.getvalue().splitlines()
    assert lines[0] == "run run begins; 6 iterations in all"
    assert lines[1].startswith("iteration 1, games 8, ")
    assert "gate promoted +8 =0 -0" in lines[1]
    assert "exam error" in lines[2]
    assert "random 100%" in lines[2]
    assert "Elo" in lines[2]
    assert "[" in lines[2], "no Elo without its interval"
    assert lines[-1] == "iteration 6: done"
    again = io.StringIO()
    train(tmp_path / "run", tiny(), None, [Lines(again)])
    assert again.getvalue().splitlines()[0] == "run run goes on after iteration 6; 6 iterations in all"


def test_the_terminal_shows_a_table_and_what_is_going_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Live("tictactoe, fake, run mine") as live:
        train(tmp_path / "run", tiny(), FakeEngine(tiny(), always=1.0), [live])
        live(events.NotFiniteMet(7, 1, "the loss is nan."))
        live(events.Stage(7, "learn"))
        from rich.console import Console

        console = Console(width=160, file=io.StringIO(), record=True)
        console.print(live._drawn())
    text = console.export_text()
    for name in COLUMNS:
        assert name in text or name in ("left", "games/s"), name
    assert "tictactoe, fake, run mine" in text
    assert "iteration 7 of 6: learning" in text
    assert "iteration 7, attempt 1: the loss is nan." in text
    assert "promoted +8 =0 -0" in text
    assert capsys.readouterr().out == "", "what is watched goes to standard error"


class Hands:
    """A clock that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("zerogrid.training.display.time.monotonic", lambda: self.now)


def done(iteration: int) -> events.IterationDone:
    """An iteration in which nothing happened."""
    metrics = {"games": 1, "total_games": 1, "champion": "main@0"}
    return events.IterationDone(iteration, metrics, {})


def test_within_an_iteration_one_sees_how_far_it_is_and_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, live = Hands(monkeypatch), Live("tictactoe")
    live(events.Began("mine", 0, 3))
    live(events.Stage(1, "play"))
    hands.now += 6
    waits = "iteration 1 of 3: playing, 6 s (kernels are compiled the first time, and no game has ended yet)"
    assert live.watcher.doing.words() == waits
    live(events.Going(1, 10, 40))
    assert live.watcher.doing.words() == "iteration 1 of 3: playing, 10 of 40 positions, 6 s, about 18 s left"
    hands.now += 34
    live(done(1))
    live(events.Stage(2, "play", "exploiter-1"))
    hands.now += 3
    live(events.Going(2, 3, 4, "exploiter-1", "games"))
    said = "iteration 2 of 3: playing (exploiter-1), 3 of 4 games, 3 s, about 1 s left; the run: about 1 min 17 s left"
    assert live.watcher.doing.words() == said
    live(events.Stage(2, "learn"))
    assert live.watcher.doing.words() == "iteration 2 of 3: learning, 0 s; the run: about 1 min 17 s left"
    hands.now += 7
    live(done(2))
    live(events.Stage(2, "save"))
    said = live.watcher.doing.words()
    assert said == "iteration 2 of 3: saving, 0 s; the run: about 10 s left", "the first is no guide"


def test_a_log_hears_of_long_iterations_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, stream = Hands(monkeypatch), io.StringIO()
    lines = Lines(stream)
    lines(events.Began("mine", 0, 3))
    lines(events.Stage(1, "play"))
    for second in range(600):
        hands.now += 1
        lines(events.Going(1, second, 1000))
    told = stream.getvalue().splitlines()[1:]
    assert told[0] == "iteration 1 of 3: playing, 14 of 1,000 positions, 15 s, about 17 min 36 s left"
    assert 8 < len(told) < 15


def test_of_two_aims_the_one_that_is_further_away_is_shown() -> None:
    orders = Orders(3, 0, positions=100, games=10)
    assert events.going(orders, 50, 4, "main") == events.Going(3, 4, 10, "main", "games")
    assert events.going(orders, 30, 4, "main") == events.Going(3, 30, 100, "main")
    assert events.going(Orders(3, 0, games=10), 30, 14, "main") == events.Going(3, 10, 10, "main", "games")


# --- TensorBoard ----------------------------------------------------------------------------------------------------


def events_in(content: bytes) -> list[dict[str, Any]]:
    """Read the format, written down again from its description."""
    found, at = [], 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        assert struct.unpack_from("<I", content, at + 8)[0] == masked(content[at : at + 8])
        body = content[at + 12 : at + 12 + length]
        assert struct.unpack_from("<I", content, at + 12 + length)[0] == masked(body)
        found.append(fields_of(body))
        at += 16 + length
    return found


def fields_of(body: bytes) -> dict[str, Any]:
    """The fields of an event."""
    found: dict[str, Any] = {"values": {}}
    for number, value in messages(body):
        if number == 1:
            found["at"] = struct.unpack("<d", value)[0]
        elif number == 2:
            found["step"] = value
        elif number == 3:
            found["version"] = value
        elif number == 5:
            for _, inner in messages(value):
                told = dict(messages(inner))
                found["values"][told[1].decode()] = struct.unpack("<f", told[2])[0]
    return found


def messages(body: bytes) -> list[tuple[int, Any]]:
    """(number, value) of each field of a protocol buffer."""
    found, at = [], 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = body[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(body):
        head = varint()
        kind: Any = head & 7
        if kind == 0:
            value: Any = varint()
        else:
            length = {1: 8, 5: 4}.get(kind) or varint()
            value, at = body[at : at + length], at + length
        found.append((head >> 3, value))
    return found


def test_checksums_are_those_of_the_standard() -> None:
    """CRC-32C of 123456789 is e3069283 (RFC 3720); the record format turns and shifts it."""
    crc = 0xE3069283
    assert masked(b"123456789") == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert len(record(b"abc")) == 19


def test_events_hold_the_numbers_of_every_iteration(run: Path) -> None:
    first, *rest = events_in((run / NAME).read_bytes())
    assert first["version"] == b"brain.Event:2"
    metrics = read_lines(run / "metrics.jsonl")
    assert [event["step"] for event in rest] == [m["iteration"] for m in metrics]
    assert rest[3]["values"]["loss/loss"] == pytest.approx(metrics[3]["loss"], rel=1e-6)
    assert rest[3]["values"]["exam/error_rate"] == pytest.approx(metrics[3]["exam"]["error_rate"], rel=1e-6)
    assert rest[3]["values"]["curriculum/search_from"] == metrics[3]["curriculum"]["search_from"]
    assert {"gate/score", "selfplay/games", "time/games_per_s"} <= set(rest[3]["values"])
    assert rest[3]["at"] > 1e9


def test_events_are_made_again_when_a_run_goes_on(run: Path, tmp_path: Path) -> None:
    import shutil

    place = Path(shutil.copytree(run, tmp_path / "mine"))
    (place / NAME).write_bytes(b"torn")
    TensorBoard(place)(events.Began("mine", 9, 9))
    assert [event.get("step") for event in events_in((place / NAME).read_bytes())] == [None, *range(1, 10)]


# --- report ---------------------------------------------------------------------------------------------------------


def test_a_report_has_every_chart_and_needs_nothing_from_outside(run: Path) -> None:
    found = findings_of(run)
    assert [chart.title for chart in CHARTS if chart.there(found)] == [chart.title for chart in CHARTS]
    page = html_of(found)
    assert page.count("<figure>") == len(CHARTS)
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page
    assert "src=\"data:" in page
    assert "promoted" in page
    assert "spec = &quot;tictactoe&quot;" in page


def test_a_chart_shows_what_was_logged(run: Path) -> None:
    found = findings_of(run)
    titles = {chart.title: chart for chart in CHARTS}
    assert "<svg" in svg_of(titles["Losses"], found)
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    titles["Rollback"].draw(axes, found)
    (line,) = axes.get_lines()
    assert line.get_ydata().tolist() == found.series("curriculum", "search_from")[1]
    pyplot.close(figure)
    figure, axes = pyplot.subplots()
    titles["Gate"].draw(axes, found)
    won = [bar.get_height() for bar in axes.containers[0]]
    assert won == [m["gate"]["wins"] / 8 for m in found.metrics]
    pyplot.close(figure)


@pytest.mark.parametrize("iterations", [1, 2, 9])
def test_charts_of_few_iterations_show_them_and_count_in_whole_numbers(run: Path, iterations: int) -> None:
    from matplotlib import pyplot

    found = findings_of(run)
    some = replace(found, metrics=found.metrics[:iterations], timings=found.timings[:iterations])
    for chart in CHARTS:
        if not chart.there(some):
            continue
        figure, axes = pyplot.subplots()
        chart.draw(axes, some)
        over_iterations(axes)
        left, right = axes.get_xlim()
        ticks = [tick for tick in axes.get_xticks() if left <= tick <= right]
        assert ticks == [round(tick) for tick in ticks] != [], chart.title
        if chart.title in ("Self-play", "Duplicates", "Speed"):
            seen = [*axes.patches, *axes.collections, *(line for line in axes.get_lines() if line.get_marker() == ".")]
            assert any(one.get_window_extent().height > 0 or iterations == 1 for one in seen), chart.title
        pyplot.close(figure)


def test_the_picture_is_a_png(run: Path) -> None:
    assert png_of(findings_of(run))[:8] == b"\x89PNG\r\n\x1a\n"


def test_ratings_carry_their_interval_and_leave_gates_out(run: Path) -> None:
    found = findings_of(run).as_dict()
    assert {one["player"] for one in found["ratings"]} >= {"random"}
    for one in found["ratings"]:
        assert one["low"] <= one["estimate"] <= one["high"]
    exams = sum(len(read_lines(path)) for path in (run / "games").glob("exam-*.jsonl"))
    assert exams < sum(len(read_lines(path)) for path in (run / "games").glob("*.jsonl"))
    score = found["exam"]["scores"]["random"]
    assert score["low"] < score["estimate"] < score["high"] or score["estimate"] in (0.0, 1.0)
    assert found["exam"]["error_interval"]["low"] <= found["exam"]["error_rate"]
    json.dumps(found, allow_nan=False)


def test_games_are_drawn_as_they_ended() -> None:
    games = [{"moves": [4, 0, 8, 2, 6], "scores": [0, 0], "seed": 0}, {"moves": [99], "seed": 0}, {"moves": "x"}]
    drawn = drawing_of("tictactoe", games)
    assert "5 plies" in drawn, "games that cannot be replayed are left out"
    assert drawing_of("no such game", games) == ""
    assert drawing_of("tictactoe", games[1:]) == ""


def test_a_run_that_has_not_begun_has_a_report_too(tmp_path: Path) -> None:
    config = tiny()
    place = tmp_path / "young"
    place.mkdir()
    directory.settle_config(place, config)
    assert "No iteration is finished yet" in html_of(findings_of(place))
    with pytest.raises(ZeroGridError, match="nothing to draw"):
        png_of(findings_of(place))


def test_a_name_cannot_write_into_the_page(run: Path) -> None:
    found = findings_of(run)
    found.name = "<script>alert(1)</script>"
    assert "<script>" not in html_of(found)


# --- export ---------------------------------------------------------------------------------------------------------


def test_an_exported_model_says_how_it_was_made_and_how_strong_it_is(run: Path, tmp_path: Path) -> None:
    made = export(run, tmp_path / "strong")
    assert made.champion == findings_of(run).last["champion"]
    iteration = int(made.champion.partition("@")[2])
    assert (made.folder / "model.safetensors").read_bytes() == Store(run).model(iteration)
    card = (made.folder / "README.md").read_text()
    for words in ("tictactoe", f"{iteration} iterations", "zerogrid train --config config.toml", "zerogrid play"):
        assert words in card
    assert directory.from_toml((made.folder / "config.toml").read_text()) == directory.read_config(run)


def test_every_number_of_a_card_has_its_interval(run: Path, tmp_path: Path) -> None:
    export(run, tmp_path / "model")
    lines = (tmp_path / "model" / "README.md").read_text(encoding="utf-8").splitlines()
    strength = lines[lines.index("## How strong it is") + 1 : lines.index("## How to use it")]
    told = [line for line in strength if line.startswith("- ")]
    assert "With 8 simulations a move" in strength[1]
    assert [line.split()[1] for line in told] == ["Gives", "Against", "Against", "Elo"]
    assert all(re.search(r"\(.*\d%? to -?\d.*\)", line) for line in told), told


def test_export_refuses_what_is_not_there_and_what_is(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ZeroGridError, match="keeps no model of iteration 77; it has 0,"):
        export(run, tmp_path / "x", 77)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(ZeroGridError, match="is there already"):
        export(run, tmp_path / "full")


def test_provenance_of_a_file_that_is_no_model_is_empty() -> None:
    assert provenance_of(b"") == {}
    assert provenance_of(b"\x05\0\0\0\0\0\0\0[[[[[") == {}
    header = json.dumps({"__metadata__": {"zerogrid": json.dumps({"provenance": {"seed": 3}})}}).encode()
    assert provenance_of(len(header).to_bytes(8, "little") + header) == {"seed": 3}


# --- the directory --------------------------------------------------------------------------------------------------


def test_a_run_that_does_not_exist_names_the_nearest(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").symlink_to(run.parent)
    monkeypatch.chdir(tmp_path)
    assert directory.existing("mine") == Path("runs/mine")
    assert directory.existing(str(run)) == run
    with pytest.raises(directory.BadRun, match='Did you mean "mine"'):
        directory.existing("mime")
    summary = directory.summary_of(run)
    assert (summary.name, summary.iteration, summary.games, summary.held_by) == ("mine", 9, 72, None)


@pytest.mark.parametrize("name", ["..", ".hidden", "a b", "", "x" * 90, "nul\0"])
def test_names_of_runs_are_plain(name: str) -> None:
    with pytest.raises(directory.BadRun, match="is not a name for a run"):
        directory.place_of(name)


def test_runs_are_named_after_game_and_preset() -> None:
    assert directory.default_name("gomoku:6x6x4", "quick") == "gomoku-6x6x4-quick"
    made = directory.default_name("dots_and_boxes:5x5", "papers/dotsformer/full")
    assert made == "dots_and_boxes-5x5-dotsformer-full"
