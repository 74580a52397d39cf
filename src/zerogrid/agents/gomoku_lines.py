"""The lines of a Gomoku board, in the order in which the rule-based players look at them.

Rows from the top, columns from the left, then the diagonals that fall to the left and those that fall to the right,
each by the row they start in. A line is the list of its squares from the top (or the left) on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

Line = tuple[int, ...]


@lru_cache(maxsize=64)
def lines(rows: int, columns: int) -> tuple[Line, ...]:
    """All lines of a board."""
    across = [[(r, c) for c in range(columns)] for r in range(rows)]
    upright = [[(r, c) for r in range(rows)] for c in range(columns)]
    from_left = [(0, c) for c in range(columns)] + [(r, 0) for r in range(1, rows)]
    from_right = [(0, c) for c in range(columns)] + [(r, columns - 1) for r in range(1, rows)]
    falling_left = [[(r + k, c - k) for k in range(min(rows - r, c + 1))] for r, c in from_right]
    falling_right = [[(r + k, c + k) for k in range(min(rows - r, columns - c))] for r, c in from_left]
    return tuple(
        tuple(r * columns + c for r, c in line) for line in (*across, *upright, *falling_left, *falling_right)
    )


def windows(board: Sequence[int], rows: int, columns: int, length: int) -> Iterator[tuple[Line, tuple[int, ...]]]:
    """Every stretch of so many squares in a line, and what stands on them."""
    for line in lines(rows, columns):
        for first in range(len(line) - length + 1):
            squares = line[first : first + length]
            yield squares, tuple(board[square] for square in squares)


def hole(board: Sequence[int], rows: int, columns: int, length: int, stone: int, stones: int) -> int | None:
    """The first empty square of the first stretch that holds so many of these stones and is empty otherwise.

    Of several empty squares the first one beside a stone is taken.
    """
    for squares, found in windows(board, rows, columns, length):
        if found.count(stone) == stones and found.count(0) == length - stones:
            empty = [k for k in range(length) if found[k] == 0]
            beside = [k for k in empty if stone in found[max(k - 1, 0) : k + 2]]
            return squares[(beside or empty)[0]]
    return None


def open_run(board: Sequence[int], rows: int, columns: int, stone: int, stones: int) -> int | None:
    """The first end of the first run of so many stones that is open at both ends."""
    wanted = (0, *[stone] * stones, 0)
    for squares, found in windows(board, rows, columns, stones + 2):
        if found == wanted:
            return squares[0]
    return None


def broken_run(board: Sequence[int], rows: int, columns: int, stone: int, stones: int) -> int | None:
    """The gap in the first run of so many stones that has one inside."""
    for squares, found in windows(board, rows, columns, stones + 1):
        if found[0] == found[-1] == stone and found.count(stone) == stones and found.count(0) == 1:
            return squares[found.index(0)]
    return None


def longer(board: Sequence[int], rows: int, columns: int, stone: int, stones: int) -> int | None:
    """The empty square before the first run of exactly so many stones, else the one after it."""
    for line in lines(rows, columns):
        at = 0
        while at < len(line):
            end = at
            while end < len(line) and board[line[end]] == stone:
                end += 1
            if end - at == stones:
                if at > 0 and board[line[at - 1]] == 0:
                    return line[at - 1]
                if end < len(line) and board[line[end]] == 0:
                    return line[end]
            at = max(end, at + 1)
    return None
