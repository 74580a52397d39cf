"""What each kind of board must show: pieces, owners, zones, rows that won, arrows that point where a move goes."""

import pytest

import zerogrid
from views.pictures import numbers, parse, played, shapes, words
from zerogrid.core.position import Position
from zerogrid.views.rows import all_rows, threats


def play(spec: str, moves: str, seed: int = 0) -> Position:
    position = zerogrid.game(spec).start(seed)
    for move in moves.split():
        position.play(move)
    return position


# --- stones ---------------------------------------------------------------------------------------------------------


def test_every_stone_is_drawn_in_its_colour_at_its_place() -> None:
    position = play("gomoku:6x6x4", "c3 d4 a1")
    picture = position.svg(header=False, theme="auto")
    black, white = shapes(picture, "s-black_edge", "circle"), shapes(picture, "s-white_edge", "circle")
    assert (len(black), len(white)) == (2, 1)
    a1, c3 = sorted((float(one.get("cx", "")), float(one.get("cy", ""))) for one in black)
    assert c3[0] - a1[0] == c3[1] - a1[1] == 80  # two columns right, two rows down


def test_a_winning_row_is_struck_through_from_end_to_end() -> None:
    before, won = play("gomoku:6x6x4", "c3 a1 c4 a2 c5 a3"), play("gomoku:6x6x4", "c3 a1 c4 a2 c5 a3 c2")
    assert not shapes(before.svg(), "s-win")
    (line,) = shapes(won.svg(), "s-win")
    x1, y1, x2, y2 = numbers(line.get("d", ""))
    assert x1 == x2
    assert abs(y2 - y1) == 3 * 40


def test_an_overline_does_not_win_where_exactly_k_is_asked() -> None:
    moves = "a1 a2 b1 b2 d1 d2 e1 e3 c1"
    assert not shapes(play("gomoku:6x6x4,exact=true", moves).svg(), "s-win")
    assert shapes(play("gomoku:6x6x4", moves).svg(), "s-win")


def test_rows_and_threats_on_a_board_drawn_by_hand() -> None:
    signs = """
        x . o . .
        x x o . .
        x . . o .
        . . o . .
    """
    board = [".xo".index(sign) for sign in signs.split()]
    assert all_rows(board, 4, 5, 3, 99) == [(0, 5, 10)]
    assert threats(board, 4, 5, 4, 99) == {12: (1,), 15: (0,)}
    assert threats(board, 4, 5, 4, 4) == {12: (1,), 15: (0,)}
    assert threats(board, 4, 5, 5, 99) == {}


def test_threats_are_marked_only_when_asked_for() -> None:
    position = play("tictactoe", "b2 a1 c1")
    asked, silent = position.svg(threats=True), position.svg()
    assert len(shapes(asked, "s-blue")) == len(shapes(silent, "s-blue")) + 2  # one small cross, of two strokes


# --- discs ----------------------------------------------------------------------------------------------------------


def test_heat_of_a_column_lies_where_the_disc_would_land() -> None:
    position = play("connect_four:6x7", "d d d")
    picture = position.svg(heat={"d": 1}, header=False)
    (glow,) = shapes(picture, "f-heat", "circle")
    discs = shapes(picture, "s-yellow_edge", "circle") + shapes(picture, "s-scarlet_edge", "circle")
    assert {one.get("cx") for one in discs} == {glow.get("cx")}
    assert float(glow.get("cy", "")) == min(float(one.get("cy", "")) for one in discs) - 40


def test_othello_counts_discs_and_dots_the_legal_squares() -> None:
    position = play("othello:8x8", "d3")
    told = " ".join(words(position.svg()))
    assert "black 4" in told
    assert "1 white" in told
    without = shapes(position.svg(hints=False), "f-white", "circle")
    assert len(shapes(position.svg(), "f-white", "circle")) == len(without) + len(position.actions)


def test_a_pass_is_told_in_words() -> None:
    position = zerogrid.game("othello:4x4").start()
    seen = 0
    for seed in range(40):
        position = played("othello:4x4", 10_000, seed)
        while position.moves:
            passed = position.last == 16
            if passed:
                seen += 1
                assert any(text.startswith("pass; ") for text in words(position.svg()))
                assert "pass; " in position.terminal(colour=False)
            position.undo()
            if passed:
                assert "pass 100%" in " ".join(words(position.svg(heat={"pass": 3})))
                assert "pass 100%" in position.terminal(colour=False, heat={"pass": 3})
    assert seen > 5


# --- boxes ----------------------------------------------------------------------------------------------------------


def test_boxes_bear_their_owner_and_the_score_is_told() -> None:
    position = play("dots_and_boxes:2x2", "h0.0 h0.1 v0.0 v0.2 h1.0 h1.1 v0.1")
    texts = words(position.svg())
    assert texts.count("B") + texts.count("A") == 2
    scores = position.state[position.game.SCORES : position.game.SCORES + 2].tolist()
    assert sorted(scores) == [0, 2]
    assert f"A {scores[0]}" in texts
    assert f"{scores[1]} B" in texts


def test_drawn_edges_are_solid_and_the_last_one_stands_out() -> None:
    position = play("dots_and_boxes:2x2", "h0.0 v1.2 h2.1")
    picture = position.svg(header=False)
    assert len(shapes(picture, "s-ink", "path")) == 2
    (last,) = shapes(picture, "s-last", "path")
    assert len([one for one in shapes(picture, "s-rule", "path") if one.get("stroke-dasharray")]) == 12 - 3
    x1, y1, x2, y2 = numbers(last.get("d", ""))
    assert y1 == y2 > 0
    assert x2 > x1


def test_the_text_of_dots_and_boxes_draws_each_edge_where_it_is() -> None:
    text = play("dots_and_boxes:2x2", "h0.0 v0.1 h1.1").terminal(colour=False, last=False)
    assert text.splitlines()[1:-1] == [
        "   0     1     2",
        " 0 +-----+     +",
        "         |",
        " 1 +     +-----+",
        "",
        " 2 +     +     +",
    ]


def test_boxes_that_can_be_taken_are_marked_when_asked() -> None:
    position = play("dots_and_boxes:2x2", "h0.0 h1.0 v0.0")
    assert len(shapes(position.svg(threats=True, last=False), "f-last")) == 1
    assert not shapes(position.svg(last=False), "f-last")


# --- pawns ----------------------------------------------------------------------------------------------------------


def test_pawns_that_never_moved_are_marked() -> None:
    start, moved = zerogrid.game("pawn_dama:6x6").start(), play("pawn_dama:6x6", "b2-b3 a5-a4")
    marks = [len([one for one in shapes(position.svg(header=False), "f-black", "circle") if not one.get("stroke")])
             for position in (start, moved)]
    assert marks == [12, 11]  # the dots on white pawns; the heads of black ones have an outline
    assert start.terminal(colour=False).count("W ") > moved.terminal(colour=False).count("W ")


def test_where_the_rules_mark_no_pawns_the_header_has_the_sign_of_the_board() -> None:
    start = zerogrid.game("breakthrough:6x6").start()
    header, *board, _ = start.terminal(colour=False).splitlines()
    assert "w white" in header
    assert "b black" in header
    assert sum(line.count("w") for line in board) == 12
    assert start.terminal(colour=True).count("▲") == 12 + 1
    assert start.terminal(colour=True).count("▼") == 12 + 1
    assert not [one for one in shapes(start.svg(header=False), "f-black", "circle") if not one.get("stroke")]


def test_white_starts_at_the_bottom_and_arrows_point_where_the_pawn_goes() -> None:
    position = zerogrid.game("pawn_dama:6x6").start()
    picture = position.svg(heat={"c2-c4": 1}, header=False, last=False)
    (arrow,) = shapes(picture, "f-heat", "path")
    flat = numbers(arrow.get("d", ""))
    points = list(zip(flat[::2], flat[1::2], strict=True))
    tip = min(points, key=lambda point: point[1])
    tail = max(point[1] for point in points)
    assert tail - tip[1] == pytest.approx(80, abs=0.5)
    assert points.count(tip) == 1, "the head is above"
    lines = position.terminal(colour=False).splitlines()
    assert lines[1].startswith("6 ")
    assert lines[6].startswith("1 ")


# --- the field ------------------------------------------------------------------------------------------------------


def test_ground_outside_the_safe_zone_is_hatched() -> None:
    game = zerogrid.game("battlefield:7x7,shrink=2,obstacles=0")
    position = game.start(3)
    wait = "wait+wait"
    outside = []
    for _ in range(3):
        outside.append(len([one for one in shapes(position.svg(), "f-danger", "rect") if one.get("opacity")]))
        for _ in range(2):
            if not position.over:
                position.play(wait)
    assert outside[0] == 0
    assert outside[1] == 49 - 25
    assert position.over


def test_agents_show_letter_health_and_ammunition() -> None:
    texts = words(zerogrid.game("battlefield:7x7,health=2,ammo=5").start(1).svg(coordinates=False))
    for letter in "ABab":
        assert texts.count(letter) == 1
    assert texts.count("♥2") == texts.count("•5") == 4


def test_joint_actions_are_drawn_as_the_orders_of_each_agent() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0").start(1)
    both = position.svg(heat={"down+down": 3, "down+shoot-down": 1}, header=False)
    arrows = shapes(both, "f-heat", "path")
    assert len(arrows) == 3, "one order of the first agent, two of the second"
    assert {"100", "75", "25"} <= set(words(both))


def test_a_shot_is_drawn_to_what_stops_it() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0,agents=1,range=3").start(1)
    picture = position.svg(heat={"shoot-down": 1}, header=False)
    (shaft,) = [one for one in shapes(picture, "s-heat", "path") if one.get("stroke-dasharray")]
    (head,) = shapes(picture, "f-heat", "path")
    reach = max(numbers(head.get("d", ""))[1::2]) - min(numbers(shaft.get("d", ""))[1::2])
    assert reach == pytest.approx(40 * 3, abs=40 * 0.5)


def test_labels_of_orders_lie_above_the_agents_and_arrows_below() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0").start(1)
    inside = list(parse(position.svg(heat={"down+right": 3}, header=False, coordinates=False)).iter())
    texts = [place for place, one in enumerate(inside) if one.text == "100"]
    arrows = [place for place, one in enumerate(inside) if "f-heat" in one.get("class", "")]
    agents = [place for place, one in enumerate(inside) if one.text in ("A", "B", "a", "b")]
    assert len(texts) == 2
    assert max(arrows) < min(agents) < max(agents) < min(texts)


def test_attention_lies_under_the_discs_of_connect_four() -> None:
    position = play("connect_four:6x7", "d")
    inside = [one.get("class", "") for one in parse(position.svg(cells={38: 1}, header=False)).iter()]
    wash = next(place for place, one in enumerate(inside) if "f-heat" in one)
    disc = next(place for place, one in enumerate(inside) if "f-yellow" in one.split())
    assert wash < disc


def test_names_with_hyphens_stay_in_one_piece() -> None:
    position = zerogrid.game("battlefield:7x7").start(1)
    labels = dict.fromkeys(position.actions, "x")
    text = " ".join(words(position.svg(labels=labels))) + position.terminal(colour=False, labels=labels)
    assert "shoot- " not in text
    assert "shoot-\n" not in text


# --- coordinates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["gomoku:6x6x4", "othello:8x8", "pawn_dama:6x6"])
def test_coordinates_are_the_names_of_the_cells(spec: str) -> None:
    """The column letter and the row number beside a piece are those a person would type."""
    position = played(spec, 0)
    root = parse(position.svg(targets=True))
    written = [one for one in root.iter() if one.tag.endswith("text")]
    texts = [(one.text, float(one.get("x", "")), float(one.get("y", ""))) for one in written]
    for target in root.iter():
        cell = target.get("data-cell")
        if cell is None:
            continue
        side = float(target.get("width", ""))
        x, y = float(target.get("x", "")) + side / 2, float(target.get("y", "")) + side / 2
        row, column = divmod(int(cell), position.game.COLUMNS)
        assert any(text == "abcdefgh"[column] and abs(tx - x) < 1 for text, tx, _ in texts)
        assert any(text == str(row + 1) and abs(ty - y) < side / 3 for text, _, ty in texts)
