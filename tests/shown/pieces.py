"""Naive twins of the encodings of games with stones, discs, pawns and agents."""

from typing import Any

from shown.boards import Fields, Plane, everywhere


def board(state: Fields, game: Any) -> dict[tuple[int, int], int]:
    """What lies on each square."""
    return {divmod(cell, game.COLUMNS): value for cell, value in enumerate(state["board"])}


def stones(state: Fields, me: int, game: Any) -> list[Plane]:
    own, enemy = (1, 2) if me == 0 else (2, 1)
    placed = board(state, game)
    last = {divmod(state["last"][0], game.COLUMNS): 1.0} if state["last"][0] >= 0 else {}
    return [
        {square: 1.0 for square in placed if placed[square] == own},
        {square: 1.0 for square in placed if placed[square] == enemy},
        last,
        everywhere(1.0, game.ROWS, game.COLUMNS) if me == 0 else {},
    ]


def connect_four(state: Fields, me: int, game: Any) -> list[Plane]:
    planes = stones(state, me, game)
    placed, column = board(state, game), state["last"][0]
    planes[2] = {}
    if column >= 0:
        planes[2] = {(min(row for row in range(game.ROWS) if placed[row, column]), column): 1.0}
    free = {c: [row for row in range(game.ROWS) if not placed[row, c]] for c in range(game.COLUMNS)}
    return [*planes, {(max(rows), c): 1.0 for c, rows in free.items() if rows}]


def othello(state: Fields, me: int, game: Any) -> list[Plane]:
    planes, placed = stones(state, me, game), board(state, game)
    if state["last"][0] == game.ROWS * game.COLUMNS:  # a pass
        planes[2] = {}
    own, enemy = (1, 2) if me == 0 else (2, 1)

    def reaches(square: tuple[int, int], step: tuple[int, int], crossed: bool = False) -> bool:
        ahead = square[0] + step[0], square[1] + step[1]
        if placed.get(ahead) == enemy:
            return reaches(ahead, step, True)
        return crossed and placed.get(ahead) == own

    steps = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
    legal = {square: 1.0 for square in placed if not placed[square] and any(reaches(square, step) for step in steps)}
    return [*planes, legal]


def pawns(state: Fields, me: int, game: Any) -> list[Plane]:
    """The mover's pawns are on the side of row 0 and walk to higher rows."""
    plane: Plane = {}
    for (row, column), what in board(state, game).items():
        if what:
            seen = (row, column) if me == 0 else (game.ROWS - 1 - row, game.COLUMNS - 1 - column)
            mine = "wbWB"[what - 1].lower() == "wb"[me]
            if "double=home" in game.spec:
                fresh = seen[0] < 2 if mine else seen[0] >= game.ROWS - 2
            else:
                fresh = "wbWB"[what - 1].isupper()
            plane[seen] = (1.0 if fresh else 2.0) * (1 if mine else -1)
    return [plane]


def three_planes(state: Fields, me: int, game: Any) -> list[Plane]:
    size = everywhere((game.ROWS + game.COLUMNS) / 20, game.ROWS, game.COLUMNS)
    return [size, everywhere(1.0 if me == 0 else -1.0, game.ROWS, game.COLUMNS), *pawns(state, me, game)]


def two_sides(state: Fields, me: int, game: Any) -> list[Plane]:
    """Own and enemy pawns of Breakthrough, for Black with the board turned half round."""
    planes: list[Plane] = [{}, {}]
    for (row, column), what in board(state, game).items():
        if what:
            seen = (row, column) if me == 0 else (game.ROWS - 1 - row, game.COLUMNS - 1 - column)
            planes[0 if "wb"[me] == "wb"[what - 1] else 1][seen] = 1.0
    return planes


def teams(state: Fields, me: int, game: Any, turned: bool = False) -> list[Plane]:
    rows, columns, n = game.ROWS, game.COLUMNS, game.AGENTS

    def seen(cell: int) -> tuple[int, int]:
        row, column = divmod(cell, columns)
        return (rows - 1 - row, columns - 1 - column) if turned and me == 1 else (row, column)

    def agents(team: int) -> list[tuple[int, int]]:
        """Number and cell of those who live."""
        numbers = range(team * n, team * n + n)
        return [(number, state["agents"][number]) for number in numbers if state["agents"][number] >= 0]

    def carried(team: int, what: str, full: int) -> Plane:
        return {seen(cell): state[what][number] / full for number, cell in agents(team)}

    alone: list[Plane] = [{} for _ in range(2 * n)]
    for side, team in enumerate((me, 1 - me)):
        for number, cell in agents(team):
            alone[side * n + number % n][seen(cell)] = 1.0
    left = game.MAX_PLIES - state["steps"][0]
    return [
        *alone,
        {seen(cell): 1.0 for cell, what in enumerate(state["board"]) if what == 1},
        carried(me, "health", game.HEALTH),
        carried(1 - me, "health", game.HEALTH),
        everywhere(left / game.MAX_PLIES, rows, columns),
        everywhere(state["streaks"][me] / game.HOLD, rows, columns),
        everywhere(state["streaks"][1 - me] / game.HOLD, rows, columns),
        carried(me, "ammo", max(game.AMMO, 1)),
        carried(1 - me, "ammo", max(game.AMMO, 1)),
    ]


def turned_teams(state: Fields, me: int, game: Any) -> list[Plane]:
    return teams(state, me, game, turned=True)
