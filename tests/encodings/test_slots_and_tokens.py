"""Where actions lie in the policy vector, and how they are described to networks that take them as tokens."""

from typing import Any

import numpy as np
import pytest

from shown.boards import played, positions
from zerogrid.core.position import Position
from zerogrid.encodings import encoding, names_for
from zerogrid.encodings.encoding import Encoding
from zerogrid.networks.shapes import Shape

GAMES = {
    "gomoku:5x4x3": ("stones", "generic"),
    "tictactoe": ("stones", "generic"),
    "connect_four:5x6": ("discs", "generic"),
    "othello:4x6": ("discs", "generic"),
    "pawn_dama:5x4": ("oneplane", "oneplane,policy=compact", "threeplane,policy=compact", "generic"),
    "breakthrough:5x4": ("pawns", "generic"),
    "dots_and_boxes:2x3": ("baseline", "chainloop6", "chainloop64", "edgequad4", "edgequad9", "edgequad44", "generic"),
    "battlefield:5x5,obstacles=3": ("teams", "teams,turned=true", "teams,context=true,history=2", "generic"),
}
CASES = [(game, spec) for game, specs in GAMES.items() for spec in specs]


def described(made: Encoding, position: Position, action: int | str) -> dict[str, float]:
    return dict(zip(made.feature_names, made.describe(position, position.game.action(action)).tolist(), strict=True))


@pytest.mark.parametrize("game, spec", CASES)
def test_networks_accept_what_an_encoding_says_of_itself(game: str, spec: str) -> None:
    made = encoding(game, spec)
    shape = Shape(**made.shape_fields())
    assert (shape.planes, shape.actions, shape.height) == (made.planes, made.slots, made.height)
    assert Shape.from_json(shape.to_json()) == shape
    assert shape.agents == (2 if spec.startswith("teams") else 0)
    assert shape.boxes == ((2, 3) if game.startswith("dots") and spec != "generic" else (0, 0))
    assert shape.history == made.stacked == (2 if "history=2" in spec else 1)
    assert shape.action_features == len(made.feature_names) > 0


# --- Pawn Dama ------------------------------------------------------------------------------------------------------


def dama_move(position: Position, action: int) -> tuple[int, int, int, int]:
    """Column and row of from and to as the mover sees them: the board turned half round for Black."""
    columns, cells = position.game.COLUMNS, position.game.CELLS
    turn = (lambda cell: cells - 1 - cell) if position.to_move else (lambda cell: cell)
    start, target = turn(action % cells), turn(action // cells)
    return start % columns, start // columns, target % columns, target // columns


@pytest.mark.parametrize("name", ["oneplane", "threeplane"])
def test_the_full_policy_is_the_papers_number_on_the_turned_board(name: str) -> None:
    made = encoding("pawn_dama:5x4", name)
    n, m = 5, 4
    assert made.slots == (n * m) ** 2
    for position in positions("pawn_dama:5x4"):
        for action in position.actions:
            x1, y1, x2, y2 = dama_move(position, action)
            assert made.slot(position, action) == x1 + y1 * m + x2 * m * n + y2 * m * m * n


@pytest.mark.parametrize("name", ["oneplane", "threeplane"])
def test_the_compact_policy_has_four_kinds_of_move_for_each_square(name: str) -> None:
    made = encoding("pawn_dama:5x4", f"{name},policy=compact")
    kinds = {(1, 0): 0, (2, 0): 1, (1, -1): 2, (1, 1): 3}
    assert made.slots == 4 * 20
    for position in positions("pawn_dama:5x4"):
        for action in position.actions:
            x1, y1, x2, y2 = dama_move(position, action)
            kind = kinds[y2 - y1, x2 - x1]
            slot = made.slot(position, action)
            assert slot == kind * 20 + y1 * 4 + x1
            assert made.places[slot] == (slot,)


def test_a_pawns_move_is_described() -> None:
    made = encoding("pawn_dama:5x4", "oneplane")
    rows = " 5 . . B .\n 4 . . . .\n 3 . b . .\n 2 W . . .\n 1 . . . W\n   a b c d"
    position = Position.parse(f"pawn_dama:5x4\n{rows}\nturn black")
    step = described(made, position, "b3-b2")
    place = {"from row": 0.5, "from column": pytest.approx(2 / 3), "to row": 0.75, "to column": pytest.approx(2 / 3)}
    assert step == {**place, "step": 1, "double step": 0, "capture": 0, "listed": 1}
    capture = described(made, position, "b3xa2")
    assert (capture["to column"], capture["capture"], capture["step"]) == (1.0, 1.0, 0.0)


# --- Breakthrough ---------------------------------------------------------------------------------------------------


def test_both_sides_of_breakthrough_have_the_same_slots_and_descriptions() -> None:
    """The same position for either side. Slots are y (3 M - 2) + 3 x + d of the turned board."""
    made = encoding("breakthrough:5x4", "pawns")
    signs = [". b . .", "b . . .", ". b w .", ". . w .", ". . . w"]
    text = "\n".join(f"{5 - place} {line}" for place, line in enumerate(signs))
    other = "\n".join(
        f"{5 - place} {line[::-1].translate(str.maketrans('wb', 'bw'))}" for place, line in enumerate(signs[::-1])
    )
    white = Position.parse(f"breakthrough:5x4\n{text}\nturn white")
    black = Position.parse(f"breakthrough:5x4\n{other}\nturn black")
    np.testing.assert_array_equal(made.encode(white), made.encode(black))
    moves = {"d1-d2": "a5-a4", "c2-b3": "b4-c3", "c2-d3": "b4-a3", "c3-b4": "b3-c2", "c3-c4": "b3-b2", "c3-d4": "b3-a2"}
    assert set(white.legal) == set(moves)
    assert set(black.legal) == set(moves.values())
    slots = [9, 15, 17, 25, 26, 27]
    for slot, (move, turned) in zip(slots, moves.items(), strict=True):
        assert made.slot(white, white.game.action(move)) == made.slot(black, black.game.action(turned)) == slot
        assert described(made, white, move) == described(made, black, turned)
    assert made.places[9] == (1 * 20 + 3,)
    assert made.places[15] == (0 * 20 + 6,)
    assert made.places[27] == (2 * 20 + 10,)
    assert described(made, white, "c2-b3") == {
        "from row": 0.25, "from column": pytest.approx(2 / 3), "to row": 0.5, "to column": pytest.approx(1 / 3),
        "capture": 1, "listed": 1,
    }  # fmt: skip
    assert described(made, white, "c2-d3")["capture"] == 0


# --- Battlefield ----------------------------------------------------------------------------------------------------

STEPS = ((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))


@pytest.mark.parametrize("spec", ["teams", "teams,turned=true"])
@pytest.mark.parametrize("game", ["battlefield:7x7", "battlefield:5x7,agents=3,obstacles=3"])
def test_orders_in_a_slot_go_the_way_the_planes_lie(game: str, spec: str) -> None:
    """An agent ordered to move up is seen one row higher on its own plane afterwards."""
    made = encoding(game, spec)
    n = made.game.AGENTS
    moved = 0
    for position in positions(game, 12):
        me = position.to_move
        before = made.encode(position)[..., :n]
        for action in position.actions[:: max(len(position.actions) // 12, 1)]:
            slot = made.slot(position, action)
            orders = [slot // 9 ** (n - 1 - k) % 9 for k in range(n)]
            after = position.copy().play(action)
            for k, order in enumerate(orders):
                cell = after.state[made.game.AGENT + me * n + k]
                if not before[..., k].any() or cell < 0:
                    continue
                if me == 1 and "turned" in spec:
                    cell = made.game.CELLS - 1 - cell
                step = STEPS[order] if order <= 4 else (0, 0)
                row, column = np.argwhere(before[..., k])[0]
                assert (row + step[0], column + step[1]) == divmod(int(cell), made.width)
                moved += step != (0, 0)
    assert moved >= 30


@pytest.mark.parametrize("spec", ["teams", "teams,turned=true"])
def test_a_joint_action_is_described_agent_by_agent(spec: str) -> None:
    position = Position.parse(
        "battlefield:5x5,obstacles=0\nA . . . .\n. . . . .\n. B + . .\n. . . . .\na . . . b\n"
        "health 1 1 1 1\nammo 6 6 6 6\nsteps 1\nturn south"
    )
    made = encoding(position.game, spec)
    told = described(made, position, "up+shoot-right")
    a = {"row": 1.0, "column": 0.0, "target row": 0.75, "target column": 0.0, "waits": 0, "moves": 1, "shoots": 0}
    b = {"row": 1.0, "column": 1.0, "target row": 1.0, "target column": 1.25, "waits": 0, "moves": 0, "shoots": 1}
    if "turned" in spec:
        for agent in (a, b):
            agent |= {name: 1 - agent[name] for name in ("row", "column", "target row", "target column")}
    expected = {f"agent {k}: {name}": value for k, agent in ((1, a), (2, b)) for name, value in agent.items()}
    assert told == {**expected, "listed": 1}


def test_the_dead_are_described_by_zeros() -> None:
    position = Position.parse(
        "battlefield:5x5,obstacles=0\nA . . . .\n. . . . .\n. . + . .\n. . . . .\n. . . . b\n"
        "health 1 0 0 1\nammo 6 0 0 6\nsteps 1\nturn south"
    )
    told = described(encoding(position.game, "teams"), position, "wait+up")
    assert all(value == 0 for name, value in told.items() if name.startswith("agent 1"))
    assert told["agent 2: moves"] == told["listed"] == 1


# --- others ---------------------------------------------------------------------------------------------------------


def test_a_stone_is_described_by_its_square() -> None:
    position = played("gomoku:5x4x3", 3)
    told = described(encoding("gomoku:5x4x3", "stones"), position, "c5")
    place = {"from row": 1.0, "from column": pytest.approx(2 / 3), "to row": 1.0, "to column": pytest.approx(2 / 3)}
    assert told == {**place, "put": 1, "moved": 0, "nowhere": 0, "listed": 1}


def test_a_disc_is_described_by_where_it_comes_to_lie() -> None:
    made = encoding("connect_four:5x6", "discs")
    position = made.game.start()
    assert described(made, position, "c") == {"row": 1.0, "column": pytest.approx(0.4), "listed": 1}
    assert described(made, position.play("c").play("c"), "c")["row"] == 0.5


def test_a_pass_is_described_as_lying_nowhere() -> None:
    made = encoding("othello:4x6", "discs")
    passing = made.game.ACTIONS - 1
    told = dict(zip(made.feature_names, made.describe(made.game.start(), passing).tolist()))
    assert (told["nowhere"], told["put"], told["listed"]) == (1, 0, 1)
    assert made.places[passing] == (-1,)


def test_an_edge_is_described_by_its_middle() -> None:
    made = encoding("dots_and_boxes:2x3", "chainloop6")
    told = described(made, made.game.start(), "v1.3")
    middle = {"from row": 0.75, "from column": 1, "to row": 0.75, "to column": 1}
    assert told == {**middle, "horizontal": 0, "vertical": 1, "listed": 1}


@pytest.mark.parametrize("name", names_for("dots_and_boxes:2x3")[:-1])
def test_an_edges_logit_lies_at_the_edge_or_at_its_boxes(name: str) -> None:
    made: Any = encoding("dots_and_boxes:2x3", name)
    game = made.game
    for edge in range(game.ACTIONS):
        kind, row, column = game.action_name(edge)[0], *map(int, game.action_name(edge)[1:].split("."))
        if made.height == 5:
            y, x = (2 * row, 2 * column + 1) if kind == "h" else (2 * row + 1, 2 * column)
            assert made.places[edge] == (y * 7 + x,)
        else:  # maps: right, upper, left, lower
            before = (3, row - 1, column) if kind == "h" else (0, row, column - 1)
            around = [before, (1 if kind == "h" else 2, row, column)]
            on_board = [(m, r, c) for m, r, c in around if 0 <= r < 2 and 0 <= c < 3]
            assert sorted(made.places[edge]) == sorted(m * 6 + r * 3 + c for m, r, c in on_board)


def test_orders_of_agents_are_not_taken_for_cells() -> None:
    """On 9x9 two agents have as many joint orders as there are cells."""
    for spec in ("teams", "generic"):
        assert encoding("battlefield:9x9", spec).places == ()
