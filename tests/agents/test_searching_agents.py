"""Agents that search: right moves, the same alone as in company, and what networks are asked for."""

from pathlib import Path

import numpy as np
import pytest

import zerogrid
from zerogrid.agents.agent import Agent, AgentFailed
from zerogrid.agents.alphabeta import WON, LookAhead
from zerogrid.agents.naming import agent_for
from zerogrid.agents.searching import SolverAgent
from zerogrid.core.errors import ZeroGridError
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.solvers.solution import Solution

TICTACTOE = zerogrid.game("tictactoe")
GOMOKU = zerogrid.game("gomoku:6x6x4")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network with random weights."""
    import torch

    from zerogrid.encodings import encoding
    from zerogrid.evaluators.network import shape_of
    from zerogrid.networks.files import save_model
    from zerogrid.networks.registry import make

    torch.manual_seed(1)
    shown = encoding(GOMOKU, "stones")
    path = tmp_path_factory.mktemp("models") / "small.safetensors"
    save_model(path, make("sigmago/vanilla", shape_of(shown)), GOMOKU.spec, "stones")
    return path


def some_positions(game: Game, count: int, plies: int) -> list[Position]:
    """Positions by chance."""
    rng, found = np.random.default_rng(2), []
    while len(found) < count:
        position = game.start()
        for _ in range(int(rng.integers(0, plies))):
            if not position.over:
                position.play(int(rng.choice(position.actions)))
        if not position.over:
            found.append(position)
    return found


def minimax(position: Position, known: dict[Position, int] | None = None) -> int:
    """The value for player 0, by the rules alone."""
    known = {} if known is None else known
    if position in known:
        return known[position]
    if position.over:
        assert position.outcome is not None
        return round(position.outcome.scores[0])
    values = []
    for action in position.actions:
        values.append(minimax(position.play(action), known))
        position.undo()
    known[position.copy()] = max(values) if position.to_move == 0 else min(values)
    return known[position]


def test_alphabeta_is_minimax_where_it_sees_the_end() -> None:
    positions = some_positions(TICTACTOE, 20, 6)
    found = LookAhead(TICTACTOE, 9).of(positions, [0] * len(positions))[1]
    assert [round(value / WON) for value in found] == [minimax(position) for position in positions]


def test_alphabeta_is_right_where_a_player_moves_again() -> None:
    game = zerogrid.game("dots_and_boxes:1x2")
    positions = some_positions(game, 12, 4)
    for target in ("cpu", "python"):
        found = LookAhead(game, 7, target=target).of(positions, [0] * len(positions))[1]
        assert [round(value / WON) for value in found] == [minimax(position) for position in positions], target


def test_alphabeta_wins_soon_and_loses_late() -> None:
    position = GOMOKU.start()
    for move in ["c3", "a1", "c4", "f6", "c2", "a6"]:
        position.play(move)
    choice, value = LookAhead(GOMOKU, 3).of([position], [1])
    assert GOMOKU.action_name(choice[0]) in ("c1", "c5")
    assert value[0] == WON, "won with the next move"


def test_alphabeta_asks_the_potential_beyond_its_horizon() -> None:
    position = GOMOKU.start().play("c3").play("a6")
    with_potential = {agent_for("alphabeta:1", GOMOKU).choose([position], [seed])[0] for seed in range(12)}
    without = {agent_for("alphabeta:1@potential=none", GOMOKU).choose([position], [seed])[0] for seed in range(12)}
    beside = {GOMOKU.action(move) for move in ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]}
    assert with_potential <= beside
    assert len(without) > 6


@pytest.fixture(scope="module", params=["random", "alphabeta:2", "uct:60", "net@sims=20", "net@sims=0"])
def agent(request: pytest.FixtureRequest, model: Path) -> Agent:
    """One of each kind."""
    game = TICTACTOE if request.param.startswith("uct") else GOMOKU  # compiled for other tests anyway
    return agent_for(request.param.replace("net", f"net:{model}"), game, threads=1)


def test_an_agent_answers_the_same_alone_as_in_company(agent: Agent) -> None:
    positions = some_positions(agent.game, 9, 20 if agent.game == GOMOKU else 6)
    seeds = list(range(100, 109))
    together = agent.choose(positions, seeds)
    alone = [agent.choose([position], [seed])[0] for position, seed in zip(positions, seeds)]
    backwards = agent.choose(positions[::-1], seeds[::-1])[::-1]
    assert together == alone == backwards
    assert all(move in position.actions for move, position in zip(together, positions))


def test_uct_plays_at_random_in_its_games_but_wins_what_is_won() -> None:
    uct = agent_for("uct:200", TICTACTOE)
    winning = TICTACTOE.start().play("a1").play("b1").play("a2").play("b2")
    assert {TICTACTOE.action_name(uct.choose([winning], [seed])[0]) for seed in range(5)} == {"a3"}


def test_a_bare_policy_is_the_networks_favourite(model: Path) -> None:
    raw = agent_for(f"net:{model}@sims=0", GOMOKU)
    position = GOMOKU.start().play("c3")
    answer = raw.explain(position)
    assert raw.choose([position], [0]) == [answer.actions[int(np.argmax(answer.priors))]]


def test_a_network_for_another_game_is_refused(model: Path) -> None:
    with pytest.raises(ZeroGridError, match="made for gomoku:6x6x4"):
        agent_for(f"net:{model}", zerogrid.game("gomoku:7x7x5"))
    with pytest.raises(ZeroGridError, match="is puct or gumbel"):
        agent_for(f"net:{model}@kind=uct", GOMOKU)


def test_the_solver_gives_nothing_away_and_says_when_it_cannot_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = agent_for("solver", TICTACTOE)
    for position in some_positions(TICTACTOE, 20, 7):
        before = minimax(position)
        position.play(solver.choose([position], [3])[0])
        assert minimax(position) == before
    assert isinstance(solver, SolverAgent)
    monkeypatch.setattr(solver.solver, "solve", lambda *_, **__: Solution(to_move=0, value=None))
    with pytest.raises(AgentFailed, match=r"did not solve .* within 60 s"):
        solver.choose([TICTACTOE.start()], [0])


def test_on_a_card_an_exam_of_a_thousand_positions_is_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the search itself is replaced: everything before it is what runs on a card."""
    from types import SimpleNamespace

    from zerogrid.agents.searching import SearchAgent
    from zerogrid.arena.exam import ExamSet, Question, exam
    from zerogrid.search import card
    from zerogrid.search.settings import SearchSettings

    rooms, asked = [], []

    class FirstLegal:
        def __init__(self, game: Game, evaluator: object, settings: SearchSettings, games: int) -> None:
            rooms.append((games, settings.simulations))

        def search(self, positions: list[Position], seeds: list[int], seconds: float | None) -> list[object]:
            asked.append((len(positions), len(set(seeds))))
            return [SimpleNamespace(choice=position.actions[0]) for position in positions]

    monkeypatch.setattr(card, "CardSearcher", FirstLegal)
    settings = SearchSettings.for_kind("puct", simulations=100)
    agent = SearchAgent("net", GOMOKU, SimpleNamespace(device="cuda"), settings, games=1024)
    places = some_positions(GOMOKU, 40, 12) * 25
    questions = tuple(Question(0, tuple(p.moves), dict.fromkeys(p.actions, 0.0)) for p in places)
    assert exam(agent, ExamSet(GOMOKU, questions)).positions == 1000
    assert rooms == [(1024, 100)]
    assert asked == [(1000, 1000)]
