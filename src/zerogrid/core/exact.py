"""exp and log from plain arithmetic, so that every target gives the same last bit.

The libraries behind Python, Numba and CUDA round these functions differently, and one differing bit in a score sends
a search down another path. Multiplication, division and square roots are exactly rounded everywhere. `exp` is
within two units in the last place, `log` within three.
"""

import math

LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10
PER_LN2 = 1.4426950408889634
INVERSE_FACTORIALS = tuple(1.0 / math.factorial(i) for i in range(14))


def exp(x: float) -> float:
    """e to the x; 0 below -700, and never more than e to the 700."""
    if x < -700.0:
        return 0.0
    x = min(x, 700.0)
    k = math.floor(x * PER_LN2 + 0.5)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    total = INVERSE_FACTORIALS[13]
    for i in range(12, -1, -1):
        total = INVERSE_FACTORIALS[i] + total * r
    return math.ldexp(total, int(k))


def log(x: float) -> float:
    """The natural logarithm of a positive number."""
    m, e = math.frexp(x)
    if m < 0.7071067811865476:
        m = m * 2.0
        e -= 1
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    total = 0.0
    for i in range(23, 0, -2):
        total = total * z + 1.0 / i
    return e * LN2_HIGH + (2.0 * s * total + e * LN2_LOW)
