"""Pictures are drawn in both kinds, hold what they should, and refuse what they cannot show."""

import re
from pathlib import Path

import pytest

import zerogrid
from arena.players import FirstMove, by_chance
from zerogrid.arena import pictures
from zerogrid.arena.event import Event
from zerogrid.arena.exam import ExamSet, Question, marked
from zerogrid.arena.games import GameRecord
from zerogrid.arena.sgf import NoSgf, as_sgf
from zerogrid.arena.tournament import Table, round_robin, table

GAME = zerogrid.game("gomoku:5x5x4")


@pytest.fixture(scope="module")
def event() -> Event:
    """A small tournament."""
    players = {"chance": by_chance(GAME), "rote": FirstMove("rote", GAME), "chance again": by_chance(GAME)}
    event = Event("tournament", GAME, players, "random:3", 1)
    list(event.play(round_robin(list(players), 3)))
    return event


@pytest.fixture(scope="module")
def standing(event: Event) -> Table:
    """Where it stands."""
    return table(event.records)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_crosstable_and_ratings_are_drawn(standing: Table, tmp_path: Path, kind: str) -> None:
    for name, draw in (("cross", pictures.crosstable), ("ratings", pictures.rating_plot)):
        path = tmp_path / f"{name}.{kind}"
        draw(standing, path)
        if kind == "svg":
            text = path.read_text()
            assert all(player in text for player in standing.players)
        else:
            assert path.read_bytes().startswith(b"\x89PNG")


def test_errors_by_move_are_drawn_for_several_agents(tmp_path: Path) -> None:
    questions = tuple(Question(0, (0,) * ply, {1: 1.0, 2: 0.0}) for ply in (1, 1, 2, 3))
    exam_set = ExamSet(GAME, questions)
    results = {"good": marked("good", exam_set, [1, 1, 1, 1]), "bad": marked("bad", exam_set, [2, 1, 2, 2])}
    path = tmp_path / "errors.svg"
    pictures.errors_by_move(results, path)
    assert "good: 0.0% of 4" in path.read_text()
    assert "bad: 75.0% of 4" in path.read_text()


def test_moves_with_few_positions_are_pooled() -> None:
    questions = tuple(Question(0, (0,) * ply, {1: 1.0, 2: 0.0}) for ply in range(6) for _ in range(10))
    result = marked("half", ExamSet(GAME, questions), [1, 2] * 30)
    points = pictures.pooled(result, 25)
    assert [where for where, _ in points] == [1, 4]
    assert [rate.estimate for _, rate in points] == [0.5, 0.5]
    assert len(pictures.pooled(result, 10)) == 6


def test_final_boards_say_who_won_and_how(event: Event) -> None:
    picture = pictures.final_boards(GAME, event.records[:6], "The games")
    assert picture.count("<svg") == 1 + 6
    assert "beats" in picture or "draw" in picture
    assert "The games" in picture


def test_final_boards_as_points_show_the_stones_where_the_svg_has_them(tmp_path: Path) -> None:
    from matplotlib.image import imread

    position = GAME.start()
    for move in ("a1", "e5", "c3"):
        position.play(move)
    svg = position.svg(header=False, coordinates=False, last=False, theme="light")
    pictures.write_boards(svg, tmp_path / "board.png")
    points = imread(tmp_path / "board.png")
    rows, columns = points.shape[0] / 5, points.shape[1] / 5
    black, white, empty = (
        points[int((row + 0.5) * rows), int((column + 0.58) * columns), :3].mean() for row, column in
        ((2, 2), (4, 4), (1, 3))
    )
    assert black < 0.3
    assert white > 0.9
    assert 0.5 < empty < 0.9
    with pytest.raises(pictures.CannotDraw, match=r"a \.png or \.svg file"):
        pictures.write_boards(svg, tmp_path / "board.pdf")


def test_every_game_can_be_drawn_as_points(tmp_path: Path) -> None:
    for name in zerogrid.names():
        pictures.write_boards(zerogrid.game(name).start().svg(), tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_refused(standing: Table, tmp_path: Path) -> None:
    with pytest.raises(pictures.CannotDraw, match=r"a \.png or \.svg file"):
        pictures.crosstable(standing, tmp_path / "cross.gif")
    with pytest.raises(pictures.CannotDraw, match="no game was finished"):
        pictures.final_boards(GAME, [], "none")
    with pytest.raises(pictures.CannotDraw, match="cannot be written"):
        pictures.crosstable(standing, tmp_path / "no" / "folder.png")


# --- SGF ------------------------------------------------------------------------------------------------------------


def test_games_become_sgf_with_colours_points_and_result(event: Event) -> None:
    record = next(record for record in event.records if record.result == 1)
    (text,) = as_sgf([record]).splitlines()
    assert text.startswith("(;GM[4]FF[4]")
    assert "SZ[5]" in text
    assert "RE[B+]" in text
    moves = re.findall(r";([BW])\[([a-e]{2})\]", text)
    assert [colour for colour, _ in moves] == ["BW"[k % 2] for k in range(len(record.moves))]
    points = [("abcde".index(point[0]), "abcde".index(point[1])) for _, point in moves]
    assert [column + 5 * row for column, row in points] == list(record.moves)


def test_othello_is_set_up_first_and_passes_are_empty() -> None:
    game = zerogrid.game("othello:4x4")
    position = game.start()
    while not position.over and len(position.moves) < 40:
        position.play(position.actions[-1])
    outcome = position.outcome
    assert outcome is not None
    record = GameRecord(0, game.spec, 0, ("a", "b]"), 0, 0, tuple(position.moves), outcome.scores, "")
    text = as_sgf([record])
    assert "AB[cb][bc]AW[bb][cc]" in text
    assert r"PW[b\]]" in text
    assert text.count(";") == len(position.moves) + 1
    assert text.count("[];") + text.count("[])") == sum(move == 16 for move in position.moves)


def test_games_without_sgf_are_refused() -> None:
    record = GameRecord(0, "connect_four:6x7", 0, ("a", "b"), 0, 0, (), (0.0, 0.0), "")
    with pytest.raises(NoSgf, match="gomoku and othello"):
        as_sgf([record])
