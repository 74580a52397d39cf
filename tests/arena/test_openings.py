"""Openings and books: different ones first, none that is decided, the same again from the same seed."""

import json
from pathlib import Path

import pytest

import zerogrid
from zerogrid.agents.boxes import boxes_of
from zerogrid.arena.books import OWN_BOOKS, BadBook, Book, book_for, make_book, read_book
from zerogrid.arena.openings import Opening, Openings, has_chance, one_sided
from zerogrid.core.errors import BadSetting

GOMOKU = zerogrid.game("gomoku:6x6x4")


def test_openings_are_the_same_again_in_any_order() -> None:
    one, other = Openings(GOMOKU, "random:5", 7), Openings(GOMOKU, "random:5", 7)
    late = other[20]
    assert [one[k] for k in range(21)] == [other[k] for k in range(21)]
    assert one[20] == late
    assert one[0] != Openings(GOMOKU, "random:5", 8)[0]


def test_no_opening_comes_twice_before_all_have_come() -> None:
    openings = Openings(zerogrid.game("tictactoe"), "random:1", 0)
    first = [openings[k].moves for k in range(9)]
    assert len(set(first)) == 9
    assert [openings[k].moves for k in range(9, 18)] == first


def test_decided_openings_are_left_out() -> None:
    openings = Openings(GOMOKU, "random:9", 3)
    assert not any(one_sided(openings[k].position(GOMOKU)) for k in range(40))
    three = GOMOKU.start()
    for move in ["c3", "a6", "c4", "f6"]:
        three.play(move)
    assert not one_sided(three), "two in a row decide nothing"
    assert one_sided(three.play("c5").play("f1")), "three in a row, and to move"
    lost = GOMOKU.start()
    for move in ["c2", "a6", "c3", "f6", "c4"]:
        lost.play(move)
    assert one_sided(lost), "three in a row of the other, open at both ends: every answer loses"


def test_guided_boxes_are_completed_and_none_is_given_while_a_safe_edge_is_left() -> None:
    game = zerogrid.game("dots_and_boxes:4x4")
    boxes, openings = boxes_of(game), Openings(game, "guided:14", 1)
    for k in range(10):
        position = game.start()
        for move in openings[k].moves:
            edges, free = position.state[: game.EDGES].tolist(), position.actions
            completing, safe = boxes.completing(edges, free), boxes.safe(edges, free)
            assert move in (completing or safe or free)
            position.play(move)


def test_guided_moves_elsewhere_are_no_blunders() -> None:
    openings = Openings(GOMOKU, "guided:12", 1)
    for k in range(8):
        position = GOMOKU.start()
        for move in openings[k].moves:
            position.play(move)
            assert not position.over


def test_games_of_chance_begin_differently_in_each_pair() -> None:
    field = zerogrid.game("battlefield:7x7")
    assert has_chance(field)
    assert not has_chance(GOMOKU)
    openings = Openings(field, "none", 5)
    assert len({openings[k].seed for k in range(10)}) == 10


def test_unknown_openings_are_refused_with_those_there_are() -> None:
    for kind in ("randm:4", "random", "random:0", "random:9999", "guided:x"):
        with pytest.raises(BadSetting, match="there are book, book:FILE, guided:10"):
            Openings(GOMOKU, kind)
    with pytest.raises(BadSetting, match="no opening"):
        Openings(zerogrid.game("tictactoe"), "random:9")[0]


# --- books ----------------------------------------------------------------------------------------------------------


def test_a_book_is_read_as_it_was_written_and_damage_is_noticed(tmp_path: Path) -> None:
    book = Book(GOMOKU, (Opening(0, (1, 2)), Opening(0, (3, 4))), {"seed": 9})
    file = tmp_path / "book.jsonl"
    book.save(file)
    again = read_book(GOMOKU, file)
    assert (again.openings, again.sha256, again.about) == (book.openings, book.sha256, book.about)
    openings = Openings(GOMOKU, f"book:{file}", 1)
    assert {openings[0], openings[1]} == set(book.openings)
    assert openings[2] == openings[0]
    head = json.loads(file.read_text().splitlines()[0])
    assert head["sha256"] == book.sha256
    file.write_text(file.read_text().replace("[3,4]", "[3,5]"))
    with pytest.raises(BadBook, match="damaged"):
        read_book(GOMOKU, file)
    with pytest.raises(BadBook, match="is for"):
        read_book(zerogrid.game("gomoku:7x7x5"), file)
    with pytest.raises(BadBook, match="no opening book"):
        book_for(zerogrid.game("gomoku:13x12x6"))


def test_a_book_whose_moves_cannot_be_played_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "book.jsonl"
    Book(GOMOKU, (Opening(0, (1, 1)),), {}).save(file)
    with pytest.raises(BadBook, match="line 2"):
        read_book(GOMOKU, file)


def test_a_book_is_made_of_balanced_openings_no_two_symmetric() -> None:
    game = zerogrid.game("tictactoe")
    book = make_book(game, (1, 2), 6, seed=1, simulations=100)
    images = set()
    for opening in book.openings:
        state = opening.position(game).state
        images.add(min(game.image(s, state)[: game.layout.key_size].tobytes() for s in game.symmetries))
    assert len(images) == len(book.openings) == 6
    assert {len(opening.moves) for opening in book.openings} == {1, 2}


def test_a_book_is_made_again_from_its_first_line(tmp_path: Path) -> None:
    game = zerogrid.game("tictactoe")
    own = book_for(game)
    make_book(game, own.about["plies"], own.about["wanted"], own.about["seed"]).save(tmp_path / "again")
    assert (tmp_path / "again").read_text() == (OWN_BOOKS / "tictactoe.jsonl").read_text()


def test_every_book_that_comes_with_zerogrid_is_whole() -> None:
    from zerogrid.arena.books import OWN_BOOKS

    files = sorted(OWN_BOOKS.glob("*.jsonl"))
    assert len(files) >= 8
    for file in files:
        spec = json.loads(file.read_text().splitlines()[0])["book"]
        book = book_for(zerogrid.game(spec))
        assert len(set(book.openings)) == len(book.openings)
