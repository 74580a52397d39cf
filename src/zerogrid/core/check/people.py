"""What people see of a game: names of actions, the text of a position and back, drawings, examples."""

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from zerogrid.core.check.guarded import GuardedRules
from zerogrid.core.check.plays import Sample
from zerogrid.core.check.report import Report, Where
from zerogrid.core.errors import ZeroGridError, nearest, quote
from zerogrid.core.game import Game
from zerogrid.core.position import Position

MOST_NAMES = 10_000  # of so many actions the names are looked at, beside those that were met


def check_words(game: Game, report: Report) -> None:
    """The names of players, endings, and the game itself."""
    first, second = game.players
    if not first.strip() or not second.strip() or first == second:
        mend = 'name the two sides, such as PLAYERS = ("black", "white")'
        report.add("players", f"PLAYERS are {quote(first)} and {quote(second)}; {mend}.")
    for number, ending in enumerate(game.ENDINGS, start=1):
        if not isinstance(ending, str) or not ending.strip():
            report.add("endings", f"ending {number} of ENDINGS is {ending!r}; write the reason as a text.")
    from zerogrid.core.catalogue import game as game_of

    try:
        same = game_of(game.spec) == game
    except ZeroGridError as error:
        report.add("spec", f"the game calls itself {quote(game.spec)}, but that cannot be read: {error}")
        return
    if not same:
        mend = "VARIANT must name settings so that the text says which instance it is"
        report.add("spec", f"{quote(game.spec)}, as the game calls itself, is another game; {mend}.")


def check_names(game: Game, samples: Sequence[Sample], report: Report) -> None:
    """Every action has a name that a person can type, and that is read back as the same action."""
    met = {action for sample in samples for action in sample.legal}
    named: dict[str, int] = {}
    for action in sorted({*range(min(game.ACTIONS, MOST_NAMES)), *met}):
        try:
            name = game.action_name(action)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            report.add("action_name", f"action_name({action}) fails: {what}; every action needs a name.")
            return
        if not name or name != name.strip().lower() or not name.isprintable() or any(sign in name for sign in " ,"):
            right = "use small letters, digits and signs, no spaces or commas"
            report.add("action_name", f"action {action} is called {quote(name)}, which nobody can type; {right}.")
        elif name in named:
            report.add("action_names_collide", f"actions {named[name]} and {action} are both called {quote(name)}.")
        named.setdefault(name, action)
        parse = getattr(game.module, "parse_action", None)
        if parse is not None and name in named and named[name] == action:
            _check_parse(parse, name, action, report)
    _check_nonsense(game, report)


def _check_parse(parse: Any, name: str, action: int, report: Report) -> None:
    try:
        found = parse(name)
    except Exception as error:
        report.add("parse_action", f"parse_action({quote(name)}) fails: {type(error).__name__}: {error}.")
        return
    if found is not None and found != action:
        words = f"{quote(name)} is the name of action {action}, but parse_action reads {found}"
        report.add("parse_action", f"{words}; let it return that action, or None.")


NONSENSE = ("", "?", "a", "zz", "-1", "a1b2c3d4", "é", "0.0", "h9.9", "x" * 100, "\N{ARABIC-INDIC DIGIT THREE}")


def _check_nonsense(game: Game, report: Report) -> None:
    parse = getattr(game.module, "parse_action", None)
    if parse is None:
        return
    for text in NONSENSE:
        try:
            found = parse(text)
        except Exception as error:
            mend = "return None for what it cannot read"
            report.add("parse_action", f"parse_action({quote(text)}) fails with {type(error).__name__}; {mend}.")
            continue
        if found is not None and (not isinstance(found, int) or not 0 <= found < game.ACTIONS):
            mend = "return an action or None"
            report.add("parse_action", f"parse_action({quote(text)}) returns {found!r}; {mend}.")


def check_texts(game: Game, samples: Iterable[Sample], report: Report) -> None:
    """A position written as text is read back as the same position; positions from play are not called faulty."""
    for sample in samples:
        position = Position.of_state(game, sample.state)
        try:
            text = str(position)
        except Exception as error:
            why = _why_unwritable(game, sample) or f"{type(error).__name__}: {error}"
            report.add("text", f"the position cannot be written as text: {why}.", sample.where)
            continue
        try:
            again = game.parse(text)
        except ZeroGridError as error:
            report.add("text", f"the text of a position that was played is refused: {error}", sample.where)
            continue
        except Exception as error:
            mend = "raise ValueError with a sentence for what cannot be read"
            report.add("text", f"reading a position fails with {type(error).__name__}: {error}; {mend}.", sample.where)
            continue
        differing = np.flatnonzero(again.state != sample.state)
        counting = [int(i) for i in differing if i < game.layout.key_size]
        if counting:
            entry = game.layout.where(counting[0])
            was, now = sample.state[counting[0]], again.state[counting[0]]
            mend = "let text() write it and parse_text() read it"
            report.add("text", f"written and read again, {entry} is {now} instead of {was}; {mend}.", sample.where)
        elif str(again) != text:
            report.add("text", "written, read and written again, the text of a position changes.", sample.where)


def _why_unwritable(game: Game, sample: Sample) -> str:
    for part in game.layout.fields:
        values = sample.state[part.offset : part.offset + part.length]
        for place, value in enumerate(values if part.symbols else ()):
            if not 0 <= value < len(part.symbols):
                signs = f"{len(part.symbols)} symbols {quote(part.symbols)}"
                return f"{game.layout.where(part.offset + place)} is {value}, but there are {signs}"
    return ""


def check_drawings(game: Game, samples: Iterable[Sample], report: Report) -> None:
    """A position can be drawn, in the terminal and as SVG."""
    for sample in samples:
        position = Position.of_state(game, sample.state)
        for kind in ("terminal", "svg"):
            try:
                if kind == "terminal":
                    position.terminal(colour=False)
                else:
                    ElementTree.fromstring(position.svg())
            except Exception as error:
                words = f"{type(error).__name__}: {error}".rstrip(".")
                report.add(f"drawing_{kind}", f"the {kind} drawing of a position fails: {words}.", sample.where)


def check_examples(rules: GuardedRules, report: Report) -> int:
    """The file's EXAMPLES: moves, and what holds after them. Returns how many there are."""
    game = rules.game
    examples = getattr(game.module, "EXAMPLES", ())
    for example in examples:
        if not (isinstance(example, tuple) and len(example) == 2 and all(isinstance(part, str) for part in example)):
            report.add("example", f"EXAMPLES has {example!r}; write two texts, moves and a claim: {_likely(game)}.")
            continue
        moves, claim = example
        where = Where()
        try:
            with np.errstate(all="raise"):
                position = game.start()
                for move in moves.split():
                    position.play(move)
                    where = where.then(position.moves[-1])
                truths = true_claims(position)
        except ZeroGridError as error:
            report.add("example", f"the example {quote(moves)} cannot be played: {error}", where)
            continue
        except Exception as error:  # said better where the rules are looked at with every guard up
            if report.ok:
                words = f"{type(error).__name__}: {error}".rstrip(".")
                report.add("example", f"the example {quote(moves)} stops with {words}; mend the rules there.", where)
            continue
        if claim.strip() not in truths:
            holds = " and ".join(quote(truth) for truth in truths)
            hint = nearest(claim, _possible_claims(game)) if claim.strip() not in _possible_claims(game) else ""
            report.add("example", f"the example says {quote(claim)}, but {holds} is what the rules say.{hint}", where)
    return len(examples)


def true_claims(position: Position) -> list[str]:
    """What an example may say about a position."""
    game, outcome = position.game, position.outcome
    if outcome is None:
        return [f"{game.players[position.to_move]} to move"]
    result = "draw" if outcome.winner is None else f"{game.players[outcome.winner]} wins"
    return [result, f"{result}: {outcome.reason}"]


def _possible_claims(game: Game) -> list[str]:
    results = ["draw", *(f"{player} wins" for player in game.players)]
    moves = [f"{player} to move" for player in game.players]
    return [*moves, *results, *(f"{result}: {ending}" for result in results for ending in game.ENDINGS)]


def _likely(game: Game) -> str:
    try:
        first = game.start().legal[0]
    except Exception:
        first = "..."
    return f'("{first}", "{game.players[1]} to move")'
