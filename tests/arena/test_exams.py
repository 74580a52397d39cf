"""Exams: errors are moves that give value away, counted by stage, on positions whose values are true."""

import json
from pathlib import Path

import pytest

import zerogrid
from arena.players import FirstMove, by_chance
from zerogrid.agents.naming import agent_for
from zerogrid.arena.exam import BadExam, ExamSet, Question, exam, marked, stages_of
from zerogrid.arena.exam_sets import (
    HELD_EXAMS,
    OWN_EXAMS,
    exam_for,
    exam_of_positions,
    own_exam,
    read_exam,
    save_exam,
    uniform_exam,
)
from zerogrid.core.position import Position

GAME = zerogrid.game("tictactoe")


def minimax(position: Position) -> int:
    """The value for the player to move, by the rules alone."""
    if position.over:
        assert position.outcome is not None
        return round(position.outcome.scores[position.to_move])
    mover, best = position.to_move, -2
    for action in position.actions:
        position.play(action)
        value = minimax(position)
        best = max(best, value if position.to_move == mover else -value)
        position.undo()
    return best


@pytest.fixture(scope="module")
def questions() -> ExamSet:
    """Forty positions of tic-tac-toe, from the second move on."""
    return uniform_exam(GAME, 40, seed=4, plies=(2, 7))


def test_the_values_of_an_exam_are_those_of_minimax(questions: ExamSet) -> None:
    assert len({(q.moves) for q in questions.questions}) == 40
    for question in questions.questions:
        position = question.position(GAME)
        assert set(question.values) == set(position.actions)
        for action, value in question.values.items():
            assert value == -minimax(position.play(action))
            position.undo()


def test_an_error_is_a_move_with_a_worse_value_than_another(questions: ExamSet) -> None:
    best = [max(q.values, key=lambda a: (q.values[a], a)) for q in questions.questions]
    worst = [min(q.values, key=lambda a: (q.values[a], a)) for q in questions.questions]
    perfect, terrible = marked("perfect", questions, best), marked("terrible", questions, worst)
    assert (perfect.whole.errors, perfect.whole.given_away) == (0, 0)
    assert terrible.whole.errors == 40 - terrible.whole.hopeless
    spread = [max(q.values.values()) - min(q.values.values()) for q in questions.questions]
    assert terrible.whole.given_away == pytest.approx(sum(spread) / 40)
    assert terrible.whole.errors == sum(width > 0 for width in spread)


def test_the_solver_makes_no_errors_and_chance_does(questions: ExamSet) -> None:
    solver = exam(agent_for("solver", GAME), questions)
    assert solver.whole.errors == 0
    assert solver.rate.high < 0.1
    chance = exam(by_chance(GAME), questions)
    assert chance.whole.errors > 5
    assert chance.rate.low < chance.rate.estimate == chance.whole.errors / 40 < chance.rate.high


def test_errors_are_counted_by_stage_and_by_move(questions: ExamSet) -> None:
    result = exam(by_chance(GAME), questions, seed=3)
    assert list(result.by_stage) == ["early", "middle", "late"]
    assert sum(count.positions for count in result.by_stage.values()) == 40
    assert sum(count.errors for count in result.by_ply.values()) == result.whole.errors
    record = result.as_dict()
    assert record["positions"] == 40
    assert record["errors"] == result.whole.errors
    assert record["error_rate"] == result.whole.errors / 40
    assert record["interval"] == [result.rate.low, result.rate.high]
    assert stages_of([2, 3, 4, 5, 6, 7]) == {"early": (2, 3), "middle": (4, 5), "late": (6, 7)}
    assert list(stages_of([5])) == ["late"]


def test_in_dots_and_boxes_errors_that_cost_boxes_are_told_from_those_that_cost_the_game() -> None:
    game = zerogrid.game("dots_and_boxes:1x3")
    question = Question(0, (), {0: 3, 1: 1, 2: -1})
    rest = dict.fromkeys(range(3, 10), -3)
    exam_set = ExamSet(game, (Question(0, (), {**question.values, **rest}),) * 3)
    result = marked("a", exam_set, [0, 1, 2])
    assert (result.whole.errors, result.whole.result_errors) == (2, 1)
    assert result.whole.given_away == pytest.approx((0 + 2 + 4) / 3)


def test_an_exam_of_ones_own_games_asks_what_came_up_there() -> None:
    agent = FirstMove("first", GAME)
    found = own_exam(agent, 3, seed=1)
    assert found.questions
    assert len({(q.moves) for q in found.questions}) == len(found.questions)
    assert all(list(q.moves[2:]) == sorted(q.moves[2:]) for q in found.questions), "by rote after the opening"


def test_exam_files_are_read_as_written_and_damage_is_noticed(tmp_path: Path, questions: ExamSet) -> None:
    file = tmp_path / "exam.jsonl"
    save_exam(questions, file)
    again = read_exam(GAME, file)
    assert [(q.moves, dict(q.values)) for q in again.questions] == [
        (q.moves, dict(q.values)) for q in questions.questions
    ]
    with pytest.raises(BadExam, match="is in"):
        read_exam(zerogrid.game("connect_four"), file)
    head, first, *rest = file.read_text().splitlines()
    wrong = json.loads(first)
    wrong["values"] = dict.fromkeys(wrong["values"], 1)
    file.write_text("\n".join([head, json.dumps(wrong), *rest]) + "\n")
    with pytest.raises(BadExam, match="damaged"):
        read_exam(GAME, file)


def test_positions_of_a_file_are_solved(tmp_path: Path) -> None:
    file = tmp_path / "positions.jsonl"
    games = (["a1", "b2", "a2"], ["a1", "b1", "a2", "b2", "a3"])
    file.write_text("".join(json.dumps({"game": "tictactoe", "moves": moves}) + "\n" for moves in games))
    found = exam_of_positions(GAME, file)
    assert len(found.questions) == 1
    assert found.about["finished"] == 1
    (question,) = found.questions
    assert [GAME.action_name(action) for action, value in question.values.items() if value == question.best] == ["a3"]


def test_an_agent_of_another_game_is_refused(questions: ExamSet) -> None:
    with pytest.raises(BadExam, match="plays connect_four"):
        exam(by_chance(zerogrid.game("connect_four")), questions)


def test_every_exam_that_comes_with_zerogrid_is_whole() -> None:
    files = sorted(OWN_EXAMS.glob("*.jsonl"))
    assert len(files) >= 7
    for file in files:
        spec = json.loads(file.read_text().splitlines()[0])["exam"]
        found = exam_for(zerogrid.game(spec))
        assert len(found.questions) >= 100
        assert sum(max(q.values.values()) > min(q.values.values()) for q in found.questions) >= 50


def test_held_exams_are_a_thousand_positions_that_the_other_exam_does_not_ask_about() -> None:
    files = sorted(HELD_EXAMS.glob("*.jsonl"))
    assert len(files) >= 6
    for file in files:
        head = json.loads(file.read_text().splitlines()[0])
        game = zerogrid.game(head["exam"])
        held, seen = exam_for(game, held=True), exam_for(game)
        assert len(held.questions) == 1000
        assert head["telling"] == sum(question.telling for question in held.questions) >= 500
        assert head["without"] == seen.about["sha256"]
        assert head["unsolved"] <= 10
        known = {question.position(game) for question in seen.questions}
        places = [question.position(game) for question in held.questions]
        assert len(set(places)) == 1000
        assert known.isdisjoint(places)
        if game.name == "tictactoe":
            for position, question in zip(places, held.questions, strict=True):
                assert question.best == minimax(position)


def test_a_sample_of_an_exam_is_spread_over_the_stages_of_the_game() -> None:
    whole = exam_for(GAME)
    plies = [len(question.moves) for question in whole.sample(50).questions]
    assert len(plies) == 50
    assert plies == sorted(plies)
    middle = [len(question.moves) for question in whole.questions]
    assert sum(plies) / 50 == pytest.approx(sum(middle) / len(middle), abs=0.2)
    assert whole.sample(10_000).questions == whole.questions
    assert len({question.moves for question in whole.sample(199).questions}) == 199


def test_errors_are_also_counted_over_the_telling_positions_alone(questions: ExamSet) -> None:
    worst = [min(q.values, key=lambda a: (q.values[a], a)) for q in questions.questions]
    found = marked("terrible", questions, worst).whole
    assert found.telling + found.hopeless == 40
    assert found.errors == found.telling  # wherever one can be wrong, the worst move is
    told = found.as_dict()
    assert told["telling_error_rate"] == 1.0
    assert told["telling_interval"][1] == 1.0
    assert told["error_rate"] == found.errors / 40 < 1


def test_an_exam_can_leave_out_the_positions_of_another(questions: ExamSet) -> None:
    again = uniform_exam(GAME, 40, seed=4, plies=(2, 7), without=questions)
    assert {q.position(GAME) for q in again.questions}.isdisjoint(q.position(GAME) for q in questions.questions)
    assert len(again.questions) == 40
