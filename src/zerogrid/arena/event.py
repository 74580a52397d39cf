"""A match or tournament as an event in a folder: what was agreed on, and the games played so far.

    event.json      game, players, openings, seed: what must be the same when it goes on
    games.jsonl     every game, void ones as well; nothing is ever deleted

Without a folder everything is kept in memory. Going on with an event gives what it would have given uninterrupted.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from zerogrid.agents.agent import Agent
from zerogrid.arena.games import GameLog, GameRecord
from zerogrid.arena.openings import Openings
from zerogrid.arena.playing import ATTEMPTS, SIDE_BY_SIDE, SIDE_BY_SIDE_ON_CARD, Scheduled, play
from zerogrid.core.errors import BadResults, BadSetting, quote
from zerogrid.core.game import Game

AGREED = "event.json"
Listener = Callable[[GameRecord], None]


class Event:
    """Players who meet in one game, from one sequence of openings, with one seed."""

    def __init__(
        self,
        kind: str,
        game: Game,
        agents: Mapping[str, Agent],
        openings: str,
        seed: int,
        folder: Path | None = None,
        simultaneous: int = 0,
        **further: Any,
    ) -> None:
        """`simultaneous`: games at once; 0: as many as suit the agents. `further`: what else is agreed on."""
        if simultaneous < 0:
            raise BadSetting(f"{simultaneous} games at once cannot be; take 1 or more, or 0 for what suits the agents.")
        if not 0 <= seed < 2**63:
            raise BadSetting(f"a seed is a whole number from 0 to 2^63 - 1, not {quote(seed)}.")
        self.game, self.agents, self.seed = game, dict(agents), seed
        on_card = any(getattr(agent, "on_card", False) for agent in self.agents.values())
        self.simultaneous = simultaneous or (SIDE_BY_SIDE_ON_CARD if on_card else SIDE_BY_SIDE)
        self.openings = Openings(game, openings, seed)
        self.agreed: dict[str, Any] = {
            "kind": kind,
            "game": game.spec,
            "players": list(self.agents),
            "openings": openings,
            "seed": seed,
            **further,
        }
        if self.openings.book is not None:
            self.agreed["book_sha256"] = self.openings.book.sha256
        self.log: GameLog | None = None
        self.records: list[GameRecord] = []
        if folder is not None:
            self.log = GameLog(folder)
            try:
                self._agree(folder)
            except BaseException:
                self.log.close()
                raise
            self.records = self.log.records[:]

    def _agree(self, folder: Path) -> None:
        """Write down what this event is, or see that it is the same as before."""
        file = folder / AGREED
        if not file.is_file():
            if self.log is not None and self.log.records:
                raise BadResults(f"{quote(folder)} holds games of which nobody wrote down how they were played.")
            new = file.with_suffix(".new")
            new.write_text(json.dumps(self.agreed, indent=1) + "\n", encoding="utf-8")
            os.replace(new, file)
            return
        try:
            before = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadResults(f"{quote(file)} cannot be read: {error}.") from error
        for name, value in self.agreed.items():
            if not isinstance(before, dict) or before.get(name) != value:
                was = before.get(name) if isinstance(before, dict) else before
                here, asked = (", ".join(map(str, v)) if isinstance(v, list) else v for v in (was, value))
                difference = f"with {name} {quote(here)}, not {quote(asked)}"
                raise BadResults(f"{quote(folder)} was played {difference}; take a new folder.")

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, schedule: Sequence[Scheduled], listener: Listener | None = None) -> Iterator[GameRecord]:
        """Play what is not played yet; every game is kept before it comes out."""
        for record in play(self.game, self.agents, self._left(schedule), self.openings, self.seed, self.simultaneous):
            self.records.append(record)
            if self.log is not None:
                self.log.add(record)
            if listener is not None:
                listener(record)
            yield record

    def settled(self, number: int) -> GameRecord | None:
        """What became of a game, once that is certain: its result, or void for good."""
        return self._settled().get(number)

    def _settled(self) -> dict[int, GameRecord]:
        return {r.number: r for r in self.records if r.scores is not None or r.attempt >= ATTEMPTS}

    def _left(self, schedule: Sequence[Scheduled]) -> list[Scheduled]:
        settled, tried = self._settled(), {record.number for record in self.records}
        left = []
        for one in schedule:
            before = settled.get(one.number)
            if before is None:
                again = ATTEMPTS if one.number in tried else 1
                left.append(Scheduled(one.number, one.players, one.opening, again))
            elif (before.players, before.opening) != (one.players, one.opening):
                raise BadResults(f"game {one.number} of this folder belongs to another schedule; take a new folder.")
        return left

    def close(self) -> None:
        """Let go of agents and files."""
        for agent in self.agents.values():
            agent.close()
        if self.log is not None:
            self.log.close()


def kind_of(folder: Path) -> str | None:
    """What an event in a folder is: match, tournament or sprt; None where nobody wrote it down."""
    try:
        return str(json.loads((folder / AGREED).read_text(encoding="utf-8"))["kind"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def labels(names: Sequence[str]) -> list[str]:
    """A label for each agent: its name, with a number behind it where another has the same."""
    found: list[str] = []
    for name in names:
        same = names[: len(found)].count(name)
        found.append(f"{name} ({same + 1})" if same else name)
    return found


def paired(players: tuple[str, str], games: int, number: int = 0, opening: int = 0) -> list[Scheduled]:
    """So many games of two players, two from each opening with sides swapped, numbered from `number`."""
    swapped = players[1], players[0]
    return [Scheduled(number + k, swapped if k % 2 else players, opening + k // 2) for k in range(games)]
