"""What a network must know of a game: a handful of numbers and one table, all of it plain data.

    Shape("gomoku", planes=4, height=6, width=6, actions=36, policy_planes=1, places=((0,), (1,), ...))

Networks know no rules. The size of the planes, the number of actions, and where on the board an action lies are all
they are told; JSON can carry it, and so a model file can be read without the game at hand.

    planes      all planes a network is given, [B, planes, height, width]; with a history, the newest position first
    places      for each action, where in a stack of maps [policy_planes, height, width] its logit is read:
                entries plane * height * width + cell, of which the mean is taken;
                () for an action that is never legal; (WHOLE_BOARD,) for one that lies nowhere (a pass)
    agents      own agents stand on planes 0 .. agents - 1, one cell marked in each, and a slot is one order for each of
                them in base 9, the first agent's most significant; orders: 0 wait, 1-4 move up, right, down, left on
                the planes as given, 5-8 shoot that way
    boxes       rows and columns of boxes, where the grid is that of Dots-and-Boxes
"""

from dataclasses import asdict, dataclass, fields
from typing import Any

from zerogrid.core.errors import BadNetwork, quote

WHOLE_BOARD = -1
LARGEST_SIDE = 32
LARGEST_PLANES = 1024
LARGEST_ACTIONS = 65_536
LARGEST_PLACES = 262_144


@dataclass(frozen=True)
class Shape:
    """A game as a network sees it."""

    game: str
    planes: int
    height: int
    width: int
    actions: int
    history: int = 1
    action_features: int = 0
    agents: int = 0
    boxes: tuple[int, int] = (0, 0)
    policy_planes: int = 0
    places: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for name, least, most in (
            ("planes", 1, LARGEST_PLANES),
            ("height", 1, LARGEST_SIDE),
            ("width", 1, LARGEST_SIDE),
            ("actions", 1, LARGEST_ACTIONS),
            ("history", 1, 64),
            ("action_features", 0, 1024),
            ("agents", 0, 4),
            ("policy_planes", 0, 64),
        ):
            _whole(name, getattr(self, name), least, most)
        game: Any = self.game  # whatever a model file said
        boxes: Any = self.boxes
        if not isinstance(game, str) or not 0 < len(game) <= 200:
            raise BadNetwork(f"the shape's game must be a name, not {quote(game)}.")
        if self.planes % self.history:
            raise BadNetwork(f"{self.planes} planes cannot be shared out evenly among {self.history} positions.")
        if not isinstance(boxes, tuple) or len(boxes) != 2:
            raise BadNetwork(f"boxes are two numbers, rows and columns, not {quote(boxes)}.")
        for side in boxes:
            _whole("boxes", side, 0, LARGEST_SIDE)
        rows, columns = boxes
        if boxes != (0, 0) and (self.height, self.width) not in ((rows, columns), (2 * rows + 1, 2 * columns + 1)):
            raise BadNetwork(f"{rows}x{columns} boxes do not make a grid of {self.height}x{self.width}.")
        if self.agents and self.actions != 9**self.agents:
            raise BadNetwork(f"{self.agents} agents have {9**self.agents} joint orders, not {self.actions} actions.")
        if self.agents > self.planes:
            raise BadNetwork(f"{self.agents} agents need a plane each, and there are {self.planes} planes.")
        self._check_places()

    def _check_places(self) -> None:
        table: Any = self.places
        if not isinstance(table, tuple) or not all(isinstance(places, tuple) for places in table):
            raise BadNetwork("places must be a table of whole numbers, one row for each action.")
        if self.places and len(self.places) != self.actions:
            raise BadNetwork(f"places has {len(self.places)} rows for {self.actions} actions.")
        if bool(self.places) != bool(self.policy_planes):
            raise BadNetwork("places and policy_planes belong together: give both or neither.")
        longest = max(map(len, self.places), default=0)
        if sum(map(len, self.places)) > LARGEST_PLACES or longest * self.actions > 4 * LARGEST_PLACES:
            raise BadNetwork(f"places may hold {LARGEST_PLACES} entries at most, and no very long row among many.")
        end = self.policy_planes * self.cells
        for places in self.places:
            for place in places:
                _whole("a place", place, WHOLE_BOARD, end - 1)
            if WHOLE_BOARD in places and len(places) > 1:
                raise BadNetwork("an action lies on the whole board or on cells, not on both.")

    @property
    def cells(self) -> int:
        """How many cells the grid has."""
        return self.height * self.width

    @property
    def possible_actions(self) -> int:
        """Actions that can be legal at all, as far as the places tell."""
        return sum(bool(places) for places in self.places) if self.places else self.actions

    def to_json(self) -> dict[str, Any]:
        """The shape as JSON holds it."""
        return asdict(self)

    @staticmethod
    def from_json(data: object) -> "Shape":
        """The shape that `to_json` wrote; anything else is refused."""
        if not isinstance(data, dict):
            raise BadNetwork("a shape is a JSON object.")
        known = {field.name for field in fields(Shape)}
        for name in data:
            if name not in known:
                raise BadNetwork(f"a shape has no {quote(name)}; it has {', '.join(sorted(known))}.")
        for name in ("game", "planes", "height", "width", "actions"):
            if name not in data:
                raise BadNetwork(f"the shape lacks {quote(name)}.")
        made = dict(data)
        boxes, places = made.get("boxes", [0, 0]), made.get("places", [])
        if not isinstance(boxes, list | tuple) or not isinstance(places, list | tuple):
            raise BadNetwork("boxes and places are lists.")
        if len(places) > LARGEST_ACTIONS or not all(isinstance(row, list | tuple) for row in places):
            raise BadNetwork("places must be a table of whole numbers, one row for each action.")
        made["boxes"] = tuple(boxes)
        made["places"] = tuple(tuple(row) for row in places)
        return Shape(**made)


def _whole(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise BadNetwork(f"{name} must be a whole number from {least} to {most}, not {quote(value)}.")


def one_map(cells: int) -> tuple[tuple[int, ...], ...]:
    """Action = cell: each logit is read at its own cell of a single map."""
    return tuple((cell,) for cell in range(cells))
