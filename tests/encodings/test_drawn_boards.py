"""Boards drawn by hand, and the planes that go with them."""

from textwrap import dedent

import numpy as np
import pytest

from shown.boards import drawn_plane
from zerogrid.core.position import Position
from zerogrid.encodings import encoding


def board(picture: str) -> Position:
    return Position.parse(dedent(picture).strip("\n"))


def plane(position: Position, spec: str, name: str) -> np.ndarray:
    made = encoding(position.game, spec)
    return made.encode(position)[..., made.plane_names.index(name)]


RING = """
    dots_and_boxes:2x2
    +---+---+
    |       |
    +   +   +
    |       |
    +---+---+
    turn A
"""
TUNNEL = """
    dots_and_boxes:1x3
    +---+---+---+

    +---+---+---+
    turn A
"""
CLOSED_TUNNEL = """
    dots_and_boxes:1x3
    +---+---+---+
    |
    +---+---+---+
    turn B
"""
LAST_OF_TWO = """
    dots_and_boxes:1x2
    +---+---+
    |       |
    +---+---+
    turn A
"""
TWO_RETURNED = """
    dots_and_boxes:1x1
    +---+

    +---+
    turn A
"""
ROUND_THE_CORNER = """
    dots_and_boxes:3x3
    +   +   +   +

    +   +---+---+
        |
    +   +   +---+
        |   |
    +   +   +   +
    turn A
"""

LENGTHS = {
    "a loop of four": (RING, ". . . . .\n. . 4 . .\n. 4 . 4 .\n. . 4 . .\n. . . . ."),
    "a chain open at both ends": (TUNNEL, ". . . . . . .\n4 . 4 . 4 . 4\n. . . . . . ."),
    "a chain beside a box with three edges": (CLOSED_TUNNEL, ". . . . . . .\n. . 3 . 3 . 3\n. . . . . . ."),
    "two returned edges are no long structure": (TWO_RETURNED, ". . .\n. . .\n. . ."),
    "one returned edge neither": (LAST_OF_TWO, ". . . . .\n. . . . .\n. . . . ."),
    "a chain that turns a corner": (
        ROUND_THE_CORNER,
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . 4 . 4\n. . . 4 . . .\n. . . . . . .\n. . . 4 . . .",
    ),
}
ALONE = {
    "between two boxes with three edges": (LAST_OF_TWO, ". . . . .\n. . 1 . .\n. . . . ."),
    "an edge of a chain is not alone": (CLOSED_TUNNEL, ". . . . . . .\n. . . . . . .\n. . . . . . ."),
    "edges of an open loop are not alone": (RING, ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . ."),
}


@pytest.mark.parametrize("picture, expected", LENGTHS.values(), ids=LENGTHS.keys())
def test_chains_and_loops_have_their_length_on_each_edge(picture: str, expected: str) -> None:
    np.testing.assert_array_equal(plane(board(picture), "chainloop6", "length over two"), drawn_plane(expected))


@pytest.mark.parametrize("picture, expected", ALONE.values(), ids=ALONE.keys())
def test_edges_that_can_be_taken_alone(picture: str, expected: str) -> None:
    np.testing.assert_array_equal(plane(board(picture), "chainloop6", "alone, to be taken"), drawn_plane(expected))


def test_a_chain_ends_at_boxes_with_three_edges() -> None:
    """Both upper boxes could be taken; the chain goes from the one through the lower boxes to the other."""
    position = board("""
        dots_and_boxes:2x2
        +---+---+
        |   |   |
        +   +   +
        |       |
        +---+---+
        turn A
        """)
    lengths = drawn_plane(". . . . .\n. . . . .\n. 3 . 3 .\n. . 3 . .\n. . . . .")
    np.testing.assert_array_equal(plane(position, "chainloop6", "length over two"), lengths)


def test_each_structure_has_a_plane_of_its_own_and_long_ones_come_first() -> None:
    position = board("""
        dots_and_boxes:2x3
        +---+---+---+
        |   |       |
        +   +   +---+
        |   |       |
        +---+---+---+
        turn A
        """)
    shown = encoding(position.game, "chainloop64").encode(position)[..., 4:]
    chain = ". . . . . . .\n. . . . 1 . .\n. . . 1 . . .\n. . . . 1 . .\n. . . . . . ."
    single = ". . . . . . .\n. . . . . . .\n. 1 . . . . .\n. . . . . . .\n. . . . . . ."
    np.testing.assert_array_equal(shown[..., 0], drawn_plane(chain))
    np.testing.assert_array_equal(shown[..., 1], drawn_plane(single))
    assert not shown[..., 2:].any()


def test_score_difference_is_own_minus_enemy_by_four() -> None:
    picture = """
        dots_and_boxes:1x3
        +---+---+---+
        | A | A |
        +---+---+---+
        turn {}
        """
    assert (plane(board(picture.format("A")), "baseline", "score difference") == 0.5).all()
    assert (plane(board(picture.format("B")), "baseline", "score difference") == -0.5).all()


def test_sides_of_boxes_are_right_upper_left_lower() -> None:
    position = board("""
        dots_and_boxes:1x2
        +---+   +
            |
        +   +---+
        turn A
        """)
    shown = encoding(position.game, "edgequad9").encode(position)
    assert shown[0, 0].tolist() == [1, 1, 0, 0, 0, 0, 1, 0, 0]
    assert shown[0, 1].tolist() == [0, 0, 1, 1, 0, 0, 1, 0, 0]


def test_an_edge_is_shown_with_both_its_boxes_and_a_ring_around_the_board() -> None:
    position = board("""
        dots_and_boxes:1x2
        +---+   +
            |
        +   +---+
        turn A
        """)
    shown = encoding(position.game, "edgequad44").encode(position)[0, 0].astype(int)
    degrees = {"right": (1, 2, 2), "upper": (1, 4, 2), "left": (0, 3, 2), "lower": (0, 2, 3)}
    for number, (drawn, before, behind) in enumerate(degrees.values()):
        each = shown[11 * number : 11 * number + 11].tolist()
        assert each == [drawn, *(int(n == before) for n in range(5)), *(int(n == behind) for n in range(5))]


def test_black_sees_the_pawns_turned_half_round() -> None:
    position = board("""
        pawn_dama:5x3
         5 B . B
         4 . b B
         3 . w .
         2 W . W
         1 W . .
           a b c
        turn black
        """)
    signs = {"B": 1.0, "b": 2.0, "W": -1.0, "w": -2.0}
    # For the mover, whose home row is row 0: c5 a5 first, White's a1 in the far corner.
    expected = drawn_plane("B . B\nB b .\n. w .\nW . W\n. . W", signs)
    np.testing.assert_array_equal(encoding(position.game, "oneplane").encode(position)[..., 0], expected)


FIELD = """
    battlefield:5x5,obstacles=2,health=2
    . . . . .
    # . A . .
    . . + b .
    . B . . #
    . . a . .
    health 2 1 1 2
    ammo 6 0 3 5
    streaks 0 1
    steps 7
    calm 2
    turn {}
"""
FIELD_PLANES = {
    "own agent 1": ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . 1 . .",
    "own agent 2": ". . . . .\n. . . . .\n. . . 1 .\n. . . . .\n. . . . .",
    "enemy agent 1": ". . . . .\n. . 1 . .\n. . . . .\n. . . . .\n. . . . .",
    "enemy agent 2": ". . . . .\n. . . . .\n. . . . .\n. 1 . . .\n. . . . .",
    "obstacles": ". . . . .\n1 . . . .\n. . . . .\n. . . . 1\n. . . . .",
    "own health": ". . . . .\n. . . . .\n. . . 1 .\n. . . . .\n. . h . .",
    "enemy health": ". . . . .\n. . 1 . .\n. . . . .\n. h . . .\n. . . . .",
    "own ammunition": ". . . . .\n. . . . .\n. . . s .\n. . . . .\n. . h . .",
    "enemy ammunition": ". . . . .\n. . 1 . .\n. . . . .\n. . . . .\n. . . . .",
}
HALF = {"h": 0.5, "s": 5 / 6}


def test_a_battlefield_from_the_south() -> None:
    position = board(FIELD.format("south"))
    for name, expected in FIELD_PLANES.items():
        shown = plane(position, "teams,context=true", name)
        np.testing.assert_allclose(shown, drawn_plane(expected, HALF), err_msg=name)
    longest = position.game.MAX_PLIES
    numbers = {"turns left": 1 - 7 / longest, "own streak": 1 / 3, "enemy streak": 0, "turns since damage": 2 / longest}
    for name, value in {**numbers, "turns left again": 1 - 7 / longest, "occurred before": 0}.items():
        np.testing.assert_allclose(plane(position, "teams,context=true", name), value, rtol=1e-6, err_msg=name)


def test_the_second_player_may_see_the_battlefield_turned_half_round() -> None:
    position = board(FIELD.format("south"))
    for name, expected in FIELD_PLANES.items():
        turned = drawn_plane(expected, HALF)[::-1, ::-1]
        np.testing.assert_allclose(plane(position, "teams,turned=true", name), turned, err_msg=name)


def test_the_dead_are_on_no_plane() -> None:
    position = board("""
        battlefield:5x5,obstacles=2
        A . . . .
        . . . . .
        . . # # .
        . . . . .
        . a . b .
        health 1 0 1 1
        ammo 2 0 6 6
        turn north
        """)
    assert not plane(position, "teams", "own agent 2").any()
    assert plane(position, "teams", "own health").sum() == 1
