"""Small boards searched to the end: what is proven is what exact solvers found (tests/data/truth/values.json)."""

import json
from pathlib import Path
from typing import Any

import numpy as np

import zerogrid
from search.judges import Answering
from zerogrid.core.game import Game
from zerogrid.encodings import encoding
from zerogrid.search.searcher import Searcher
from zerogrid.search.settings import SearchSettings

TRUTH = json.loads((Path(__file__).parents[1] / "data" / "truth" / "values.json").read_text())


class Foresight:
    """Exact values by plain recursion, for priors and values: a search that is shown good moves proves much sooner.

    It cannot make a proof wrong: proofs come from finished games alone.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.known = game, {}  # type: tuple[Game, dict[bytes, tuple[float, list[tuple[int, float]]]]]

    def look(self, state: Any) -> tuple[float, list[tuple[int, float]]]:
        """(value for player 0, each action with its value)."""
        key = bytes(n & 255 for n in state)
        if key not in self.known:
            game = self.game
            if game.ended(state):
                self.known[key] = (game.score(state, 0), [])
            else:
                out = [0] * game.MAX_LEGAL
                moves = []
                for action in out[: game.legal(state, out)]:
                    after = list(state)
                    game.play(after, action)
                    moves.append((action, self.look(after)[0]))
                best = max if game.to_move(state) == 0 else min
                self.known[key] = (best(value for _, value in moves), moves)
        return self.known[key]

    def answer(self, state: Any) -> tuple[Any, float]:
        numbers = [int(n) for n in state]
        value, moves = self.look(numbers)
        sign = -1.0 if self.game.to_move(numbers) == 1 else 1.0
        logits = np.zeros(self.game.ACTIONS, np.float32)
        for action, worth in moves:
            if worth == value and not logits.any():
                logits[action] = 3.0  # one good move; proofs need no second
        return logits, sign * value


def test_dots_and_boxes_2x2_is_searched_to_its_win() -> None:
    game = zerogrid.game("dots_and_boxes:2x2")
    known = TRUTH["dots_boxes"]["boards"]["2x2"]
    evaluator = Answering(encoding(game), Foresight(game).answer)
    found = Searcher(game, evaluator, SearchSettings(simulations=100_000, c=8.0)).search([game.start()])[0]
    assert found.solved
    assert found.value_for(0) == np.sign(known["margin"]) == 1
    assert known["move_margins"][found.choice] > 0
    proven = [(action, value) for action, value in zip(found.actions, found.proven, strict=True) if value is not None]
    assert proven
    for action, value in proven:
        assert value == np.sign(known["move_margins"][action])


def test_dots_and_boxes_2x2_is_searched_to_its_margin_from_its_openings() -> None:
    """Margins are proven exactly too, by bounds that meet: after three edges, without any help."""
    game = zerogrid.game("dots_and_boxes:2x2,utility=margin")
    known = Foresight(game)
    assert known.look([int(n) for n in game.start().state])[0] == TRUTH["dots_boxes"]["boards"]["2x2"]["margin"] / 4
    searcher = Searcher(game, None, SearchSettings.for_kind("uct", simulations=300_000), games=1)
    for edges in ((0, 3, 8), (6, 1, 11)):
        position = game.start()
        for edge in edges:
            position.play(edge)
        found = searcher.search([position])[0]
        value, moves = known.look([int(n) for n in position.state])
        assert found.solved
        assert found.value_for(0) == value
        assert dict(moves)[found.choice] == value


def test_gomoku_4x4x3_is_searched_to_its_win() -> None:
    game = zerogrid.game("gomoku:4x4x3")
    found = Searcher(game, None, SearchSettings.for_kind("uct", simulations=20_000)).search([game.start()])[0]
    assert found.solved
    assert found.value_for(0) == TRUTH["mnk"]["boards"]["4x4x3"]["value"] == 1
    assert found.proven[found.actions.index(found.choice)] == 1.0
    position = game.start()
    for move in found.line:
        position.play(move)
    assert position.over
    assert position.outcome.winner == 0
