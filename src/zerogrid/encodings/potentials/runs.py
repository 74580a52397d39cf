"""Gomoku's potential from rows of stones: the weights of the SigmaGo paper's reward (3, section 3.5).

    own = two * (own rows of two) + three * (own rows of three) + four * (own rows of four or more), the enemy's alike
    potential = scale * (own - against * enemy's), clipped to [-1, 1]

A row is as long as it can be: three stones are one row of three, not two of two. The paper rewards the increase of
these numbers at a move, which is what the difference of a potential is; clipping and scale are ours, for a potential
lies in [-1, 1].
"""

from typing import Any

from zerogrid.core.encoding import game_module
from zerogrid.core.rules import setting

GAME = game_module("gomoku", "tictactoe")
TWO = setting("two", 0.1, least=-10, most=10, help="what a row of two counts")
THREE = setting("three", 0.5, least=-10, most=10, help="what a row of three counts")
FOUR = setting("four", 2.0, least=-10, most=10, help="what a row of four or more counts")
AGAINST = setting("against", 0.8, least=0, most=10, help="by which the enemy's rows count against one's own")
SCALE = setting("scale", 0.25, least=0, most=10, help="by which all is multiplied before it is clipped")
ROWS, COLUMNS, BOARD, END = GAME.ROWS, GAME.COLUMNS, GAME.BOARD, GAME.END
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def potential(state: Any, player: int) -> float:
    if state[END] != 0:
        return 0.0
    total = SCALE * (worth(state, 1 + player) - AGAINST * worth(state, 2 - player))
    return max(-1.0, min(1.0, total))


def worth(state: Any, mine: int) -> float:
    """What all rows of one kind of stones count."""
    twos = 0
    threes = 0
    fours = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            for direction in range(4):
                down = DIRECTIONS[direction][0]
                right = DIRECTIONS[direction][1]
                if stands(state, row, column, mine) and not stands(state, row - down, column - right, mine):
                    length = 1
                    while stands(state, row + length * down, column + length * right, mine):
                        length += 1
                    twos += length == 2
                    threes += length == 3
                    fours += length >= 4
    return TWO * twos + THREE * threes + FOUR * fours


def stands(state: Any, row: int, column: int, mine: int) -> bool:
    """Whether such a stone stands there; outside the board there is none."""
    if not (0 <= row < ROWS and 0 <= column < COLUMNS):
        return False
    return bool(state[BOARD + row * COLUMNS + column] == mine)
