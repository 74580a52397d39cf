"""Tournaments: a fair schedule, ratings, cycles, and games from several files rated together."""

import numpy as np
import pytest

import zerogrid
from arena.players import FirstMove, by_chance
from zerogrid.arena.event import Event
from zerogrid.arena.games import GameRecord
from zerogrid.arena.tournament import clear_cycle, round_robin, table

GAME = zerogrid.game("gomoku:5x5x4")


def test_everyone_meets_everyone_equally_often_on_both_sides_from_the_same_openings() -> None:
    schedule = round_robin(["a", "b", "c"], 4)
    assert [game.number for game in schedule] == list(range(24))
    for first in "abc":
        for second in "abc":
            openings = [game.opening for game in schedule if game.players == (first, second)]
            assert openings == ([0, 1, 2, 3] if first != second else [])
    # stopped after any round it is still fair
    assert {game.opening for game in schedule[:12]} == {0, 1}


def test_a_tournament_rates_its_players_by_what_they_scored() -> None:
    players = {"chance": by_chance(GAME), "rote": FirstMove("rote", GAME), "chance again": by_chance(GAME)}
    event = Event("tournament", GAME, players, "random:3", 1)
    list(event.play(round_robin(list(players), 10)))
    found = table(event.records)
    assert found.games.sum() == 2 * 60
    assert found.ratings is not None
    assert [found.ratings[p].estimate for p in found.players] == sorted(found.ratings.elo, reverse=True)
    assert np.nansum(found.scores * found.games) == pytest.approx(60)
    assert sum(found.elo.final) == pytest.approx(4500)
    assert "elo_k32" in found.as_dict()
    assert len(found.sentences()) >= 4


def game(number: int, first: str, second: str, result: float, opening: int) -> GameRecord:
    scores = (2 * result - 1, 1 - 2 * result)
    return GameRecord(number, GAME.spec, 0, (first, second), opening, 0, (number,), scores, "")


def test_a_cycle_is_noticed() -> None:
    records = []
    for a, b in (("paper", "stone"), ("stone", "scissors"), ("scissors", "paper")):
        for opening in range(10):
            records.append(game(len(records), a, b, 1.0, opening))
            records.append(game(len(records), b, a, 0.0, opening))
    found = table(records)
    assert found.cycle is not None
    assert sorted(found.cycle) == ["paper", "scissors", "stone"]
    assert any("one number a player cannot say that" in warning for warning in found.warnings)


def test_a_cycle_by_luck_is_none() -> None:
    scores = np.array([[np.nan, 0.55, 0.45], [0.45, np.nan, 0.55], [0.55, 0.45, np.nan]])
    assert clear_cycle("abc", scores, np.full((3, 3), 20.0)) is None
    assert clear_cycle("abc", scores, np.full((3, 3), 2000.0)) == ["a", "b", "c"]


def test_anchors_hold_and_void_games_are_counted() -> None:
    records = [game(n, *(("a", "b") if n % 2 else ("b", "a")), float(n % 3 == 0), n // 2) for n in range(20)]
    void = GameRecord(20, GAME.spec, 0, ("a", "b"), 10, 0, (1,), None, "void", 2, "it crashed")
    found = table([*records, void], {"a": 100.0})
    assert found.ratings is not None
    assert found.ratings["a"].estimate == pytest.approx(100)
    assert found.void == 1
