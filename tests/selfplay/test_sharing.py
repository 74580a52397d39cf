"""Who plays how many games against whom; that rooms of those who are gone go too; and how far play has come."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import zerogrid
from selfplay.replaying import by_game, judge, mill, same, settings
from zerogrid.kernels.mill import seed_of_game
from zerogrid.selfplay import meter
from zerogrid.selfplay import mill as mills
from zerogrid.selfplay.mill import Mill
from zerogrid.selfplay.sharing import allotted

GAME = zerogrid.game("tictactoe")


def met(one: Mill, *names: str, share: float = 0.5) -> list[Any]:
    """Rivals who share `share` of the games."""
    return [(judge(one, salt), share / len(names), name) for salt, name in enumerate(names, start=1)]


def test_games_are_allotted_in_proportion() -> None:
    assert allotted(100, {"a": 0.3, "b": 0.1}, {}) == {"a": 30, "b": 10}
    assert allotted(100, {}, {}) == {}
    assert allotted(10, {"a": 0.01}, {}) == {"a": 1}
    assert allotted(10, {"a": 1.0}, {}) == {"a": 10}
    assert allotted(10, {"a": 0.99}, {}) == {"a": 9}, "one is left for oneself"
    assert allotted(1, {"a": 0.5}, {}) == {}
    assert sum(allotted(256, {str(k): 0.3 / 7 for k in range(7)}, {}).values()) == 77
    assert allotted(4, {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.3}, {}) == {"b": 1, "c": 1, "d": 1}


def test_what_is_near_enough_stays_as_it_was() -> None:
    before = {"a": 40, "b": 20}
    assert allotted(200, {"a": 0.15, "b": 0.15}, before) == {"a": 30, "b": 30}
    assert allotted(200, {"a": 0.18, "b": 0.12}, before) == before
    assert allotted(200, {"a": 0.2, "c": 0.1}, before) == {"a": 40, "c": 20}


def test_rooms_of_rivals_who_are_gone_are_let_go() -> None:
    one, seen, sizes = mill(GAME, settings(games=8), target="cpu"), Counter[int](), []
    for k in range(5):
        harvest = one.play(judge(one), games=8, rivals=met(one, f"main@{k}", f"main@{k + 1}"))
        seen.update(by_game(harvest).keys())
        sizes.append((len(one._rooms), sum(array.nbytes for array in one.state().values())))
    assert {rooms for rooms, _ in sizes} == {3}
    assert len({size for _, size in sizes}) == 1, "and what a checkpoint holds does not grow"
    assert set(seen.values()) == {1}, "numbers of games stay unique"


def test_numbers_stay_unique_when_rivals_change_places() -> None:
    """The same rooms in another order have each other's slots."""
    one, seen = mill(GAME, settings(games=8), target="cpu"), Counter[int]()
    pairs = met(one, "quick", "slow")
    for rivals in (pairs, pairs[::-1], pairs):
        harvest = one.play(judge(one), positions=200, rivals=rivals)
        seen.update(by_game(harvest).keys())
    assert set(seen.values()) == {1}


def test_a_state_goes_on_the_same_whoever_comes_and_goes() -> None:
    play = settings(games=8)
    calls = [("a", "b"), ("b", "a"), (), ("a",), ("c", "a"), ("c", "a"), ()]
    whole, cut = mill(GAME, play, target="cpu"), mill(GAME, play, target="cpu")
    for names in calls:
        again = mill(GAME, play, target="cpu")
        again.restore({name: array.copy() for name, array in cut.state().items()})
        cut = again
        one, other = (m.play(judge(m), positions=100, rivals=met(m, *names) if names else ()) for m in (whole, cut))
        same(one, other)
        np.testing.assert_array_equal(one.columns["game_id"], other.columns["game_id"])
    assert whole.state().keys() == cut.state().keys()


@pytest.mark.parametrize("games", [3, 5, 12])
def test_numbers_stay_unique_when_a_run_goes_on_with_more_or_fewer_games(games: int) -> None:
    one = mill(GAME, settings(games=6), target="cpu")
    before = one.play(judge(one), games=20)
    other = mill(GAME, settings(games=games), target="cpu")
    other.restore(one.state())
    after = other.play(judge(other), games=30)
    assert not set(by_game(before)) & set(by_game(after))
    assert len(by_game(after)) == after.games


def test_another_attempt_plays_other_games_and_each_attempt_its_own() -> None:
    play, found = settings(games=4), []
    begun = mill(GAME, play, target="cpu")
    begun.play(judge(begun), games=6)
    for attempt in (0, 1, 2, 1):
        one = mill(GAME, play, target="cpu")
        one.restore({name: array.copy() for name, array in begun.state().items()})
        one.vary(attempt)
        harvest = one.play(judge(one), games=40)
        found.append((Counter(told.moves for told in harvest.sample), set(by_game(harvest)), harvest))
    first, second, third, again = found
    same(second[2], again[2])
    under_way = 4  # only games that were under way keep their numbers
    for one, other in ((first, second), (first, third), (second, third)):
        assert len(one[1] & other[1]) <= under_way
        assert (one[0] & other[0]).total() < 0.5 * one[0].total()
    plain = mill(GAME, play, target="cpu")
    plain.restore(begun.state())
    same(first[2], plain.play(judge(plain), games=40))


def test_games_under_way_go_on_otherwise_at_another_attempt() -> None:
    """A fault in the games that are going on must not be met again and again."""
    play, ends = settings(games=4), []
    begun = mill(GAME, play, target="cpu")
    begun.play(judge(begun), games=2)
    (state,) = (array for name, array in begun.state().items() if name.endswith("/number"))
    under_way = {seed_of_game(begun.seed, int(number)) for number in state}
    for attempt in (0, 1, 2):
        one = mill(GAME, play, target="cpu")
        one.restore({name: array.copy() for name, array in begun.state().items()})
        one.vary(attempt)
        harvest = one.play(judge(one), games=16)
        ends.append({told.seed: told.moves for told in harvest.sample if told.seed in under_way})
    assert all(ends)
    assert ends[0] != ends[1] != ends[2] != ends[0]


@pytest.mark.parametrize("threads", [1, 3])
def test_one_hears_how_far_play_has_come(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mills, "ROOM_GAMES", 2)
    monkeypatch.setattr(meter, "EVERY", 0.0)
    one, told = mill(GAME, settings(), target="cpu", threads=threads), list[tuple[int, int]]()
    harvest = one.play(judge(one), positions=60, progress=lambda positions, games: told.append((positions, games)))
    assert len(told) > 5
    assert told == sorted(told)
    assert told[-1] == (harvest.positions, harvest.games)


def test_words_come_at_most_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    now, told = [50.0], []
    monkeypatch.setattr(meter.time, "monotonic", lambda: now[0])
    one = meter.Meter(lambda examples, games: told.append((examples, games)), 2)
    for k in range(1, 21):
        now[0] += meter.EVERY / 4
        one.hear(k % 2, k, 1)
    assert told == [(4 + 3, 2), (8 + 7, 2), (12 + 11, 2), (16 + 15, 2), (20 + 19, 2)]
