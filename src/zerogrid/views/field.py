"""A field on which teams of agents move and shoot, with obstacles, a shrinking safe zone and a centre to hold.

An action is one order for each agent of the team to move, in base 9, first agent most significant: 0 wait, 1-4 move
up, right, down, left, 5-8 shoot. Weights of joint actions are drawn as what each single order gets of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zerogrid.views import overlays
from zerogrid.views.ansi import Tile, framed, paint, table
from zerogrid.views.board import Board
from zerogrid.views.canvas import Canvas, Point
from zerogrid.views.look import Look
from zerogrid.views.overlays import Arrow, Cell, Spot, Spots

TEAMS = ("blue", "orange")
LETTERS = ("ABCD", "abcd")
ORDERS = 9
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@dataclass(frozen=True)
class Agent:
    """One agent: its cell, or -1 when dead."""

    cell: int
    health: int
    ammo: int


@dataclass(frozen=True)
class Scene:
    """All that is drawn of a field. The safe zone reaches `radius` cells from the centre; below 0 none is left."""

    rows: int
    columns: int
    obstacles: frozenset[int]
    teams: tuple[tuple[Agent, ...], tuple[Agent, ...]]
    streaks: tuple[int, int]
    turn: int
    hold: int
    reach: int
    radius: int
    shrinks_in: int

    @property
    def centre(self) -> int:
        return self.rows // 2 * self.columns + self.columns // 2

    def safe(self, cell: int) -> bool:
        """Whether a cell lies in the safe zone."""
        down = abs(cell // self.columns - self.rows // 2)
        return max(down, abs(cell % self.columns - self.columns // 2)) <= self.radius

    def orders(self, action: int) -> list[int]:
        """The order that an action gives to each agent."""
        count = len(self.teams[0])
        return [action // ORDERS ** (count - 1 - agent) % ORDERS for agent in range(count)]

    def flight(self, start: int, way: int) -> int:
        """The cell where a shot ends: the first agent in its way, or the last free cell."""
        (down, right), cell = STEPS[way], start
        standing = {agent.cell for team in self.teams for agent in team}
        for distance in range(1, self.reach + 1):
            r, c = start // self.columns + distance * down, start % self.columns + distance * right
            there = r * self.columns + c
            if not (0 <= r < self.rows and 0 <= c < self.columns) or there in self.obstacles or not self.safe(there):
                break
            cell = there
            if cell in standing:
                break
        return cell


def badge(canvas: Canvas, x: float, y: float, radius: float, player: int) -> None:
    """A team's sign: a disc for the first, a square for the second."""
    if player == 0:
        canvas.circle(x, y, radius, TEAMS[0], TEAMS[0] + "_edge", line=1.5)
    else:
        side = radius * 0.92
        canvas.rect(x - side, y - side, 2 * side, 2 * side, TEAMS[1], TEAMS[1] + "_edge", line=1.5, corner=radius * 0.2)


def svg(look: Look, scene: Scene) -> str:
    """The field as a picture: agents with number, health and ammunition, the zone, the centre and who holds it."""
    look = _told(look, scene)
    board = Board(look, scene.rows, scene.columns, badge, scores=_held(scene))
    board.ground("board", stroke="line")
    board.lattice("rule")
    _zone(board, scene)
    _centre(board, scene)
    for cell in sorted(scene.obstacles):
        _crate(board, cell)
    overlays.attention(board, look.cells)
    if look.last is not None:
        for spot in _spots_of_last(board, scene, look.last):
            overlays.hint(board, spot, "last", 0.9)
    spots, weights = _spots(board, scene), marginals(scene, look)
    _hints(board, scene, spots)
    overlays.glow(board, spots, weights)
    for player, team in enumerate(scene.teams):
        for place, agent in enumerate(team):
            if agent.cell >= 0:
                _agent(board, agent, player, LETTERS[player][place])
    overlays.labels(board, spots, weights, _tags(scene, look, weights))
    if look.targets:
        overlays.targets(board, lambda action: None)
    return board.svg()


def _told(look: Look, scene: Scene) -> Look:
    """The look with what cannot be seen in its caption: when the zone shrinks, and labels of joint actions."""
    if look.caption is None and look.to_move is not None:
        turns = "1 turn" if scene.shrinks_in == 1 else f"{scene.shrinks_in} turns"
        look = replace(look, caption=f"{look.status}; the zone shrinks in {turns}")
    return look if look.labels is None else look.noting(one for one in look.labels if not (_alone(scene) and one))


def _held(scene: Scene) -> list[str]:
    """How many turns each team has held the centre, of those that win."""
    return [f"★ {streak}/{scene.hold}" for streak in scene.streaks]


def _zone(board: Board, scene: Scene) -> None:
    """Cells outside the safe zone are hatched; a bar runs along its edge."""
    step = board.cell / 4
    outside = [cell for cell in range(scene.rows * scene.columns) if not scene.safe(cell)]
    for cell in outside:
        x, y = board.box(cell)
        board.rect(x, y, board.cell, board.cell, "danger", opacity=0.16)
        for k in range(1, 8, 2):  # strokes from lower left to upper right that end at the sides of the cell
            low, high = max(0, k - 4), min(4, k)
            board.line(x + low * step, y + (k - low) * step, x + high * step, y + (k - high) * step,
                       "danger", line=1.2, opacity=0.5)
    if outside and scene.radius >= 0:
        top, left = scene.rows // 2 - scene.radius, scene.columns // 2 - scene.radius
        first_row, first_column = max(0, top), max(0, left)
        last_row = min(scene.rows, scene.rows // 2 + scene.radius + 1)
        last_column = min(scene.columns, scene.columns // 2 + scene.radius + 1)
        board.rect(board.left + first_column * board.cell, board.top + first_row * board.cell,
                   (last_column - first_column) * board.cell, (last_row - first_row) * board.cell,
                   "", "danger", line=3, corner=3)


def _centre(board: Board, scene: Scene) -> None:
    """A target, with one pip for each turn that must be held, filled for those that have been."""
    x, y = board.centre(scene.centre)
    board.circle(x, y, board.cell * 0.44, "", "win", line=2, opacity=0.85)
    board.circle(x, y, board.cell * 0.26, "", "win", line=1.5, opacity=0.6)
    holder = 0 if scene.streaks[0] >= scene.streaks[1] else 1
    if scene.hold <= 5:
        for pip in range(scene.hold):
            px = x + (pip - (scene.hold - 1) / 2) * board.cell * 0.15
            full = pip < scene.streaks[holder]
            board.circle(px, y - board.cell * 0.4, 3, TEAMS[holder] if full else "paper", "ink", line=1)


def _crate(board: Board, cell: int) -> None:
    x, y = board.box(cell)
    side, inset = board.cell, board.cell * 0.08
    board.rect(x + inset, y + inset, side - 2 * inset, side - 2 * inset, "crate", "crate_edge", line=2, corner=3)
    low, high = inset * 2, side - inset * 2
    board.line(x + low, y + low, x + high, y + high, "crate_edge", line=2)
    board.line(x + high, y + low, x + low, y + high, "crate_edge", line=2)


def _agent(board: Board, agent: Agent, player: int, name: str) -> None:
    (x, y), side = board.centre(agent.cell), board.cell
    badge(board, x, y, side * 0.33, player)
    board.text(x, y - side * 0.02, name, side * 0.36, "white" if player == 0 else "black", bold=True)
    for sign, value, place in (("♥", agent.health, -1), ("•", agent.ammo, 1)):
        words = f"{sign}{value}"
        wide = side * (0.2 + 0.125 * len(words))
        bx, by = x + place * side * 0.25, y + side * 0.36
        board.rect(bx - wide / 2, by - side * 0.12, wide, side * 0.24, "paper", "line", line=0.8, corner=side * 0.1)
        board.text(bx, by, words, side * 0.2, "ink", bold=True)


def _spot(board: Board, scene: Scene, cell: int, order: int) -> Spot:
    """Where an order of an agent on a cell is drawn: a disc around it, a step, a dashed flight."""
    centre = board.centre(cell)
    if order == 0:
        return Cell(centre, board.cell * 0.46)
    step, side = STEPS[(order - 1) % 4], board.cell
    if order <= 4:  # a step and a shot in one direction go side by side
        start, end = _off(centre, step, side * 0.33, -side * 0.15), _off(centre, step, side * 0.92, -side * 0.15)
        return Arrow(start, end, side * 0.2, label=0.48)
    hit = scene.flight(cell, order - 5)
    far = side * 0.62 if hit == cell else side * (abs(hit - cell) // (1 if step[0] == 0 else scene.columns) + 0.3)
    start, end = _off(centre, step, side * 0.33, side * 0.15), _off(centre, step, far, side * 0.15)
    beyond = 0.48 * 0.59 * side / (far - 0.33 * side)  # beside the label of a step, or further on where there is room
    return Arrow(start, end, side * 0.12, dashed=True, label=max(beyond, 0.6) if far > 2 * side else beyond)


def _off(point: Point, step: tuple[int, int], ahead: float, beside: float) -> Point:
    """A point so far ahead, and so far to the right of the way."""
    down, right = step
    return point[0] + right * ahead - down * beside, point[1] + down * ahead + right * beside


def _spots_of_last(board: Board, scene: Scene, action: int) -> list[Spot]:
    """What the team that moved last did, seen from where its agents stand now."""
    found: list[Spot] = []
    for agent, order in zip(scene.teams[1 - scene.turn], scene.orders(action), strict=True):
        if agent.cell < 0 or order == 0:
            continue
        if order <= 4:
            centre, step = board.centre(agent.cell), STEPS[order - 1]
            found.append(Arrow(_off(centre, step, -board.cell, 0), _off(centre, step, -board.cell * 0.34, 0), 4))
        else:
            found.append(_spot(board, scene, agent.cell, order))
    return found


def marginals(scene: Scene, look: Look) -> dict[int, float]:
    """What each single order gets of the weights of joint actions; an order is agent * 9 + order."""
    found: dict[int, float] = {}
    for action, weight in look.heat.items():
        for agent, order in enumerate(scene.orders(action)):
            found[agent * ORDERS + order] = found.get(agent * ORDERS + order, 0.0) + weight
    return {place: found[place] for place in sorted(found)}


def _spots(board: Board, scene: Scene) -> Spots:
    """Where the orders of the team to move are drawn, by agent * 9 + order."""
    team = scene.teams[scene.turn]

    def spot(place: int) -> Spot | None:
        agent, order = team[place // ORDERS], place % ORDERS
        return _spot(board, scene, agent.cell, order) if agent.cell >= 0 else None

    return spot


def _hints(board: Board, scene: Scene, spots: Spots) -> None:
    for action in board.look.marks():
        for agent, order in enumerate(scene.orders(action)):
            spot = spots(agent * ORDERS + order)
            if spot is not None and order:
                overlays.hint(board, spot)


def _tags(scene: Scene, look: Look, weights: Mapping[int, float]) -> dict[int, str]:
    """What stands on the arrows: of a lone agent the labels asked for, else each order's share in percent."""
    if look.labels is not None:
        return {action: words for action, words in look.labels.items() if _alone(scene) and action}
    total = sum(look.heat.values())
    moving = {place: weight for place, weight in weights.items() if place % ORDERS and weight >= 0.01 * total}
    return {place: f"{100 * weight / total:.0f}" for place, weight in moving.items()}


def _alone(scene: Scene) -> bool:
    """Whether a team is one agent, so that an action is one order."""
    return len(scene.teams[0]) == 1


def terminal(look: Look, scene: Scene) -> str:
    """The field in text: letters for agents, * the centre, # an obstacle, ~ ground that is lost."""
    standing = {agent.cell: (player, place) for player, team in enumerate(scene.teams)
                for place, agent in enumerate(team) if agent.cell >= 0}

    def tile(cell: int) -> Tile:
        ground = "" if scene.safe(cell) else "on danger"
        if cell in standing:
            player, place = standing[cell]
            return Tile(LETTERS[player][place], TEAMS[player], ground)
        if cell in scene.obstacles:
            return Tile("#", "bold", ground)
        if cell == scene.centre:
            return Tile("*", "red", ground)
        return Tile("." if scene.safe(cell) else "~", "faint", ground)

    look = _told(look, scene)
    look = look.noting(look.weighed) if look.labels is None else look
    board = table(look, scene.rows, scene.columns, tile, heat=look.cells)
    lines = [board]
    for player, team in enumerate(scene.teams):
        told = [f"{LETTERS[player][place]} health {agent.health} ammo {agent.ammo}" if agent.cell >= 0 else
                f"{LETTERS[player][place]} dead" for place, agent in enumerate(team)]
        lines.append(paint(f"{look.players[player]}: ", TEAMS[player], look.colour) + "; ".join(told))
    held = [f"(centre {streak}/{scene.hold})" for streak in scene.streaks]
    return framed(look, "\n".join(lines), [("A", TEAMS[0]), ("a", TEAMS[1])], held)
