"""Combinations of options that make no sense, each refused with a sentence that says what would.

`check_together` sees the configuration alone and is quick. `check_parts` also looks the game, the encoding and the
network up, and needs PyTorch.
"""

import re
from typing import TYPE_CHECKING, Any

from zerogrid.core.errors import nearest, quote
from zerogrid.training.options import BadConfig
from zerogrid.training.steps import steps_of

if TYPE_CHECKING:
    from zerogrid.training.config import Config

CURRICULA = ("none", "rollback", "wide", "archive", "budget")
OPENINGS = re.compile(r"none|(random|guided):(\d{1,4})")


def curriculum_kinds(text: str) -> tuple[str, ...]:
    """The kinds in a text such as wide+budget."""
    kinds = tuple(part.strip() for part in text.split("+"))
    for kind in kinds:
        if kind not in CURRICULA:
            known = ", ".join(CURRICULA)
            raise BadConfig(f"there is no curriculum {quote(kind)}; there are {known}.{nearest(kind, CURRICULA)}")
    if len(set(kinds)) < len(kinds) or ("none" in kinds and len(kinds) > 1):
        raise BadConfig(f"curriculum.kind {quote(text)} names a kind twice, or none among others.")
    return kinds


def opponents_of(text: str) -> tuple[str, ...]:
    """The agents in a text such as random; uct:100."""
    found = tuple(part.strip() for part in text.split(";") if part.strip())
    if len(set(found)) < len(found):
        raise BadConfig(f"exam.opponents names an agent twice: {quote(text)}.")
    return found


def check_together(config: "Config") -> None:
    """Refuse what cannot work together."""
    play, learner, gate, league = config.selfplay, config.learner, config.gate, config.league
    kinds = curriculum_kinds(config.curriculum.kind)
    opponents_of(config.exam.opponents)
    steps_of("selfplay.temperature", play.temperature)
    steps_of("gate.temperature", gate.temperature)
    if not OPENINGS.fullmatch(gate.openings):
        raise BadConfig(f"gate.openings is none, random:N or guided:N, not {quote(gate.openings)}.")
    if play.positions == 0 and play.games_each == 0:
        raise BadConfig("an iteration has no end: give selfplay.positions or selfplay.games_each.")
    if config.search.kind == "uct":
        raise BadConfig("search.kind uct asks no network, so nothing can be learned; use puct or gumbel.")
    if config.search.kind == "gumbel" and play.cap_share < 1 and play.cap_simulations == 0:
        raise BadConfig("selfplay.cap_share below 1 needs selfplay.cap_simulations above 0.")
    if play.cap_share < 1 and not 0 < play.cap_simulations < config.search.simulations:
        most = config.search.simulations
        raise BadConfig(f"selfplay.cap_simulations must lie between 0 and search.simulations ({most}) for cheap moves.")
    if play.cap_share == 1 and play.cap_simulations:
        raise BadConfig("selfplay.cap_simulations is for cheap moves, and there are none; set selfplay.cap_share too.")
    if play.resign and play.resign_check == 0:
        raise BadConfig("resigning without selfplay.resign_check above 0 could be wrong for ever; 0.1 is usual.")
    if sum(value > 0 for value in (learner.samples, learner.epochs, learner.steps)) != 1:
        raise BadConfig("give one of learner.samples, learner.epochs and learner.steps, and set the others to 0.")
    if config.buffer.warmup > config.buffer.capacity:
        raise BadConfig("buffer.warmup is more than buffer.capacity, so nothing would ever be learned.")
    if learner.precision == "float16" and config.run.device == "cpu":
        raise BadConfig("learner.precision float16 is slow on the CPU; use auto, bfloat16 or float32.")
    if learner.momentum > 0 and learner.optimiser != "sgd" and learner.momentum != 0.9:
        raise BadConfig("learner.momentum is for sgd only; leave it at 0.9.")
    if "rollback" in kinds and ({"wide", "archive"} & set(kinds)):
        raise BadConfig("rollback plays the first moves by itself; it cannot be combined with wide or archive.")
    if "budget" in kinds and config.curriculum.budget_start > config.search.simulations:
        raise BadConfig("curriculum.budget_start must not be above search.simulations, to which it grows.")
    if "budget" in kinds and play.cap_share < 1 and play.cap_simulations >= config.curriculum.budget_start:
        raise BadConfig("selfplay.cap_simulations must lie below curriculum.budget_start, or cheap moves are dear.")
    _check_gate(config)
    if league.past == 0 and league.exploiters:
        raise BadConfig("exploiters join past champions, and league.past is 0: nobody would ever meet them.")
    if config.shaping.potential != "none" and not (config.shaping.in_search or config.shaping.in_targets):
        raise BadConfig("a potential is given and used nowhere: set shaping.in_search or shaping.in_targets.")
    if config.exam.games % 2:
        raise BadConfig("exam.games is even, for each opening is played from both sides.")


def _check_gate(config: "Config") -> None:
    gate = config.gate
    if gate.kind in ("threshold", "ladder") and gate.games % 2:
        raise BadConfig("gate.games is even, for each opening is played from both sides.")
    if gate.p0 >= gate.p1:
        raise BadConfig(f"gate.p0 {gate.p0:g} must lie below gate.p1 {gate.p1:g}.")
    if gate.elo0 >= gate.elo1:
        raise BadConfig(f"gate.elo0 {gate.elo0:g} must lie below gate.elo1 {gate.elo1:g}.")
    if gate.least > gate.most:
        raise BadConfig(f"gate.least {gate.least} must not be above gate.most {gate.most}.")
    if gate.kind != "sprt" and gate.pool != 1:
        raise BadConfig("gate.pool is for sprt only; the other gates meet the champion, or pure MCTS.")
    fixed = gate.openings == "none" and steps_of("gate.temperature", gate.temperature) == ((0, 0.0),)
    if gate.kind != "always" and fixed:
        raise BadConfig("without openings and with temperature 0 all games of a gate are the same; use random:4.")


def check_parts(config: "Config") -> tuple[Any, Any, Any]:
    """(game, encoding, network on no memory): refuse names and settings that do not exist or do not fit together."""
    import torch

    from zerogrid.agents.naming import PROGRAMS, check_name
    from zerogrid.core import catalogue
    from zerogrid.encodings import catalogue as encodings
    from zerogrid.encodings import potential_for
    from zerogrid.networks import registry
    from zerogrid.networks.shapes import Shape

    game = catalogue.game(config.game.spec)
    encoding = encodings.encoding(game, config.game.encoding)
    shape = Shape(**encoding.shape_fields())
    name, settings = config.network.name, dict(config.network.settings)
    if not name:
        name, defaults = registry.default_for(shape)
        settings = {**defaults, **settings}
    with torch.device("meta"):
        network = registry.make(name, shape, **settings)
    auxiliary = bool(getattr(network.settings, "auxiliary", False))
    weights = config.learner.initiative_weight + config.learner.classes_weight
    if weights > 0 and not auxiliary:
        raise BadConfig(f"{name} has no auxiliary heads; set learner.initiative_weight and classes_weight to 0.")
    if weights > 0 and game.name != "dots_and_boxes":
        raise BadConfig(f"initiative and classes of cells are defined for Dots-and-Boxes, not for {game.spec}.")
    kinds = curriculum_kinds(config.curriculum.kind)
    for kind, option in (("rollback", "rollback_start"), ("wide", "random_moves")):
        value = getattr(config.curriculum, option)
        if kind in kinds and value >= game.MAX_PLIES:
            raise BadConfig(f"curriculum.{option} is {value}, and {game.spec} lasts {game.MAX_PLIES} plies at most.")
    if config.gate.openings != "none" and int(config.gate.openings.partition(":")[2]) >= game.MAX_PLIES:
        raise BadConfig(f"gate.openings {config.gate.openings} would play whole games of {game.spec}.")
    potential_for(game, config.shaping.potential)
    for name in opponents_of(config.exam.opponents):
        check_name(name, game)
        if name.partition(":")[0] in PROGRAMS:
            raise BadConfig(f"exam.opponents names the program {quote(name)}, and a configuration starts none.")
    return game, encoding, network


def resolved(config: "Config") -> "Config":
    """The same with every name that was left to us filled in, so that config.toml is complete."""
    from zerogrid.training.game_length import random_moves_for

    game, encoding, network = check_parts(config)
    settings = {f"network.settings.{key}": value for key, value in network.settings.to_json().items()}
    names: dict[str, Any] = {"game.spec": game.spec, "game.encoding": encoding.spec, "network.name": network.name}
    if "wide" in config.curriculum.kind and config.curriculum.random_moves == 0:
        names["curriculum.random_moves"] = random_moves_for(game)
    return config.but({**names, **settings})
