"""Student's t distribution, so that a match or a rating needs no SciPy where there is none.

P(T <= t) with n degrees of freedom is 1 - I(n / (n + t^2); n/2, 1/2) / 2 for t >= 0, I the regularised incomplete beta
function, here by its continued fraction (Lentz's method; Numerical Recipes, section 6.4).
"""

from math import exp, isinf, lgamma, log

TINY = 1e-300
ENOUGH = 1e-15
MOST_STEPS = 10_000


def student_cdf(t: float, freedom: float) -> float:
    """The probability that a value of Student's distribution is at most t."""
    if isinf(t):
        return float(t > 0)
    if t * t < freedom:  # near the middle, where 1 - I would lose digits
        middle = incomplete_beta(t * t / (freedom + t * t), 0.5, freedom / 2.0) / 2.0
        return 0.5 + middle if t >= 0 else 0.5 - middle
    tail = incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5) / 2.0
    return 1.0 - tail if t >= 0 else tail


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I(x; a, b): the share of the beta distribution below x."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction, which is quick for x below its mean."""
    c, d = 1.0, 1.0 / _away_from_0(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, MOST_STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _away_from_0(1.0 + factor * d)
            c = _away_from_0(1.0 + factor / c)
            value *= c * d
        if abs(c * d - 1.0) < ENOUGH:
            break
    return value


def _away_from_0(value: float) -> float:
    return value if abs(value) > TINY else TINY
