"""Swap2, the opening that makes Gomoku fair: one side puts three stones, the other chooses what to do with them.

    swap2_answer(agent, game, [])             three stones: black, white, black
    swap2_answer(agent, game, three or five)  "SWAP", or a stone for white

After three stones the one who chooses takes black ("SWAP"), goes on as white with a fourth stone, or puts two more and
lets the other choose. What counts is the value of the position for white, who is to move: with v for white, swapping is
worth -v and staying v, so the better of both is worth |v|. Two more stones are worth -|v'| at the most, as the other
then chooses: that is never more, so we never do it. For the same reason whoever puts the first three stones wants |v|
small.
"""

from collections.abc import Sequence

from zerogrid.agents.agent import Agent
from zerogrid.core import draws
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position

SWAP = "SWAP"
PROPOSALS = 12  # positions looked at before three stones are put
JUDGE = "uct:500"  # judges positions where the agent has no values of its own
REACH = 4  # the first stones lie within so many squares of the middle


class BadSwap2(ZeroGridError):
    """Stones with which a swap2 opening cannot go on."""


def swap2_answer(agent: Agent, game: Game, stones: Sequence[int], seed: int = 0) -> str | list[int]:
    """What an agent does when 0, 3 or 5 stones are put: squares, or SWAP."""
    if len(stones) not in (0, 3, 5):
        raise BadSwap2(f"swap2 goes on from 0, 3 or 5 stones, not from {len(stones)}")
    if not stones:
        return min(_proposals(game, seed), key=lambda three: abs(_value(agent, game, three, seed)))
    position = _after(game, stones)
    if position.over:
        raise BadSwap2("the game is over before the opening is")
    if _value(agent, game, stones, seed) < 0:
        return SWAP
    return agent.choose([position], [seed])


def _proposals(game: Game, seed: int) -> list[list[int]]:
    """Three stones near the middle, by chance; none of them together decides anything yet."""
    rows, columns = int(game.ROWS), int(game.COLUMNS)
    squares = [
        row * columns + column
        for row in range(rows)
        for column in range(columns)
        if abs(2 * row - rows + 1) <= 2 * REACH and abs(2 * column - columns + 1) <= 2 * REACH
    ]
    found = []
    for number in range(PROPOSALS):
        left = list(squares)
        found.append([left.pop(draws.below(len(left), seed, draws.AGENT, number, ply)) for ply in range(3)])
    return found


def _after(game: Game, stones: Sequence[int]) -> Position:
    position = game.start()
    for stone in stones:
        position.play(stone)
    return position


def _value(agent: Agent, game: Game, stones: Sequence[int], seed: int) -> float:
    """For white, who is to move, as the agent sees it; as random games see it where it has no opinion."""
    position = _after(game, stones)
    answer = agent.explain(position, seed)
    if not isinstance(value := getattr(answer, "value", None), float | int):
        from zerogrid.agents.naming import agent_for

        value = agent_for(JUDGE, game).explain(position, seed).value
    return float(value)
