"""zerogrid play: a game against an agent, in the terminal or from a script."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from zerogrid.cli.inputs import GAME, Plugins, check_seed, named_game
from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, nearest, quote

HELP = """Type a move by its name, or
  moves       what may be played
  hint        what a search would play for you
  why         what your opponent saw when it chose its last move
  undo        back to your last turn
  board       the board once more
  save FILE   keep the game; zerogrid replay FILE shows it, --load FILE goes on with it
  resign      give up
  quit        leave (so do Ctrl-D and Ctrl-C)"""
WORDS = ("help", "moves", "hint", "why", "undo", "board", "save", "resign", "quit")
ROWS = 6  # of the table that a hint or a reason shows


def play(
    out: Output,
    game: Annotated[str, GAME],
    *,
    against: Annotated[str, "the opponent: uct, uct:5000, net:FILE, run:NAME, solver, naive ...; see zerogrid agents"],
    side: Annotated[Literal["first", "second", "random"], "your side"] = "first",
    sims: Annotated[int | None, "how many simulations the opponent may make for a move, where it searches"] = None,
    seconds: Annotated[float | None, "how long it may think, where it can keep to a time"] = None,
    load: Annotated[Path | None, "go on with the game in this file"] = None,
    save: Annotated[Path | None, "keep the game in this file, after every move"] = None,
    seed: Annotated[int | None, "of the opponent, and for games with chance of the start; left out, by chance"] = None,
    plugin: Plugins = (),
) -> None:
    """Play against an agent: moves by name, and help, hint, undo, why, moves, board, save, resign, quit.

    Input may come from a file or a pipe, one move or word on a line. With --json every event is a line: start, move,
    hint, why, undo, moves, saved, error, end.

    Examples:
      zerogrid play gomoku:6x6x4 --against uct --seconds 1
      zerogrid play connect_four --against uct:5000 --side second --save mine.jsonl
      zerogrid play dots_and_boxes:3x3 --against solver --load mine.jsonl
      printf 'b2\\na1\\nundo\\nquit\\n' | zerogrid play tictactoe --against random --seed 1 --json
    """
    from zerogrid.agents.analysing import for_one
    from zerogrid.cli.table import Table, loaded

    chosen = named_game(game, plugin)
    if seed is None:
        seed = time.time_ns() % 1_000_000
    check_seed(seed)
    position = chosen.start(seed) if load is None else loaded(load)
    if position.game != chosen:
        raise ZeroGridError(f"{quote(load)} holds a game of {position.game.spec}, not of {chosen.spec}.")
    if save is not None and save.exists() and save != load:
        raise ZeroGridError(f"there is a file {quote(save)} already; choose another name, or go on with it by --load.")
    me = {"first": 0, "second": 1, "random": seed & 1}[side]
    agent = for_one(against, chosen, sims, seconds, programs=True)
    table = Table(position, agent, me, seed)
    table.own_files |= {file.resolve() for file in (load, save) if file is not None}
    try:
        Session(out, table, save).run()
    finally:
        agent.close()


class Session:
    """The talk at the table."""

    def __init__(self, out: Output, table: Any, keep: Path | None) -> None:
        self.out, self.table, self.keep = out, table, keep
        self.typing = sys.stdin.isatty() and not out.as_json
        self.told = False  # how the game ended

    def run(self) -> None:
        """Until the game is over and left, or the input ends."""
        table, game = self.table, self.table.game
        you, they = game.players[table.me], game.players[1 - table.me]
        self.say(
            "start", f"You are {you}, {they} is {table.agent.name}. Type a move, or help.",
            game=game.spec, seed=table.position.seed, you=table.me, players=list(table.names),
            moves=[game.action_name(move) for move in table.position.moves],
        )  # fmt: skip
        with self.thinking("getting ready"):
            table.prepare()
        self.board()
        lines = self.lines()
        while True:
            self.to_my_turn()
            if table.over and not self.told:
                self.told = True
                self.end()
            line = next(lines, None)
            if line is None or line.strip().lower() in ("quit", "exit", "q"):
                break
            if line.strip():
                try:
                    self.obey(line.strip())
                except ZeroGridError as error:
                    self.say("error", str(error), message=str(error))
        if not table.over:
            self.say("quit", "The game is left as it stands.")

    def to_my_turn(self) -> None:
        """The agent's moves, and passes of the person's without a choice."""
        table = self.table
        while not table.over and (not table.my_turn or table.must_pass):
            if table.my_turn:
                table.pass_on()
                self.moved(table.me, "You must pass.")
            else:
                began = time.perf_counter()
                with self.thinking():
                    seen = table.answer()
                spent = time.perf_counter() - began
                value = getattr(seen.saw, "value", None)
                self.moved(1 - table.me, "", seconds=round(spent, 3), value=value)

    def obey(self, line: str) -> None:
        """A move, or a word."""
        table = self.table
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word in WORDS and (word == "save" or not rest):
            getattr(self, f"do_{word}")(rest.strip())
            return
        if table.over:
            raise ZeroGridError("the game is over; undo, save FILE, or quit.")
        try:
            table.play(line)
        except ZeroGridError as error:
            hint = nearest(word, WORDS)
            raise type(error)(f"{error}{hint or ' Type help for what else there is.'}") from error
        self.moved(table.me)

    # --- words --------------------------------------------------------------------------------------------------------

    def do_help(self, _: str) -> None:
        """What can be typed."""
        self.say("help", HELP, help=HELP)

    def do_moves(self, _: str) -> None:
        """What may be played."""
        legal = self.table.position.legal
        self.say("moves", " ".join(legal) or "none: the game is over", legal=legal)

    def do_board(self, _: str) -> None:
        """The board once more."""
        self.say("board", "", text=str(self.table.position))
        self.board()

    def do_hint(self, _: str) -> None:
        """What a search would play."""
        if not self.table.my_turn:
            raise ZeroGridError("the game is over; there is nothing to hint at.")
        with self.thinking("looking"):
            found = self.table.hint()
        self.say("hint", found.text(ROWS), **found.record())

    def do_why(self, _: str) -> None:
        """What the opponent saw."""
        with self.thinking("asking"):
            seen, saw = self.table.why()
        table = self.table
        name, agent = table.game.action_name(seen.action), table.agent.name
        if saw is None:
            self.say("why", f"{agent} gives no reasons for {name}.", move=name)
        elif hasattr(saw, "text"):
            words = f"Before it played {name}, {agent} saw this:\n{saw.text(ROWS)}"
            self.say("why", words, move=name, **saw.record())
        else:
            line = " ".join(map(table.game.action_name, saw.best_line))
            best = " ".join(map(table.game.action_name, saw.best_actions))
            words = f"{agent} played {name}: exact value {saw.value:+g} for it; best moves: {best}; best play: {line}"
            self.say("why", words, move=name, **saw.record())

    def do_undo(self, _: str) -> None:
        """Back to the person's last turn."""
        count = self.table.undo()
        self.told = False
        self.say("undo", f"{count} {'ply' if count == 1 else 'plies'} taken back.", plies=count)
        self.kept()
        self.board()

    def do_save(self, file: str) -> None:
        """Keep the game."""
        if not file:
            raise ZeroGridError("save needs the name of a file, as in save mine.jsonl.")
        self.table.save(Path(file))
        self.say("saved", f"Saved in {file}.", file=file)

    def do_resign(self, _: str) -> None:
        """Give up."""
        if self.table.over:
            raise ZeroGridError("the game is over already.")
        self.table.resigned = True

    # --- saying -------------------------------------------------------------------------------------------------------

    def say(self, event: str, words: str, **facts: Any) -> None:
        """The same for people and for programs."""
        self.out.record({"event": event, **facts})
        if words:
            self.out.text(words)

    def moved(self, player: int, words: str = "", **facts: Any) -> None:
        """Tell the last move and show the board."""
        position = self.table.position
        name = position.game.action_name(position.last)
        who = position.game.players[player]
        mine = player == self.table.me
        worth = facts.get("value")
        told = f", sees {worth:+.2f} for itself" if isinstance(worth, float) else ""
        told += f" ({facts['seconds']:.1f} s)" if facts.get("seconds", 0) >= 0.1 else ""
        self.say(
            "move", words or ("" if mine else f"{who} plays {name}{told}."),
            ply=len(position.moves), player=player, by="you" if mine else "agent", move=name, action=position.last,
            **facts,
        )  # fmt: skip
        self.kept()
        self.board()

    def board(self) -> None:
        """The board, for people."""
        if not self.out.as_json:
            self.out.text(f"\n{self.table.position.terminal()}\n")

    def end(self) -> None:
        """The result."""
        table = self.table
        mine = table.scores[table.me]
        words = "You won" if mine > 0 else "You lost" if mine < 0 else "A draw"
        more = " Type undo to try again, save FILE, or quit." if self.typing else ""
        self.say("end", f"{words}: {table.ending}.{more}", scores=table.scores, reason=table.ending)
        self.kept()

    def kept(self) -> None:
        """The file of --save, after every change."""
        if self.keep is not None:
            self.table.save(self.keep)

    def lines(self) -> Iterator[str]:
        """What is typed, or comes through a pipe; then it is shown as if typed."""
        if self.typing:
            import contextlib

            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - editing of lines and a history of them
        while True:
            prompt = f"{self.table.game.players[self.table.me]}> " if not self.table.over else "> "
            sys.stdout.flush()
            if self.typing:
                try:
                    line = input(prompt)
                except EOFError:
                    self.out.text()
                    return
            else:
                line = sys.stdin.readline()
                if not line:
                    return
                self.out.text(f"{prompt}{line.strip()}")
            yield line

    @contextmanager
    def thinking(self, what: str = "thinking") -> Iterator[None]:
        """On a terminal, say that it takes a moment."""
        if not sys.stderr.isatty() or self.out.as_json:
            yield
            return
        sys.stdout.flush()
        print(f"{what} …", end="", file=sys.stderr, flush=True)
        try:
            yield
        finally:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
