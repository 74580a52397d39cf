"""zerogrid engine: our agents as programs that others can play against."""

import sys
from collections.abc import Iterator
from typing import Annotated, Literal

from zerogrid.cli.inputs import Plugins, named_game, use_plugins
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError


def engine(
    say: Output,
    game: Annotated[str, "the game to begin with; the other side may ask for another"] = "",
    *,
    agent: Annotated[str, "who plays, such as uct:1000 or net:FILE@sims=200"],
    protocol: Annotated[Literal["zerogrid", "gomocup"], "what is spoken on standard input and output"] = "zerogrid",
    threads: Annotated[int, "processor cores to use; 0: all there are"] = 0,
    plugin: Plugins = (),
) -> int:
    """Let an agent be played by another program, over standard input and output.

    Speaks the text protocol of docs/agents.md, or for Gomoku that of the Gomocup tournaments, whose managers say how
    large the board is. It ends when the other side says so or closes its end.

    Examples:
      zerogrid engine connect_four --agent uct:1000
      zerogrid engine --protocol gomocup --agent uct:2000
      zerogrid match "engine:zerogrid engine --agent uct:100" random tictactoe --games 4
    """
    from zerogrid.agents.agent import Agent
    from zerogrid.agents.gomocup_server import GomocupServer
    from zerogrid.agents.naming import agent_for
    from zerogrid.agents.serving import LONGEST_LINE, Server
    from zerogrid.cli.matches import cores
    from zerogrid.core.catalogue import game as find
    from zerogrid.core.game import Game

    if say.as_json:
        raise ZeroGridError("an engine speaks its protocol on standard output; leave out --json.")
    use_plugins(plugin)
    chosen = named_game(game) if game else None

    def make(wanted: Game) -> Agent:
        return agent_for(agent, wanted, threads or cores(), programs=True)

    def lines() -> Iterator[str]:
        while line := sys.stdin.buffer.readline(LONGEST_LINE):
            yield line.decode("utf-8", errors="replace")

    server: Server | GomocupServer
    if protocol == "gomocup":
        if chosen is not None and chosen.name != "gomoku":
            raise ZeroGridError(f"the Gomocup protocol is for gomoku, not for {chosen.spec}.")
        server = GomocupServer(make, find, int(chosen.K) if chosen is not None else 5)
    else:
        server = Server(make, find, chosen)
    try:
        for answer in server.answers(lines()):
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()
    finally:
        server.close()
    return 0
