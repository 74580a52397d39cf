"""What the figure of attention is measured with: chains, shares; and the positions that a network is taught."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerogrid
from zerogrid.agents.naming import agent_for
from zerogrid.arena.exam import exam
from zerogrid.arena.exam_sets import exam_for
from zerogrid.core.position import Position
from zerogrid.encodings import encoding
from zerogrid.networks.files import load_model
from zerogrid.solvers import solver_for

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str) -> Any:
    spec: Any = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    made: Any = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


chains = script("attention_chains")
teaching = script("teach_endings")


@pytest.fixture(scope="module")
def late() -> list[Position]:
    return [chains.late_position("dots_and_boxes:5x5", seed) for seed in range(8)]


def test_chains_are_those_that_the_encoding_shows(late: list[Position]) -> None:
    """Plane 5 of chainloop6 holds the length of each structure of more than two edges on its own edges."""
    shown = encoding("dots_and_boxes:5x5", "chainloop6")
    for position in late:
        lengths = np.zeros(121)
        for chain in chains.chains_of(position):
            for edge in chain.edges:
                lengths[chains.Grid(5, 5).edge[edge]] = len(chain.edges) if len(chain.edges) > 2 else 0
        assert lengths.any()
        assert (shown.encode(position)[..., 5].ravel() == lengths).all()


def test_a_ring_of_four_boxes_is_one_structure() -> None:
    position = zerogrid.game("dots_and_boxes:2x2").start()
    for move in ("h0.0", "h0.1", "h2.0", "h2.1", "v0.0", "v1.0", "v0.2", "v1.2"):
        position.play(move)
    (ring,) = chains.chains_of(position)
    assert (len(ring.edges), ring.boxes) == (4, (0, 1, 2, 3))


def test_a_late_board_has_no_quiet_move_left(late: list[Position]) -> None:
    for position in late:
        for action in position.actions:
            after = position.copy().play(action)
            assert after.to_move == position.to_move or any(
                after.copy().play(reply).to_move == after.to_move for reply in after.actions
            )


def test_attention_to_itself_does_not_count() -> None:
    weights = np.array([[[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]]])
    found = chains.shares(weights, [0, 1], np.array([True, True, False]))
    assert found[0] == pytest.approx([0.3 / 0.5, 0.1 / 0.2])


def test_every_cell_is_of_one_kind(late: list[Position]) -> None:
    for position in late:
        kinds = chains.kinds_of(position, [one for one in chains.chains_of(position) if len(one.edges) >= 4])
        assert (kinds.sum(0) == 1).all()
        assert kinds[5].sum() == 36
        assert kinds[:2].sum() == len(position.actions)


def test_what_is_taught_is_what_the_solver_says() -> None:
    game = zerogrid.game("dots_and_boxes:3x3")
    states = teaching.reached(game, 40, 3, (4, 12))
    best, won = teaching.solved((game.spec, states))
    columns = teaching.examples(game, states, best, won)
    solver = solver_for(game, "16M")
    for row, state in enumerate(states):
        found = solver.solve_state(state)
        assert found.value is not None
        free = np.flatnonzero(state[: game.EDGES] == 0)
        assert 4 <= len(free) <= 12
        taught = free[columns["policy"][row, : len(free)] > 0]
        assert taught.tolist() == sorted(found.best_actions)
        assert columns["policy"][row].sum() == pytest.approx(1, abs=2e-3)
        lead = int(state[game.SCORES]) - int(state[game.SCORES + 1])
        margin = (lead if state[game.TURN] == 0 else -lead) + found.value
        assert np.sign(margin) == won[row] == columns["z"][row]
        assert margin % 2 == 1, "nine boxes cannot be shared out alike"


def test_positions_of_exams_are_known_in_every_symmetry() -> None:
    game = zerogrid.game("dots_and_boxes:5x5")
    state = exam_for(game, held=True).questions[5].position(game).state
    turned = np.zeros_like(state)
    turned[np.array(game.symmetries[3].actions)] = state[: game.EDGES]
    assert teaching.drawn(game, state) in teaching.examined(game)
    assert teaching.drawn(game, turned) in teaching.examined(game)
    assert teaching.drawn(game, np.zeros_like(state)) not in teaching.examined(game)


# --- the model that comes with the project --------------------------------------------------------------------------

ENDINGS = SCRIPTS.parent / "models/endings/model.safetensors"


def test_the_model_of_the_figure_looks_along_chains() -> None:
    """Heads of layer 1 look more at their own chain than others do and than places explain (docs/networks)."""
    model = load_model(ENDINGS)
    boards = [chains.late_position(model.game, seed) for seed in range(500, 512)]
    found, asked = chains.measured(model, boards, 4)
    assert asked > 150
    for head in range(4):
        told = dict(zip(chains.COLUMNS, found[1, head].mean(0), strict=True))
        assert told["own"] > 1.25 * told["others"], head
        assert told["own"] > told["own_places"] > 0, head


def test_the_model_of_the_figure_knows_endings() -> None:
    """On the exam that it has not seen it gives value away seldom, without any search."""
    game = zerogrid.game("dots_and_boxes:5x5")
    result = exam(agent_for(f"net:{ENDINGS}@sims=0", game), exam_for(game, held=True).sample(200))
    assert result.positions == 200
    assert result.rate.estimate < 0.12
