"""From a function's signature to its command line."""

import shlex
from pathlib import Path
from typing import Annotated, Literal

import pytest

from zerogrid.cli.output import Output
from zerogrid.cli.signature import BadUsage, parse


def everything(
    out: Output,
    first: Annotated[str, "a word"],
    rest: Annotated[tuple[int, ...], "numbers"] = (),
    *,
    needed: Annotated[int, "a number"],
    share: Annotated[float, "100% is all"] = 0.5,
    kind: Annotated[Literal["round", "flat"], "which"] = "round",
    into: Annotated[Path | None, "where to"] = None,
    plugin: Annotated[tuple[Path, ...], "again and again"] = (),
    so_loud: Annotated[bool, "a switch"] = False,
) -> None:
    """Everything a command line can hold."""


def test_defaults_stand_where_nothing_is_said() -> None:
    assert parse("x", everything, ["a", "--needed", "3"]) == {
        "first": "a", "rest": (), "needed": 3, "share": 0.5, "kind": "round", "into": None, "plugin": (),
        "so_loud": False, "json": False,
    }  # fmt: skip


def test_everything_can_be_said() -> None:
    words = shlex.split("a 1 2 --needed=-3 --share 1e-3 --kind flat --into x --plugin p --plugin q --so-loud --json")
    found = parse("x", everything, words)
    assert found == {
        "first": "a", "rest": (1, 2), "needed": -3, "share": 0.001, "kind": "flat", "into": Path("x"),
        "plugin": (Path("p"), Path("q")), "so_loud": True, "json": True,
    }  # fmt: skip


def test_options_may_stand_anywhere() -> None:
    assert parse("x", everything, ["--needed", "3", "a"])["first"] == "a"


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e400", "x", ""])
def test_numbers_are_finite(number: str) -> None:
    with pytest.raises(BadUsage, match="--share is a number, not"):
        parse("x", everything, ["a", "--needed", "3", f"--share={number}"])


@pytest.mark.parametrize("number", ["٣", "1_000", " 3", "0x10", "1e3", "--", ""])
def test_whole_numbers_are_written_plainly(number: str) -> None:
    with pytest.raises(BadUsage):
        parse("x", everything, ["a", "--needed", number])


def test_options_are_never_abbreviated() -> None:
    with pytest.raises(BadUsage, match=r'no option "--need"\. Did you mean "--needed"'):
        parse("x", everything, ["a", "--need", "3"])
