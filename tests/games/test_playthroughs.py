"""Recorded games are replayed and compared line by line; every game has one, and one for each way in which it ends."""

import itertools
import re

import pytest

import zerogrid
from games.playthrough import read, records, write

RECORDS = records()


def of_game(name: str) -> list[str]:
    """The records of a game."""
    return [record for record in RECORDS.values() if re.match(rf"{name}\b", read(record)[1])]


@pytest.mark.parametrize("name", RECORDS)
def test_a_recorded_game_is_played_again_line_by_line(name: str) -> None:
    again = write(*read(RECORDS[name])).splitlines()
    for number, (now, then) in enumerate(zip(again, RECORDS[name].splitlines(), strict=False), start=1):
        assert now == then, f"tests/data/playthroughs/{name}.txt, line {number}"
    assert len(again) == len(RECORDS[name].splitlines())


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_a_whole_game_named_after_it(name: str) -> None:
    about, spec, seed, moves = read(RECORDS[name])
    game = zerogrid.game(spec)
    assert about.startswith(game.title)
    assert name == game.name or name.startswith(f"{game.name}_")
    position = game.start(seed)
    for move in moves:
        position.play(move)
    assert position.over


@pytest.mark.parametrize("name", zerogrid.names())
def test_every_game_is_recorded_with_every_way_in_which_it_ends(name: str) -> None:
    found = "\n".join(of_game(name))
    for reason in zerogrid.game(name).ENDINGS:
        assert f"\n-- {reason}: " in found, (
            f'no recorded game of {name} ends with "{reason}"; play one and record it: '
            f'python tests/games/record.py "{zerogrid.game(name).title}: what it shows." {name} MOVES'
        )


def test_the_rarer_rules_are_in_the_records() -> None:
    """What a reader of the records should find: passes, extra turns, double steps, chance, overlines."""
    assert "\nplayed pass\n" in "\n".join(of_game("othello"))
    dots = RECORDS["dots_and_boxes"]
    movers = re.findall(r"^-- (\w) to move", dots, re.MULTILINE)
    assert any(one == other for one, other in itertools.pairwise(movers)), "an extra turn"
    assert re.search(r"played ([a-e])2-(\1)4", RECORDS["pawn_dama"])
    assert re.search(r"played [a-e]\dx", RECORDS["pawn_dama"])
    assert any(read(record)[2] != 0 for record in of_game("battlefield")), "a start drawn from another seed"
    assert any("exact=true" in read(record)[1] for record in of_game("gomoku"))
