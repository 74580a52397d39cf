"""One position, one person waiting: an agent's name and a budget become a search that hurries.

    found = analyse(position, agent="net:mine.safetensors", seconds=2.0)     zerogrid.analyse is this function
    agent = for_one("uct", game, simulations=5000)                           the same for playing a game

A network gets several leaves of the tree at a time and every core. Random games on a time budget grow a tree on each
core, which are put together at the end; on a budget of simulations there is one tree, so that the answer is the same
on every machine.
"""

import os
import re
from typing import Any

from zerogrid.agents.agent import Agent, UnknownAgent
from zerogrid.agents.naming import agent_for
from zerogrid.agents.searching import MOST_MEMORY, SearchAgent
from zerogrid.core.errors import GameOver, ZeroGridError, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.search.analysis import Analysis, Watch, analyse_with
from zerogrid.search.settings import MOST_SIMULATIONS, SearchSettings

PLAYOUTS, EVALUATIONS = 10_000, 800  # simulations where nobody says how many or how long
LEAVES = 8
LEAST_FOR_LEAVES = 64  # simulations; below that, every one should know of all before it
LONGEST = 86_400.0  # seconds
_COUNTED = re.compile(r"uct:|.*[@,]sims=")  # names that say how many


def analyse(
    position: Position,
    agent: str | Agent = "uct",
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    leaves: int | None = None,
    watch: Watch | None = None,
) -> Analysis:
    """Search a position: visits, priors, values, the best line, and the board with the visits drawn on it.

    The agent is uct (random games), uniform (no knowledge at all), or a network: net:FILE, run:NAME. The budget is a
    number of simulations, a time, or both; left out, 10,000 random games or 800 evaluations. `watch` is called with the
    analysis so far, ten times a second. Ctrl-C ends the search and returns what it has found.
    """
    if not isinstance(position, Position):
        raise ZeroGridError(f"analyse takes a position, as from zerogrid.game(...).start(), not {quote(position)}.")
    if position.over:
        outcome = position.outcome
        assert outcome is not None
        raise GameOver(f"the game has ended ({outcome.reason}); there is nothing to analyse.")
    if not 0 <= seed < 2**63:
        raise ZeroGridError(f"the seed is a whole number from 0 to 2^63 - 1, not {quote(seed)}.")
    own = isinstance(agent, str)  # then it is ours to close
    thinker = for_one(agent, position.game, simulations, seconds, threads, leaves) if isinstance(agent, str) else agent
    try:
        if not isinstance(thinker, SearchAgent):
            better = "zerogrid solve" if thinker.name.startswith("solver") else "uct, uniform, net:FILE or run:NAME"
            raise UnknownAgent(f"the agent {quote(thinker.name)} has no search to look into; use {better}.")
        seconds = thinker.seconds if seconds is None else seconds
        many = thinker.evaluator is None and seconds is not None
        searcher = _trees_on_all_cores(thinker, threads) if many else thinker.searcher
        return analyse_with(searcher, position, thinker.name, seed, seconds, None if own else simulations, watch)
    finally:
        if own:
            thinker.close()


def for_one(
    text: str,
    game: Game,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    leaves: int | None = None,
    programs: bool = False,
) -> Agent:
    """The agent of that name for one game at a time; a budget given here comes before that in its name."""
    if simulations is not None and not (type(simulations) is int and 1 <= simulations <= MOST_SIMULATIONS):
        raise ZeroGridError(f"simulations are a whole number from 1 to {MOST_SIMULATIONS:,}, not {quote(simulations)}.")
    if seconds is not None and not 0 < seconds <= LONGEST:
        raise ZeroGridError(f"seconds are a number above 0 and up to {LONGEST:,.0f}, not {quote(seconds)}.")
    cores = threads or os.cpu_count() or 1
    agent = _named(text, game, cores, programs)
    if not isinstance(agent, SearchAgent):
        if simulations is not None or (seconds is not None and not hasattr(agent, "seconds")):
            agent.close()
            what = "number of simulations" if simulations is not None else "time"
            raise UnknownAgent(f"the agent {quote(agent.name)} takes no {what}; leave that out.")
        if seconds is not None:
            agent.seconds = seconds  # type: ignore[attr-defined]
        return agent
    if seconds is not None:
        agent.seconds = seconds
    count, raw = _simulations(agent, text, simulations), agent.raw and simulations is None
    if leaves is None:
        leaves = LEAVES if agent.evaluator is not None and count >= LEAST_FOR_LEAVES else 1
    agent.settings = agent.settings.but(simulations=count, leaves=leaves)
    agent.games, agent.threads, agent.raw = 1, 1, raw
    if agent.evaluator is not None:
        agent.evaluator.hurry(cores)
    agent.name = _name(text, agent, count)
    return agent


def _named(text: str, game: Game, cores: int, programs: bool) -> Agent:
    if text == "uniform":
        from zerogrid.encodings import encoding
        from zerogrid.evaluators.uniform import Uniform

        return SearchAgent(text, game, Uniform(encoding(game)), SearchSettings.for_kind("puct"))
    return agent_for(re.sub("^uct(?=@|$)", f"uct:{PLAYOUTS}", text), game, cores, programs)


def _simulations(agent: SearchAgent, text: str, asked: int | None) -> int:
    """How many: as asked, as the name says, as many as time allows, or so many that the answer is worth having."""
    if asked is not None:
        return asked
    if _COUNTED.match(text):
        return agent.settings.simulations
    if agent.seconds is not None:
        return MOST_SIMULATIONS
    return PLAYOUTS if agent.evaluator is None else EVALUATIONS


def _name(text: str, agent: SearchAgent, count: int) -> str:
    """The name with its budget, by which the agent can be had again."""
    head, _, tail = text.rpartition("@")
    if "=" not in tail or not head:  # a file may have an @ in its name
        head, tail = text, ""
    options = {part.partition("=")[0]: part for part in tail.split(",") if part}
    if agent.evaluator is None:
        head = "uct" if count == MOST_SIMULATIONS else f"uct:{count}"
    elif agent.raw or count < MOST_SIMULATIONS:
        options["sims"] = f"sims={0 if agent.raw else count}"
    if agent.seconds is not None:
        options["seconds"] = f"seconds={agent.seconds:g}"
    return f"{head}@{','.join(options.values())}" if options else head


def _trees_on_all_cores(agent: SearchAgent, threads: int | None) -> Any:
    from zerogrid.search.searcher import Searcher

    cores = threads or os.cpu_count() or 1
    return Searcher(agent.game, None, agent.settings, games=cores, threads=cores, memory=MOST_MEMORY)
