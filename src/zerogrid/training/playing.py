"""Self-play for the loop: the mill plays, and what it brings in goes into the buffer.

Games go on from one iteration to the next, so `state` holds the games under way. Everything else about playing is in
zerogrid/selfplay.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zerogrid.core.game import Game
from zerogrid.encodings import potential_for
from zerogrid.encodings.encoding import Encoding
from zerogrid.evaluators.evaluator import BadAnswer, Evaluator
from zerogrid.selfplay.harvest import SELF, Harvest, PlayedGame
from zerogrid.selfplay.mill import Mill
from zerogrid.selfplay.settings import PlaySettings
from zerogrid.training.buffer import RingBuffer
from zerogrid.training.config import Config
from zerogrid.training.parts import Buffer, GameRecord, NotFinite, Orders, Played, SelfPlay, State, Weights
from zerogrid.training.steps import steps_of

MOST_ARCHIVED = 10_000  # positions among which games of the curriculum `archive` choose where to start
OPPONENT = "opponent"  # the place at the table of the only one that is met
PLAYED = ("games", "positions", "distinct", "wins", "draws", "plies", "simulations", "evaluations", "seconds")
RESIGNED = ("resigned", "checked", "false_resigns")


def play_settings(config: Config) -> PlaySettings:
    """How a configuration wants games to be played."""
    play, shaping = config.selfplay, config.shaping
    return PlaySettings(
        games=play.games,
        search=config.search_for_play(),
        temperature=steps_of("selfplay.temperature", play.temperature),
        target_temperature=play.target_temperature,
        draw_value=play.draw_value,
        keep_tree=play.keep_tree,
        cap_share=play.cap_share,
        cap_simulations=play.cap_simulations,
        resign_check=play.resign_check,
        shaped_targets=shaping.potential != "none" and shaping.in_targets,
        gamma=shaping.gamma,
    )


class MillPlay(SelfPlay):
    """Self-play of one learner; `evaluator(weights, place)` is whoever judges positions with these weights."""

    def __init__(
        self,
        config: Config,
        game: Game,
        encoding: Encoding,
        evaluator: Callable[[Weights, str], Evaluator],
        seed: int,
        threads: int = 1,
        tokens: bool = False,
    ) -> None:
        self.game, self.evaluator = game, evaluator
        potential = config.shaping.potential
        self.mill = Mill(
            game,
            encoding,
            play_settings(config),
            seed=seed,
            device=config.run.device,
            threads=threads,
            tokens=tokens,
            potential=None if potential == "none" else potential_for(game, potential).module,
        )

    def play(self, orders: Orders, buffer: Buffer) -> Played:
        assert orders.weights is not None
        assert isinstance(buffer, RingBuffer)
        only = len(orders.rivals) == 1 and orders.rivals[0].share >= 1.0  # its games go on against its next weights
        places = {OPPONENT if only else one.weights.name: one for one in orders.rivals}
        rivals = [(self.evaluator(one.weights, place), one.share, place) for place, one in places.items()]
        self.mill.vary(orders.attempt)
        try:
            harvest = self.mill.play(
                self.evaluator(orders.weights, SELF),
                positions=orders.positions,
                games=orders.games,
                simulations=orders.simulations,
                random_moves=orders.random_moves,
                search_from=orders.search_from,
                archive=archived(buffer) if orders.archive > 0 else None,
                archive_share=orders.archive,
                resign=orders.resign,
                stop=orders.stop,
                rivals=rivals,
                progress=orders.progress,
            )
        except BadAnswer as error:
            met = " or ".join([orders.weights.name, *(one.weights.name for one in orders.rivals)])
            raise NotFinite(f"the answers of {met}: {error}") from error
        buffer.append({**harvest.columns, "iteration": np.full(harvest.positions, orders.iteration, np.int32)})
        return self._told(harvest, {place: one.weights.name for place, one in places.items()})

    def _told(self, harvest: Harvest, names: dict[str, str]) -> Played:
        counts = {name: getattr(harvest, name) for name in (*PLAYED, *RESIGNED)}
        against = {names[place]: result for place, result in harvest.against.items()}
        return Played(**counts, against=against, sample=[self._record(one, names) for one in harvest.sample])

    def _record(self, one: PlayedGame, names: dict[str, str]) -> GameRecord:
        ending = self.game.ENDINGS[one.ending - 1] if one.ending > 0 else "resigned"
        first, second = (names.get(player, player) for player in one.players)
        return GameRecord(one.moves, one.scores, (first, second), one.seed, -1, one.opened, ending)

    def state(self) -> State:
        return State(self.mill.state())

    def restore(self, state: State) -> None:
        self.mill.restore(state.arrays)


def archived(buffer: RingBuffer) -> Any:
    """Positions of earlier games, as states: the newest that are held."""
    first, last = buffer.held()
    if first == last:
        return None
    return buffer.rows(max(first, last - MOST_ARCHIVED), last)["state"][:, 0].copy()
