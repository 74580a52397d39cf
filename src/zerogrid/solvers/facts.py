"""Stand-ins for what a compact game knows about its board; `link` puts the numbers of one board in their place."""

from typing import Any

ROWS: int = 0
COLUMNS: int = 0
CELLS: int = 0
ALL: int = 0  # all cells as bits, cell 0 the lowest
FIRST_ROW: int = 0
FIRST_COLUMN: int = 0
IMAGES_OF_BOARD: int = 0  # how many symmetries the board has, with the identity
DIAGONALS: tuple[int, ...] = ()  # of a square board: the cells with column - row = 1 - ROWS, 2 - ROWS, ... as bits
K: int = 0  # stones in a row that win
UNIT: int = 1  # see compact.py
COUNTED: int = 0  # how many entries of a state count for the future
STRIDES: tuple[int, ...] = ()  # from a cell to the next in each of the four directions
STARTS: tuple[int, ...] = ()  # for each direction, the cells where a window of K begins, as bits
MERGED: int = 0  # up to this many stones or drawn edges, symmetric positions are one
EDGES: int = 0
AROUND: Any = None  # int64[boxes]: the edges around a box, as bits
BESIDE: Any = None  # int64[edges, 2]: the boxes beside an edge; -1 is the ground
CORNERS: tuple[int, ...] = ()  # for each box with several edges to the ground, these edges as bits
IMAGES: Any = None  # int64[symmetries, edges]: where a symmetry of the board puts every edge
LAST_ROW: int = 0
HOMES: int = 0  # the two rows at either end where Pawn Dama's pawns begin
UNMOVED: bool = False  # whether only pawns that have never moved may step two
BLOCKED_LOSES: int = 0  # 1 if a side with all pawns blocked loses, 0 if it draws
BARE_LOSES: int = 0  # the same for a side without pawns
MIDDLE_FIRST: tuple[int, ...] = ()  # Connect Four's columns
