"""From the words typed to an exit code.

    0     done
    1     the work itself failed (a game that does not pass its check, a disk that is full)
    2     what was asked cannot be done: one sentence on standard error says what would be right
    130   stopped with Ctrl-C
    141   whoever read the output has closed it; nothing is said about that
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from zerogrid.cli.commands import COMMANDS, GROUPS, Command
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, nearest, quote


def run(words: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # an old terminal gets question marks, not a crash
        code = _dispatch(list(sys.argv[1:] if words is None else words))
        sys.stdout.flush()
    except ZeroGridError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("\nStopped.", 130)
    except BrokenPipeError:
        # Python flushes standard output once more at exit; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return _complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.", 1)
    return code


def _complain(sentence: str, code: int) -> int:
    sys.stdout.flush()
    print(sentence, file=sys.stderr)
    return code


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words == ["--json"]:
        for command in COMMANDS.values():
            Output(as_json=True).record({"command": command.name, "summary": command.summary})
        return 0
    if words[0] == "--version":
        import zerogrid

        print(f"zerogrid {zerogrid.__version__}")
        return 0
    command, rest = _find(words)
    function = load(command)
    from zerogrid.cli.signature import parse

    try:
        arguments = parse(command.name, function, rest)
    except SystemExit:  # --help has been shown
        return 0
    return int(function(Output(arguments.pop("json")), **arguments) or 0)


def _find(words: list[str]) -> tuple[Command, list[str]]:
    """The command that the first words name (`bench search` has two), and the words behind it."""
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in COMMANDS:
            return COMMANDS[name], words[length:]
    family = [name for name in COMMANDS if name.startswith(words[0] + " ")]
    if family:
        raise ZeroGridError(f"zerogrid {words[0]} goes on with one of: {', '.join(n.split()[1] for n in family)}.")
    hint = nearest(words[0], COMMANDS) or " Run zerogrid to see them all."
    raise ZeroGridError(f"there is no command {quote(words[0])}.{hint}")


def load(command: Command) -> Callable[..., Any]:
    """The function of a command, imported now."""
    module, _, name = command.place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"zerogrid.cli.{module}"), name)
    return function


def overview() -> str:
    """What one can do, and what to do first."""
    width = max(map(len, COMMANDS)) + 2
    lines = ["ZeroGrid: a laboratory for learning grid games from nothing.", ""]
    for title, commands in GROUPS.items():
        lines += [title, *(f"  zerogrid {c.name:<{width}}{c.summary}" for c in commands), ""]
    lines += [
        "Start here",
        "  zerogrid show gomoku:6x6x4 --moves c3,d4            a board, drawn",
        "  zerogrid new-game mine && zerogrid check mine.py    a game of your own",
        "",
        "zerogrid COMMAND --help explains a command; --json makes any command speak to programs.",
    ]
    return "\n".join(lines)
