"""Teach a network the endings of Dots-and-Boxes from exact play: where no time is for learning from nothing.

    python scripts/teach_endings.py --out endings
    python scripts/teach_endings.py --out small --positions 20000 --steps 500 --set network.settings.width=32

Positions are reached as exams reach theirs (guided moves by chance: a box is taken if one can be, else a safe edge is
drawn if there is one) and solved exactly. The policy learns the moves that keep the value, each alike; the value learns
who wins in the end. A position of any exam that comes with ZeroGrid is left out. What is learned with, losses and
symmetries included, is what `zerogrid train` learns with; every option of it can be set. The same command on the same
machine gives the same network.

Solutions are kept in --kept FILE and taken from there the next time. The model is written again after each part, so
that whoever stops it early has the newest one.
"""

import argparse
import math
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

import zerogrid
from zerogrid.core import draws, labels, rules
from zerogrid.core.game import Game
from zerogrid.core.link import link
from zerogrid.core.progress import Progress
from zerogrid.encodings import encoding
from zerogrid.encodings.labels import label_many, labels_for

SETTINGS = (  # of models/endings
    "game.spec=dots_and_boxes:5x5",
    "game.encoding=chainloop64",
    "network.name=dotsformer/tt",
    "network.settings.trunk=TTTT",
    "network.settings.width=64",
    "network.settings.hidden=128",
    "network.settings.topology=true",
    "network.settings.auxiliary=true",
    "selfplay.target=z",
    "learner.lr=0.003",
    "learner.initiative_weight=1",
    "learner.classes_weight=1",
)
PIECE = 2000  # positions that a process solves at once
CHECKED = 2000  # positions held back, to see how learning goes


def main() -> None:
    """Make positions, learn them, write the model."""
    asked = arguments()
    from zerogrid.training.config import as_dict, from_dict, from_words

    given = as_dict(from_dict({}))
    for name, value in from_words([*SETTINGS, *asked.set]).items():
        section, _, option = name.partition(".")
        if option.startswith("settings."):
            given[section]["settings"][option.removeprefix("settings.")] = value
        else:
            given[section][option] = value
    config = from_dict(given)
    game = zerogrid.game(config.game.spec)
    states, best, won = solved_positions(game, asked)
    learn(config, game, states, best, won, asked)


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, help="the folder for model.safetensors and config.toml")
    parser.add_argument("--positions", type=int, default=64_000, help="how many are reached")
    parser.add_argument("--free", type=int, nargs=2, default=(2, 24), help="edges that are left, from and to")
    parser.add_argument("--steps", type=int, default=1000, help="steps of learning in all")
    parser.add_argument("--until", type=int, help="stop after so many of them; left out, after all")
    parser.add_argument("--batch", type=int, default=128, help="positions in a step")
    parser.add_argument("--part", type=int, default=25, help="steps after which the model is written again")
    parser.add_argument("--seed", type=int, default=1, help="of the positions and of the network")
    parser.add_argument("--threads", type=int, default=2, help="threads that learn, and processes that solve")
    parser.add_argument("--kept", type=Path, help="where solutions are kept (.npz)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of zerogrid train")
    return parser.parse_args()


# --- positions ------------------------------------------------------------------------------------------------------


class ReachArgs(NamedTuple):
    """How far each game goes, and room for where it comes."""

    plies: Any  # int32 [N]
    seeds: Any  # int64 [N]
    actions: Any  # int32 [N, MAX_LEGAL]
    states: Any  # int16 [N, STATE_SIZE]


def reach_kernel(b: int, lane: int, args: ReachArgs) -> None:
    """Play game b by guided moves: by chance among those that rank highest."""
    if lane != 0:
        return
    state, actions = args.states[b], args.actions[b]
    rules.start(state, 0)
    for ply in range(args.plies[b]):
        count = rules.legal(state, actions)
        highest, alike = -1, 0
        for i in range(count):
            rank = labels.rank(state, actions[i])
            if rank > highest:
                highest, alike = rank, 0
            if rank == highest:
                actions[alike] = actions[i]
                alike += 1
        rules.play(state, actions[draws.below(alike, args.seeds[b], draws.OPENING, ply, 0)])


def reached(game: Game, count: int, seed: int, free: tuple[int, int]) -> Any:
    """States [count, STATE_SIZE] with so many edges left, from and to."""
    chance = np.random.default_rng(seed)
    plies = (game.EDGES - chance.integers(free[0], free[1] + 1, count)).astype(np.int32)
    seeds = chance.integers(0, 1 << 62, count)
    args = ReachArgs(
        plies, seeds, np.zeros((count, game.MAX_LEGAL), np.int32), np.zeros((count, game.STATE_SIZE), np.int16)
    )
    link(reach_kernel, "cpu", {rules: game.module, labels: labels_for(game).module})(count, args)
    return args.states


def solved(task: tuple[str, Any]) -> tuple[Any, Any]:
    """(the moves of each state that keep its value, the winner's sign for the player to move)."""
    from zerogrid.solvers import solver_for

    spec, states = task
    game = zerogrid.game(spec)
    solver = SOLVERS.setdefault(spec, solver_for(game, "128M"))
    best, won = np.zeros((len(states), game.EDGES), bool), np.zeros(len(states), np.int8)
    for row, state in enumerate(states):
        found = solver.solve_state(state, line=False)
        assert found.value is not None
        best[row, found.best_actions] = True
        mover, scores = int(state[game.TURN]), int(game.SCORES)
        won[row] = np.sign(int(state[scores + mover]) - int(state[scores + 1 - mover]) + found.value)
    return best, won


SOLVERS: dict[str, Any] = {}


def solved_positions(game: Game, asked: argparse.Namespace) -> tuple[Any, Any, Any]:
    """(states, their best moves, who wins), those of exams left out."""
    if asked.kept and asked.kept.is_file():
        with np.load(asked.kept, allow_pickle=False) as kept:
            return kept["states"], kept["best"], kept["won"]
    states = reached(game, asked.positions, asked.seed, tuple(asked.free))
    states = states[np.array([drawn(game, state) not in examined(game) for state in states])]
    pieces = [(game.spec, states[first : first + PIECE]) for first in range(0, len(states), PIECE)]
    parts = []
    with (
        Progress(f"solving positions of {game.spec}", len(states), "positions") as progress,
        multiprocessing.get_context("spawn").Pool(asked.threads) as pool,
    ):
        for part in pool.imap(solved, pieces):
            parts.append(part)
            progress.advance(len(part[0]))
    best, won = (np.concatenate(column) for column in zip(*parts, strict=True))
    if asked.kept:
        np.savez_compressed(asked.kept, states=states, best=best, won=won)
    return states, best, won


def drawn(game: Game, state: Any) -> bytes:
    """What decides how a position goes on: the edges that are drawn."""
    return np.asarray(state[: game.EDGES], np.int16).tobytes()


def examined(game: Game) -> set[bytes]:
    """The positions of the exams in a game, in every symmetry."""
    from zerogrid.arena.exam_sets import exam_file, read_exam

    if game.spec not in EXAMINED:
        seen = set()
        for file in (exam_file(game), exam_file(game, held=True)):
            for question in read_exam(game, file).questions if file.is_file() else ():
                edges = question.position(game).state[: game.EDGES]
                for symmetry in game.symmetries:
                    turned = np.zeros_like(edges)
                    turned[np.array(symmetry.actions)] = edges
                    seen.add(turned.tobytes())
        EXAMINED[game.spec] = seen
    return EXAMINED[game.spec]


EXAMINED: dict[str, set[bytes]] = {}


# --- learning -------------------------------------------------------------------------------------------------------


def examples(game: Game, states: Any, best: Any, won: Any) -> dict[str, Any]:
    """The columns of a learner's buffer: policies stand in the order of the legal moves."""
    count = len(states)
    policy = np.zeros((count, game.MAX_LEGAL), np.float16)
    for row in range(count):
        listed = np.flatnonzero(states[row, : game.EDGES] == 0)
        policy[row, : len(listed)] = best[row, listed] / best[row].sum()
    made = {name: np.zeros(count, kind) for name, kind in (("shaped", "f4"), ("game_id", "i8"), ("iteration", "i4"))}
    made |= {"state": states[:, None], "policy": policy, "z": won.astype(np.float32), "q": won.astype(np.float32)}
    made |= {"known": np.ones(count, np.int16), "weight": np.ones(count, np.float32)}
    made["ply"] = (states[:, : game.EDGES] != 0).sum(1).astype(np.int16)
    made["player"] = states[:, game.TURN].astype(np.int8)
    made["initiative"] = label_many(game, states, best.argmax(1).astype(np.int32))[0]
    return made


def learn(config: Any, game: Game, states: Any, best: Any, won: Any, asked: argparse.Namespace) -> None:
    """Learn in parts, each with the next stretch of a falling learning rate; the last positions are held back."""
    from zerogrid.arena.provenance import provenance
    from zerogrid.training.buffer import RingBuffer
    from zerogrid.training.config import to_toml
    from zerogrid.training.learner import NetworkLearner
    from zerogrid.training.parts import Work, example_fields

    shown = encoding(game, config.game.encoding)
    columns = examples(game, states, best, won)
    fields = example_fields(shown.history, game.STATE_SIZE, game.MAX_LEGAL)
    held = min(CHECKED, len(states) // 10)
    buffer, check = RingBuffer(fields, len(states) - held), RingBuffer(fields, held)
    buffer.append({name: column[held:] for name, column in columns.items()})
    check.append({name: column[:held] for name, column in columns.items()})
    learner = NetworkLearner(config, game, shown, asked.seed, asked.threads)
    size = sum(part.numel() for part in learner.network.parameters())
    print(f"{learner.network.name}: {size:,} parameters; {len(buffer):,} positions, {held:,} held back", flush=True)
    asked.out.mkdir(parents=True, exist_ok=True)
    _, *rest = to_toml(config).splitlines(keepends=True)
    (asked.out / "config.toml").write_text("# What scripts/teach_endings.py taught with.\n" + "".join(rest))
    began = time.monotonic()
    how = {**provenance(), "taught": f"{len(buffer):,} solved positions of {game.spec}, {asked.steps:,} steps"}
    until = min(asked.until or asked.steps, asked.steps)
    for part in range(-(-until // asked.part)):
        first, last = part * asked.part, min((part + 1) * asked.part, until)
        lr, lr_end = (rate(config.learner.lr, step, asked.steps) for step in (first, last))
        work = Work(part, asked.seed * 1000 + part, last - first, asked.batch, lr, lr_end, first)
        told = learner.learn(buffer, work)
        wrong, right = checked(learner, check, work)
        (asked.out / "model.safetensors").write_bytes(learner.model(how))
        print(
            f"step {last:,}: policy {told['policy_loss']:.3f} (at best {told['target_entropy']:.3f}), value "
            f"{told['value_loss']:.3f}; held back: {wrong:.1%} moves that give value away, {right:.1%} winners known; "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )


def rate(most: float, step: int, steps: int) -> float:
    """A learning rate that rises over the first twentieth and falls to a hundredth by a cosine."""
    rising = min(1.0, (step + 1) / max(1, steps // 20))
    return most * rising * (0.01 + 0.99 * (1 + math.cos(math.pi * step / steps)) / 2)


def checked(learner: Any, check: Any, work: Any) -> tuple[float, float]:
    """(the share of moves that give value away, the share of winners that are known) on what was held back."""
    import torch

    wrong, right, decided = 0, 0, 0
    learner.played.eval()
    with torch.no_grad():
        for rows in torch.arange(len(check)).split(256):
            batch = learner.batches.batch(check, rows, work.iteration, None)
            said = learner.steps.answer(batch, learner.played)
            chosen = said.policy.masked_fill(~batch.legal, -math.inf).argmax(1, keepdim=True)
            wrong += int((batch.policy.gather(1, chosen) == 0).sum())
            right += int((said.value.reshape(-1) * batch.result > 0).sum())
            decided += int((batch.result != 0).sum())
    return wrong / len(check), right / max(1, decided)


if __name__ == "__main__":
    main()
