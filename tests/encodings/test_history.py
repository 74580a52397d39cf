"""Older positions: newest first, as the player to move now sees them, zeros before the start; and repetitions."""

import numpy as np
import pytest

import zerogrid
from shown.boards import positions
from zerogrid.core.position import Position
from zerogrid.encodings import encoding, names_for


def cases() -> list[tuple[str, str]]:
    specs = [name if name != "dots_and_boxes" else "dots_and_boxes:2x2" for name in zerogrid.names()]
    return [(spec, name) for spec in specs for name in names_for(spec)]


def as_seen_by(position: Position, player: int) -> Position | None:
    """The same position with this player to move; None where it cannot be told how."""
    state, part = position.state, next((one for one in position.game.layout.fields if one.name == "turn"), None)
    if part is not None:
        state[part.offset] = player
    made = Position.of_state(position.game, state)
    return made if made.to_move == player else None


@pytest.mark.parametrize("game, name", cases())
def test_any_game_and_encoding_has_a_past(game: str, name: str) -> None:
    now, with_past = encoding(game, name), encoding(game, f"{name},history=4")
    assert with_past.planes == 4 * now.planes
    for position in positions(game, 5):
        shown = with_past.encode(position)
        past = position.history[::-1]
        for step in range(4):
            block = shown[..., step * now.planes : (step + 1) * now.planes]
            if step >= len(past):
                assert not block.any()
                continue
            then = as_seen_by(Position.of_state(position.game, past[step]), position.to_move)
            if then is None:
                continue
            expected = now.encode(then)
            own_turn = [i for i, plane in enumerate(now.plane_names) if plane == "turn"]  # tells whose turn it was
            np.testing.assert_array_equal(np.delete(block, own_turn, -1), np.delete(expected, own_turn, -1))


# --- "this position has occurred before in this game" -----------------------------------------------------------------


def again(position: Position, spec: str = "teams,context=true") -> list[float]:
    """The plane of repetition, for each position shown; it is the same number everywhere."""
    made = encoding(position.game, spec)
    shown = made.encode(position)
    found = []
    for index, name in enumerate(made.plane_names):
        if name.startswith("occurred before"):
            assert len(np.unique(shown[..., index])) == 1
            found.append(float(shown[0, 0, index]))
    return found


def test_a_position_that_comes_back_is_marked() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0").start(4)
    marks = [again(position)]
    for move in ("down+wait", "up+wait", "up+wait", "down+wait", "wait+wait"):
        marks.append(again(position.play(move)))
    # After four moves everybody is back, and the same team is to move; the next wait leads to what stood after ply 1 no
    # more: there, an agent of the north was one row lower.
    assert marks == [[0], [0], [0], [0], [1], [0]]
    assert again(position, "teams,context=true,history=3") == [0, 1, 0]


def test_the_other_teams_turn_is_another_position() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0").start(4)
    assert [again(position.play("wait+wait")) for _ in range(3)] == [[0], [1], [1]]


def test_a_shot_makes_a_new_position() -> None:
    position = zerogrid.game("battlefield:7x7,obstacles=0").start(4)
    for move in ("shoot-left+wait", "wait+wait"):
        position.play(move)
    assert again(position) == [0]
    position.play("wait+wait").play("wait+wait")
    assert again(position) == [1]


def test_a_repetition_is_seen_however_long_ago() -> None:
    """Of the naive twin's kind: a dictionary of all that was."""
    for position in positions("battlefield:5x5,agents=1,obstacles=0,ammo=0", 16):
        game, seen = position.game, {}
        for state in position.history:
            key = (*state[game.AGENT : game.RANKS].tolist(), int(state[game.TURN]))
            count = seen[key] = seen.get(key, -1) + 1
        assert again(position) == [float(count > 0)]
