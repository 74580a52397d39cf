"""Errors quote what was given: short, printable, and with the nearest name that exists."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerogrid.core import errors
from zerogrid.core.errors import ZeroGridError, nearest, quote


@given(st.text(max_size=300))
def test_what_is_quoted_is_short_and_printable(text: str) -> None:
    shown = quote(text)
    assert shown.isprintable()
    assert shown.startswith('"')
    assert shown.endswith('"')
    assert len(shown) <= 63
    assert text not in ("abc", "c4") or shown == f'"{text}"'


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("c4", '"c4"'),
        ("a\nb\x1b[31m", '"a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31m"'),
        ("x" * 100, '"' + "x" * 60 + '…"'),
        ("x" * 60, '"' + "x" * 60 + '"'),
        (None, '"None"'),
        (3.5, '"3.5"'),
        ("\u202egnp.exe", '"\N{REPLACEMENT CHARACTER}gnp.exe"'),
    ],
)
def test_how_things_are_quoted(given_text: object, shown: str) -> None:
    assert quote(given_text) == shown


def test_the_nearest_name_is_offered_or_none() -> None:
    games = ["gomoku", "othello"]
    assert nearest("gomuko", games) == ' Did you mean "gomoku"?'
    assert nearest("chess", games) == ""
    assert nearest("g" * 10**6, games) == ""
    assert nearest("", []) == ""


def test_every_error_of_ours_can_be_caught_as_one() -> None:
    ours = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]
    assert len(ours) > 10
    assert all(issubclass(kind, ZeroGridError) and inspect.getdoc(kind) for kind in ours)
