"""Programs as agents: both protocols, both ways, and everything that such a program may do wrong."""

import os
import shlex
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

import zerogrid
from agents.bots import BAD, GOOD, PISKVORK
from zerogrid.agents.agent import Agent, AgentFailed, UnknownAgent
from zerogrid.agents.gomocup import GomocupAgent
from zerogrid.agents.gomocup_server import GomocupServer
from zerogrid.agents.gomoku import Naive
from zerogrid.agents.naming import agent_for
from zerogrid.agents.searching import SearchAgent
from zerogrid.agents.serving import Server
from zerogrid.core.game import Game
from zerogrid.core.position import Position
from zerogrid.search.settings import SearchSettings

Write = Callable[[str], str]
GAME = "gomoku:6x6x4"


def make(game: Game) -> Agent:
    return agent_for("naive", game)


def test_a_program_plays_a_whole_game_and_begins_anew_with_the_next(program: Write) -> None:
    game = zerogrid.game(GAME)
    agent = agent_for(f"engine:{program(GOOD)}@seconds=5", game, programs=True)
    for seed in (3, 4):
        position = game.start()
        while not position.over:
            position.play(agent.choose([position], [seed])[0])
        assert position.outcome is not None
    agent.close()


def test_chance_at_the_start_is_told_to_a_program(program: Write) -> None:
    game = zerogrid.game("battlefield:7x7")
    agent = agent_for(f"engine:{program(GOOD)}", game, programs=True)
    position = game.start(12345)
    assert agent.choose([position], [0]) == [position.actions[0]]
    agent.close()


@pytest.mark.parametrize("on_go, words", [
    ("time.sleep(60)", "stalled: no answer in"),
    ("sys.exit(3)", r"crashed \(exit code 3\)"),
    ("sys.exit(0)", "ended without an answer"),
    ("print('move z99')", "is not a move"),
    ("print('error I do not know')", "says: .*I do not know"),
    ("sys.stdout.write('x' * 50_000_000); sys.stdout.flush(); time.sleep(60)", "stalled"),
    ("[print('info', i) for i in range(10 ** 9)]", "stalled"),
    ("sys.stdout.buffer.write(bytes(range(256)) * 100); time.sleep(60)", "stalled"),
])
def test_what_a_program_does_wrong_is_a_failure_with_its_reason(program: Write, on_go: str, words: str) -> None:
    game = zerogrid.game(GAME)
    agent = agent_for(f"engine:{program(BAD.format(on_go=on_go))}@seconds=0.2", game, programs=True)
    began = time.monotonic()
    with pytest.raises(AgentFailed, match=words):
        agent.choose([game.start()], [0])
    assert time.monotonic() - began < 20
    agent.close()


def test_nothing_a_failed_program_started_goes_on(program: Write, tmp_path) -> None:  # type: ignore[no-untyped-def]
    mark = tmp_path / "child"
    child = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    on_go = f"__import__('subprocess').Popen([sys.executable, '-c', {child!r}]); time.sleep(600)"
    game = zerogrid.game(GAME)
    agent = agent_for(f"engine:{program(BAD.format(on_go=on_go))}@seconds=1", game, programs=True)
    with pytest.raises(AgentFailed):
        agent.choose([game.start()], [0])
    number = int(mark.read_text())
    for _ in range(100):
        try:
            os.kill(number, 0)
            with open(f"/proc/{number}/stat") as file:
                if file.read().split()[2] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.05)
    pytest.fail("the child still runs")


def test_a_command_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(UnknownAgent, match="cannot be started"):
        agent_for("engine:/no/such/engine", zerogrid.game(GAME), programs=True)
    with pytest.raises(UnknownAgent, match="cannot be read"):
        agent_for("engine:'unclosed", zerogrid.game(GAME), programs=True)


def test_only_whoever_types_commands_may_start_programs(program: Write) -> None:
    with pytest.raises(UnknownAgent, match="not allowed"):
        agent_for(f"engine:{program(GOOD)}", zerogrid.game(GAME))


# --- Gomocup --------------------------------------------------------------------------------------------------------


def test_a_gomocup_engine_plays_in_many_games_at_once(program: Write) -> None:
    game = zerogrid.game("gomoku:9x9x5")
    agent = agent_for(f"gomocup:{program(PISKVORK)}", game, programs=True)
    empty, later = game.start(), game.start().play("a1").play("c3").play("b1")
    assert agent.choose([empty, later, empty], [0, 0, 0]) == [0, 2, 0]
    agent.close()


def test_gomocup_engines_play_five_in_a_row_only(program: Write) -> None:
    with pytest.raises(UnknownAgent, match="five in a row"):
        agent_for(f"gomocup:{program(PISKVORK)}", zerogrid.game(GAME), programs=True)


@pytest.mark.parametrize("end", [r"\n", r"\r\n", r"\r"])
def test_a_gomocup_engine_may_end_its_lines_as_it_likes_and_say_more_than_ok(program: Write, end: str) -> None:
    text = PISKVORK.replace('print("OK")', 'print("OK - everything is good")').replace("import sys", f"""
import sys, builtins
def print(text): sys.stdout.buffer.write((text + "{end}").encode())
""", 1).replace("sys.stdout.flush()", "sys.stdout.buffer.flush()")
    agent = agent_for(f"gomocup:{program(text)}@seconds=5", zerogrid.game("gomoku:9x9x5"), programs=True)
    assert agent.choose([zerogrid.game("gomoku:9x9x5").start()] * 2, [0, 0]) == [0, 0]
    agent.close()


def test_a_gomocup_engine_that_knows_no_restart_is_begun_anew(program: Write) -> None:
    text = PISKVORK.replace('text == "RESTART": board = {}; print("OK")', 'text == "RESTART": print("UNKNOWN command")')
    game = zerogrid.game("gomoku:9x9x5")
    agent = agent_for(f"gomocup:{program(text)}", game, programs=True)
    later = game.start().play("a1").play("c3").play("b1")
    assert agent.choose([game.start(), later, game.start()], [0, 0, 0]) == [0, 2, 0]
    agent.close()


def test_a_gomocup_engine_that_passes_over_a_restart_loses_no_game_by_it(
    program: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that think in a thread of their own do so now and then, as a real one did."""
    from zerogrid.agents import gomocup

    monkeypatch.setattr(gomocup, "RESTART_SECONDS", 0.2)
    game, deaf = zerogrid.game("gomoku:9x9x5"), PISKVORK.replace('text == "RESTART"', "False")
    agent = agent_for(f"gomocup:{program(deaf)}", game, programs=True)
    assert agent.choose([game.start()] * 3, [0, 0, 0]) == [0, 0, 0]
    agent.close()


def test_what_a_gomocup_engine_suggests_it_is_let_play(program: Write) -> None:
    text = PISKVORK.replace('print(f"{x},{y}")', 'print(f"SUGGEST {x},{y}")').replace(
        'elif text == "END"', 'elif text.startswith("PLAY"): print(text[5:])\n    elif text == "END"'
    )
    game = zerogrid.game("gomoku:9x9x5")
    agent = agent_for(f"gomocup:{program(text)}", game, programs=True)
    assert agent.choose([game.start()], [0]) == [0]
    agent.close()


def test_a_board_that_a_gomocup_engine_refuses_is_said_at_once(program: Write) -> None:
    text = PISKVORK.replace('text.startswith("START")', 'text.startswith("RECT"): print("ERROR square boards only")\n'
                            '    elif text.startswith("START")')
    with pytest.raises(AgentFailed, match=r"refuses a board of 9x7.*square boards only"):
        agent_for(f"gomocup:{program(text)}", zerogrid.game("gomoku:7x9x5"), programs=True)


# --- a Gomocup manager ----------------------------------------------------------------------------------------------


def told(*lines: str, agent: Callable[[Game], Agent] = make) -> list[str]:
    """What our engine answers to a manager."""
    return list(GomocupServer(agent, zerogrid.game).answers([line + "\r\n" for line in lines]))


def test_we_answer_a_gomocup_manager() -> None:
    board = ["BOARD", "0,0,1", "5,5,2", "1,0,1", "6,5,2", "2,0,1", "7,5,2", "3,0,1", "8,5,2", "DONE"]
    lines = ["START 9", "INFO timeout_turn 1000", "BEGIN", "TURN 0,8", "TURN 1,8", "RESTART", *board]
    answers = told(*lines, "NONSENSE", "TURN 99,99", "ABOUT", "END", "BEGIN")
    assert answers[0] == "OK"
    moves = answers[1:4]
    assert all(len(move.split(",")) == 2 for move in moves)
    assert len({*moves, "0,8", "1,8"}) == 5, "no square is taken twice"
    assert answers[4] == "OK"
    assert answers[5] == "4,0", "four of ours in a row: the fifth wins"
    assert answers[6].startswith("UNKNOWN")
    assert answers[7].startswith("ERROR")
    assert 'name="ZeroGrid"' in answers[8]
    assert len(answers) == 9, "nothing after END"


def test_a_manager_may_take_back_and_must_tell_stones_that_can_be() -> None:
    board = ["BOARD", "1,1,2", "2,2,2", "3,3,2", "DONE"]
    answers = told("TURN 1,1", "START 400", "START 7", "TURN 0,0", "TAKEBACK 0,0", "TAKEBACK 6,6", *board)
    assert answers[0] == "ERROR say START first"
    assert answers[1].startswith("ERROR")
    assert answers[2] == "OK"
    assert answers[4] == "OK"
    assert answers[5] == "ERROR there is no stone on 6,6"
    assert answers[6].startswith("ERROR it cannot be our turn")


def test_a_board_that_is_no_square_is_played_on_and_an_odd_one_refused() -> None:
    answers = told("RECTSTART 9,6", "TURN 8,5", "TURN 5,8", "RECTSTART 9", "RECTSTART 2,2", "BEGIN")
    assert answers[0] == "OK"
    column, row = map(int, answers[1].split(","))
    assert 0 <= column < 9
    assert 0 <= row < 6
    assert answers[2] == "ERROR 5,8 is not on a board of 9x6"
    assert answers[3] == "ERROR a board has a size, such as RECTSTART 15,12"
    assert answers[4].startswith("ERROR")
    assert answers[5] == "ERROR say START first"


def test_what_is_refused_leaves_the_board_as_it_was() -> None:
    """TURN on a stone, off the board, or in no words: then the game goes on."""
    answers = told("START 9", "TURN 4,4", "TURN 4,4", "TURN -1,3", "TURN here", "TURN 0,0")
    assert [answer.startswith("ERROR") for answer in answers] == [False, False, True, True, True, False]
    assert answers[2] == "ERROR 4,4 is taken"
    stones = ["BOARD", "0,0,2", "0,0,1", "DONE"], ["BOARD", "0,0,3", "DONE"], ["BOARD", "zero", "DONE"]
    for wrong in stones:
        answers = told("START 9", *wrong, "BEGIN")
        assert answers[1].startswith("ERROR")
        assert "," in answers[2]


@pytest.mark.parametrize("rule, refused", [("0", ""), ("1", ""), ("2", "continuous"), ("4", "renju"), ("9", "caro")])
def test_rules_we_do_not_know_are_refused_when_a_move_is_asked_for(rule: str, refused: str) -> None:
    answers = told("START 9", f"INFO rule {rule}", "INFO folder /x", "INFO", "INFO evaluate 1,1", "BEGIN")
    assert answers[0] == "OK"
    assert len(answers) == 2
    assert answers[1].startswith(f"ERROR {refused}") if refused else "," in answers[1]


def test_exactly_five_is_kept_to() -> None:
    """With four in a row and a sixth beyond the gap, the fifth stone wins in free style and is no win in exact."""
    board = ["BOARD", "0,0,1", "8,0,2", "1,0,1", "8,2,2", "2,0,1", "8,4,2", "3,0,1", "8,6,2", "5,0,1", "8,8,2", "DONE"]
    wins = told("START 9", "INFO rule 0", *board, agent=lambda game: agent_for("alphabeta:1", game))
    exact = told("START 9", "INFO rule 1", *board, agent=lambda game: agent_for("alphabeta:1", game))
    assert wins[1] == "4,0"
    assert exact[1] != "4,0"


@pytest.mark.parametrize("info, seconds", [
    (["INFO timeout_turn 2000"], 2 * 0.8),
    (["INFO timeout_turn 5000", "INFO time_left 20000"], 2 * 0.8),
    (["INFO timeout_turn 5000", "INFO time_left 2147483647"], 5 * 0.8),
    (["INFO timeout_turn 0"], 0.01),
    (["INFO timeout_turn 5000", "INFO time_left -30"], 0.01),
    ([], None),
])
def test_the_managers_clock_is_kept_to(info: list[str], seconds: float | None) -> None:
    class Timed(type(make(zerogrid.game("gomoku:9x9x5")))):  # type: ignore[misc]
        seconds: float | None = None

        def choose(self, positions, seeds):  # type: ignore[no-untyped-def]
            seen.append(self.seconds)
            return super().choose(positions, seeds)

    seen: list[float | None] = []
    told("START 9", *info, "BEGIN", agent=lambda game: Timed("timed", game))
    assert seen == [pytest.approx(seconds, abs=0.01) if seconds is not None else None]


def test_a_rule_told_after_the_start_costs_the_first_move_no_time() -> None:
    """Another rule is another game, compiled before its first search is given any time."""
    asked: list[float | None] = []

    class Watched(SearchAgent):
        def choose(self, positions, seeds):  # type: ignore[no-untyped-def]
            asked.append(self.seconds)
            return super().choose(positions, seeds)

    def watched(game: Game) -> Agent:
        return Watched("uct:10", game, None, SearchSettings.for_kind("uct", simulations=10))

    told("START 9", "INFO timeout_turn 10000", "INFO rule 1", "BEGIN", agent=watched)
    assert asked == [0.01, 0.01, 8.0], "once for each rule, then the move"


# --- swap2 ----------------------------------------------------------------------------------------------------------

STONES = ["0,0", "4,0", "0,2", "4,1", "0,4"]


class Opinionated(Naive):
    """Plays like naive, and thinks of every position what it was told."""

    value = 0.0

    def explain(self, position: Position, seed: int = 0) -> object:
        return SimpleNamespace(value=self.value)


@pytest.mark.parametrize("value, swaps", [(0.3, False), (-0.3, True)])
@pytest.mark.parametrize("count", [3, 5])
def test_in_swap2_black_is_taken_if_white_is_the_worse_side(value: float, swaps: bool, count: int) -> None:
    def opinionated(game: Game) -> Agent:
        agent = Opinionated("opinionated", game)
        agent.value = value
        return agent

    answers = told("START 9", "SWAP2BOARD", *STONES[:count], "DONE", agent=opinionated)
    if swaps:
        assert answers[1] == "SWAP"
    else:
        assert answers[1] not in STONES[:count]
        assert len(answers[1].split(",")) == 2


def test_in_swap2_three_different_stones_are_put_and_senseless_ones_refused() -> None:
    answers = told("START 9", "SWAP2BOARD", "DONE", "RESTART", "SWAP2BOARD", "DONE", "SWAP2BOARD", "1,1", "DONE",
                   "SWAP2BOARD", "1,1", "1,1", "2,2", "DONE", "TURN 4,4")
    first, second = answers[1].split(), answers[3].split()
    assert len(set(first)) == len(set(second)) == 3
    assert first != second, "another game, another opening"
    assert answers[4] == "ERROR swap2 goes on from 0, 3 or 5 stones, not from 1"
    assert answers[5].startswith("ERROR")
    assert "," in answers[6], "the game itself goes on"


def test_two_programs_agree_on_a_swap2_opening_over_pipes() -> None:
    """Our engine meets our side of the protocol: it proposes, it chooses, and what it says is understood."""
    game = zerogrid.game("gomoku:9x9x5")
    command = f"{shlex.quote(sys.executable)} -m zerogrid engine --protocol gomocup --agent uct:50 --threads 1"
    agent = agent_for(f"gomocup:{command}@seconds=20", game, programs=True)
    assert isinstance(agent, GomocupAgent)
    three = agent.swap2([])
    assert len(set(three)) == 3
    choice = agent.swap2(list(three))
    assert choice == "SWAP" or (len(choice) == 1 and choice[0] not in three)
    position = game.start()
    for stone in three:
        position.play(stone)
    assert agent.choose([position], [1])[0] in position.actions
    agent.close()


# --- our own protocol -----------------------------------------------------------------------------------------------


def test_we_answer_in_our_own_protocol() -> None:
    server = Server(make, zerogrid.game)
    greeting = ["go 1 1", "zerogrid 1", "zerogrid 7", "game no_such_game", "game gomoku:6x6x4"]
    playing = ["position 0 a1 a6 b1 b6 c1 c6", "go 1 5", "position 0 a1 a1", "go 1 5", "dance", "quit", "go 1 1"]
    answers = list(server.answers([*greeting, *playing]))
    assert answers[0].startswith("error say which game")
    assert answers[1].startswith("ready ZeroGrid")
    assert answers[2].startswith("error")
    assert answers[3].startswith("error there is no game")
    assert answers[4:6] == ["ok", "move d1"]
    assert answers[6].startswith("error")
    assert answers[7] == "move d1", "the position before stays"
    assert answers[8].startswith("error")
    assert len(answers) == 9


def test_our_engine_meets_our_agent_over_a_pipe() -> None:
    game = zerogrid.game("tictactoe")
    command = f"{shlex.quote(sys.executable)} -m zerogrid engine --agent alphabeta:9@potential=none --threads 1"
    agent = agent_for(f"engine:{command}", game, programs=True)
    position = game.start().play("a1").play("b2").play("c3")  # a corner now loses, an edge draws
    assert game.action_name(agent.choose([position], [0])[0]) in ("a2", "b1", "b3", "c2")
    agent.close()
