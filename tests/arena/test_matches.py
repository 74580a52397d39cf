"""Matches: pairs of games, the same whatever runs at once, resumed as if nothing had been; trouble is no loss."""

import json
from pathlib import Path

import pytest

import zerogrid
from arena.players import FirstMove, Troubled, by_chance, crash
from zerogrid.agents.agent import Agent, AgentFailed
from zerogrid.arena.event import Event, labels, paired
from zerogrid.arena.games import GAMES, GameRecord, read_games
from zerogrid.arena.report import report
from zerogrid.arena.sequential import SequentialMatch
from zerogrid.arena.sprt import Sprt
from zerogrid.core.errors import BadResults, BadSetting

GAME = zerogrid.game("gomoku:5x5x4")


def match(
    a: Agent,
    b: Agent,
    games: int,
    simultaneous: int = 16,
    openings: str = "random:4",
    seed: int = 1,
    out: Path | None = None,
) -> list[GameRecord]:
    """All records of a match, in the order of the schedule."""
    event = Event("match", GAME, {"a": a, "b": b}, openings, seed, out, simultaneous)
    for _ in event.play(paired(("a", "b"), games)):
        pass
    event.close()
    return sorted(event.records, key=lambda record: (record.number, record.attempt))


def test_each_opening_is_played_twice_with_sides_swapped() -> None:
    records = match(by_chance(GAME), by_chance(GAME), 20)
    for one, other in zip(records[::2], records[1::2]):
        assert (one.opening, one.moves[:4]) == (other.opening, other.moves[:4])
        assert one.players == other.players[::-1] == ("a", "b")
    assert len({record.moves[:4] for record in records}) == 10
    assert len({record.moves for record in records}) == 20


def test_results_do_not_depend_on_how_many_games_run_at_once() -> None:
    together, alone = (match(by_chance(GAME), by_chance(GAME), 40, simultaneous) for simultaneous in (40, 1))
    assert together == alone
    assert match(by_chance(GAME), by_chance(GAME), 40, seed=2) != alone


def test_as_many_games_run_at_once_as_suit_the_agents() -> None:
    class OnCard(FirstMove):
        on_card = True

    plain, on_card = by_chance(GAME), OnCard("on card", GAME)
    assert Event("match", GAME, {"a": plain, "b": plain}, "none", 1).simultaneous == 128
    assert Event("match", GAME, {"a": plain, "b": on_card}, "none", 1).simultaneous == 2048
    assert Event("match", GAME, {"a": plain, "b": on_card}, "none", 1, None, 3).simultaneous == 3


def test_every_game_that_is_kept_can_be_replayed(tmp_path: Path) -> None:
    match(by_chance(GAME), by_chance(GAME), 6, out=tmp_path)
    for line in (tmp_path / GAMES).read_text().splitlines():
        what = json.loads(line)
        position = zerogrid.game(what["game"]).start(what["seed"])
        for move in what["moves"]:
            position.play(move)
        assert position.outcome is not None
        assert (list(position.outcome.scores), position.outcome.reason) == (what["scores"], what["ending"])
        assert what["result"] == {1: 1, 0: 0.5, -1: 0}[what["scores"][0]]


@pytest.mark.parametrize("games, cut", [(7, 0), (11, 9), (16, 30)])
def test_a_match_goes_on_as_if_it_had_never_stopped(tmp_path: Path, games: int, cut: int) -> None:
    whole = match(by_chance(GAME), by_chance(GAME), 30, simultaneous=5)
    event = Event("match", GAME, {"a": by_chance(GAME), "b": by_chance(GAME)}, "random:4", 1, tmp_path, 5)
    playing = event.play(paired(("a", "b"), 30))
    for _ in range(games):
        next(playing)
    event.close()
    if cut:  # the machine went down while a line was being written
        file = tmp_path / GAMES
        file.write_bytes(file.read_bytes()[:-cut])
    assert match(by_chance(GAME), by_chance(GAME), 30, out=tmp_path) == whole
    assert match(by_chance(GAME), by_chance(GAME), 30, out=tmp_path) == whole, "nothing is left to play"


def test_a_folder_of_another_match_is_refused(tmp_path: Path) -> None:
    match(by_chance(GAME), by_chance(GAME), 4, out=tmp_path)
    with pytest.raises(BadResults, match='seed "1", not "2"'):
        match(by_chance(GAME), by_chance(GAME), 4, seed=2, out=tmp_path)
    with pytest.raises(BadResults, match='openings "random:4", not "none"'):
        match(by_chance(GAME), by_chance(GAME), 4, openings="none", out=tmp_path)


def test_two_matches_in_one_folder_are_refused(tmp_path: Path) -> None:
    event = Event("match", GAME, {"a": by_chance(GAME), "b": by_chance(GAME)}, "none", 1, tmp_path)
    with pytest.raises(BadResults, match="another match is being played"):
        match(by_chance(GAME), by_chance(GAME), 4, openings="none", out=tmp_path)
    event.close()


# --- trouble --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [True, False])
def test_a_crash_makes_one_game_void_and_it_is_played_again(together: bool) -> None:
    crashes = []

    def once(position: zerogrid.core.position.Position, seed: int) -> Exception | None:
        if len(position.moves) == 8 and position.moves[0] == marked and len(crashes) < 3:
            crashes.append(seed)
            return crash()
        return None

    undisturbed = match(by_chance(GAME), by_chance(GAME), 20)
    marked = undisturbed[6].moves[0]
    # together: the whole batch fails first, then the one game alone (2 crashes), then the game fits again
    crashes += [0] if together else [0, 0]
    records = match(Troubled(GAME, once, together), by_chance(GAME), 20)
    void = [record for record in records if record.void]
    assert [record.void for record in void] == ["the engine crashed"]
    assert [record for record in records if not record.void] == [
        record if record.number != void[0].number else _again(record) for record in undisturbed
    ]
    found = report(records, "a", "b")
    assert (found.games, found.void, found.replayed) == (20, 0, 1)
    assert any("played again" in warning for warning in found.warnings)


def _again(record: GameRecord) -> GameRecord:
    from dataclasses import replace

    return replace(record, attempt=2)


def test_a_game_that_fails_twice_stays_void_and_is_no_loss() -> None:
    first = match(by_chance(GAME), by_chance(GAME), 30)[0].moves[0]

    def always(position: zerogrid.core.position.Position, seed: int) -> Exception | None:
        return MemoryError("no room") if position.moves[0] == first and len(position.moves) > 7 else None

    found = report(match(Troubled(GAME, always), by_chance(GAME), 30), "a", "b")
    assert found.void >= 2
    assert found.games == 30 - found.void
    assert found.wins + found.draws + found.losses == found.games
    assert any("MemoryError: no room" in reason for reason in found.reasons)


def test_an_illegal_move_loses() -> None:
    def cheat(position: zerogrid.core.position.Position, seed: int) -> int | None:
        return position.moves[0] if len(position.moves) > 6 else None

    found = report(match(Troubled(GAME, cheat), by_chance(GAME), 20), "a", "b")
    assert found.wins <= 2
    assert found.illegal["a"] >= 18
    assert found.void == 0


def test_an_illegal_move_is_held_against_its_mover_though_one_name_begins_with_the_other() -> None:
    players, words = ("engine:bot", "engine:bot --new"), 'engine:bot --new answered "a1", which may not be played'
    cheated = GameRecord(0, GAME.spec, 0, players, 0, 0, (), (1.0, -1.0), "an illegal move", illegal=words)
    assert report([cheated], *players).illegal == {"engine:bot": 0, "engine:bot --new": 1}


def test_a_game_without_a_partner_is_told_of() -> None:
    found = report(match(by_chance(GAME), by_chance(GAME), 7), "a", "b")
    assert found.lone == 1
    assert any("without a partner" in warning for warning in found.warnings)


def test_an_agent_that_always_fails_ends_the_match_with_its_reason() -> None:
    with pytest.raises(AgentFailed, match=r"games were void .* the engine crashed"):
        match(Troubled(GAME, lambda *_: crash()), by_chance(GAME), 400)


# --- evidence -------------------------------------------------------------------------------------------------------


def test_games_that_are_the_same_over_and_over_are_counted_once_and_said_so() -> None:
    found = report(match(FirstMove("first", GAME), FirstMove("first", GAME), 40, openings="none"), "a", "b")
    assert (found.games, found.distinct, found.repeated) == (40, 2, 19)
    assert int(found.pairs.sum()) == 1
    assert found.paired.high - found.paired.low > 0.5, "one pair says little"
    assert any("only 2 of 40 games are distinct" in warning for warning in found.warnings)
    varied = report(match(FirstMove("first", GAME), FirstMove("first", GAME), 40), "a", "b")
    assert varied.distinct == 40
    assert varied.pairs.tolist() == [0, 0, 20, 0, 0], "equal players split every pair"


def test_a_report_is_seen_by_the_first_player() -> None:
    records = match(by_chance(GAME), FirstMove("first", GAME), 60)
    ours, theirs = report(records, "a", "b"), report(records, "b", "a")
    assert (ours.wins, ours.losses) == (theirs.losses, theirs.wins)
    assert ours.score + theirs.score == pytest.approx(1)
    assert ours.pairs.tolist() == theirs.pairs.tolist()[::-1]
    assert json.dumps(ours.as_dict(), allow_nan=False)


def test_two_agents_of_one_name_are_told_apart() -> None:
    assert labels(["random", "random", "uct:1", "random"]) == ["random", "random (2)", "uct:1", "random (3)"]


def test_a_sequential_test_gives_the_same_verdict_at_any_pace_and_after_a_stop(tmp_path: Path) -> None:
    def run(simultaneous: int, folder: Path | None = None, stop: int = 10**9) -> dict[str, object]:
        agents = {"a": Troubled(GAME, lambda *_: None), "b": FirstMove("first", GAME)}
        event = Event("sprt", GAME, agents, "random:4", 3, folder, simultaneous)
        running = SequentialMatch(event, Sprt(0, 150, max_pairs=120), ("a", "b"))
        for count, _ in enumerate(running.run(), start=1):
            if count == stop:
                break
        event.close()
        return running.test.as_dict()

    whole = run(1)
    assert whole["verdict"] in ("accept", "reject")
    assert run(32) == whole
    assert run(7, tmp_path, stop=9)["verdict"] == "running"
    assert run(3, tmp_path) == whole
    assert run(3, tmp_path) == whole


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="games at once"):
        match(by_chance(GAME), by_chance(GAME), 2, simultaneous=-1)
    (tmp_path / GAMES).write_text('{"game": 3}\n')
    with pytest.raises(BadResults, match="line 1 is no game"):
        list(read_games(tmp_path))
    (tmp_path / GAMES).write_text("not json\n")
    with pytest.raises(BadResults, match="line 1 is not JSON"):
        list(read_games(tmp_path))
    with pytest.raises(BadResults, match="cannot be read"):
        list(read_games(tmp_path / "nothing"))
