"""Stand-ins for what a compact game knows about its board; `link` puts the numbers of one board in their place."""

ROWS: int = 0
COLUMNS: int = 0
CELLS: int = 0
ALL: int = 0  # all cells as bits, cell 0 the lowest
FIRST_ROW: int = 0
FIRST_COLUMN: int = 0
DIAGONALS: tuple[int, ...] = ()  # of a square board: the cells with column - row = 1 - ROWS, 2 - ROWS, ... as bits
K: int = 0  # stones in a row that win
UNIT: int = 1  # see compact.py
COUNTED: int = 0  # how many entries of a state count for the future
STRIDES: tuple[int, ...] = ()  # from a cell to the next in each of the four directions
STARTS: tuple[int, ...] = ()  # for each direction, the cells where a window of K begins, as bits
MERGED: int = 0  # up to this many stones, symmetric positions are one
