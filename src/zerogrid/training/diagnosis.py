"""Why a run does not learn, in words, from what it logged.

Each sign is looked for in the last iterations (`RECENT`). A run whose champion hardly ever errs by the exact solver is
well whatever else it looks like: an agent that has learned a small game sees few games and has little doubt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

RECENT = 5
WELL = 0.02  # an error rate below this needs no diagnosis

Metrics = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: its name, what is seen, what may help."""

    name: str
    seen: str
    advice: str

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return dict(vars(self))


def diagnose(metrics: Metrics) -> list[Finding]:
    """What is wrong with a run; nothing if it is well or too young to tell."""
    played = [m for m in metrics if m.get("games")]
    rates = [m["exam"]["error_rate"] for m in metrics if (m.get("exam") or {}).get("error_rate") is not None]
    if len(played) < RECENT or (rates and rates[-1] < WELL):
        return []
    recent = played[-RECENT:]
    found = [sign(metrics, recent) for sign in SIGNS]
    return [finding for finding in found if finding is not None]


def entropy_collapsed(metrics: Metrics, recent: Metrics) -> Finding | None:
    """The policy has no doubt left, long before it is right."""
    known = [m["policy_entropy"] for m in metrics if "policy_entropy" in m]
    now = mean(recent, "policy_entropy")
    if now is None or now >= 0.2 or now >= 0.2 * max(known):
        return None
    return Finding(
        "policy entropy collapsed",
        f"the policy's entropy fell from {max(known):.2f} to {now:.3f} nats: it sees one move everywhere",
        "raise selfplay.noise or selfplay.temperature, lower learner.lr, or use curriculum.kind wide",
    )


def games_alike(metrics: Metrics, recent: Metrics) -> Finding | None:
    """Self-play repeats itself."""
    games, distinct = total(recent, "games"), total(recent, "distinct_games")
    if distinct >= 0.5 * games:
        return None
    return Finding(
        "all games alike",
        f"of {games:,} games in the last {len(recent)} iterations only {distinct:,} were distinct",
        "use curriculum.kind wide (games start after random moves), or a higher selfplay.temperature for longer",
    )


def candidates_rejected(metrics: Metrics, recent: Metrics) -> Finding | None:
    """Nobody passes the gate any more."""
    gates = [m["gate"] for m in metrics if m.get("gate")]
    rejected = 0
    while rejected < len(gates) and not gates[-1 - rejected]["promoted"]:
        rejected += 1
    if rejected < RECENT:
        return None
    won = sum(g["wins"] + g["draws"] / 2 for g in gates[-rejected:])
    games = sum(g["wins"] + g["draws"] + g["losses"] for g in gates[-rejected:])
    return Finding(
        "every candidate rejected",
        f"the last {rejected} candidates were rejected; together they scored {won / max(1, games):.0%} at the gate",
        "a gate this strict starves self-play of better games: lower gate.share, or use gate.kind pairs or always; "
        "or give the learner more (learner.samples) before each gate",
    )


def value_constant(metrics: Metrics, recent: Metrics) -> Finding | None:
    """The value says the same of every position."""
    spreads = [float(m["value_spread"]) for m in recent if "value_spread" in m]
    spread = median(spreads) if spreads else 1.0
    if spread >= 0.02:
        return None
    return Finding(
        "value head constant",
        f"the network's values vary by {spread:.4f} only: it says the same of every position",
        "learner.lr may be too high (try a third), or learner.value_weight too low; look at z in the games as well",
    )


def draws_only(metrics: Metrics, recent: Metrics) -> Finding | None:
    """No game is decided."""
    games, drawn = total(recent, "games"), total(recent, "draws")
    if drawn < 0.95 * games:
        return None
    return Finding(
        "draws only",
        f"{drawn:,} of the last {games:,} games were drawn, so results teach nothing",
        "use curriculum.kind wide or archive for unequal starts, shaping, or a selfplay.draw_value below 0",
    )


def one_side_wins(metrics: Metrics, recent: Metrics) -> Finding | None:
    """Self-play has solved its own line, and sees nothing else."""
    games = total(recent, "games")
    for name, words in (("first_wins", "first"), ("second_wins", "second")):
        if total(recent, name) > 0.98 * games:
            return Finding(
                "one side always wins",
                f"the {words} player won {total(recent, name):,} of the last {games:,} games",
                "self-play from the start position solves its own line and forgets the rest: use curriculum.kind wide",
            )
    return None


def loss_stands_still(metrics: Metrics, recent: Metrics) -> Finding | None:
    """The losses do not fall."""
    known = [m["loss"] for m in metrics if "loss" in m]
    third = len(known) // 3
    if third < RECENT:
        return None
    first, last = sum(known[:third]) / third, sum(known[-third:]) / third
    if last < 0.98 * first:
        return None
    return Finding(
        "losses do not fall",
        f"the loss was {first:.3f} in the first third of the run and is {last:.3f} in the last",
        "try another learner.lr (a third, or three times), more learner.samples, or a larger network",
    )


def numbers_not_finite(metrics: Metrics, recent: Metrics) -> Finding | None:
    """Iterations had to be tried again."""
    again = sum(1 for m in metrics if m.get("attempt"))
    if not again:
        return None
    return Finding(
        "numbers that are not finite",
        f"{again} iterations had to be tried again, because a number was not finite",
        "lower learner.lr, set learner.clip above 0, or use learner.precision float32",
    )


SIGNS: tuple[Callable[[Metrics, Metrics], Finding | None], ...] = (
    entropy_collapsed,
    games_alike,
    candidates_rejected,
    value_constant,
    draws_only,
    one_side_wins,
    loss_stands_still,
    numbers_not_finite,
)


def mean(metrics: Metrics, name: str) -> float | None:
    """The mean of what was logged under a name; None where it was not."""
    known = [float(m[name]) for m in metrics if name in m]
    return sum(known) / len(known) if known else None


def total(metrics: Metrics, name: str) -> int:
    """The sum of counts."""
    return sum(int(m.get(name, 0)) for m in metrics)
