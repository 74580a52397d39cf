"""Positions shown per second by every encoding, on one core; and how often the order of a team's agents matters.

    python benchmarks/encodings.py [--seconds 0.5]

Positions of random games are shown again and again by one thread of the cpu target, histories and all. The last line
counts the joint actions of Battlefield that are legal only if the one or the other agent of a team acts first.
"""

import argparse
import time

import zerogrid
from zerogrid.core.position import Position
from zerogrid.encodings import encoding, names_for
from zerogrid.encodings.check_run import random_positions
from zerogrid.encodings.running import encode_args, encode_kernel, linked

GAMES = (
    "gomoku:6x6x4",
    "gomoku:15x15x5",
    "connect_four",
    "othello",
    "pawn_dama:6x6",
    "dots_and_boxes:5x5",
    "battlefield",
)
MORE = {
    "gomoku": ("stones,history=5",),
    "othello": ("discs,legal=true",),
    "battlefield": ("teams,history=4", "teams,context=true"),
}
SHOWN = 256


def rate(game: str, spec: str, seconds: float) -> float:
    """Positions shown in a second of the processor, the best of three times; others may be at work on the machine."""
    made = encoding(game, spec)
    pasts = [[*one.past] for one in random_positions(made.game, SHOWN)]
    args, kernel, rates = encode_args(made, pasts), linked(encode_kernel, made, "cpu"), []
    kernel(len(pasts), args)
    for _ in range(3):
        began, done = time.process_time(), 0
        while time.process_time() - began < seconds / 3:
            kernel(len(pasts), args)
            done += len(pasts)
        rates.append(done / (time.process_time() - began))
    return max(rates)


def order_matters(spec: str, count: int = 600) -> tuple[int, int, int, int]:
    """Positions, those with actions legal in one order only, actions, and those legal in one order only."""
    game = zerogrid.game(spec)
    ranks = slice(game.RANKS, game.RANKS + game.AGENTS)
    positions = actions = touched = differing = 0
    for one in random_positions(game, count):
        other = one.past[-1].copy()
        other[ranks] = other[ranks][::-1]
        here, there = set(one.legal), set(Position.of_state(game, other).actions)
        positions, actions = positions + 1, actions + len(here | there)
        touched, differing = touched + (here != there), differing + len(here ^ there)
    return positions, touched, actions, differing


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=0.5, help="for each encoding")
    seconds = asked.parse_args().seconds
    for game in GAMES:
        for spec in (*names_for(game), *MORE.get(game.partition(":")[0], ())):
            print(f"{game:20} {spec:20} {rate(game, spec, seconds):12,.0f} positions/s", flush=True)
    positions, touched, actions, differing = order_matters("battlefield:7x7")
    print(f"battlefield:7x7: the order of agents matters in {touched} of {positions} positions, ", end="")
    print(f"for {differing} of {actions} joint actions")


if __name__ == "__main__":
    main()
