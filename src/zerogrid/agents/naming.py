"""Agents by name: what someone types becomes something that plays.

    agent_for("uct:1000", game)                     NAME[:WHAT][@option=value,option=value]
    agent_for("net:mine.safetensors@sims=200", game)
    agent_for("engine:python bot.py@seconds=5", game)

The name of an agent is enough to have it again, as long as the files it speaks of are the same.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zerogrid.agents.agent import Agent, UnknownAgent
from zerogrid.core.errors import nearest, quote
from zerogrid.core.game import Game

LONGEST = 1000
_OPTIONS = re.compile(r"[a-z_]+=[^,@]*(,[a-z_]+=[^,@]*)*")
_SECONDS = re.compile(r"seconds=[^,@ ]*")


@dataclass(frozen=True)
class Wanted:
    """An agent's name, taken apart."""

    text: str
    kind: str
    what: str  # behind the colon
    options: dict[str, str]
    threads: int

    def number(self, name: str, default: float, least: float, most: float, whole: bool = False) -> float:
        """An option as a number."""
        text = self.options.get(name)
        return default if text is None else self._read(f"{name}={text}", text, least, most, whole)

    def count(self, default: int | None, least: int, most: int, example: str) -> int:
        """What stands behind the colon, as a whole number."""
        if not self.what and default is not None:
            return default
        if not self.what:
            raise UnknownAgent(f"{quote(self.text)} needs a number, as in {example}.")
        return int(self._read(self.what, self.what, least, most, True))

    def _read(self, shown: str, text: str, least: float, most: float, whole: bool) -> float:
        good = re.fullmatch(r"\d{1,12}" if whole else r"\d{1,12}(\.\d{1,9})?", text)
        if not good or not least <= float(text) <= most:
            kind = "a whole number" if whole else "a number"
            raise UnknownAgent(f"{quote(shown)} in {quote(self.text)} must be {kind} from {least:,g} to {most:,g}.")
        return float(text)


@dataclass(frozen=True)
class Known:
    """A kind of agent."""

    form: str  # how it is written
    about: str
    make: Callable[[Wanted, Game], Agent]
    options: tuple[str, ...] = ()
    games: tuple[str, ...] = ()  # empty: every game
    what: bool = False  # whether something may stand behind a colon


# --- making them ----------------------------------------------------------------------------------------------------

MOST_SIMULATIONS = 10_000_000
SHORTEST, LONGEST_TIME = 0.001, 86_400.0  # seconds


def _random(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.by_chance import RandomAgent

    return RandomAgent(wanted.text, game)


def _naive(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.gomoku import MOST_LEVELS, Naive

    return Naive(wanted.text, game, wanted.count(MOST_LEVELS, 0, MOST_LEVELS, "naive:2"))


def _beginner(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.gomoku import Beginner

    return Beginner(wanted.text, game)


def _greedy(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.boxes import GreedyBoxes
    from zerogrid.agents.pawns import GreedyPawns

    return (GreedyBoxes if game.name == "dots_and_boxes" else GreedyPawns)(wanted.text, game)


def _rush(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.field import Rush

    return Rush(wanted.text, game)


def _seconds(wanted: Wanted) -> float | None:
    return wanted.number("seconds", 0.0, SHORTEST, LONGEST_TIME) if "seconds" in wanted.options else None


def _uct(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.searching import SearchAgent
    from zerogrid.search.settings import SearchSettings

    simulations = wanted.count(None, 1, MOST_SIMULATIONS, "uct:1000")
    c = wanted.number("c", 2.0**0.5, 0, 1000)
    settings = SearchSettings.for_kind("uct", simulations=simulations, c=c)
    games = int(wanted.number("batch", 64, 1, 65_536, whole=True))
    return SearchAgent(wanted.text, game, None, settings, _seconds(wanted), games, wanted.threads)


def _alphabeta(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.alphabeta import DEEPEST, AlphaBetaAgent
    from zerogrid.encodings.potential import potential_for, potentials_for

    depth = wanted.count(None, 1, DEEPEST, "alphabeta:6")
    own = potentials_for(game)[:2][-1]  # the game's own where it has one, else none
    potential = potential_for(game, wanted.options.get("potential", own))
    return AlphaBetaAgent(wanted.text, game, depth, potential.module, wanted.threads)


def _solver(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.searching import SolverAgent

    seconds = wanted.number("seconds", 60.0, SHORTEST, LONGEST_TIME)
    return SolverAgent(wanted.text, game, seconds, wanted.options.get("memory", "1G"))


def _net(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.places import model_file

    if not wanted.what:
        raise UnknownAgent(f"{quote(wanted.text)} needs a model file, as in net:mine.safetensors@sims=200.")
    return _network(wanted, game, str(model_file(wanted.what)))


def _run(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.places import checkpoint_model

    if not wanted.what:
        raise UnknownAgent(f"{quote(wanted.text)} needs the name of a run, as in run:first@iteration=40.")
    given = "iteration" in wanted.options
    iteration = int(wanted.number("iteration", 0, 0, 999_999_999, whole=True)) if given else None
    return _network(wanted, game, str(checkpoint_model(wanted.what, iteration)))


def _network(wanted: Wanted, game: Game, path: str) -> Agent:
    from zerogrid.agents.searching import SearchAgent
    from zerogrid.evaluators.loading import evaluator_for
    from zerogrid.search.settings import SearchSettings

    simulations = int(wanted.number("sims", 200, 0, MOST_SIMULATIONS, whole=True))
    device = wanted.options.get("device", "cpu")
    if device not in ("cpu", "cuda"):
        raise UnknownAgent(f"device {quote(device)} in {quote(wanted.text)} is cpu or cuda.")
    kind: Any = wanted.options.get("kind", "puct")
    if kind not in ("puct", "gumbel"):
        raise UnknownAgent(f"kind {quote(kind)} in {quote(wanted.text)} is puct or gumbel; pure MCTS is uct:1000.")
    more = {"c": wanted.number("c", 0.0, 0, 1000)} if "c" in wanted.options else {}
    settings = SearchSettings.for_kind(kind, simulations=max(simulations, 1), **more)
    batch = int(wanted.number("batch", 1024 if device == "cuda" else 64, 1, 65_536, whole=True))
    evaluator = evaluator_for(path, game, device=device, threads=wanted.threads)
    seconds = _seconds(wanted)
    return SearchAgent(wanted.text, game, evaluator, settings, seconds, batch, wanted.threads, raw=simulations == 0)


def _engine(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.engine import EngineAgent

    agent = EngineAgent(wanted.text, game, wanted.what, wanted.number("seconds", 30.0, SHORTEST, LONGEST_TIME))
    agent.greet()  # a command that cannot work is refused now, not in the middle of a match
    return agent


def _gomocup(wanted: Wanted, game: Game) -> Agent:
    from zerogrid.agents.gomocup import GomocupAgent

    agent = GomocupAgent(wanted.text, game, wanted.what, wanted.number("seconds", 30.0, SHORTEST, LONGEST_TIME))
    agent.greet()
    return agent


_SEARCH = ("sims", "seconds", "c", "kind", "batch", "device")

AGENTS: dict[str, Known] = {
    "random": Known("random", "any legal move", _random),
    "naive": Known("naive, naive:LEVEL", "rows of stones, rule by rule", _naive, games=("gomoku",), what=True),
    "beginner": Known("beginner", "defends before it wins", _beginner, games=("gomoku",)),
    "greedy": Known("greedy", "takes what it can", _greedy, games=("dots_and_boxes", "pawn_dama")),
    "rush": Known("rush", "to the centre, shooting, and stays there", _rush, games=("battlefield",)),
    "uct": Known("uct:SIMULATIONS", "pure MCTS: random games", _uct, ("seconds", "c", "batch"), what=True),
    "alphabeta": Known("alphabeta:DEPTH", "all lines so many plies deep", _alphabeta, ("potential",), what=True),
    "solver": Known("solver", "exact, where it reaches", _solver, ("seconds", "memory")),
    "net": Known("net:FILE@sims=200", "a network with search; sims=0: its bare policy", _net, _SEARCH, what=True),
    "run": Known("run:NAME@iteration=40", "a run's champion or checkpoint", _run, (*_SEARCH, "iteration"), what=True),
    "engine": Known("engine:COMMAND", "a program with our text protocol", _engine, ("seconds",), what=True),
    "gomocup": Known(
        "gomocup:COMMAND", "a program with the Gomocup protocol", _gomocup, ("seconds",), ("gomoku",), what=True
    ),
}
PROGRAMS = ("engine", "gomocup")
ALIASES = {"hold": "rush", "rush_and_hold": "rush"}


def agent_for(text: str, game: Game, threads: int = 1, programs: bool = False) -> Agent:
    """The agent that a text names. One that starts a program is only made with `programs`.

    Whoever sits at the keyboard may start programs; a text that came from elsewhere must not.
    """
    wanted = _taken_apart(text, game, threads)
    if wanted.kind in PROGRAMS and not programs:
        raise UnknownAgent(f"{quote(text)} would start a program, which is not allowed here.")
    return AGENTS[wanted.kind].make(wanted, game)


def names_for(game: Game) -> list[str]:
    """How the agents of a game are written."""
    return [known.form for known in AGENTS.values() if not known.games or game.name in known.games]


def check_name(text: str, game: Game) -> None:
    """Refuse a text that names no agent, without making one."""
    _taken_apart(text, game, 1)


def _taken_apart(text: str, game: Game, threads: int) -> Wanted:
    if not isinstance(text, str) or len(text) > LONGEST or not text.isprintable():  # type: ignore[redundant-expr]
        raise UnknownAgent(f"{quote(text)} is not the name of an agent; names look like uct:1000.")
    kind = text.strip().partition("@")[0].partition(":")[0]
    kind = ALIASES.get(kind, kind)
    head, at, tail = text.strip().rpartition("@")
    # A command may hold an @ of its own, so behind one there is only room for the seconds.
    if not at or not (_SECONDS if kind in PROGRAMS else _OPTIONS).fullmatch(tail):
        head, tail = text.strip(), ""
    what = head.partition(":")[2]
    there = f"for {game.spec} there are {', '.join(names_for(game))}"
    if kind not in AGENTS:
        raise UnknownAgent(f"there is no agent {quote(text)}; {there}.{nearest(kind, AGENTS)}")
    known = AGENTS[kind]
    if known.games and game.name not in known.games:
        raise UnknownAgent(f"the agent {kind} plays {' and '.join(known.games)} only; {there}.")
    if what and not known.what:
        raise UnknownAgent(f"the agent {kind} takes nothing behind a colon, so {quote(text)} is none; write {kind}.")
    options: dict[str, str] = {}
    for part in tail.split(",") if tail else []:
        name, _, value = part.partition("=")
        if name not in known.options:
            has = f"it has {', '.join(known.options)}" if known.options else "it has none"
            raise UnknownAgent(f"the agent {kind} has no option {quote(name)}; {has}.{nearest(name, known.options)}")
        if name in options:
            raise UnknownAgent(f"the option {name} is given twice in {quote(text)}.")
        options[name] = value
    return Wanted(text.strip(), kind, what, options, threads)
