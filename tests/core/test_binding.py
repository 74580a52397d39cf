"""What cannot be linked is refused in one sentence; what is bound is named by everything it is made of."""

import textwrap
import types
from typing import Any

import numpy as np
import pytest

from zerogrid.core import draws, rules
from zerogrid.core.binding import Binder
from zerogrid.core.errors import CannotLink
from zerogrid.core.link import link
from zerogrid.core.plain import constant

HEAD = """
import math
import random, time
import numpy as np
from zerogrid.core import draws, rules
from zerogrid.core.rules import play
"""


def module(source: str) -> types.ModuleType:
    """A file of kernels, as its author wrote it."""
    made = types.ModuleType("theirs")
    exec(compile(HEAD + textwrap.dedent(source), "theirs.py", "exec"), made.__dict__)  # noqa: S102 - ours
    return made


def digest(source: str) -> str:
    """The digest of the function `kernel` of a file."""
    return Binder({}, finish=lambda f: f, constant=constant).function(module(source).kernel)[1]


REFUSED = {
    "found = [1, 2]": "makes a list; linked functions have none: write into an array",
    "found = {1: 2}": "makes a dictionary",
    "found = b in {1, 2}": "makes a set",
    "found = [i for i in range(b)]": "",  # a function or a list inside, by version of Python
    "found = (lambda i: i)(b)": "has a function or comprehension inside",
    "found = sum(i for i in range(b))": "has a function or comprehension inside",
    "raise ValueError(b)": "raises or asserts; linked functions cannot",
    "assert b > 0": "raises or asserts",
    "try:\n        found = 1\n    except ValueError:\n        found = 2": "uses try or with",
    "with args:\n        found = 1": "uses try or with",
    "yield b": "is a generator",
    "import os": "imports inside a function",
    "global COUNT\n    COUNT = b": "changes a global; keep what changes in the state",
    "found = f'{b}'": "makes a string",
    "found = kernel(b, lane, args)": "calls itself; a linked function must use a loop instead",
    "found = sorted(args)": "uses sorted, which cannot be linked; there are range, len",
    "print(b)": "uses print, which cannot be linked",
    "found = nowhere(b)": "uses nowhere, which is not defined in its file",
    "found = LIST[b]": "LIST in kernel (theirs.py, line 10) is a list, which a linked function cannot use (make",
    "found = TEXTS[b]": "TEXTS in kernel (theirs.py, line 10) is a tuple, which a linked function cannot use",
    "found = MAP[b]": "is a dict, which a linked function cannot use (make it a tuple or a NumPy array of numbers)",
    "found = NAMES[b]": "is a ndarray, which a linked function cannot use",
    "found = THING": "is a object, which a linked function cannot use.",
    "found = np": "np in kernel (theirs.py, line 10) is a module; a linked function may only use it as module.name",
    "found = np.zeros(3)": "np.zeros cannot be linked (np in kernel (theirs.py, line 10)); of NumPy there are",
    "found = np.random.rand()": "draws random numbers; take them from zerogrid.core.draws",
    "found = random.random()": "random in kernel (theirs.py, line 10) draws random numbers; take them from zerogrid",
    "found = time.time()": "is a builtin_function_or_method, which a linked function cannot use",
    "found = math.nowhere(b)": "math in kernel (theirs.py, line 10) has no nowhere",
    "play(args, b)": "play in kernel (theirs.py, line 10) is taken out of rules; write rules.play, which link replaces",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_targets_would_do_differently_is_refused(line: str) -> None:
    body = f"""

LIST, TEXTS, MAP, NAMES, THING = [1], ("a", "b"), {{1: 2}}, np.array(["a"]), object()
def kernel(b, lane, args):
    {line}
"""
    with pytest.raises(CannotLink) as caught:
        link(module(body).kernel, "python", {rules: draws})
    sentence = str(caught.value)
    assert REFUSED[line] in sentence
    assert "kernel" in sentence
    assert "theirs.py, line 1" in sentence
    assert sentence.endswith(".")
    assert sentence.count("\n") == 0


def test_a_slip_two_calls_deep_is_found_with_its_own_place() -> None:
    source = """
    def deepest(b):
        return [b]

    def deeper(b):
        return deepest(b)

    def kernel(b, lane, args):
        return deeper(b)
    """
    with pytest.raises(CannotLink, match=r"deepest \(theirs.py, line 9\) makes a list"):
        link(module(source).kernel, "python", {})


def test_functions_that_call_one_another_in_a_circle_are_refused() -> None:
    source = """
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    def kernel(b, lane, args):
        return even(b)
    """
    with pytest.raises(CannotLink, match="calls itself; a linked function must use a loop"):
        link(module(source).kernel, "python", {})


def test_a_function_inside_a_function_is_refused() -> None:
    def factory(step: int) -> Any:
        def kernel(b: int, lane: int, args: Any) -> int:
            return b + step

        return kernel

    with pytest.raises(CannotLink, match="uses step of the function around it; make that a module constant"):
        link(factory(3), "python", {})


BASE = """
STEP = 3
PAIR = (1, 2)
TABLE = np.array([1, 2, 3], np.int16)

def helper(x, y=2):
    return x + STEP * y

def kernel(b, lane, args):
    args.out[b] = helper(b) + PAIR[0] + TABLE[1] + draws.WORD
"""

EDITS = {
    "a constant": ("STEP = 3", "STEP = 4"),
    "the kind of a constant": ("STEP = 3", "STEP = 3.0"),
    "the sign of nothing": ("STEP = 3", "STEP = -0.0"),
    "truth for one": ("STEP = 3", "STEP = True"),
    "a tuple": ("PAIR = (1, 2)", "PAIR = (1, 5)"),
    "how a tuple nests": ("PAIR = (1, 2)", "PAIR = (1, (2,))"),
    "an array's number": ("[1, 2, 3]", "[1, 2, 4]"),
    "an array's type": ("np.int16", "np.uint16"),
    "an array's shape": ("[1, 2, 3]", "[1, 2, 3, 0]"),
    "the code of a helper": ("x + STEP", "x - STEP"),
    "a helper's default": ("y=2", "y=3"),
    "a number in the code": ("TABLE[1]", "TABLE[2]"),
    "which field is written": ("args.out", "args.put"),
    "what is taken from a module": ("draws.WORD", "draws.NOISE"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_whatever_changes_the_answer_changes_the_digest(edit: str) -> None:
    old, new = EDITS[edit]
    assert old in BASE
    assert digest(BASE) != digest(BASE.replace(old, new))


def test_strides_count_and_comments_do_not() -> None:
    one = np.array([[1, 2], [3, 4]], np.int16)
    assert digest_with_table(one) != digest_with_table(np.asfortranarray(one))
    assert digest_with_table(one) == digest_with_table(one.copy())
    assert digest(BASE) == digest("# a comment\n\n" + BASE.replace("STEP = 3", "STEP = 3  # three"))
    assert digest(BASE) == digest(BASE)


def digest_with_table(table: Any) -> str:
    """The digest of the file with this array in it."""
    made = module(BASE)
    made.__dict__["TABLE"] = table
    return Binder({}, finish=lambda f: f).function(made.kernel)[1]


def test_other_rules_make_another_digest() -> None:
    source = "def kernel(b, lane, args):\n    args.out[b] = rules.ACTIONS"
    games = [types.SimpleNamespace(ACTIONS=actions) for actions in (3, 4)]
    made = module(source).kernel
    marks = {Binder({rules: game}, finish=lambda f: f).function(made)[1] for game in games}
    assert len(marks) == 2


def test_arrays_of_a_file_may_be_read_and_not_written() -> None:
    source = "TABLE = np.array([1, 2])\ndef kernel(b, lane, args):\n    TABLE[0] = 5"
    with pytest.raises(ValueError, match="read-only"):
        link(module(source).kernel, "python", {})(1, ())


def test_the_function_itself_is_left_as_it_was() -> None:
    made = module(BASE)
    before = made.kernel.__code__, made.kernel.__globals__["helper"]
    Binder({}, finish=lambda f: f).function(made.kernel)
    assert (made.kernel.__code__, made.kernel.__globals__["helper"]) == before
