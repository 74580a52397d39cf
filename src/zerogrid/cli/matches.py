"""What match, tournament and sprt share: agents, progress, pictures of final boards."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from zerogrid.agents.agent import Agent
from zerogrid.agents.naming import agent_for
from zerogrid.arena.event import Event
from zerogrid.arena.games import GameRecord
from zerogrid.arena.playing import Scheduled
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.progress import Progress

MOST_BOARDS = 24


@contextmanager
def agents_for(names: Sequence[str], game: Game, threads: int = 0) -> Iterator[list[Agent]]:
    """The agents that were asked for, closed at the end whatever happens. Who types a command may start programs."""
    if threads < 0:
        raise ZeroGridError(f"--threads is a number from 0 up, not {threads}.")
    with ExitStack() as stack:
        made = []
        for name in names:
            agent = agent_for(name, game, threads or cores(), programs=True)
            stack.callback(agent.close)
            made.append(agent)
        yield made


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_work(event: Event, schedule: Sequence[Scheduled], title: str, player: str) -> None:
    """Play a schedule, with progress: so many games won, drawn and lost by a player."""
    tally = [0, 0, 0]

    def note() -> str:
        return f"{tally[2]} won, {tally[1]} drawn, {tally[0]} lost"

    def count(record: GameRecord) -> bool:
        if record.result is not None:
            points = record.result if record.players[0] == player else 1.0 - record.result
            tally[round(2 * points)] += 1
        return event.settled(record.number) is record

    numbers = {one.number for one in schedule}
    with Progress(title, len(schedule), "games") as progress:
        progress.advance(sum(count(record) for record in event.records if record.number in numbers), note())
        for record in event.play(schedule):
            progress.advance(int(count(record)), note())


def draw_final_boards(game: Game, records: Sequence[GameRecord], path: Path, title: str) -> None:
    """The last positions of the first games, as a sheet."""
    from zerogrid.arena.pictures import final_boards, write_boards

    write_boards(final_boards(game, sorted(records, key=lambda record: record.number)[:MOST_BOARDS], title), path)
