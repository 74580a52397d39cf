"""A field as text, to be kept, typed and read back.

    A . . . B        agents of the first team in capitals, of the second in small letters
    # . ~ . #        # obstacles, ~ cells outside the safe zone, + the centre
    . . + . .
    . . . . .
    . a . . b
    health 1 1 1 1   then numbers by name, of the first team's agents first
    turn north
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zerogrid.views.field import LETTERS, Scene


@dataclass
class Found:
    """What a text says. An agent that is not on the field has cell -1."""

    agents: list[int]
    obstacles: list[int] = field(default_factory=list)
    numbers: dict[str, list[int]] = field(default_factory=dict)
    turn: int = 0
    last: str | None = None


def letters(agents: int) -> str:
    """The letter of each agent, the first team's first."""
    return LETTERS[0][:agents] + LETTERS[1][:agents]


def write(scene: Scene, numbers: Mapping[str, Sequence[int]], turn: str, last: str | None) -> str:
    """The text of a field."""
    agents = [agent for team in scene.teams for agent in team]
    at = {agent.cell: letter for agent, letter in zip(agents, letters(len(scene.teams[0])), strict=True)}
    signs = []
    for cell in range(scene.rows * scene.columns):
        free = "+" if cell == scene.centre else "." if scene.safe(cell) else "~"
        signs.append(at.get(cell, "#" if cell in scene.obstacles else free))
    lines = [" ".join(signs[first : first + scene.columns]) for first in range(0, len(signs), scene.columns)]
    lines += [f"{name} {' '.join(map(str, values))}" for name, values in numbers.items()]
    return "\n".join([*lines, *([] if last is None else [f"last {last}"]), f"turn {turn}"])


def read(
    text: str, rows: int, columns: int, agents: int, lengths: Mapping[str, int], players: Sequence[str]
) -> Found:
    """What a text of a field says; a ValueError names the place where it cannot be understood."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    found = Found([-1] * (2 * agents))
    known = letters(agents)
    for row in range(rows):
        signs = lines[row] if row < len(lines) else []
        if len(signs) != columns:
            raise ValueError(f"row {row + 1} of the field has {len(signs)} cells; it needs {columns}")
        for column, sign in enumerate(signs):
            cell = row * columns + column
            if sign in known:
                if found.agents[known.index(sign)] >= 0:
                    raise ValueError(f"agent {sign} stands on the field twice")
                found.agents[known.index(sign)] = cell
            elif sign == "#":
                found.obstacles.append(cell)
            elif sign not in (".", "+", "~"):
                raise ValueError(f'row {row + 1}: "{sign[:20]}" is none of . + ~ # {" ".join(known)}')
    for name, *words in lines[rows:]:
        if name == "turn" and len(words) == 1 and words[0] in players:
            found.turn = players.index(words[0])
        elif name == "last" and len(words) == 1:
            found.last = words[0]
        elif len(words) == lengths.get(name) and all(_is_number(word) for word in words):
            found.numbers[name] = [int(word) for word in words]
        else:
            said = " ".join((name, *words))[:40]
            raise ValueError(f'"{said}" is no line of a position; "turn {players[0]}" would be one')
    return found


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 5
