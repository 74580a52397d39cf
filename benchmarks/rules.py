"""How fast the rules are: random games to the end, per second and core.

    python benchmarks/rules.py                      every game: compiled, plain Python, OpenSpiel where it has it
    python benchmarks/rules.py --device cuda        and on the graphics card, with --slots games side by side
    python benchmarks/rules.py --starts             how long the first game of a process waits for its compiled rules
    python benchmarks/rules.py --json rows.jsonl --games othello:8x8 gomoku:15x15x5

Everything is measured in turn, several times, in one run on one core; each line gives the median and, in brackets, the
least and the greatest of the repeats (for six repeats that is a 97% interval for the median). Seconds are of processor
time, which other programs do not take part of, except on the card. All play from the start position, legal moves with
equal chances. Compiled and plain Python are the same source. OpenSpiel plays in C++, as the rollouts of one simulation
of its MCTS bot: pip install 'zerogrid[bench]'.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import zerogrid
from zerogrid.core import rules, spmd
from zerogrid.core.draws import TEST, mix, word
from zerogrid.core.game import Game
from zerogrid.core.link import Linked, link

GAMES = (
    "tictactoe",
    "connect_four:6x7",
    "othello:8x8",
    "gomoku:6x6x4",
    "gomoku:15x15x5",
    "dots_and_boxes:5x5",
    "pawn_dama:6x6",
    "pawn_dama:8x8",
    "battlefield:7x7",
)
TWINS = {  # the same games in OpenSpiel; the settings are asked of the game
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four(rows={rows},columns={columns})",
    "othello": "othello",
    "gomoku": "mnk(m={columns},n={rows},k={k})",
    "dots_and_boxes": "dots_and_boxes(num_rows={rows},num_cols={columns})",
    "breakthrough": "breakthrough(rows={rows},columns={columns})",
}
COMPARED = (("python", "compiled"), ("OpenSpiel", "compiled"), ("compiled", "cuda"), ("compiled", "cuda, interleaved"))
STARTS = 64  # start positions of different seeds, for games with chance
Run = Callable[[int], None]  # plays that many games


class Table(NamedTuple):
    """What the kernel works on: one row for each game that is played at a time."""

    starts: Any  # int16[STARTS, STATE_SIZE]
    states: Any  # int16[slots, STATE_SIZE]
    actions: Any  # int32[slots, MAX_LEGAL]
    plies: Any  # int64[slots]
    won: Any  # int64[slots, 2]
    games: Any  # int64[1], how many are played in each slot
    seed: Any  # int64[1]


def play_out(b: int, lane: int, t: Table) -> None:
    """A kernel: random games, one after another, in the slot of this lane."""
    slot = b * spmd.LANES + lane
    state = t.states[slot]
    actions = t.actions[slot]
    for number in range(t.games[0]):
        for i in range(rules.STATE_SIZE):
            state[i] = t.starts[(slot + number) % t.starts.shape[0], i]
        h = word(t.seed[0], TEST, slot, number)
        while rules.ended(state) == 0:
            count = rules.legal(state, actions)
            h = mix(h, count)
            rules.play(state, actions[(h * count) >> 32])
            t.plies[slot] += 1
        for player in range(2):
            t.won[slot, player] += int(rules.score(state, player) > 0)


def table(game: Game, slots: int, starts: int = STARTS) -> Table:
    """Room for so many games side by side."""
    return Table(
        starts=np.array([game.start(seed).state for seed in range(starts)], np.int16),
        states=np.zeros((slots, game.STATE_SIZE), np.int16),
        actions=np.zeros((slots, game.MAX_LEGAL), np.int32),
        plies=np.zeros(slots, np.int64),
        won=np.zeros((slots, 2), np.int64),
        games=np.zeros(1, np.int64),
        seed=np.zeros(1, np.int64),
    )


def own(game: Game, target: str, t: Table) -> Run:
    """Our rules on a target of this machine, one game at a time; the table keeps what was played."""
    kernel = link(play_out, target, {rules: game.module})

    def run(games: int) -> None:
        t.games[0] = games
        t.seed[0] += 1
        kernel(1, t)

    return run


def on_card(game: Game, slots: int, interleaved: bool) -> Run:
    """Our rules on the graphics card (or in its simulator), a game in each of that many lanes.

    A state lies in memory by itself, or, interleaved, the same entry of all states side by side, so that lanes which
    read the same entry read neighbours.
    """
    from zerogrid.core import cuda

    kernel = link(play_out, "cuda", {rules: game.module})
    blocks = max(1, slots // cuda.LANES)
    check_card(game, kernel, cuda)
    empty = table(game, blocks * cuda.LANES)
    if interleaved:
        empty = empty._replace(states=np.asfortranarray(empty.states), actions=np.asfortranarray(empty.actions))
    device = cuda.to_device(empty)
    seed = 0

    def run(games: int) -> None:
        nonlocal seed
        seed += 1
        kernel(blocks, device._replace(games=cuda.to_device(np.array([games])), seed=cuda.to_device(np.array([seed]))))
        cuda.to_host(device.seed)  # waits until it is done

    return run


def check_card(game: Game, kernel: Linked, cuda: ModuleType) -> None:
    """See that the card plays the very games that the processor plays."""
    blocks = 2
    here, there = table(game, blocks * cuda.LANES), table(game, blocks * cuda.LANES)
    for t in (here, there):
        t.games[0], t.seed[0] = 2, 7
    link(play_out, "cpu", {rules: game.module})(blocks * cuda.LANES, here)
    on_device = cuda.to_device(there)
    kernel(blocks, on_device)
    there = cuda.to_host(on_device)
    if not (np.array_equal(here.plies, there.plies) and np.array_equal(here.won, there.won)):
        raise RuntimeError(f"{game.spec} is played otherwise on the card than on the processor")


def open_spiel(game: Game) -> Run | None:
    """OpenSpiel's rules in C++, where it has the game and is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    form = TWINS.get(game.name)
    if form is None or game.settings.get("exact") or (game.name == "othello" and game.spec != "othello:8x8"):
        return None
    twin = pyspiel.load_game(form.format(**game.settings))
    state = twin.new_initial_state()

    def run(games: int) -> None:
        rollouts = pyspiel.RandomRolloutEvaluator(games, games)
        pyspiel.MCTSBot(twin, rollouts, 1.0, 1, 50, False, 1, False).mcts_search(state)

    return run


def seconds(way: str, run: Run, games: int) -> float:
    """How long so many games take: processor time, or with the card all of it."""
    clock = time.perf_counter if way.startswith("cuda") else time.process_time
    began = clock()
    run(games)
    return clock() - began


def enough(way: str, run: Run, wanted: float) -> int:
    """How many games fill the time wanted; the first ones also compile and warm up."""
    run(1)
    games = 1
    while (taken := seconds(way, run, games)) < wanted / 8:
        games *= 4
    return max(1, round(games * wanted / taken))


def measured(game: Game, device: str, slots: int, wanted: float, repeats: int) -> list[dict[str, Any]]:
    """Rows of figures for a game: rates, and ratios taken within each repeat."""
    played = table(game, 1)
    ways = {"compiled": own(game, "cpu", played), "python": own(game, "python", table(game, 1))}
    if (other := open_spiel(game)) is not None:
        ways["OpenSpiel"] = other
    if device == "cuda":
        ways["cuda"] = on_card(game, slots, interleaved=False)
        ways["cuda, interleaved"] = on_card(game, slots, interleaved=True)
    counts = {way: enough(way, run, wanted) for way, run in ways.items()}
    rates: dict[str, list[float]] = {way: [] for way in ways}
    played.plies[0] = 0
    for _ in range(repeats):
        for way, run in ways.items():
            side_by_side = lanes(slots) if way.startswith("cuda") else 1
            rates[way].append(side_by_side * counts[way] / seconds(way, run, counts[way]))
    rows = [row(game, way, "playouts/s", values) for way, values in rates.items()]
    for way, above in COMPARED:
        if way in rates and above in rates:
            ratios = [fast / slow for fast, slow in zip(rates[above], rates[way])]
            rows.append(row(game, f"{above} / {way}", "times", ratios))
    plies = played.plies[0] / (counts["compiled"] * repeats)
    return [one | {"plies": round(float(plies), 1)} if one["what"] == "compiled" else one for one in rows]


def lanes(slots: int) -> int:
    """How many games are really played side by side on the card."""
    from zerogrid.core import cuda

    return max(1, slots // cuda.LANES) * cuda.LANES


def row(game: Game, what: str, unit: str, values: list[float]) -> dict[str, Any]:
    """One line of figures."""
    return {"game": game.spec, "what": what, "unit": unit, "median": statistics.median(values),
            "least": min(values), "most": max(values), "repeats": len(values)}  # fmt: skip


def waits(spec: str) -> list[dict[str, Any]]:
    """How long a fresh process takes until the first compiled random game is over: with nothing compiled, and again."""
    game, rows = zerogrid.game(spec), []
    with tempfile.TemporaryDirectory() as cache:
        for what in ("cold start", "warm start"):
            began, busy = time.perf_counter(), processor_time()
            code = f"import rules; rules.once({spec!r})"
            environment = os.environ | {"ZEROGRID_CACHE": cache}
            subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, env=environment, check=True)
            rows.append(row(game, what, "s", [time.perf_counter() - began]))
            rows.append(row(game, f"{what}, processor", "s", [processor_time() - busy]))
    return rows


def processor_time() -> float:
    """What finished processes that were started here have used, which a busy machine does not change."""
    used = os.times()
    return used.children_user + used.children_system


def once(spec: str) -> None:
    """One compiled random game."""
    game = zerogrid.game(spec)
    own(game, "cpu", table(game, 1, starts=1))(1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES, help="which games")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: measure the card as well")
    parser.add_argument("--slots", type=int, default=262_144, help="games side by side on the card")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--starts", action="store_true", help="measure cold and warm starts instead")
    parser.add_argument("--json", type=Path, help="write rows as JSON lines there as well")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity") and not asked.starts:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core, the same for everybody
    lines, failed = [], False
    for spec in asked.games:
        try:
            found = waits(spec) if asked.starts else measured(
                zerogrid.game(spec), asked.device, asked.slots, asked.seconds, asked.repeats)  # fmt: skip
        except Exception as error:  # the other games are measured all the same
            found, failed = [{"game": spec, "error": f"{type(error).__name__}: {error}"}], True
        for one in found:
            lines.append(json.dumps(one))
            print(told(one), flush=True)
        if asked.json:
            asked.json.write_text("\n".join(lines) + "\n")
    sys.exit(1 if failed else 0)


def told(one: dict[str, Any]) -> str:
    """A row for people."""
    if "error" in one:
        return f"{one['game']:<20} {one['error']}"
    form = ",.0f" if one["median"] >= 100 else ".3g"
    median, least, most = (format(one[name], form) for name in ("median", "least", "most"))
    spread = f"[{least} .. {most}]" if one["repeats"] > 1 else ""
    return f"{one['game']:<20} {one['what']:<28} {median:>14} {one['unit']:<11} {spread}".rstrip()


if __name__ == "__main__":
    main()
