"""Positions as text, and back.

    gomoku:6x6x4                       the game
    . . . . . .                        a board: one symbol for each cell (or what the game's own text() draws)
    . . x . . .
    ...
    turn 1                             every other field: its name, then its numbers
    last 8

What a person may have typed is checked field by field, and each complaint says which line and what would be right.
"""

from array import array
from collections.abc import Iterator

import numpy as np

from zerogrid.core.errors import BadPosition, quote
from zerogrid.core.game import Game
from zerogrid.core.layout import Field
from zerogrid.core.plain import PlainArray
from zerogrid.core.position import Position

LONGEST_TEXT = 100_000


def write_position(position: Position) -> str:
    """The text of a position; `parse_any` reads it back."""
    game, state = position.game, position._state
    lines = [game.spec]
    own = getattr(game.module, "text", None)
    if own is not None:
        return "\n".join([*lines, str(own(state)).rstrip("\n")])
    for part in game.layout.fields:
        values = state[part.offset : part.offset + part.length]
        if part.symbols:
            width = game.COLUMNS if part.kind == "cells" and hasattr(game.module, "COLUMNS") else part.length
            signs = [part.symbols[value] for value in values]
            lines += [" ".join(signs[first : first + width]) for first in range(0, len(signs), width)]
        else:
            lines.append(f"{part.name} {' '.join(map(str, values))}")
    return "\n".join(lines)


def parse_any(text: str) -> Position:
    """The position that a text describes; its first line names the game."""
    from zerogrid.core.catalogue import game

    if not isinstance(text, str) or not text.strip():  # type: ignore[redundant-expr]
        raise BadPosition("a position was empty; its first line names the game, such as gomoku:6x6x4.")
    name, _, rest = text.lstrip().partition("\n")
    return parse_position(game(name.strip()), rest)


def parse_position(game: Game, text: str) -> Position:
    """The position of a known game that a text describes."""
    if len(text) > LONGEST_TEXT:
        raise BadPosition(f"a position of {len(text)} characters is too long; {LONGEST_TEXT} are allowed.")
    lines = text.strip("\n").splitlines()
    if lines and lines[0].strip() == game.spec:
        lines = lines[1:]
    state = array("h", bytes(2 * game.STATE_SIZE))
    own = getattr(game.module, "parse_text", None)
    try:
        if own is not None:
            own("\n".join(lines), state)
        else:
            _read_fields(game, [line for line in lines if line.strip()], state)
    except (ValueError, OverflowError, IndexError) as error:
        raise BadPosition(f"this is not a position of {game.spec}: {str(error).rstrip('.')}.") from error
    fault = getattr(game.module, "fault", None)
    complaint = (fault(state) if fault is not None else None) or _unplayable(game, state)
    if complaint:
        raise BadPosition(f"this cannot be a position of {game.spec}: {str(complaint).rstrip('.')}.")
    return Position.of_state(game, state)


def _unplayable(game: Game, state: "array[int]") -> str | None:
    """What the rules themselves cannot make of a state. Compiled, they would read and write outside their arrays."""
    module = game.module

    def fresh() -> PlainArray:
        return PlainArray(np.array(state, np.int16))

    try:
        mover, ended, seen = module.to_move(fresh()), module.ended(fresh()), fresh()
        actions = PlainArray(np.zeros(game.MAX_LEGAL, np.int32))
        legal = [actions[i] for i in range(module.legal(seen, actions))]
        for action in legal:
            module.play(fresh(), action)
        if mover not in (0, 1):
            return f"player {mover} would be to move; there are 0 and 1"
        if not 0 <= ended <= len(game.ENDINGS):
            return f"it would have ended in way {ended}; there are {len(game.ENDINGS)}"
        if bool(ended) == bool(legal):
            return "it has ended, but there are legal moves" if ended else "it has not ended, but no move is legal"
        if ended and abs(module.score(fresh(), 0)) > 1:
            return f"its score would be {module.score(fresh(), 0)}"
    except Exception as error:
        return f"the rules cannot go on from it ({type(error).__name__}: {error})"
    return None


def _read_fields(game: Game, lines: list[str], state: "array[int]") -> None:
    left = iter(enumerate(lines, start=2))
    for part in game.layout.fields:
        values = _read_board(game, part, left) if part.symbols else _read_numbers(part, left)
        state[part.offset : part.offset + part.length] = array("h", values)
    for number, line in left:
        raise BadPosition(f"line {number} of a position of {game.spec} is one too many: {quote(line)}.")


def _read_board(game: Game, part: Field, left: Iterator[tuple[int, str]]) -> list[int]:
    values: list[int] = []
    while len(values) < part.length:
        number, line = next(left, (0, ""))
        if not number:
            raise BadPosition(f"{part.name} of {game.spec} has {len(values)} of its {part.length} symbols.")
        for sign in line.split():
            if len(sign) != 1 or sign not in part.symbols:
                known = " ".join(part.symbols)
                words = f"{quote(sign)} is not a symbol of {part.name}, which has {len(values)} of its {part.length}"
                raise BadPosition(f"line {number}: {words}; there are {known} .")
            values.append(part.symbols.index(sign))
    if len(values) > part.length:
        raise BadPosition(f"{part.name} of {game.spec} has {len(values)} symbols; it needs {part.length}.")
    return values


def _read_numbers(part: Field, left: Iterator[tuple[int, str]]) -> list[int]:
    number, line = next(left, (0, ""))
    name, *words = line.split() or [""]
    if not number or name != part.name:
        raise BadPosition(f"the line '{part.name} ...' is missing (found {quote(line)}).")
    if len(words) != part.length:
        raise BadPosition(f"line {number}: {part.name} has {len(words)} numbers; it needs {part.length}.")
    for word in words:
        if not (word.lstrip("-").isdigit() and word.isascii() and len(word) <= 6 and -32768 <= int(word) <= 32767):
            raise BadPosition(f"line {number}: {quote(word)} is not a whole number from -32768 to 32767.")
    return [int(word) for word in words]
