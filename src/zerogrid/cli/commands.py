"""Every command: the words that call it, where its function is, and what it does in one line.

A command is a function whose signature is its command line (see signature.py) and whose docstring is its help. To add
one, write the function in a module of this package and a line here.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """One line of the table; `place` is module:function inside zerogrid.cli."""

    name: str
    place: str
    summary: str


GROUPS: dict[str, tuple[Command, ...]] = {
    "See it work": (Command("demo", "demo:demo", "a game learned from nothing in minutes, and how strong that is"),),
    "Look at games": (
        Command("games", "games:games", "what games there are, and their settings"),
        Command("show", "show:show", "draw a position, in the terminal or as SVG"),
        Command("replay", "replay:replay", "replay a file of positions, checking every move"),
    ),
    "Play and understand": (
        Command("play", "play:play", "play against an agent, in the terminal"),
        Command("analyse", "analyse:analyse", "what a search thinks of a position, and why"),
    ),
    "Know the truth": (Command("solve", "solve:solve", "exact values of positions, and best play"),),
    "Measure strength": (
        Command("agents", "agents:agents", "who there is to play, and how they are named"),
        Command("match", "match:match", "two agents, many games, and what they say"),
        Command("tournament", "tournament:tournament", "everyone against everyone, with ratings"),
        Command("sprt", "sprt:sprt", "is one stronger, in as few games as that takes"),
        Command("rate", "rate:rate", "ratings from games that were played"),
        Command("exam", "exam:exam", "how often an agent gives value away"),
        Command("exam-set", "exam:exam_set", "make an exam with the exact solver"),
        Command("book", "book:book", "make an opening book"),
        Command("engine", "engine:engine", "let another program play against an agent"),
    ),
    "Learn": (
        Command("train", "train:train", "learn a game from nothing, or go on with a run"),
        Command("runs", "runs:runs", "what runs there are"),
        Command("report", "report:report", "how a run went, in one page"),
        Command("export", "export:export", "a run's champion as a model folder"),
    ),
    "Know the networks": (
        Command("networks", "networks:networks", "what networks there are, for which games, how large"),
        Command("bench network", "bench_network:bench_network", "how fast networks are here, beside the papers"),
        Command("bench search", "bench_search:bench_search", "how much of its network's speed a search keeps here"),
        Command("attention", "attention:attention", "where a network looks, drawn over the board"),
    ),
    "Make a game of your own": (
        Command("new-game", "new_game:new_game", "write a small working game to change"),
        Command("check", "check:check", "say in plain words what is wrong with a game"),
        Command("perft", "perft:perft", "count all sequences of moves, on any target"),
    ),
}

COMMANDS: dict[str, Command] = {command.name: command for group in GROUPS.values() for command in group}
