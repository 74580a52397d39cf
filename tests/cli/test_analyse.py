"""analyse: what a search says about positions whose truth is known, for people, programs and notebooks."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import zerogrid as zg
from cli.conftest import Zerogrid
from zerogrid.agents.analysing import for_one
from zerogrid.core.errors import GameOver, ZeroGridError
from zerogrid.search.analysis import Analysis, merged
from zerogrid.search.answer import Answer

WON = ("tictactoe", "--moves", "a1,b1,a2,b2")  # crosses complete a column
LOST = ("tictactoe", "--moves", "a1,a2,c3,b3,c1")  # noughts cannot stop two threats


def test_a_won_position_is_proven_and_its_move_found(zerogrid: Zerogrid) -> None:
    (found,) = zerogrid("analyse", *WON, "--sims", "500", "--json").records
    assert (found["best_name"], found["solved"], found["line"]) == ("a3", True, ["a3"])
    assert (found["value_to_move"], found["value_player_0"], found["value_player_1"]) == (1.0, 1.0, -1.0)
    assert found["moves"][0]["proven"] == 1.0
    assert (found["agent"], found["played"]) == ("uct:500", ["a1", "b1", "a2", "b2"])


def test_values_are_said_for_the_player_who_is_to_move(zerogrid: Zerogrid) -> None:
    said = zerogrid("analyse", *LOST, "--sims", "2000")
    assert "value for noughts" in said.out
    assert "-1.000 for noughts, +1.000 for crosses, a proven loss for noughts" in said.out
    (found,) = zerogrid("analyse", *LOST, "--sims", "2000", "--json").records
    assert (found["value_to_move"], found["value_player_0"]) == (-1.0, 1.0)


@pytest.mark.parametrize("agent", ["uct", "uniform"])
def test_the_visits_are_the_simulations_and_come_again_with_the_same_seed(agent: str, zerogrid: Zerogrid) -> None:
    words = ("analyse", "tictactoe", "--agent", agent, "--sims", "300", "--seed", "7", "--json")
    first, again = (zerogrid(*words).records[0] for _ in range(2))
    assert first["simulations"] == 300
    assert sum(move["visits"] for move in first["moves"]) in range(290, 301)
    assert [move["visits"] for move in first["moves"]] == [move["visits"] for move in again["moves"]]
    visits = [move["visits"] for move in first["moves"][1:]]
    assert visits == sorted(visits, reverse=True)


def test_a_budget_in_seconds_is_kept_and_uses_several_trees() -> None:
    position = zg.game("dots_and_boxes:2x2").start()
    found = zg.analyse(position, seconds=0.2, threads=2)
    assert 0 < found.answer.seconds < 5
    assert found.answer.simulations - 2 * 2 <= sum(found.answer.visits) <= found.answer.simulations
    assert not position.moves


def test_trees_that_saw_different_things_are_put_together() -> None:
    game = zg.game("tictactoe")

    def answer(visits: tuple[int, int], values: tuple[float, float], proven: tuple[float | None, float | None],
               choice: int, value: float) -> Answer:  # fmt: skip
        policy = tuple(n / sum(visits) for n in visits)
        return Answer(
            game, 0, (3, 5), visits, (0.5, 0.5), values, proven, policy, choice, value, False, (choice, 8), 100, 90
        )

    one = answer((60, 40), (0.5, 0.0), (None, None), 3, 0.3)
    both = merged([one, answer((20, 80), (0.1, 0.4), (None, None), 5, 0.1)])
    assert (both.visits, both.choice, both.simulations, both.evaluations) == ((80, 120), 5, 200, 180)
    assert both.values == pytest.approx((0.4, 0.8 / 3))
    assert both.value == pytest.approx(0.2)
    assert both.policy == pytest.approx((0.4, 0.6))
    assert both.line == (5, 8)
    sure = merged([one, answer((20, 80), (0.1, -1.0), (None, -1.0), 3, 0.1)])
    assert (sure.choice, sure.proven, sure.values[1]) == (3, (None, -1.0), -1.0)
    won = merged([one, answer((95, 5), (0.1, 1.0), (None, 1.0), 5, 1.0)])
    assert won.choice == 5


def test_the_board_and_the_svg_carry_the_visits(zerogrid: Zerogrid) -> None:
    said = zerogrid("analyse", "tictactoe", "--moves", "b2", "--sims", "400", "--svg", "v.svg")
    assert "Drawn into v.svg." in said.out
    top = said.out.split("share")[1].split("%")[0].split()[-1]
    assert f">{round(float(top))}<" in Path("v.svg").read_text()


def test_a_notebook_shows_board_and_table() -> None:
    found = zg.analyse(zg.game("tictactoe").start(), simulations=200)
    page = found._repr_html_()
    assert "<svg" in page
    assert "value for crosses" in page
    assert "<svg" in found._repr_svg_()
    assert str(found).startswith(found.position.terminal(heat=found.heat))
    assert sum(found.heat.values()) == sum(found.answer.visits)


WATCHED = """
import os, signal
import zerogrid as zg

seen = []

def watch(found):
    seen.append(found)
    if len(seen) == 2:
        os.kill(os.getpid(), signal.SIGINT)

before = signal.getsignal(signal.SIGINT)
found = zg.analyse(zg.game("dots_and_boxes:2x2").start(), seconds=60.0, watch=watch)
assert found.stopped
assert found.answer.simulations > seen[0].answer.simulations > 0
assert "stopped early" in str(found)
assert signal.getsignal(signal.SIGINT) is before
"""


def test_it_is_watched_while_it_searches_and_ctrl_c_gives_what_is_known() -> None:
    """In a process of its own: a Ctrl-C that comes too late must not stop the tests."""
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_works_in_a_thread_that_may_not_take_signals() -> None:
    found: list[Analysis] = []
    thread = threading.Thread(target=lambda: found.append(zg.analyse(zg.game("tictactoe").start(), simulations=50)))
    thread.start()
    thread.join()
    assert found[0].answer.simulations == 50


def test_extra_turns_keep_values_with_their_players() -> None:
    """A box with three edges is to be taken, which gives another turn; the solver agrees on who wins."""
    from zerogrid.solvers import solver_for

    position = zg.game("dots_and_boxes:2x2").start()
    for move in ("h0.0", "h0.1", "v0.0", "v0.2", "h2.0", "h2.1", "v1.0", "h1.0"):
        position.play(move)
    found = zg.analyse(position, simulations=20_000).answer
    exact = solver_for(position.game).solve(position, seconds=60).value
    assert exact is not None
    assert found.solved
    assert found.value == (exact > 0) - (exact < 0)
    assert position.copy().play("v0.1").to_move == position.to_move == found.to_move == 0
    taken = found.actions.index(position.game.action("v0.1"))
    assert found.visits[taken] > 0


def test_a_network_gets_several_leaves_and_the_same_answer_again(tmp_path: Path) -> None:
    import torch

    from zerogrid.encodings import encoding
    from zerogrid.evaluators.network import shape_of
    from zerogrid.networks.files import save_model
    from zerogrid.networks.registry import make

    torch.manual_seed(1)
    game = zg.game("tictactoe")
    shown = encoding(game)
    file = tmp_path / "small.safetensors"
    save_model(file, make("sigmago/vanilla", shape_of(shown)), game.spec, shown.spec)
    agent = for_one(f"net:{file}", game, simulations=100)
    assert (agent.settings.leaves, agent.games) == (8, 1)  # type: ignore[attr-defined]
    assert agent.name == f"net:{file}@sims=100"
    position = game.start().play("a1").play("b1").play("a2").play("b2")
    first, again = (zg.analyse(position, f"net:{file}", simulations=100) for _ in range(2))
    assert first.answer.visits == again.answer.visits
    assert first.answer.choice == game.action("a3")
    assert "prior" in str(first)
    with pytest.raises(ZeroGridError, match="was made for tictactoe, not for connect_four"):
        zg.analyse(zg.game("connect_four").start(), f"net:{file}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tictactoe", "--agent", "nobody"), 'no agent "nobody"'),
        (("tictactoe", "--agent", "random"), "has no search to look into"),
        (("tictactoe", "--agent", "solver"), "use zerogrid solve"),
        (("tictactoe", "--agent", "net"), "needs a model file"),
        (("tictactoe", "--agent", "net:none.safetensors"), "no model file"),
        (("tictactoe", "--sims", "0"), 'from 1 to 10,000,000, not "0"'),
        (("tictactoe", "--sims", "-5"), 'from 1 to 10,000,000, not "-5"'),
        (("tictactoe", "--seconds", "0"), "seconds are a number above 0"),
        (("tictactoe", "--seconds", "nan"), "--seconds is a number"),
        (("tictactoe", "--leaves", "0"), "--leaves is a whole number from 1"),
        (("tictactoe", "--most", "0"), "--most is a whole number from 1"),
        (("tictactoe", "--seed", "-1"), "--seed is a whole number"),
        (("tictactoe", "--moves", "a1,a2,b1,b2,c1"), "the game has ended (three in a row)"),
        (("tictactoe", "--moves", "z9"), "move 1"),
        (("nogame",), "no game"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[str, ...], sentence: str, zerogrid: Zerogrid) -> None:
    assert sentence in zerogrid("analyse", *words).refused()


def test_the_object_refuses_too() -> None:
    with pytest.raises(ZeroGridError, match="analyse takes a position"):
        zg.analyse("tictactoe")  # type: ignore[arg-type]
    over = zg.game("tictactoe").start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        over.play(move)
    with pytest.raises(GameOver, match="three in a row"):
        zg.analyse(over)
