"""What holds for every command: help, JSON, one sentence for bad input, exit codes."""

import inspect
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Zerogrid
from zerogrid.cli import frame
from zerogrid.cli.commands import COMMANDS, GROUPS, Command
from zerogrid.cli.output import Output
from zerogrid.cli.signature import parse


def test_no_arguments_show_what_one_can_do(zerogrid: Zerogrid) -> None:
    answer = zerogrid()
    assert answer.code == 0
    for command in COMMANDS.values():
        assert f"zerogrid {command.name} " in answer.out
        assert command.summary in answer.out
    assert [record["command"] for record in zerogrid("--json").records] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples(name: str, zerogrid: Zerogrid) -> None:
    answer = zerogrid(*name.split(), "--help")
    assert answer.code == 0
    assert "--json" in answer.out
    assert "Examples:" in answer.out
    assert zerogrid("help", *name.split()).out == answer.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_parameter_is_explained(name: str) -> None:
    _, *parameters = inspect.signature(frame.load(COMMANDS[name]), eval_str=True).parameters.values()
    for parameter in parameters:
        assert getattr(parameter.annotation, "__metadata__", None), f"{parameter.name} of {name} says nothing"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_every_command_are_command_lines(name: str) -> None:
    function = frame.load(COMMANDS[name])
    examples = (inspect.getdoc(function) or "").partition("Examples:")[2].strip().splitlines()
    own = 0
    for line in examples:
        words = shlex.split(line.split(" | ")[-1])
        assert words[0] == "zerogrid"
        command, rest = frame._find(words[1:])
        parse(command.name, frame.load(command), rest)
        own += command.name == name
    assert own, "none of the examples shows the command itself"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gmaes"], 'there is no command "gmaes". Did you mean "games"?'),
        (["x" * 100_000], "there is no command"),
        (["perft", "gomoku", "--dept", "3"], 'no option "--dept". Did you mean "--depth"?'),
        (["perft", "gomoku"], "needs --depth"),
        (["perft", "gomoku", "--depth"], "--depth needs a value"),
        (["perft", "gomoku", "--depth", "3.5"], '--depth is a whole number, not "3.5"'),
        (["perft", "gomoku", "--depth", "9" * 5000], "--depth is a whole number"),
        (["perft", "gomoku", "--depth", "0"], "--depth is a number of plies from 1"),
        (["perft", "gomoku", "--depth", "2", "--target", "cuba"], 'not "cuba". Did you mean "cuda"?'),
        (["perft", "gomoku", "othello", "--depth", "2"], 'no place for "othello"'),
        (["show", "gomoku", "--json=yes"], "--json takes no value"),
        (["show"], "needs GAME"),
        (["--nonsense"], "there is no command"),
    ],
)
def test_bad_usage_is_refused_in_a_sentence(words: list[str], sentence: str, zerogrid: Zerogrid) -> None:
    assert sentence in zerogrid(*words).refused()


def _add_command(monkeypatch: pytest.MonkeyPatch, function: object) -> None:
    monkeypatch.setitem(COMMANDS, "try", Command("try", "somewhere:else", "for this test"))
    monkeypatch.setattr(frame, "load", lambda command: function)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "\nStopped.\n"),
        (OSError(28, "No space left on device", "x.bin"), 1, "No space left on device: x.bin.\n"),
    ],
)
def test_failures_have_exit_codes(
    error: BaseException, code: int, said: str, zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(out: Output) -> None:
        """Fail."""
        raise error

    _add_command(monkeypatch, fails)
    answer = zerogrid("try")
    assert (answer.code, answer.out, answer.err) == (code, "", said)


def test_a_command_may_say_that_the_work_failed(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(out: Output) -> int:
        """Fail."""
        out.text("it did not work")
        return 1

    _add_command(monkeypatch, fails)
    assert zerogrid("try").code == 1


def test_a_family_of_commands_names_its_members(zerogrid: Zerogrid, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("weigh light", "weigh heavy"):
        monkeypatch.setitem(COMMANDS, name, Command(name, "games:games", "for this test"))
    assert "zerogrid weigh goes on with one of: light, heavy." in zerogrid("weigh").refused()
    assert zerogrid("weigh", "light").out == zerogrid("games").out


def test_an_old_terminal_gets_question_marks() -> None:
    done = _process("show", "gomoku:3x3x3", PYTHONIOENCODING="ascii", FORCE_COLOR="1")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def _process(*words: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "zerogrid", *words]
    return subprocess.run(command, capture_output=True, env=os.environ | environment, check=False)


def test_a_reader_who_has_seen_enough_is_not_told_off() -> None:
    shell = f"{sys.executable} -m zerogrid games --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, check=False)
    assert done.stderr == b""
    assert done.returncode in (0, 141)


def test_ctrl_c_stops_counting_at_once() -> None:
    command = [sys.executable, "-m", "zerogrid", "perft", "connect_four", "--depth", "7", "--target", "python"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = process.stderr.readline()  # the first line about progress, after two seconds of work
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert said.startswith("perft connect_four:6x7: ")
    assert (process.returncode, out, err) == (130, "", "\nStopped.\n")


def test_looking_at_games_imports_nothing_heavy() -> None:
    code = "import sys; from zerogrid.cli.frame import run; run(['games']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"torch", "scipy", "matplotlib", "openvino", "numba", "rich", "onnx", "pandas"}
    assert heavy.isdisjoint(done.stderr.split())


def test_every_command_is_shown_once() -> None:
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
    assert all(Path(frame.__file__).with_name(f"{c.place.partition(':')[0]}.py").is_file() for c in COMMANDS.values())
