"""The papers' gates, what they do with equals, and claims made again and again."""

import math

import numpy as np
import pytest

from zerogrid.arena.gates import PoolGate, ThresholdGate, equal_promotions
from zerogrid.arena.repeated import Claim, log_e_value, spend
from zerogrid.core.errors import BadResults, BadSetting


@pytest.mark.parametrize(
    "share, strict, games, chance, elo, after",
    [(0.6, False, 40, 0.134, 91, 1219), (0.55, True, 100, 0.136, 56, 765), (0.55, True, 400, 0.020, 42, 85)],
)
def test_what_a_threshold_does_with_equals_is_as_derived(
    share: float, strict: bool, games: int, chance: float, elo: float, after: float
) -> None:
    found = equal_promotions(ThresholdGate(share, strict), games)
    assert found.chance == pytest.approx(chance, abs=5e-4)
    assert found.apparent_elo == pytest.approx(elo, abs=0.5)
    assert found.after_100 == pytest.approx(after, abs=0.5)


def test_a_share_reached_exactly_counts_as_reached_unless_it_must_be_exceeded() -> None:
    assert ThresholdGate(0.55).passes(55, 45)
    assert not ThresholdGate(0.55, strict=True).passes(55, 45)
    assert ThresholdGate(0.55, strict=True).passes(56, 44)


def test_draws_do_not_count_and_nothing_decisive_promotes_nobody() -> None:
    assert ThresholdGate(0.6).decide(wins=6, draws=90, losses=4).promoted
    assert not ThresholdGate(0.6).decide(wins=0, draws=30, losses=0).promoted


def test_the_pool_gate_follows_walds_test_and_wilson_at_its_cap() -> None:
    gate = PoolGate(min_games=40, max_games=400)
    decision = None
    while decision is None:
        decision = gate.feed(1)
    assert (decision.rule, decision.promoted, decision.wins) == ("sprt", True, 40)

    gate = PoolGate(min_games=40, max_games=100)
    for number in range(100):
        decision = gate.feed(number % 2)
    assert decision is not None
    assert (decision.rule, decision.promoted) == ("wilson", False)
    assert decision.value == pytest.approx(0.4038, abs=1e-4)  # Wilson's lower bound of 50 in 100


def test_draws_are_half_a_win_for_the_pool_gate_or_nothing() -> None:
    half, ignored = PoolGate(draws="half"), PoolGate(draws="ignored")
    for score in (1, 0.5, 0.5, 0):
        half.feed(score)
        ignored.feed(score)
    assert half.llr == pytest.approx(2 * math.log(1.1) + 2 * math.log(0.9))
    assert ignored.llr == pytest.approx(math.log(1.1) + math.log(0.9))


def test_levels_of_many_claims_add_up_to_the_level_promised() -> None:
    total = sum(spend(0.05, claim) for claim in range(1, 200_000))
    assert total == pytest.approx(0.05, abs=1e-5)
    assert total < 0.05


def test_no_betting_on_equals_ever_wins_twentyfold_more_often_than_once_in_twenty() -> None:
    """2,000 runs of 200 pairs between equals, looked at after each pair (J. Ville)."""
    rng = np.random.default_rng(0)
    for chances in ([0.25, 0, 0.5, 0, 0.25], [0.05, 0.1, 0.7, 0.1, 0.05]):
        pairs = np.eye(5)[rng.choice(5, size=(2000, 200), p=chances)].cumsum(axis=1)
        ever = (log_e_value(pairs) >= math.log(20)).any(axis=1).mean()
        assert ever <= 0.05 + 0.015
        assert ever > 0.001, "a bet that never wins says nothing"


def test_a_stronger_player_makes_its_claim_and_keeps_it() -> None:
    claim = Claim(0.05)
    for _ in range(40):
        claim.feed(1, 1)
    assert claim.made_after is not None
    assert claim.made_after < 15
    for _ in range(400):
        claim.feed(0, 0)
    assert claim.made
    assert claim.e_value < 1


def test_wrong_numbers_are_refused() -> None:
    for wrong in (lambda: ThresholdGate(1.5), lambda: PoolGate(p0=0.6, p1=0.5), lambda: spend(0.05, 0)):
        with pytest.raises(BadSetting):
            wrong()
    with pytest.raises(BadResults):
        PoolGate().feed(0.3)
    with pytest.raises(BadResults):
        ThresholdGate().decide(-1, 0, 0)
