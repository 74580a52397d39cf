"""Playing a schedule: many games side by side, agents asked about all of their positions at once.

    for record in play(game, agents, schedule, openings, seed=1, simultaneous=128):
        ...

What a game becomes depends on the schedule and the seed alone, not on how many games run at once or which finishes
first: every game has its own seed, and agents answer by position and seed. Games come out as they finish; whoever
judges them puts them back into the order of the schedule.

An agent that crashes, stalls or answers nonsense makes its game void. A void game is played again once, and if that
fails too it stays void: it is kept and counted, and no evidence. Who answers with an action that may not be played has
lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from zerogrid.agents.agent import Agent, AgentFailed
from zerogrid.arena.games import GameRecord
from zerogrid.arena.openings import Openings
from zerogrid.core import draws
from zerogrid.core.errors import quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

ATTEMPTS = 2
MOST_VOID = 6  # games void for good, and more than were finished: the match makes no sense
SIDE_BY_SIDE = 128
SIDE_BY_SIDE_ON_CARD = 2048  # two agents' turns fill a card's 1,024 trees


@dataclass(frozen=True)
class Scheduled:
    """A game to be played."""

    number: int
    players: tuple[str, str]  # labels: who moves first, who second
    opening: int
    attempt: int = 1


@dataclass
class Running:
    """A game under way."""

    game: Scheduled
    position: Position
    opened: int
    seeds: tuple[int, int]  # of each side's agent
    record: GameRecord | None = field(default=None)

    @property
    def to_move(self) -> str:
        """The label of whoever is to move."""
        return self.game.players[self.position.to_move]

    def end(self, scores: tuple[float, float] | None, ending: str, void: str = "", illegal: str = "") -> None:
        """The game is over."""
        position = self.position
        self.record = GameRecord(
            self.game.number,
            position.game.spec,
            position.seed,
            self.game.players,
            self.game.opening,
            self.opened,
            tuple(position.moves),
            scores,
            ending,
            self.game.attempt,
            void,
            illegal,
        )


def seed_for(seed: int, number: int, side: int) -> int:
    """The seed of one side's agent in one game: of 32 bits, so that it fits anywhere."""
    return draws.word(seed, draws.OPENING, number, 0xFFFFFFF2 + side)


def play(
    game: Game,
    agents: Mapping[str, Agent],
    schedule: Iterable[Scheduled],
    openings: Openings,
    seed: int = 0,
    simultaneous: int = SIDE_BY_SIDE,
) -> Iterator[GameRecord]:
    """Play the games of a schedule; each comes out when it is over, void games as well."""
    waiting = iter(schedule)
    again: list[Scheduled] = []
    running: list[Running] = []
    finished = void = 0
    while True:
        while len(running) < simultaneous:
            following = again.pop(0) if again else next(waiting, None)
            if following is None:
                break
            running.append(_begun(game, following, openings, seed))
        if not running:
            return
        for label, group in groupby(sorted(running, key=lambda one: one.to_move), key=lambda one: one.to_move):
            _ask(agents[label], list(group))
        for one in running:
            record = one.record
            if record is None:
                continue
            yield record
            finished += record.scores is not None
            if record.void and record.attempt < ATTEMPTS:
                again.append(Scheduled(record.number, record.players, record.opening, record.attempt + 1))
            elif record.void:
                void += 1
                if void >= MOST_VOID and void > finished:
                    count = f"{void} games were void and {finished} were not"
                    raise AgentFailed(f"{count}; the last one because {record.void}")
        running = [one for one in running if one.record is None]


def _begun(game: Game, scheduled: Scheduled, openings: Openings, seed: int) -> Running:
    opening = openings[scheduled.opening]
    seeds = seed_for(seed, scheduled.number, 0), seed_for(seed, scheduled.number, 1)
    return Running(scheduled, opening.position(game), len(opening.moves), seeds)


def _ask(agent: Agent, games: list[Running]) -> None:
    """One move in each of these games."""
    if agent.together:
        try:
            _answered(agent, games)
            return
        except Exception as error:
            if len(games) == 1:
                _void(games[0], agent, error)
                return
    for one in games:  # so that one failure makes one game void
        try:
            _answered(agent, [one])
        except Exception as error:
            _void(one, agent, error)


def _answered(agent: Agent, games: list[Running]) -> None:
    positions = [one.position for one in games]
    seeds = [one.seeds[one.position.to_move] for one in games]
    answers = agent.choose(positions, seeds)
    if len(answers) != len(games):
        raise AgentFailed(f"{agent.name} gave {len(answers)} moves for {len(games)} positions")
    for one, action in zip(games, answers):
        _play(one, action)


def _play(one: Running, action: int) -> None:
    position, player = one.position, one.position.to_move
    if action not in position.actions:
        name = quote(position.game.action_name(action) if 0 <= action < position.game.ACTIONS else action)
        words = f"{one.game.players[player]} answered {name}, which may not be played"
        one.end((-1.0, 1.0) if player == 0 else (1.0, -1.0), "an illegal move", illegal=words)
        return
    position.play(action)
    outcome = position.outcome
    if outcome is not None:
        one.end(outcome.scores, outcome.reason)


def _void(one: Running, agent: Agent, error: Exception) -> None:
    words = str(error) if isinstance(error, AgentFailed) else f"{agent.name} failed: {type(error).__name__}: {error}"
    one.end(None, "void", void=words.splitlines()[0][:500] if words else "no reason given")
