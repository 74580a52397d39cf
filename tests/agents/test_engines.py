"""Programs as agents: both protocols, both ways, and everything that such a program may do wrong."""

import os
import shlex
import sys
import time
from collections.abc import Callable

import pytest

import zerogrid
from agents.bots import BAD, GOOD, PISKVORK
from zerogrid.agents.agent import Agent, AgentFailed, UnknownAgent
from zerogrid.agents.naming import agent_for
from zerogrid.agents.serving import GomocupServer, Server
from zerogrid.core.game import Game

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


def test_we_answer_a_gomocup_manager() -> None:
    server = GomocupServer(make, zerogrid.game)
    board = ["BOARD", "0,0,1", "5,5,2", "1,0,1", "6,5,2", "2,0,1", "7,5,2", "3,0,1", "8,5,2", "DONE"]
    lines = ["START 9", "INFO timeout_turn 1000", "BEGIN", "TURN 0,8", "TURN 1,8", "RESTART", *board]
    answers = list(server.answers([*lines, "NONSENSE", "TURN 99,99", "ABOUT", "END", "BEGIN"]))
    assert answers[0] == "OK"
    moves = answers[1:4]
    assert all(len(move.split(",")) == 2 for move in moves)
    assert len({*moves, "0,8", "1,8"}) == 5, "no square is taken twice"
    assert answers[4] == "OK"
    assert answers[5] == "4,0", "four of ours in a row: the fifth wins"
    assert answers[6].startswith("UNKNOWN")
    assert answers[7].startswith("ERROR")
    assert "ZeroGrid" in answers[8]
    assert len(answers) == 9, "nothing after END"


def test_a_manager_may_take_back_and_must_tell_stones_that_can_be() -> None:
    server = GomocupServer(make, zerogrid.game)
    board = ["BOARD", "1,1,2", "2,2,2", "3,3,2", "DONE"]
    answers = list(server.answers(["TURN 1,1", "START 400", "START 7", "TURN 0,0", "TAKEBACK 0,0", *board]))
    assert answers[0] == "ERROR say START first"
    assert answers[1].startswith("ERROR")
    assert answers[2] == "OK"
    assert answers[4] == "OK"
    assert answers[5].startswith("ERROR it cannot be our turn")


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
