"""The sections of a configuration: every option with its default, a sentence, its range, and the papers' values.

The papers are named by their subjects: Pawn Dama, Dotsformer (Dots-and-Boxes), SigmaGo (Gomoku), Battlefield. What
each of them used in full stands in the presets (zerogrid/papers). Options of the search are in search_options.py.
"""

from dataclasses import dataclass

from zerogrid.training.options import choice, flag, number, text, whole


@dataclass(frozen=True)
class GameSection:
    """What is learned, and how it is shown to the network."""

    spec: str = text("gomoku:6x6x4", "the game; zerogrid games lists them")
    encoding: str = text("", "how positions are shown to the network; empty: the game's default", "see docs/papers")


@dataclass(frozen=True)
class RunSection:
    """How long, where, and from which seed. May be changed when a run goes on, except for the seed."""

    seed: int = whole(0, "all chance follows from it", 0, 2**53, papers="Dotsformer: 42, 100, 200, 300")
    iterations: int = whole(100, "stop after so many iterations", 1, 10**6, papers="Pawn Dama 300, Dotsformer 150")
    minutes: float = number(0.0, "stop after the iteration in which so much time is used up; 0: no limit", 0, 10**6)
    device: str = choice("cpu", ("cpu", "cuda"), "where to play and learn")
    threads: int = whole(0, "threads on the CPU; 0: as many as there are cores", 0, 1024)
    attempts: int = whole(3, "an iteration with a number that is not finite is tried again this often", 1, 100)


@dataclass(frozen=True)
class SelfplaySection:
    """Playing the games that are learned from."""

    games: int = whole(256, "games played side by side", 1, 10**6, papers="one at a time")
    positions: int = whole(8192, "an iteration goes on until so many positions are new; 0: see games_each", 0, 10**8)
    games_each: int = whole(0, "and until so many games are finished", 0, 10**7, papers="Pawn Dama 100, Dotsformer 30")
    target: str = choice("mix", ("z", "q", "mix"), "what the value learns: result, search, or a mix", "z")
    mix: float = number(0.5, "share of q in a mixed target")
    draw_value: float = number(0.0, "what a draw is worth to both players", -1.0, 1.0, papers="0")
    temperature: str = text("0:1.0,16:0.3", "of the move played, by ply", "Dotsformer: 0.4 throughout")
    target_temperature: float = number(1.0, "the policy target is visits^(1/t)", 0.05, 10.0, papers="Dotsformer 0.4")
    noise: float = number(0.25, "share of Dirichlet noise in the root's priors", papers="SigmaGo, Battlefield 0.25")
    alpha: float = number(0.0, "its parameter; 0: 10 / legal moves", 0.0, 1000.0, papers="SigmaGo 0.3")
    keep_tree: bool = flag(True, "the part of the tree below the move is kept", "Battlefield: yes")
    cap_share: float = number(1.0, "share of moves searched in full; the others are cheap and not learned from", 0.01)
    cap_simulations: int = whole(0, "simulations of a cheap move", 0, 10**6)
    resign: float = number(0.0, "resign below minus this value; 0: never. Moves by itself to keep resign_wrong")
    resign_check: float = number(0.1, "share of games played on to see whether resigning was right")
    resign_wrong: float = number(0.05, "greatest share of resignations that may be wrong")


@dataclass(frozen=True)
class CurriculumSection:
    """Where games start and how hard is searched. Kinds may be combined with +, as in wide+budget."""

    kind: str = text("wide", "none, rollback, wide, archive, budget, or several joined by +", "Dotsformer: rollback")
    random_moves: int = whole(0, "wide: games start after 0 to so many random moves; 0: half a game", 0, 10_000)
    archive_share: float = number(0.25, "archive: share of games that start from a position of an earlier one")
    budget_start: int = whole(32, "budget: simulations at first; search.simulations at last", 1, 10**6)
    budget_iterations: int = whole(50, "budget: over so many iterations", 1, 10**6)
    rollback_start: int = whole(32, "rollback: search begins at this ply at first (S_start)", 0, 10_000, papers="32")
    rollback_step: int = whole(1, "rollback: plies by which it goes back", 1, 1000, papers="1")
    rollback_every: int = whole(10, "rollback: at least so many iterations apart", 1, 10**6, papers="10")
    rollback_eps: float = number(0.7, "rollback: a q beyond this, with the right sign, is right", papers="0.7")
    rollback_tau: float = number(0.7, "rollback: share of right predictions to go back", papers="0.7")
    rollback_interval: int = whole(4, "rollback: plies between the nodes that are looked at", 1, 1000, papers="4")


@dataclass(frozen=True)
class BufferSection:
    """What is remembered."""

    capacity: int = whole(100_000, "positions kept; older ones are forgotten", 1, 10**9, papers="Dotsformer 5 million")
    warmup: int = whole(0, "learn nothing before so many positions are there", 0, 10**9, papers="SigmaGo 512")


@dataclass(frozen=True)
class LearnerSection:
    """Learning from what is remembered."""

    optimiser: str = choice("adamw", ("adam", "adamw", "sgd"), "the optimiser", "Adam")
    lr: float = number(0.002, "learning rate", 0.0, 10.0, papers="0.001 in Dotsformer and SigmaGo")
    momentum: float = number(0.9, "of sgd", 0.0, 0.9999)
    weight_decay: float = number(1e-4, "decoupled for adamw, else added to the gradient", papers="SigmaGo's L2 1e-4")
    schedule: str = choice("cosine", ("constant", "halving", "cosine", "kl"), "how lr falls", "Dotsformer halving")
    halve_every: int = whole(80, "halving: after so many iterations, and again", 1, 10**6, papers="Dotsformer 80")
    lr_least: float = number(0.05, "cosine: the share of lr that is left at the last iteration")
    lr_warmup: int = whole(0, "iterations over which lr rises from nothing", 0, 10**6)
    kl_target: float = number(0.02, "kl: lr falls when the policy moves twice as far, rises at half", 1e-6, 10.0)
    batch: int = whole(256, "positions in a step", 1, 10**6, papers="Pawn Dama 64, Dotsformer 1024, SigmaGo 256-512")
    samples: float = number(4.0, "how often each new position is learned from on average", 0.0, 1000.0)
    epochs: float = number(0.0, "instead of samples: passes over the buffer an iteration", 0.0, 1000.0, "Dotsformer 5")
    steps: int = whole(0, "instead of both: steps an iteration", 0, 10**8, papers="SigmaGo 1 a game")
    clip: float = number(1.0, "the gradient's norm is cut to this; 0: not", 0.0, 1e6)
    ema: float = number(0.0, "weights to play with are an average with this decay a step; 0: the newest", 0.0, 0.99999)
    augment: bool = flag(True, "each position is turned by a random symmetry", "SigmaGo: yes")
    precision: str = choice("auto", ("auto", "float32", "bfloat16", "float16"), "numbers that are calculated with")
    policy_weight: float = number(1.0, "of the policy loss", 0.0, 1000.0, papers="1")
    value_weight: float = number(1.0, "of the value loss", 0.0, 1000.0, papers="Dotsformer 11, else 1")
    reg_weight: float = number(0.0, "of the sum of squared weights", papers="Dotsformer 1e-4")
    initiative_weight: float = number(0.0, "of the initiative of moves (networks with auxiliary heads)", 0, 1000, "11")
    classes_weight: float = number(0.0, "of the classes of cells (networks with auxiliary heads)", 0, 1000, "10")
    age_decay: float = number(1.0, "an example counts by this for every iteration of its age", 0.01, papers="0.9")


@dataclass(frozen=True)
class GateSection:
    """Which candidates become champion."""

    kind: str = choice("always", ("always", "threshold", "sprt", "pairs", "ladder"), "which gate; see docs/training.md")
    every: int = whole(1, "iterations between two gates", 1, 10**6)
    games: int = whole(40, "threshold, ladder: games, an even number", 2, 10**6, papers="30, 40; SigmaGo 1,000")
    share: float = number(0.6, "threshold: share of decisive games to win", papers="0.6; Battlefield 0.6, 0.9")
    p0: float = number(0.50, "sprt: as good as this: no better than the pool", papers="Battlefield 0.50")
    p1: float = number(0.55, "sprt: as good as this: better", papers="Battlefield 0.55")
    elo0: float = number(-25.0, "pairs: the same in normalised Elo", -1000.0, 1000.0)
    elo1: float = number(25.0, "pairs: the same in normalised Elo", -1000.0, 1000.0)
    alpha: float = number(0.05, "sprt, pairs: chance to promote one that is not better", 0.0001, 0.4999)
    beta: float = number(0.05, "sprt, pairs: chance to reject one that is better", 0.0001, 0.4999)
    least: int = whole(40, "sprt, pairs: games before any decision", 2, 10**6)
    most: int = whole(400, "sprt, pairs: games after which Wilson's lower bound decides", 2, 10**6)
    safety: float = number(0.50, "sprt: what that bound must exceed")
    pool: int = whole(1, "sprt: accepted champions to meet, the newest first", 1, 100)
    simulations: int = whole(0, "for one move; 0: search.simulations", 0, 10**7, papers="Dotsformer 400")
    temperature: str = text("0:0", "of the moves played, by ply")
    openings: str = text("random:4", "none, random:N or guided:N moves; each opening is played from both sides")
    ladder_start: int = whole(1000, "ladder: simulations of pure MCTS at first", 1, 10**8, papers="SigmaGo 1,000")
    ladder_step: int = whole(1000, "ladder: and so many more once it is beaten in every game", 1, 10**8, papers="1,000")


@dataclass(frozen=True)
class ShapingSection:
    """A potential that says how promising positions are, added to what search and learning go by."""

    potential: str = text("none", "none, tactics (Battlefield), runs (Gomoku); with weights: tactics,health=0.5")
    gamma: float = number(0.99, "by which it counts less a move later", papers="not given")
    in_search: bool = flag(True, "added along the paths of the search", "Battlefield: yes")
    in_targets: bool = flag(True, "added to the value targets", "Battlefield: yes")
    scale: float = number(1.0, "how much of it in the targets", 0.0, 100.0)
    fade: int = whole(0, "iterations over which it fades out of the targets; 0: it stays", 0, 10**6)


@dataclass(frozen=True)
class LeagueSection:
    """Whom the main agent meets beside itself."""

    past: float = number(0.0, "share of games against past champions, the harder the more often", 0.0, 0.95)
    pool: int = whole(8, "how many of them are kept", 1, 100)
    every: int = whole(5, "iterations after which the champion joins them", 1, 10**6)
    power: float = number(2.0, "a rival is met in proportion to (1 - share won against it)^power", 0.0, 10.0)
    exploiters: int = whole(0, "agents that learn only to beat the main agent, and then join the past", 0, 4)
    exploiter_share: float = number(0.6, "an exploiter that scores this against the main agent joins", 0.5)
    exploiter_patience: int = whole(20, "or joins after so many iterations; then it begins anew", 1, 10**6)


@dataclass(frozen=True)
class ExamSection:
    """Measuring on the way. Nothing of it is learned from."""

    every: int = whole(5, "iterations between two exams; 0: none", 0, 10**6)
    positions: int = whole(200, "positions on which an exact solver knows every move, where there is one", 0, 10**6)
    games: int = whole(20, "games against each opponent, an even number", 0, 10**6)
    opponents: str = text("random; uct:100", "agents to meet, beside the champion of the exam before")
    simulations: int = whole(0, "for one move; 0: search.simulations", 0, 10**7)


@dataclass(frozen=True)
class SavingSection:
    """What is kept. May be changed when a run goes on."""

    every: int = whole(1, "iterations between two checkpoints: as many can be lost", 1, 10**6)
    keep: int = whole(3, "checkpoints kept whole", 1, 10**6)
    models: int = whole(10, "of every so-manieth iteration the model is kept for ever", 1, 10**6)
    games: int = whole(16, "self-play games kept of each iteration", 0, 10**6)
    tensorboard: bool = flag(True, "write events for TensorBoard")
