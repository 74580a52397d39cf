"""A verdict can be looked at both ways: from either side, by either test, with and without what was left out."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

import zerogrid
from zerogrid.agents.agent import Agent
from zerogrid.agents.naming import agent_for
from zerogrid.arena.audit import exclusions, readings
from zerogrid.arena.event import Event, paired
from zerogrid.arena.games import GameRecord
from zerogrid.arena.report import report
from zerogrid.arena.sequential import SequentialMatch
from zerogrid.arena.sprt import Sprt
from zerogrid.core.position import Position

GAME = zerogrid.game("gomoku:5x5x4")


def agents() -> dict[str, Agent]:
    """Two that play with dice, and neither is far stronger."""
    return {"search": agent_for("uct:20", GAME), "rules": agent_for("beginner", GAME)}


class NoDice(Agent):
    """An agent that always throws the same."""

    def __init__(self, agent: Agent) -> None:
        self.name, self.game, self.agent = agent.name, agent.game, agent

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return self.agent.choose(positions, [0] * len(positions))


def played(players: tuple[str, str], games: int, simultaneous: int, openings: str = "random:4") -> list[GameRecord]:
    """A match of the two, in the order of the schedule."""
    event = Event("match", GAME, agents(), openings, 7, None, simultaneous)
    for _ in event.play(paired(players, games)):
        pass
    event.close()
    return sorted(event.records, key=lambda record: record.number)


@pytest.fixture(scope="module")
def match() -> list[GameRecord]:
    """Two hundred games."""
    return played(("search", "rules"), 200, 64)


@pytest.mark.parametrize("simultaneous", [1, 7])
def test_how_many_games_run_at_once_changes_no_move(match: list[GameRecord], simultaneous: int) -> None:
    assert played(("search", "rules"), 30, simultaneous) == match[:30]


def test_a_match_seen_from_the_other_side_is_its_mirror_image(match: list[GameRecord]) -> None:
    ours, theirs = report(match, "search", "rules"), report(match, "rules", "search")
    assert 0.02 < ours.score < 0.98, "a match that says something both ways"
    assert theirs.score == pytest.approx(1 - ours.score)
    assert (theirs.wins, theirs.draws, theirs.losses) == (ours.losses, ours.draws, ours.wins)
    assert theirs.pairs.tolist() == ours.pairs.tolist()[::-1]
    for one, other in ((ours.paired, theirs.paired), (ours.single, theirs.single)):
        assert (other.low, other.high) == pytest.approx((1 - one.high, 1 - one.low))
    assert theirs.superior == pytest.approx(1 - ours.superior)
    assert theirs.elo.estimate == pytest.approx(-ours.elo.estimate)
    assert {ours.verdict, theirs.verdict} in ({"stronger", "weaker"}, {"undecided"})


def test_b_against_a_is_a_against_b_with_the_colours_swapped(match: list[GameRecord]) -> None:
    """The same openings whoever is named first; a player's dice follow its game and its side."""
    back = played(("rules", "search"), 200, 64)
    for one, swapped in zip(match[::2], back[1::2], strict=True):
        assert one.players == swapped.players
        assert one.moves[: one.opened] == swapped.moves[: swapped.opened]
    there, again = report(match, "search", "rules"), report(back, "search", "rules")
    assert max(there.paired.low, again.paired.low) < min(there.paired.high, again.paired.high)


def test_without_dice_a_against_b_and_b_against_a_are_the_same_games() -> None:
    def games_of(players: tuple[str, str]) -> list[GameRecord]:
        event = Event("match", GAME, sure, "random:4", 3, None, 16)
        for _ in event.play(paired(players, 40)):
            pass
        event.close()
        return sorted(event.records, key=lambda record: record.number)

    sure: dict[str, Agent] = {name: NoDice(agent_for(name, GAME)) for name in ("naive", "beginner")}
    there, back = games_of(("naive", "beginner")), games_of(("beginner", "naive"))
    assert [record.moves for record in there[::2]] == [record.moves for record in back[1::2]]
    assert [record.moves for record in there[1::2]] == [record.moves for record in back[::2]]
    assert report(back, "beginner", "naive").score == pytest.approx(1 - report(there, "naive", "beginner").score)


@pytest.mark.parametrize("model", ["normalized", "logistic", "trinomial"])
def test_the_sequential_verdict_and_the_interval_of_all_games_agree_from_both_sides(
    match: list[GameRecord], model: str
) -> None:
    verdicts, ratios = {}, {}
    for player, other, bounds in (("search", "rules", (0, 100)), ("rules", "search", (-100, 0))):
        test = Sprt(*bounds, model=model, max_pairs=100)  # type: ignore[arg-type]
        event = Event("sprt", GAME, agents(), "random:4", 7)
        event.records = list(match)
        for _ in SequentialMatch(event, test, (player, other)).run():
            pytest.fail("every game there is was played already")
        verdicts[player], ratios[player] = test.verdict, test.llr
    mirrored = {"accept": "reject", "reject": "accept", "undecided": "undecided"}
    assert verdicts["rules"] == mirrored[verdicts["search"]]
    assert ratios["rules"] == pytest.approx(-ratios["search"], abs=1e-6)
    shown = report(match, "search", "rules").verdict
    assert (verdicts["search"], shown) not in (("accept", "weaker"), ("reject", "stronger"))


def test_the_verdict_is_given_with_and_without_what_was_left_out(match: list[GameRecord]) -> None:
    clean = report(match, "search", "rules")
    assert [reading.name for reading in clean.readings] == ["evidence"]
    assert clean.exclusions == ()
    repeated = [replace(record, number=record.number + 200) for record in match[:40]]
    void = [replace(match[k], number=k + 240, scores=None, void="it crashed", attempt=2) for k in range(80)]
    everything = [*match, *repeated, *void]
    found = report(everything, "search", "rules")
    assert found.paired == clean.paired, "evidence is what it was"
    counted = {reading.name: reading.interval for reading in found.readings}
    names = ["evidence", "with repeated pairs", "with void games as lost", "with void games as won"]
    assert list(counted) == names
    assert counted["with repeated pairs"] == report(
        [*match, *(replace(r, moves=(*r.moves, 99)) for r in repeated)], "search", "rules"
    ).paired
    lost, won = counted["with void games as lost"], counted["with void games as won"]
    assert lost.estimate == pytest.approx((clean.score * 200 + 0 * 80) / 280)
    assert won.estimate == pytest.approx((clean.score * 200 + 80) / 280)
    left_out = exclusions(everything)
    assert [one["number"] for one in left_out] == list(range(200, 320))
    assert left_out[0]["reason"] == "it belongs to a pair that repeats an earlier one"
    assert left_out[-1]["reason"] == "void: it crashed"
    assert found.as_dict()["exclusions"] == left_out


def test_a_verdict_that_hangs_on_what_was_left_out_says_so() -> None:
    def game(number: int, winner: str, scores: bool = True) -> GameRecord:
        players = ("a", "b") if number % 2 == 0 else ("b", "a")
        points = (1.0, -1.0) if players[0] == winner else (-1.0, 1.0)
        told = points if scores else None
        return GameRecord(number, GAME.spec, 0, players, number // 2, 0, (number,), told, "", 2, "" if scores else "x")

    won = [game(number, "a") for number in range(24)]
    crashes = [game(number, "a", scores=False) for number in range(24, 60)]
    found = report([*won, *crashes], "a", "b")
    assert found.verdict == "stronger"
    assert {reading.name: reading.verdict for reading in found.readings}["with void games as lost"] == "undecided"
    assert any("undecided with void games as lost" in warning for warning in found.warnings)
    assert [reading.verdict for reading in readings(won, "a", "b")] == ["stronger"]
