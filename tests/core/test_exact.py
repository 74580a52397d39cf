"""exp and log from plain arithmetic: within two and three units in the last place of the true value."""

import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zerogrid.core import exact


def units_off(found: float, true: Decimal) -> Decimal:
    """How many units in the last place the found number is from the true one."""
    return abs(Decimal(found) - true) / Decimal(math.ulp(found))


@settings(max_examples=150, deadline=None)
@example(0.0)
@example(1.0)
@example(-700.0)
@example(700.0)
@example(0.34657359027997264)  # where the argument is split
@given(st.floats(-700, 700))
def test_exp_is_within_two_units(x: float) -> None:
    with localcontext() as context:
        context.prec = 40
        assert units_off(exact.exp(x), Decimal(x).exp()) <= 2


@settings(max_examples=150, deadline=None)
@example(1.0)
@example(1.0 + 2**-52)
@example(1.0 - 2**-53)
@example(0.7071067811865475)
@example(0.7071067811865476)
@example(1.2448620203763723)  # more than two
@example(5e-324)
@example(1.7976931348623157e308)
@given(st.floats(min_value=5e-324, allow_infinity=False) | st.floats(0.5, 2.0))
def test_log_is_within_three_units(x: float) -> None:
    with localcontext() as context:
        context.prec = 40
        true = Decimal(x).ln()
        assert exact.log(x) == 0 if true == 0 else units_off(exact.log(x), true) <= 3


@pytest.mark.parametrize(("x", "found"), [(-700.1, 0.0), (-math.inf, 0.0)])
def test_exp_of_very_little_is_nothing(x: float, found: float) -> None:
    assert exact.exp(x) == found


def test_exp_never_overflows() -> None:
    assert exact.exp(math.inf) == exact.exp(1e6) == exact.exp(700.0) < math.inf
