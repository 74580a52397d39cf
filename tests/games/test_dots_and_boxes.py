"""Dots-and-Boxes on positions made by hand."""

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting
from zerogrid.core.position import Position

DONE = "every edge is drawn"


def scores(position: Position) -> list[int]:
    first = position.game.SCORES
    return position.state[first : first + 2].tolist()


def test_edges_are_numbered_horizontal_ones_first_then_vertical_ones() -> None:
    """The formula of the specification, on a board that is not square."""
    rows, columns = 2, 3
    game = zerogrid.game("dots_and_boxes:2x3")
    for r in range(rows + 1):
        for c in range(columns):
            assert game.action(f"h{r}.{c}") == r * columns + c
    for r in range(rows):
        for c in range(columns + 1):
            assert game.action(f"v{r}.{c}") == (rows + 1) * columns + r * (columns + 1) + c
    assert game.ACTIONS == 17


def test_a_box_is_closed_by_the_edges_around_it() -> None:
    for last in ("h1.1", "h2.1", "v1.1", "v1.2"):
        others = {"h1.1", "h2.1", "v1.1", "v1.2"} - {last}
        position = after("dots_and_boxes:3x3", " ".join(sorted(others)))
        mover = position.to_move
        position.play(last)
        owners = position.state[position.game.OWNER :][:9].tolist()
        assert owners == [0, 0, 0, 0, mover + 1, 0, 0, 0, 0]


def test_without_a_box_the_turn_passes_on() -> None:
    position = zerogrid.game("dots_and_boxes:2x2").start()
    movers = []
    for move in ("h0.0", "v0.0", "h1.0"):
        movers.append(position.to_move)
        position.play(move)
    assert movers == [0, 1, 0]
    assert position.to_move == 1


def test_closing_a_box_scores_and_gives_another_turn() -> None:
    position = after("dots_and_boxes:2x2", "h0.0 v0.0 h1.0 v0.1")
    assert (position.to_move, scores(position)) == (1, [0, 1])
    position.play("h2.0")
    assert (position.to_move, scores(position)) == (0, [0, 1])


def test_two_boxes_with_one_edge_score_two_and_give_one_more_turn() -> None:
    moves = "h0.0 h0.1 h1.0 h1.1 v0.0 v0.2"
    position = after("dots_and_boxes:2x2", moves)
    assert position.to_move == 0
    position.play("v0.1")
    assert (position.to_move, scores(position)) == (0, [2, 0])
    position.play("v1.0")
    assert position.to_move == 1


def test_taking_is_never_compulsory() -> None:
    position = after("dots_and_boxes:2x2", "h0.0 v0.0 h1.0")
    assert len(position.legal) == 12 - 3
    position.play("h2.1")
    assert (position.to_move, scores(position)) == (0, [0, 0])
    assert "v0.1" in position.legal


def test_the_last_box_ends_the_game_and_most_boxes_win() -> None:
    position = after("dots_and_boxes:1x2", "h0.0 v0.0 h1.0 h0.1 v0.1 h1.1 v0.2")
    assert scores(position) == [1, 1]
    assert ending(position) == (DONE, 0.0, 0.0)
    position = after("dots_and_boxes:1x2", "h0.0 v0.0 h1.0 v0.1 v0.2 h0.1 h1.1")
    assert scores(position) == [0, 2]
    assert ending(position) == (DONE, -1.0, 1.0)
    position = after("dots_and_boxes:1x2", "h0.0 v0.0 h1.0 h0.1 h1.1 v0.2 v0.1")
    assert scores(position) == [2, 0]
    assert ending(position) == (DONE, 1.0, -1.0)
    assert not position.legal


def test_the_game_goes_on_when_the_winner_is_certain() -> None:
    position = after("dots_and_boxes:1x3", "h0.0 h1.0 h0.1 h1.1 v0.0 v0.2 v0.1")
    assert scores(position) in ([2, 0], [0, 2])
    assert not position.over
    assert len(position.legal) == 3


@pytest.mark.parametrize("utility, values", [("winner", (1.0, -1.0)), ("margin", (0.5, -0.5))])
def test_the_utility_is_the_winner_or_the_margin_over_the_boxes(utility: str, values: tuple[float, float]) -> None:
    position = drawn(f"dots_and_boxes:2x2,utility={utility}", """
        +---+---+
        | A | B |
        +---+---+
        | A |
        +---+---+
    """, "turn A")  # fmt: skip
    assert ending(position) is None
    assert ending(position.play("v1.2")) == (DONE, *values)


def test_the_smallest_and_the_largest_board() -> None:
    assert zerogrid.game("dots_and_boxes:1x1").ACTIONS == 4
    assert zerogrid.game("dots_and_boxes:9x9").ACTIONS == 180
    assert zerogrid.game("dots_and_boxes:5x5").ACTIONS == 60
    for spec in ("dots_and_boxes:0x3", "dots_and_boxes:10x3", "dots_and_boxes:3", "dots_and_boxes:2x2,utility=boxes"):
        with pytest.raises(BadSetting):
            zerogrid.game(spec)


@pytest.mark.parametrize("spec, count", [("dots_and_boxes:3x3", 8), ("dots_and_boxes:2x4", 4)])
def test_symmetries_move_edges_onto_edges(spec: str, count: int) -> None:
    game = zerogrid.game(spec)
    assert len(game.symmetries) == count
    box = {"h0.0", "h1.0", "v0.0", "v0.1"}  # the box in the corner goes to a box in a corner
    corners = []
    for r in (0, game.ROWS - 1):
        for c in (0, game.COLUMNS - 1):
            corners.append({f"h{r}.{c}", f"h{r + 1}.{c}", f"v{r}.{c}", f"v{r}.{c + 1}"})
    for symmetry in game.symmetries:
        image = {game.action_name(symmetry.actions[game.action(edge)]) for edge in box}
        assert image in corners


@pytest.mark.parametrize("text, edge", [("h1.2", "h1.2"), ("H 1 2", "h1.2"), ("v1,0", "v1.0"), ("v0:2", "v0.2")])
def test_edges_may_be_typed_in_several_ways(text: str, edge: str) -> None:
    game = zerogrid.game("dots_and_boxes:2x3")
    assert game.action_name(game.action(text)) == edge


@pytest.mark.parametrize(
    "board, told",
    [
        ("+---+\n| A |\n+   +", "has 3 edges, and an owner"),
        ("+---+\n|   |\n+---+", "has 4 edges, and no owner"),
        ("+---+\n| C |\n+---+", "stands where"),
        ("+---+---+\n|   |\n+---+", "longer than the board"),
        ("+-  +\n|   |\n+---+", "stands where"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(board: str, told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        drawn("dots_and_boxes:1x1", board, "turn A")
