"""The generic encoding: what a layout says of a state, as planes; against twins that know the games."""

import numpy as np
import pytest

import zerogrid
from shown.boards import Fields, Plane, everywhere, fields, positions
from zerogrid.core.errors import BadGameFile
from zerogrid.encodings import encoding
from zerogrid.encodings.actions import lie_of


def grade(value: float) -> float:
    return value / (abs(value) + 8)


def of_gomoku(state: Fields, me: int, game: zerogrid.Game) -> dict[str, Plane]:
    squares = {divmod(i, game.COLUMNS): value for i, value in enumerate(state["board"])}
    last = state["last"][0]
    full = lambda value: everywhere(value, game.ROWS, game.COLUMNS)  # noqa: E731
    return {
        "own board x or o": {square: 1.0 for square, value in squares.items() if value == 1 + me},
        "enemy board x or o": {square: 1.0 for square, value in squares.items() if value == 2 - me},
        "turn": full(grade(me)),
        "stones": full(grade(sum(value > 0 for value in squares.values()))),
        "end": {},
        "last to": {divmod(last, game.COLUMNS): 1.0} if last >= 0 else {},
        "first player to move": full(1.0 - me),
    }


def of_dama(state: Fields, me: int, game: zerogrid.Game) -> dict[str, Plane]:
    squares = {divmod(i, game.COLUMNS): ".wbWB"[value] for i, value in enumerate(state["board"])}
    own, enemy = ("w", "b") if me == 0 else ("b", "w")
    full = lambda value: everywhere(value, game.ROWS, game.COLUMNS)  # noqa: E731
    planes = {
        name: {square: 1.0 for square, what in squares.items() if what == sign}
        for name, sign in (
            ("own board w or b", own),
            ("enemy board w or b", enemy),
            ("own board W or B", own.upper()),
            ("enemy board W or B", enemy.upper()),
        )
    }
    cells, last = game.ROWS * game.COLUMNS, state["last"][0]
    ends = {"last from": last % cells, "last to": last // cells}
    moved = {name: {divmod(cell, game.COLUMNS): 1.0} if last >= 0 else {} for name, cell in ends.items()}
    return {**planes, "turn": full(grade(me)), "end": {}, **moved, "first player to move": full(1.0 - me)}


def of_battlefield(state: Fields, me: int, game: zerogrid.Game) -> dict[str, Plane]:
    n, spot = game.AGENTS, lambda cell: divmod(cell, game.COLUMNS)
    full = lambda value: everywhere(value, game.ROWS, game.COLUMNS)  # noqa: E731
    cells = {spot(i): ".#ns"[what] for i, what in enumerate(state["board"])}
    own, enemy = ("n", "s") if me == 0 else ("s", "n")
    planes: dict[str, Plane] = {
        name: {cell: 1.0 for cell, what in cells.items() if what == sign}
        for name, sign in (("board #", "#"), ("own board n or s", own), ("enemy board n or s", enemy))
    }
    for whose, team in (("own", me), ("enemy", 1 - me)):
        for k in range(n):
            at = state["agents"][team * n + k]
            planes[f"{whose} agents {k}"] = {spot(at): 1.0} if at >= 0 else {}
            planes[f"{whose} health {k}"] = full(grade(state["health"][team * n + k]))
            planes[f"{whose} ammo {k}"] = full(grade(state["ammo"][team * n + k]))
        planes[f"{whose} streaks 0"] = full(grade(state["streaks"][team]))
    planes |= {f"ranks {k}": full(grade(k)) for k in range(n)}
    return planes | {
        "turn": full(grade(me)),
        "steps": full(grade(state["steps"][0])),
        "end": {},
        "first player to move": full(1.0 - me),
    }


def of_connect_four(state: Fields, me: int, game: zerogrid.Game) -> dict[str, Plane]:
    full = lambda value: everywhere(value, game.ROWS, game.COLUMNS)  # noqa: E731
    shown = of_gomoku(state, me, game)
    del shown["last to"]  # a column is no cell
    shown["discs"] = shown.pop("stones")
    board = np.array(state["board"]).reshape(game.ROWS, game.COLUMNS)
    return shown | {f"heights {c}": full(grade(int((board[:, c] > 0).sum()))) for c in range(game.COLUMNS)}


CASES = {
    "gomoku:5x4x3": of_gomoku,
    "tictactoe": of_gomoku,
    "connect_four:4x5": of_connect_four,
    "pawn_dama:5x4": of_dama,
    "battlefield:5x5,obstacles=2,health=2": of_battlefield,
}


@pytest.mark.parametrize("game", CASES)
def test_planes_are_what_the_layout_says(game: str) -> None:
    made = encoding(game, "generic")
    for position in positions(game, 12):
        expected = CASES[game](fields(position.game, position.state), position.to_move, position.game)
        assert sorted(expected) == sorted(made.plane_names)
        shown = made.encode(position)
        for index, name in enumerate(made.plane_names):
            drawn = np.zeros(shown.shape[:2], np.float32)
            for cell, value in expected[name].items():
                drawn[cell] = value
            np.testing.assert_array_equal(shown[..., index], drawn, err_msg=f"{name}\n{position}")


def test_edges_of_boxes_have_a_plane_each() -> None:
    made = encoding("dots_and_boxes:2x3", "generic")
    for position in positions("dots_and_boxes:2x3", 12):
        shown = made.encode(position)
        for edge in range(17):
            assert (shown[..., made.plane_names.index(f"edges {edge}")] == grade(int(position.state[edge]))).all()
        scores = position.state[made.game.SCORES :][:2]
        own = shown[..., made.plane_names.index("own scores 0")]
        assert (own == np.float32(grade(int(scores[position.to_move])))).all()


def test_cells_of_actions_that_are_none_are_refused() -> None:
    class Rules:
        ROWS = COLUMNS = 3
        ACTIONS = 9
        action_cells = staticmethod(lambda action: (action, 9))

    with pytest.raises(BadGameFile, match=r"action_cells\(0\) is \(0, 9\)"):
        lie_of(Rules)
