"""Matches and exams of a run, with real networks: paired, repeatable, and strict about numbers."""

from typing import Any

import numpy as np
import pytest
import torch

import zerogrid
from training.fake import tiny
from zerogrid.encodings import encoding
from zerogrid.evaluators.evaluator import Batch, Evaluator
from zerogrid.networks import registry
from zerogrid.networks.shapes import Shape
from zerogrid.training.contests import Contests
from zerogrid.training.parts import Match, NotFinite, Weights

GAME = zerogrid.game("tictactoe")
SHOWN = encoding(GAME)


class Scores(Evaluator):
    """Likes moves by fixed numbers, and knows nothing of values."""

    def __init__(self, seed: int, value: float = 0.0) -> None:
        self.name, self.encoding, self.tokens = f"scores {seed}", SHOWN, False
        self.logits = np.random.default_rng(seed).normal(0, 2, SHOWN.slots).astype(np.float32)
        self.value = value

    def evaluate(self, batch: Batch) -> None:
        batch.logits[:] = self.logits
        batch.values[:] = self.value


def contests() -> Contests:
    """Contests of a tiny run; weights are seeds of scores."""
    return Contests(tiny(run__threads=1), GAME, lambda weights: Scores(*weights.inside))


ONE, OTHER = Weights("main@1", (1,)), Weights("main@2", (2,))
MATCH = Match(ONE, OTHER, pairs=6, openings="random:2", simulations=8, seed=5)


def test_both_play_each_opening_from_both_sides() -> None:
    games = contests().match(MATCH)
    assert len(games) == 12
    for first, second in zip(games[::2], games[1::2]):
        assert first.players == ("main@1", "main@2")
        assert second.players == ("main@2", "main@1")
        assert first.opening == second.opening
        assert first.opened == 2
        assert first.moves[:2] == second.moves[:2]
    assert [game.opening for game in games[::2]] == [0, 1, 2, 3, 4, 5]
    assert len({game.moves[:2] for game in games}) == 6
    for game in games:
        position = GAME.start()
        for move in game.moves:
            position.play(move)
        assert position.outcome is not None
        assert position.outcome.scores == game.scores


def test_a_match_is_the_same_again_whole_or_in_parts() -> None:
    from dataclasses import replace

    whole = contests().match(MATCH)
    assert contests().match(MATCH) == whole
    split = contests()
    assert split.match(replace(MATCH, pairs=2)) + split.match(replace(MATCH, first=2, pairs=4)) == whole


def test_temperature_varies_the_play() -> None:
    from dataclasses import replace

    fixed = replace(MATCH, openings="none", pairs=8)
    cold = contests().match(fixed)
    assert len({game.moves for game in cold[::2]}) == 1
    warm = contests().match(replace(fixed, temperature="0:1.0"))
    assert len({game.moves for game in warm[::2]}) > 3
    assert contests().match(replace(fixed, temperature="0:1.0")) == warm


def test_agents_are_met_by_their_names() -> None:
    from dataclasses import replace

    games = contests().match(replace(MATCH, b="random", pairs=3))
    assert {game.players for game in games} == {("main@1", "random"), ("random", "main@1")}


def test_a_network_that_answers_nonsense_ends_the_iteration() -> None:
    from dataclasses import replace

    with pytest.raises(NotFinite, match="main@3"):
        contests().match(replace(MATCH, a=Weights("main@3", (1, float("nan")))))


def test_an_exam_counts_errors_with_search_and_without() -> None:
    from zerogrid.arena.exam_sets import uniform_exam

    made = contests()
    made._asked, made._exam = True, uniform_exam(GAME, 40, seed=1)
    told = made.exam(ONE, positions=30, simulations=64, seed=3)
    assert told is not None
    assert told["positions"] == 30
    assert told["error_rate"] == told["errors"] / 30
    assert told["error_rate"] < told["raw_error_rate"], "64 simulations see what fixed scores cannot"


def test_a_game_without_an_exam_has_none() -> None:
    made = contests()
    made._asked = True
    assert made.exam(ONE, 10, 8, 0) is None


def test_a_real_network_plays() -> None:
    from zerogrid.evaluators.torch_cpu import TorchEvaluator

    torch.manual_seed(0)
    network: Any = registry.make("zerogrid/residual", Shape(**SHOWN.shape_fields()), size="nano").eval()
    made = Contests(tiny(run__threads=1), GAME, lambda weights: TorchEvaluator(weights.inside, SHOWN, "net"))
    games = made.match(Match(Weights("main@1", network), "random", 2, simulations=16, openings="none"))
    assert len(games) == 4
