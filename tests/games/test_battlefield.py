"""Battlefield on fields made by hand."""

import itertools
import re

import pytest

import zerogrid
from games.boards import after, drawn, ending
from zerogrid.core.errors import BadPosition, BadSetting, IllegalMove
from zerogrid.core.position import Position

WIPED_OUT, HELD, NOBODY = "a team is wiped out", "the centre was held", "nobody is left"


def field(board: str, settings: str = "", **numbers: str) -> Position:
    """A position drawn by hand. What is not said is as at the start; whose turn it is follows from the steps."""
    rows = board.split("\n")[1:-1]
    signs = "".join(board.split())
    chosen = dict(part.split("=") for part in settings.split(",") if part)
    standing = max(sum(sign in team for sign in signs) for team in ("ABCD", "abcd"))
    agents = int(chosen.setdefault("agents", str(standing)))
    chosen["obstacles"] = str(signs.count("#"))
    spec = f"battlefield:{len(rows)}x{len(rows[0].split())}," + ",".join(f"{name}={chosen[name]}" for name in chosen)
    letters = "ABCD"[:agents] + "abcd"[:agents]
    health, ammo = chosen.get("health", "1"), chosen.get("ammo", "6")
    lines = {
        "health": " ".join(health if one in signs else "0" for one in letters),
        "ammo": " ".join(ammo if one in signs else "0" for one in letters),
        "streaks": "0 0",
        "steps": "0",
        "calm": "0",
    } | numbers
    steps = int(lines["steps"])
    said = [f"{name} {values}" for name, values in lines.items()]
    return drawn(spec, board, *said, f"turn {('north', 'south')[steps % 2]}")


def board(position: Position) -> str:
    """The field without spaces, row after row."""
    rows = position.game.ROWS
    return "/".join(line.replace(" ", "") for line in str(position).splitlines()[1 : rows + 1])


def numbers(position: Position, name: str) -> list[int]:
    found = re.search(rf"^{name} (.*)$", str(position), re.MULTILINE)
    assert found
    return [int(word) for word in found[1].split()]


# --- orders and actions ---------------------------------------------------------------------------------------------


def test_a_joint_action_is_a_number_in_base_nine_with_the_first_agent_most_significant() -> None:
    orders = ["wait", "up", "right", "down", "left", "shoot-up", "shoot-right", "shoot-down", "shoot-left"]
    game = zerogrid.game("battlefield:7x7")
    assert game.ACTIONS == 81
    for first, second in itertools.product(range(9), repeat=2):
        assert game.action(f"{orders[first]}+{orders[second]}") == first * 9 + second
    assert zerogrid.game("battlefield:7x7,agents=3").action("up+wait+shoot-left") == (1 * 9 + 0) * 9 + 8
    assert [zerogrid.game(f"battlefield:7x7,agents={n}").ACTIONS for n in (1, 2, 3, 4)] == [9, 81, 729, 6561]


@pytest.mark.parametrize("text", ["up+shoot-left", "up, shoot-left", "u sl", "U SL", "u+sl"])
def test_orders_may_be_typed_in_several_ways(text: str) -> None:
    game = zerogrid.game("battlefield:7x7")
    assert game.action_name(game.action(text)) == "up+shoot-left"


@pytest.mark.parametrize(
    "order, expected",
    [("wait", ".../.A./..a"), ("up", ".A./.+./..a"), ("right", ".../.+A/..a"), ("down", ".../.+./.Aa"),
     ("left", ".../A+./..a")],
)
def test_orders_move_agents_up_right_down_and_left(order: str, expected: str) -> None:
    position = field("""
. . .
. A .
. . a
""")  # fmt: skip
    assert board(position.play(order)) == expected


def test_moving_needs_a_free_cell_on_the_board() -> None:
    position = field("""
A # . . .
. . . . .
a . . . .
. . . . .
. . . . .
""", "ammo=0")  # fmt: skip
    assert position.legal == ["wait", "down"], "up and left is the edge, right an obstacle"
    position.play("down")
    assert position.legal == ["wait", "right", "down"], "up stands an enemy, left is the edge"


def test_moving_out_of_the_safe_zone_is_not_legal() -> None:
    position = field("""
~ ~ ~ ~ ~
~ A . . ~
~ . . . ~
~ . . a ~
~ ~ ~ ~ ~
""", "ammo=0,shrink=2", steps="2")  # fmt: skip
    assert position.legal == ["wait", "right", "down"]


def test_orders_are_carried_out_in_agent_order() -> None:
    """The second agent may enter the cell that the first has left, but not the other way round."""
    position = field("""
A B . . .
. . . . .
. . . . .
. . . . .
a . . . b
""", "ammo=0")  # fmt: skip
    assert "down+left" in position.legal, "A leaves, B follows"
    assert "right+right" not in position.legal, "A cannot enter while B still stands there"
    assert "wait+left" not in position.legal
    assert board(position.copy().play("down+left")) == "B..../A..../..+../...../a...b"
    facing = field("""
A . B . .
. . . . .
. . . . .
. . . . .
a . . . b
""", "ammo=0")  # fmt: skip
    assert "right+left" not in facing.legal, "not both onto one cell"
    assert "right+wait" in facing.legal
    with pytest.raises(IllegalMove):
        facing.play("right+left")


def test_a_cell_is_free_once_the_enemy_on_it_has_been_shot() -> None:
    position = field("""
A a B . .
. . . . .
. . . . .
. . . . .
. . . . b
""")  # fmt: skip
    assert "shoot-right+left" in position.legal
    assert "wait+left" not in position.legal
    assert "left+shoot-left" not in position.legal
    assert "right+shoot-left" not in position.legal, "A goes first, while the enemy still stands there"
    after_shot = position.play("shoot-right+left")
    assert board(after_shot) == "AB.../...../..+../...../....b"
    tough = field("""
A a B . .
. . . . .
. . . . .
. . . . .
. . . . b
""", "health=2")  # fmt: skip
    assert "shoot-right+left" not in tough.legal, "one hit is not enough"


def test_a_dead_agent_only_waits() -> None:
    position = field("""
A . . . .
. . . . .
. . . . .
. . . . .
a . . . b
""", "agents=2", health="1 0 1 1", ammo="6 0 6 6")  # fmt: skip
    assert position.legal
    assert all(name.endswith("+wait") for name in position.legal)


# --- shooting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, settings, hit",
    [
        ("A . . . a", "", True),  # four cells
        ("A . . . . a", "", False),  # five
        ("A . . . . a", "range=5", True),
        ("A . a", "range=1", False),
        ("A a .", "range=1", True),
        ("A # a .", "", False),
        ("A . # a", "", False),
        ("A B a .", "", False),  # a team-mate stops the shot
        ("A b a .", "", False),  # and so does the first enemy, who is hit instead
    ],
)
def test_a_shot_flies_straight_to_the_first_thing_in_its_way(line: str, settings: str, hit: bool) -> None:
    width = len(line.split())
    empty = " ".join("." * width)
    rest = " ".join("." * (width - 2) + ("B" if "B" not in line else ".") + ("b" if "b" not in line else "."))
    position = field(f"\n{line}\n{empty}\n{empty}\n{empty}\n{rest}\n", settings)
    position.play("shoot-right+wait")
    a = position.game.AGENTS
    assert (numbers(position, "health")[a] == 0) == hit
    assert numbers(position, "ammo")[0] == 5, "every shot costs one, hit or miss"
    if "b" in line:
        assert numbers(position, "health")[a + 1] == 0
    if "B" in line:
        assert numbers(position, "health")[1] == 1, "a team-mate is not hurt"


SHOTS = [("shoot-up", "a"), ("shoot-right", "b"), ("shoot-down", "c"), ("shoot-left", "d")]


@pytest.mark.parametrize("order, lost", SHOTS)
def test_shots_fly_in_four_directions(order: str, lost: str) -> None:
    position = field("""
. . a . . . .
. . . . . . .
d . A . b . .
. . . . . . .
. . c . . . .
. . . . . . .
B C D . . . .
""")  # fmt: skip
    position.play(f"{order}+wait+wait+wait")
    assert lost not in board(position)
    assert sum(numbers(position, "health")) == 7


def test_shooting_needs_ammunition() -> None:
    position = field("""
A . .
. . .
. . a
""", "shrink=9", ammo="1 6")  # fmt: skip
    assert "shoot-right" in position.legal
    position.play("shoot-right").play("wait")
    assert numbers(position, "ammo") == [0, 6]
    assert not any("shoot" in name for name in position.legal)


def test_health_is_how_many_hits_it_takes() -> None:
    position = field("""
A . a
. . .
. . .
""", "health=2,shrink=9")  # fmt: skip
    position.play("shoot-right")
    assert numbers(position, "health") == [2, 1]
    assert not position.over
    position.play("wait")
    assert ending(position.play("shoot-right")) == (WIPED_OUT, 1.0, -1.0)


def test_turns_since_somebody_was_hit_are_counted() -> None:
    position = field("""
A . a
. . .
. . .
""", "health=2,shrink=9")  # fmt: skip
    seen = []
    for move in ("wait", "wait", "shoot-right", "wait"):
        position.play(move)
        seen += numbers(position, "calm")
    assert seen == [1, 2, 0, 1]


# --- ends -----------------------------------------------------------------------------------------------------------


def test_a_team_whose_agents_are_all_dead_loses() -> None:
    position = field("""
A . . a .
. . . . .
. . . . .
. . . . .
B . . b .
""")  # fmt: skip
    assert ending(position.copy().play("shoot-right+wait")) is None
    assert ending(position.play("shoot-right+shoot-right")) == (WIPED_OUT, 1.0, -1.0)
    second = field("""
A . . a .
. . . . .
. . . . .
. . . . .
. . . . .
""", steps="1", calm="1")  # fmt: skip
    assert ending(second.play("shoot-left")) == (WIPED_OUT, -1.0, 1.0)


def test_holding_the_centre_for_three_own_turns_wins() -> None:
    position = field("""
. . . . .
. . A . .
. . . . .
. . . . .
a . . . .
""", "shrink=99")  # fmt: skip
    streaks = []
    for move in ("down", "wait", "wait", "wait", "wait"):
        assert ending(position) is None
        position.play(move)
        streaks.append(numbers(position, "streaks"))
    assert streaks == [[1, 0], [1, 0], [2, 0], [2, 0], [3, 0]]
    assert ending(position) == (HELD, 1.0, -1.0)


def test_leaving_the_centre_ends_the_streak_and_relieving_one_another_does_not() -> None:
    held = field("""
. . . . .
. . A . .
. . B . .
. . . . .
a . . . b
""", "shrink=99", streaks="2 0", steps="2")  # fmt: skip
    left = held.copy().play("wait+down")
    assert numbers(left, "streaks") == [0, 0]
    swapped = field("""
. . . . .
. . B . .
. . A . .
. . . . .
a . . . b
""", "shrink=99", streaks="2 0", steps="2")  # fmt: skip
    assert ending(swapped.play("down+down")) == (HELD, 1.0, -1.0)


def test_the_other_team_standing_on_the_centre_counts_for_itself() -> None:
    position = field("""
. . . . .
A . . . .
. . a . .
. . . . .
. . . . .
""", "shrink=99,hold=2", streaks="0 1", steps="3")  # fmt: skip
    assert ending(position.play("wait")) == (HELD, -1.0, 1.0)


def test_the_zone_shrinks_after_every_so_many_turns_and_kills_whom_it_leaves_outside() -> None:
    position = field("""
A . . . .
. B . . .
. . . . .
. . . a .
. . . . b
""", "shrink=2")  # fmt: skip
    position.play("wait+wait")
    assert board(position) == "A..../.B.../..+../...a./....b"
    position.play("wait+wait")
    assert board(position) == "~~~~~/~B..~/~.+.~/~..a~/~~~~~"
    assert numbers(position, "health") == [0, 1, 1, 0]
    assert numbers(position, "ammo") == [0, 6, 6, 0]
    assert position.to_move == 0


def test_when_the_zone_kills_one_team_the_other_wins_and_when_it_kills_both_it_is_a_draw() -> None:
    position = field("""
A . . . .
. . . . .
. . . . .
. . . a .
. . . . .
""", "shrink=1")  # fmt: skip
    assert ending(position.play("wait")) == (WIPED_OUT, -1.0, 1.0)
    both = field("""
A . . . .
. . . . .
. . . . .
. . . . .
. . . . a
""", "shrink=1")  # fmt: skip
    assert ending(both.play("wait")) == (NOBODY, 0.0, 0.0)


def test_after_the_zone_has_shrunk_to_nothing_the_game_is_over() -> None:
    game = zerogrid.game("battlefield:3x3,obstacles=0,shrink=3,agents=1,hold=99,ammo=0")
    assert game.MAX_PLIES == 6
    position = field("""
. . .
. A .
. . a
""", "shrink=3,hold=99,ammo=0")  # fmt: skip
    for move in ("wait", "up", "wait"):
        position.play(move)
    assert ending(position) == (WIPED_OUT, 1.0, -1.0), "only the centre is left, and A stands on it"
    alone = after("battlefield:3x3,obstacles=0,shrink=99,agents=1,hold=99,ammo=0", "wait wait")
    assert not alone.over


def test_a_win_by_shooting_comes_before_the_zone() -> None:
    """The turn in which the zone shrinks: who has no enemies left has won, though the zone would kill him too."""
    position = field("""
. . . . .
. . . . .
. . . . .
. . . . .
A . . a .
""", "shrink=1")  # fmt: skip
    assert ending(position.play("shoot-right")) == (WIPED_OUT, 1.0, -1.0)


def test_a_win_by_the_centre_comes_before_the_zone() -> None:
    position = field("""
. . . . .
. . . . .
. . A . .
. . . . .
. . . . a
""", "hold=1,shrink=1")  # fmt: skip
    assert ending(position.play("wait")) == (HELD, 1.0, -1.0)


# --- the start ------------------------------------------------------------------------------------------------------

STARTS = ["battlefield:7x7", "battlefield:3x3,obstacles=0", "battlefield:9x9,obstacles=20", "battlefield:6x5,agents=4",
          "battlefield:7x9,mirror=true,obstacles=12", "battlefield:5x5,obstacles=4,mirror=true,agents=3"]


@pytest.mark.parametrize("spec", STARTS)
def test_every_start_is_as_the_rules_say(spec: str) -> None:
    game = zerogrid.game(spec)
    rows, columns, agents = game.ROWS, game.COLUMNS, game.settings["agents"]
    seen = set()
    for seed in range(60):
        start = game.start(seed)
        signs = [list(line) for line in board(start).split("/")]
        seen.add(str(start))
        for team, row in (("ABCD"[:agents], 0), ("abcd"[:agents], rows - 1)):
            for letter in team:
                assert signs[row].count(letter) == 1
        walls = {(r, c) for r in range(rows) for c in range(columns) if signs[r][c] == "#"}
        assert len(walls) == game.settings["obstacles"]
        assert all(0 < r < rows - 1 for r, _ in walls), "in the other rows"
        assert (rows // 2, columns // 2) not in walls, "the centre is free"
        if game.settings["mirror"]:
            assert walls == {(rows - 1 - r, columns - 1 - c) for r, c in walls}
        free = {(r, c) for r in range(rows) for c in range(columns)} - walls
        assert reached(free) == free
        assert (start.to_move, start.over) == (0, False)
        assert numbers(start, "ammo") == [game.settings["ammo"]] * 2 * agents
    assert len(seen) > 20, "the start is drawn at random"
    assert str(game.start(7)) == str(game.start(7)), "and by the seed alone"


def reached(free: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The free cells that can be reached from one of them."""
    found, edge = set(), {next(iter(free))}
    while edge:
        found |= edge
        near = {(r + down, c + right) for r, c in edge for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        edge = (near & free) - found
    return found


def test_the_columns_of_the_start_are_all_used_about_equally() -> None:
    game, counts = zerogrid.game("battlefield:7x7,agents=1"), [0] * 7
    for seed in range(700):
        counts[board(game.start(seed)).index("A")] += 1
    assert min(counts) > 60
    assert max(counts) < 140


def test_the_defaults_are_those_decided() -> None:
    chosen = zerogrid.game("battlefield:7x7").settings
    assert chosen == {"rows": 7, "columns": 7, "agents": 2, "obstacles": 4, "mirror": False, "health": 1, "ammo": 6,
                      "range": 4, "shrink": 8, "hold": 3}  # fmt: skip


@pytest.mark.parametrize("spec", ["battlefield:2x7", "battlefield:16x7", "battlefield:7x7,agents=5",
                                  "battlefield:7x7,agents=0", "battlefield:7x3,agents=4",
                                  "battlefield:7x7,obstacles=12",
                                  "battlefield:7x7,mirror=true,obstacles=3", "battlefield:6x7,mirror=true",
                                  "battlefield:7x7,shrink=0", "battlefield:7x7,hold=0", "battlefield:7x7,range=0"])
def test_impossible_fields_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        zerogrid.game(spec)


# --- symmetry and text ----------------------------------------------------------------------------------------------


def test_symmetries_are_the_mirror_and_the_numbering_of_the_agents() -> None:
    assert len(zerogrid.game("battlefield:7x7").symmetries) == 2 * 2
    assert len(zerogrid.game("battlefield:7x7,agents=3").symmetries) == 2 * 6
    game = zerogrid.game("battlefield:7x7")
    mirror = next(one for one in game.symmetries if one.name == "mirror left-right")
    assert game.action_name(mirror.actions[game.action("left+shoot-right")]) == "right+shoot-left"
    swap = next(one for one in game.symmetries if one.name == "agents 2 1")
    assert game.action_name(swap.actions[game.action("left+shoot-right")]) == "shoot-right+left"


def test_agents_numbered_otherwise_still_act_in_their_old_order() -> None:
    """Otherwise swapping the agents would be no symmetry: who acts first matters."""
    game = zerogrid.game("battlefield:5x5,obstacles=0,ammo=0")
    swap = next(one for one in game.symmetries if one.name == "agents 2 1")
    position = field("""
A B . . .
. . . . .
. . . . .
. . . . .
a . . . b
""", "ammo=0")  # fmt: skip
    swapped = Position.of_state(position.game, game.image(swap, position.state))
    assert board(swapped) == "BA.../...../..+../...../b...a"
    assert "down+left" in position.legal
    assert "left+down" in swapped.legal, "the second agent acts first now"


@pytest.mark.parametrize(
    "said, told",
    [
        ({"health": "2 1"}, "has health 2"),
        ({"ammo": "7 6"}, "7 shots"),
        ({"health": "0 1"}, "has health 0"),
        ({"streaks": "4 0"}, "streak"),
        ({"steps": "9999"}, "9999 steps"),
        ({"ranks": "1"}, "ranks"),
        ({"health": "1"}, "is no line of a position"),
        ({"ammo": "six six"}, "is no line of a position"),
    ],
)
def test_typed_positions_that_cannot_be_are_refused(said: dict[str, str], told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        field("\nA . .\n. . .\n. . a\n", **said)


@pytest.mark.parametrize(
    "lines, told",
    [("A . A\n. . .\n. . a", "stands on the field twice"), ("A . .\n. . .\n. . x", "is none of"),
     ("A . .\n. . .\n. a", "has 2 cells; it needs 3"), ("A . .\n. . .", "row 3")],
)
def test_typed_fields_that_cannot_be_are_refused(lines: str, told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        drawn("battlefield:3x3,agents=1,obstacles=0", lines, "health 1 1", "ammo 6 6", "steps 0", "turn north")
