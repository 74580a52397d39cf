"""Potentials against naive twins and boards drawn by hand; bounded, nothing at the end, the same on all targets."""

from itertools import combinations
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import zerogrid
from shown.boards import fields, positions
from zerogrid.core import cuda, potential
from zerogrid.core.errors import BadPotentialFile, BadSetting, UnknownPotential
from zerogrid.core.position import Position
from zerogrid.encodings import potential_for, potentials_for, use_potential_file
from zerogrid.encodings.potential import SHELF, PotentialArgs, potential_kernel

TERMS = ("health", "centre", "goal", "border", "threat", "cohesion", "focus")
BATTLES = (
    "battlefield:7x7",
    "battlefield:5x9,agents=3,obstacles=4,shrink=3",
    "battlefield:6x5,agents=1,health=2,ammo=1",
)


def only(term: str, weight: float = 1.0) -> str:
    """The spec in which one term counts."""
    return "tactics," + ",".join(f"{name}={weight if name == term else 0.0}" for name in TERMS)


# --- Battlefield's naive twin ---------------------------------------------------------------------------------------


def naive_terms(position: Position, me: int) -> dict[str, float]:
    """All seven, from dictionaries of who stands where."""
    game, state = position.game, fields(position.game, position.state)
    n, centre = game.AGENTS, divmod(game.CENTRE, game.COLUMNS)
    spot = {agent: divmod(cell, game.COLUMNS) for agent, cell in enumerate(state["agents"]) if cell >= 0}
    sides = [{a: at for a, at in spot.items() if a // n == team} for team in (me, 1 - me)]
    own, enemy = sides
    zone = game.WIDEST - state["steps"][0] // game.SHRINK

    def far(a: tuple[int, int], b: tuple[int, int]) -> int:
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def near(side: dict[int, tuple[int, int]]) -> list[float]:
        return [1 / (1 + far(at, centre)) for at in side.values()]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    def inside(at: tuple[int, int]) -> int:
        return zone - max(abs(at[0] - centre[0]), abs(at[1] - centre[1]))

    def sees(at: tuple[int, int], step: tuple[int, int], left: int) -> bool:
        ahead = at[0] + step[0], at[1] + step[1]
        on_board = 0 <= ahead[0] < game.ROWS and 0 <= ahead[1] < game.COLUMNS
        if left == 0 or not on_board or inside(ahead) < 0 or state["board"][ahead[0] * game.COLUMNS + ahead[1]] == 1:
            return False
        who = [agent for agent, stands in spot.items() if stands == ahead]
        return who[0] in enemy if who else sees(ahead, step, left - 1)

    def nearest(at: tuple[int, int]) -> set[int]:
        return {a for a in enemy if far(at, enemy[a]) == min(far(at, other) for other in enemy.values())}

    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    armed = [at for agent, at in own.items() if state["ammo"][agent] > 0]
    pairs = list(combinations(own.values(), 2))
    return {
        "health": (len(own) - len(enemy)) / n,
        "centre": max(near(own), default=0.0) - max(near(enemy), default=0.0),
        "goal": mean(near(own)),
        "border": mean([inside(at) / game.WIDEST for at in own.values()]),
        "threat": float(any(sees(at, step, game.RANGE) for at in armed for step in steps)),
        "cohesion": mean([1 / far(a, b) for a, b in pairs]),
        "focus": mean([float(bool(nearest(a) & nearest(b))) for a, b in pairs]),
    }


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("game", BATTLES)
def test_a_term_is_what_its_naive_twin_says(game: str, term: str) -> None:
    made = potential_for(game, only(term))
    for position in positions(game):
        for player in (0, 1):
            assert made.of(position, player) == pytest.approx(naive_terms(position, player)[term], abs=1e-12)


@pytest.mark.parametrize("game", BATTLES)
def test_terms_are_weighted_added_and_clipped(game: str) -> None:
    weights = dict(zip(TERMS, (0.5, -1.0, 0.25, 1.0, 1.0, 0.75, 1.0)))
    made = potential_for(game, "tactics," + ",".join(f"{name}={weight}" for name, weight in weights.items()))
    clipped = 0
    for position in positions(game):
        for player in (0, 1):
            terms = naive_terms(position, player)
            total = sum(weights[name] * terms[name] for name in TERMS)
            clipped += abs(total) > 1
            assert made.of(position, player) == pytest.approx(max(-1.0, min(1.0, total)), abs=1e-12)
    assert clipped or "agents=1" in game


def test_the_weights_from_the_start_add_up_to_one() -> None:
    declared = potential_for("battlefield", "tactics").declared.values()
    assert sum(weight.default for weight in declared) == pytest.approx(1)


FIELD = """
    battlefield:7x7,obstacles=2
    . . . . . . .
    . . A . . . .
    . . . . . . .
    . # . + B . .
    . . b . . . .
    . . . . . # .
    . . . . . a .
    health 1 1 1 1
    ammo 6 0 6 6
    turn north
"""
BY_HAND = {  # north's and south's
    "health": (0, 0),
    "centre": (1 / 2 - 1 / 3, 1 / 3 - 1 / 2),
    "goal": ((1 / 4 + 1 / 2) / 2, (1 / 6 + 1 / 3) / 2),
    "border": ((1 + 2) / 2 / 3, (0 + 2) / 2 / 3),
    "threat": (1, 1),  # A and b look at one another down the third column
    "cohesion": (1 / 4, 1 / 5),
    "focus": (1, 1),  # b is nearest to A and B; B is nearest to a, and as near to b as A is
}


@pytest.mark.parametrize("term", TERMS)
def test_a_field_worked_out_by_hand(term: str) -> None:
    position = Position.parse(dedent(FIELD).strip())
    made = potential_for(position.game, only(term))
    found = made.of(position, 0), made.of(position, 1)
    assert found == pytest.approx(BY_HAND[term], abs=1e-12)


def test_who_has_nothing_to_shoot_with_threatens_nobody() -> None:
    position = Position.parse(dedent(FIELD).strip().replace("ammo 6 0 6 6", "ammo 0 6 6 6"))
    assert potential_for(position.game, only("threat")).of(position, 0) == 0


# --- Gomoku's naive twin ----------------------------------------------------------------------------------------------


def naive_worth(position: Position, player: int) -> float:
    """Rows found in the text of every line of the board, cut at whatever is no stone of the player's."""
    game = position.game
    board = np.array(position.state[: game.CELLS]).reshape(game.ROWS, game.COLUMNS)
    lines = [*board, *board.T]
    for one in (board, board[:, ::-1]):
        lines += [one.diagonal(offset) for offset in range(-game.ROWS, game.COLUMNS)]
    texts = ["".join("#" if stone == player + 1 else " " for stone in line) for line in lines]
    worth = {2: 0.1, 3: 0.5, 4: 2.0, 5: 2.0}
    return sum(worth.get(len(row), 0.0) for text in texts for row in text.split())


@pytest.mark.parametrize("game", ["gomoku:6x6x4", "gomoku:5x9x6", "gomoku:5x5x3", "tictactoe"])
def test_rows_of_stones_count_as_in_the_papers_reward(game: str) -> None:
    made = potential_for(game, "runs")
    for position in positions(game):
        for player in (0, 1):
            total = 0.25 * (naive_worth(position, player) - 0.8 * naive_worth(position, 1 - player))
            assert made.of(position, player) == pytest.approx(max(-1.0, min(1.0, total)), abs=1e-12)


def test_a_board_of_stones_worked_out_by_hand() -> None:
    """Black has a row of three and one of two; White a row of two."""
    rows = "x x x . o\n. . . . x\no . . x .\no . . . o"
    position = Position.parse(f"gomoku:4x5x5\n{rows}\nturn 1\nstones 9\nend 0\nlast -1")
    made = potential_for(position.game, "runs,scale=1,against=0.5")
    assert made.of(position, 0) == pytest.approx(0.6 - 0.5 * 0.1)
    assert made.of(position, 1) == pytest.approx(0.1 - 0.5 * 0.6)


# --- all of them ------------------------------------------------------------------------------------------------------

ALL = [(game, name) for game in ("battlefield:7x7,obstacles=6", "gomoku:6x6x4") for name in potentials_for(game)]


@pytest.mark.parametrize("game, name", ALL)
def test_a_potential_is_bounded_and_nothing_at_the_end_and_symmetric(game: str, name: str) -> None:
    made = potential_for(game, name)
    for number in range(6):
        position = zerogrid.game(game).start(number)
        while not position.over:
            for player in (0, 1):
                worth = made.of(position, player)
                assert -1 <= worth <= 1
                for symmetry in made.game.symmetries[1:]:
                    image = Position.of_state(made.game, made.game.image(symmetry, position.state))
                    assert made.of(image, player) == pytest.approx(worth, abs=1e-12)
            position.play(position.actions[(7 * len(position.moves) + number) % len(position.actions)])
        assert made.of(position, 0) == made.of(position, 1) == 0


@pytest.mark.parametrize("game, name", ALL)
def test_a_potential_is_the_same_compiled_and_compiles_for_a_card(game: str, name: str) -> None:
    made = potential_for(game, name)
    states = np.array([position.state for position in positions(game)])
    np.testing.assert_array_equal(made.of_many(states, "python"), made.of_many(states, "cpu"))
    args = PotentialArgs(states, np.zeros((len(states), 2)))
    assert ".entry" in cuda.ptx(potential_kernel, {potential: made.module}, args)


# --- specs ------------------------------------------------------------------------------------------------------------


def test_every_game_has_the_potential_that_promises_nothing() -> None:
    for name in zerogrid.names():
        assert "none" in potentials_for(name)
        assert potential_for(name).spec == "none"


@pytest.mark.parametrize(
    "spec, error, words",
    [
        ("tactic", UnknownPotential, 'no potential "tactic"; it has none, tactics. Did you mean "tactics"?'),
        ("runs", UnknownPotential, 'no potential "runs"'),
        ("tactics,health=2", BadSetting, "must lie from -1 to 1"),
        ("tactics,health=nan", BadSetting, 'a number such as 0.25, not "nan"'),
        ("tactics,helth=1", BadSetting, 'Did you mean "health"'),
        ("tactics,health=1,health=1", BadSetting, "given twice"),
    ],
)
def test_bad_specs_are_refused_in_words(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        potential_for("battlefield", spec)
    assert words in str(raised.value)


def test_a_potential_of_ones_own(tmp_path: Any) -> None:
    file = tmp_path / "corner.py"
    file.write_text(
        "from zerogrid.core.encoding import game_module\n"
        "from zerogrid.core.rules import setting\n"
        "GAME = game_module('tictactoe')\n"
        "WORTH = setting('worth', 0.5, least=-1, most=1)\n"
        "def potential(state, player):\n"
        "    return WORTH if state[GAME.END] == 0 and state[0] == 1 + player else 0.0\n"
    )
    (tmp_path / "empty.py").write_text("")
    try:
        made = potential_for("tictactoe", f"{use_potential_file(file)},worth=-0.5")
        position = zerogrid.game("tictactoe").start().play("a1")
        assert (made.of(position, 0), made.of(position, 1)) == (-0.5, 0.0)
        assert made.spec == "corner,worth=-0.5"
        assert repr(made) == "zerogrid.encodings.potential_for('tictactoe', 'corner,worth=-0.5')"
        with pytest.raises(BadPotentialFile, match="does not define potential"):
            potential_for("tictactoe", use_potential_file(tmp_path / "empty.py"))
    finally:
        for kept in (SHELF._from_files, SHELF._code, SHELF._declared, SHELF._names):
            kept.clear()
