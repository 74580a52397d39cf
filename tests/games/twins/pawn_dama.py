"""Pawn Dama's twin: each pawn remembers whose it is and whether it has moved; moves are tried pawn by pawn."""

from dataclasses import dataclass

from games.twins.twin import Place, Result
from zerogrid.core.position import Position


@dataclass
class Pawn:
    player: int
    moved: bool = False


class PawnDama:
    def __init__(self, start: Position) -> None:
        chosen = start.game.settings
        self.rows, self.columns, self.double, self.stuck = (
            chosen[name] for name in ("rows", "columns", "double", "stuck")
        )
        self.home = ((0, 1), (self.rows - 1, self.rows - 2))
        self.pawns = {(y, x): Pawn(player) for player in (0, 1) for y in self.home[player] for x in range(self.columns)}
        self.mover = 0

    def moves(self) -> list[tuple[Place, Place]]:
        found, ahead = [], (1, -1)[self.mover]
        for (y, x), pawn in self.pawns.items():
            if pawn.player != self.mover:
                continue
            one, two = (y + ahead, x), (y + 2 * ahead, x)
            fresh = not pawn.moved if self.double == "unmoved" else y in self.home[self.mover]
            if self.free(one):
                found.append(((y, x), one))
                if fresh and self.free(two):
                    found.append(((y, x), two))
            for beside in (x - 1, x + 1):
                other = self.pawns.get((y + ahead, beside))
                if other is not None and other.player != self.mover:
                    found.append(((y, x), (y + ahead, beside)))
        return found

    def free(self, place: Place) -> bool:
        return 0 <= place[0] < self.rows and place not in self.pawns

    def result(self) -> Result | None:
        for (y, _), pawn in self.pawns.items():
            if y == (self.rows - 1 if pawn.player == 0 else 0):
                return "a pawn reached the far row", *((1.0, -1.0) if pawn.player == 0 else (-1.0, 1.0))
        if self.moves():
            return None
        bare = all(pawn.player != self.mover for pawn in self.pawns.values())
        reason = "no pawns left" if bare else "every pawn is blocked"
        if self.stuck == "draw" or (self.stuck == "mixed" and not bare):
            return reason, 0.0, 0.0
        return reason, *((-1.0, 1.0) if self.mover == 0 else (1.0, -1.0))

    def actions(self) -> list[int]:
        """The paper's number of a move: x1 + y1*M + x2*M*N + y2*M*M*N, with M columns and N rows."""
        m, n = self.columns, self.rows
        moves = [] if self.result() else self.moves()
        return sorted(x1 + y1 * m + x2 * m * n + y2 * m * m * n for (y1, x1), (y2, x2) in moves)

    def play(self, action: int) -> None:
        m, n = self.columns, self.rows
        x1, y1, x2, y2 = action % m, action // m % n, action // (m * n) % m, action // (m * m * n)
        pawn = self.pawns.pop((y1, x1))
        pawn.moved = True
        self.pawns[y2, x2] = pawn
        self.mover = 1 - self.mover

    def signs(self) -> dict[str, object]:
        signs = ""
        for y in range(self.rows):
            for x in range(self.columns):
                pawn = self.pawns.get((y, x))
                sign = "." if pawn is None else "wb"[pawn.player]
                fresh = pawn is not None and not pawn.moved and self.double == "unmoved"
                signs += sign.upper() if fresh else sign
        return {"board": signs}
